import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../temporaryFolder.ts';

/** What reading a folder ends with, by the end of its path: who runs the tests may read everything. */
const failures: Readonly<Record<string, string>> = { '/gone': 'ENOENT', '/closed': 'EACCES' };
vi.doMock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const readdir = (path: string, options: { readonly withFileTypes: true }) => {
    const code = Object.entries(failures).find(([end]) => path.endsWith(end))?.[1];
    if (code === undefined) return real.readdir(path, options);
    return Promise.reject(Object.assign(new Error(code), { code, path }));
  };
  return { ...real, readdir };
});
// Other files of tests may have loaded it with the real one, and go on with that.
vi.resetModules();
const { findInput } = await import('../../../src/project/inputs/findInput.ts');
afterAll(() => {
  vi.doUnmock('node:fs/promises');
  vi.resetModules();
});

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
