import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDataFolder } from '../../../src/project/platform/dataFolder.ts';
import { tokenOfFolder } from '../../../src/project/platform/platform.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

const folder = temporaryFolder('token');

test('a token is created once, and readable only by its owner', async () => {
  const data = join(folder, 'new', 'data');
  await openDataFolder(data, () => undefined);
  const first = await tokenOfFolder(data);
  const second = await tokenOfFolder(data);

  expect(first).toEqual({ token: second.token, fresh: true });
  expect(second.fresh).toBe(false);
  expect(readFileSync(join(data, 'token'), 'utf8').trim()).toBe(first.token);
  expect(statSync(join(data, 'token')).mode & 0o777).toBe(0o600);
  expect(statSync(data).mode & 0o777).toBe(0o700);
  expect(readFileSync(join(data, '.gitignore'), 'utf8')).toBe('*\n');
});

test('a file in place of the folder is an error with a hint', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  await expect(tokenOfFolder(file)).rejects.toMatchObject({ code: 'data.unusable' });
  await expect(openDataFolder(file, () => undefined)).rejects.toMatchObject({ code: 'data.unusable' });
});
