import { mkdirSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findInput } from '../../../src/project/inputs/findInput.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

/** The error of reading a folder, by the end of its path; replaced because root may read everything. */
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

/** Also replaces it for modules that have imported it. */
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

test('a subfolder that disappears while it is read hides nothing: the given folder has no manifest', async () => {
  expect(await findInput(folderWith('gone'), root)).toMatchObject({
    problem: { rule: 'input.empty', position: { file: 'with-gone' } },
  });
});

test('a subfolder that cannot be read is named in the problem', async () => {
  expect(await findInput(folderWith('closed'), root)).toMatchObject({
    searched: {
      problems: [{ rule: 'input.missing', message: 'permission is denied', position: { file: 'with-closed/closed' } }],
    },
  });
});
