import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFile } from '../../src/server/store/model/createFile.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const folder = temporaryFolder('create');

test('one of many simultaneous callers creates the file, and all others read it in full', async () => {
  const path = join(folder, 'key');
  const seen = await Promise.all(
    Array.from({ length: 20 }, async (_, at) => {
      const made = await createFile(path, `text of ${at}\n`);
      return { made, text: readFileSync(path, 'utf8') };
    }),
  );

  const makers = seen.flatMap(({ made }, at) => (made ? [at] : []));
  expect(makers).toHaveLength(1);
  expect(new Set(seen.map(({ text }) => text))).toEqual(new Set([`text of ${makers[0]}\n`]));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['key']);
});

test('an existing file stays unchanged', async () => {
  const path = join(folder, 'other');
  writeFileSync(path, 'before');

  expect(await createFile(path, 'after')).toBe(false);
  expect(readFileSync(path, 'utf8')).toBe('before');
});

test('a missing folder is an error', async () => {
  await expect(createFile(join(folder, 'none', 'key'), 'text')).rejects.toMatchObject({ code: 'ENOENT' });
});
