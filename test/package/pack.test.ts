import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporaryFolder.ts';
import { packed } from './installedProject.ts';

const root = new URL('../..', import.meta.url).pathname;
const folder = temporaryFolder('pack');

test('a missing folder is created for the tarball', async () => {
  const { said, folder } = await packed();
  expect(said).not.toContain('error');
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^gantry-.*\.tgz$/)]);
});

test.each([
  ['a file', 'file', 'EEXIST'],
  ['below a file', 'file/below', 'ENOTDIR'],
])('if the folder is %s, the error is one line', (_, name, code) => {
  mkdirSync(join(folder, 'files'), { recursive: true });
  writeFileSync(join(folder, 'files/file'), '');
  const target = join(folder, 'files', name);
  const args = [join(root, 'scripts/pack.ts'), target];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toMatch(new RegExp(`^error: ${target} is no folder: ${code}[^\\n]*\\n$`));
});
