import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeValues } from '../../../src/gantry/promote.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

const root = temporaryFolder('write-values');
const settings = 'environments: {dev: {values: {tag: b}}, prod: {values: {tag: a}}}\n';
const tag = { from: 'dev', to: 'prod', paths: [['tag']] };

/**
 * A path in a Linux system call has at most 4,095 bytes: the path of `gantry.yaml` here is shorter, that of a longer
 * name is not.
 */
function deepFolder(): string {
  let folder = mkdtempSync(join(root, 'deep-'));
  const length = 4_080;
  while (folder.length < length - 250) folder = join(folder, 'd'.repeat(200));
  folder = join(folder, 'e'.repeat(length - folder.length - 1));
  mkdirSync(folder, { recursive: true });
  return folder;
}

// biome-ignore format: a row is a case
test.each([
  { it: 'does not exist', make: () => {}, why: 'there is no such file' },
  { it: 'is a folder', make: (file: string) => void mkdirSync(file), why: 'it is a folder' },
  { it: 'is a broken link', make: (file: string) => symlinkSync('none', file), why: 'there is no such file' },
  { it: 'is a link to itself', make: (file: string) => symlinkSync(file, file), why: 'its links lead in a circle' },
])('gantry.yaml that $it is an error with its path and a hint', async ({ make, why }) => {
  const folder = mkdtempSync(join(root, 'project-'));
  const file = join(folder, 'gantry.yaml');
  make(file);
  await expect(writeValues(folder, tag)).rejects.toMatchObject({
    code: 'promote.unwritable',
    message: `${file} was not changed: ${why}`,
    hint: 'Correct that, and try again; gantry promote without --write lists the values.',
    place: { file },
  });
});

test('if no file can be written next to it, gantry.yaml is unchanged', async () => {
  const real = deepFolder();
  writeFileSync(join(real, 'gantry.yaml'), settings);
  const folder = mkdtempSync(join(root, 'project-'));
  const file = join(folder, 'gantry.yaml');
  symlinkSync(join(real, 'gantry.yaml'), file);
  await expect(writeValues(folder, tag)).rejects.toMatchObject({
    code: 'promote.unwritable',
    message: `${file} was not changed: the name is too long`,
  });
  expect(readFileSync(file, 'utf8')).toBe(settings);
  expect(readdirSync(real)).toEqual(['gantry.yaml']);
  rmSync(file);
});
