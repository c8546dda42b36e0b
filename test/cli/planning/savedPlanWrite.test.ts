import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writePlanFile } from '../../../src/gantry/savedPlan/file.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

const folder = temporaryFolder('plan-file');

const plan = '{\n  "gantry": "saved-plan"\n}\n';
const other = '{\n  "gantry": "saved-plan", "more": 1\n}\n';
const at = (name: string) => join(folder, name);

test('a new file is private, and no temporary file stays', async () => {
  await writePlanFile(at('new'), plan);
  expect(readFileSync(at('new'), 'utf8')).toBe(plan);
  expect(statSync(at('new')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['new']);
});

test('another plan, or an empty file, is overwritten', async () => {
  await writePlanFile(at('new'), other);
  expect(readFileSync(at('new'), 'utf8')).toBe(other);
  writeFileSync(at('empty'), '');
  await writePlanFile(at('empty'), plan);
  expect(readFileSync(at('empty'), 'utf8')).toBe(plan);
});

test('a file that is no plan is kept, because it may be a manifest', async () => {
  const manifest = 'kind: gvc\nname: shop\n';
  writeFileSync(at('shop.yaml'), manifest);
  await expect(writePlanFile(at('shop.yaml'), plan)).rejects.toMatchObject({
    code: 'saved.unwritable',
    message: `the plan could not be saved to ${at('shop.yaml')}: it exists and is not a plan`,
  });
  expect(readFileSync(at('shop.yaml'), 'utf8')).toBe(manifest);
});

test('a link stays a link', async () => {
  symlinkSync(at('new'), at('link'));
  await writePlanFile(at('link'), plan);
  expect(lstatSync(at('link')).isSymbolicLink()).toBe(true);
  expect(readFileSync(at('new'), 'utf8')).toBe(plan);
});

test('a plan can be written to a pipe, which stays a pipe', async () => {
  execFileSync('mkfifo', [at('pipe')]);
  const [text] = await Promise.all([readFile(at('pipe'), 'utf8'), writePlanFile(at('pipe'), plan)]);
  expect(text).toBe(plan);
  expect(lstatSync(at('pipe')).isFIFO()).toBe(true);
});
