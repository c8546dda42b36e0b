import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolders, replaceFile, writeWhole } from '../../../src/project/files/writeWhole.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

test.each([
  ['600', '666', '600'],
  ['664', '666', '664'],
  ['755', '644', '755'],
  ['644', '600', '600'],
])('a file with the permissions %s that is written with %s has %s', async (...octal) => {
  const [before = 0, mode = 0, after] = octal.map((each) => Number.parseInt(each, 8));
  const path = join(temporaryFolder('modes'), 'file');
  writeFileSync(path, 'old');
  chmodSync(path, before);
  writeWhole(path, 'new', mode);
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['new', after]);
  if (mode !== 0o666) return;
  await replaceFile(path, 'newer');
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['newer', after]);
});

test('missing folders are created for their owner only, and the highest new one is returned', () => {
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

test.runIf(process.platform === 'linux')('a file system that accepts no new names is an error', () => {
  expect(() => makeFolders('/proc/gantry/a')).toThrow('ENOENT');
});

// In another process, because a test cannot end an endless call.
test.runIf(process.platform === 'linux')('a command does not hang if the home folder cannot be created', () => {
  const command = new URL('../../../src/project/files/compileCache.ts', import.meta.url);
  const program = `import { enableCompileCache } from '${command}'; enableCompileCache({ HOME: '/proc' });`;
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { timeout: 10_000 });
  expect(status).toBe(0);
});
