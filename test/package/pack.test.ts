import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporaryFolder.ts';

const root = new URL('../..', import.meta.url).pathname;
const folder = temporaryFolder('pack');

function pack(target: string) {
  return spawnSync(process.execPath, [join(root, 'scripts/pack.ts'), target], { cwd: root, encoding: 'utf8' });
}

test('a folder that is missing is made for the tarball', () => {
  const target = join(folder, 'a/b');
  const { status, stderr } = pack(target);
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('error')]);
  expect(readdirSync(target)).toEqual([expect.stringMatching(/^gantry-.*\.tgz$/)]);
});

test.each([
  ['a file', 'file', 'EEXIST'],
  ['below a file', 'file/below', 'ENOTDIR'],
])('where the folder is %s, the error is one line', (_, name, code) => {
  mkdirSync(join(folder, 'files'), { recursive: true });
  writeFileSync(join(folder, 'files/file'), '');
  const target = join(folder, 'files', name);
  const { status, stderr } = pack(target);
  expect(status).toBe(1);
  expect(stderr).toMatch(new RegExp(`^error: ${target} is no folder: ${code}[^\\n]*\\n$`));
});
