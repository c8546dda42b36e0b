import { mkdirSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findInput } from '../../../src/project/inputs/findInput.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

/** What reading a folder ends with, by the end of its path: who runs the tests may read everything. */
const failures: Readonly<Record<string, string>> = { '/gone': 'ENOENT', '/closed': 'EACCES' };
const { readdir } = promises;
beforeAll(() => {
  const failing = (path: string, options: { readonly withFileTypes: true }) => {
    const code = Object.entries(failures).find(([end]) => path.endsWith(end))?.[1];
    if (code === undefined) return readdir(path, options);
    return Promise.reject(Object.assign(new Error(code), { code, path }));
  };
  replaceReaddir(failing);
});
afterAll(() => replaceReaddir(readdir));

/** For what imported it, too. */
function replaceReaddir(by: unknown): void {
  Reflect.set(promises, 'readdir', by);
  syncBuiltinESMExports();
}

const root = temporaryFolder('folders');

function folderWith(name: string): string {
  const path = join(root, `with-${name}`);
  mkdirSync(join(path, name), { recursive: true });
  return path;
}

test('a folder below that went away while it was read hides nothing: there is no manifest in the one given', async () => {
  expect(await findInput(folderWith('gone'), root)).toMatchObject({
    problem: { rule: 'input.empty', position: { file: 'with-gone' } },
  });
});

test('a folder below that may not be read is named itself', async () => {
  expect(await findInput(folderWith('closed'), root)).toMatchObject({
    searched: {
      problems: [{ rule: 'input.missing', message: 'permission is denied', position: { file: 'with-closed/closed' } }],
    },
  });
});
