import { spawnSync } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolders } from '../../../src/project/files/writeWhole.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

test('folders that are missing are made for their owner, and the highest of them is told', () => {
  const root = temporaryFolder('folders');
  mkdirSync(join(root, 'there'));
  expect(makeFolders(join(root, 'there/a/b'))).toBe(join(root, 'there/a'));
  expect(statSync(join(root, 'there/a/b')).mode & 0o777).toBe(0o700);
  expect(makeFolders(join(root, 'there/a/b'))).toBeUndefined();
});

test('a file in the way is an error', () => {
  const root = temporaryFolder('folders');
  writeFileSync(join(root, 'file'), '');
  expect(() => makeFolders(join(root, 'file'))).toThrow('EEXIST');
  expect(() => makeFolders(join(root, 'file/a'))).toThrow('EEXIST');
});

test.runIf(process.platform === 'linux')('a file system that takes no new names is an error', () => {
  expect(() => makeFolders('/proc/gantry/a')).toThrow('ENOENT');
});

// In a process of its own: what does not end cannot be ended by a test.
test.runIf(process.platform === 'linux')('a home where nothing can be made does not hold up a command', () => {
  const command = new URL('../../../src/project/files/compileCache.ts', import.meta.url);
  const program = `import { enableCompileCache } from '${command}'; enableCompileCache({ HOME: '/proc' });`;
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { timeout: 10_000 });
  expect(status).toBe(0);
});
