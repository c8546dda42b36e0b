import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { kindNames } from './kindNames.ts';

/**
 * Facts about a kind belong in its sheet (`src/kinds/<kind>/`): elsewhere, a comparison with its name or a table by
 * kind is a fact in the wrong place. Both numbers must only decrease.
 */
const most = { comparisons: 23, tables: 0 };

const root = new URL('../..', import.meta.url).pathname;
const found = ['src', 'constructs', 'browser', 'scripts']
  .flatMap((part) =>
    readdirSync(join(root, part), { recursive: true, encoding: 'utf8' }).map((name) => join(part, name)),
  )
  .filter((path) => /\.tsx?$/.test(path) && !/^src\/kinds\/|\/generated\//.test(path))
  .map((path) => kindNames(path, readFileSync(join(root, path), 'utf8')));

test('code outside src/kinds seldom compares the name of a kind', () => {
  const comparisons = found.flatMap((each) => each.comparisons);
  expect(comparisons.length, comparisons.join('\n')).toBeLessThanOrEqual(most.comparisons);
});

test('code outside src/kinds has no tables by kind', () => {
  const tables = found.flatMap((each) => each.tables);
  expect(tables.length, tables.join('\n')).toBeLessThanOrEqual(most.tables);
});

test.each([
  ["const is = ref.kind === 'gvc';", 1, 0],
  ["const is = 'gvc' !== stringAt(record, 'targetKind');", 1, 0],
  ["switch (row.kind) { case 'gvc': break; case 'domain': break; default: }", 2, 0],
  ["const is = key === 'gvc' || rel === 'image';", 0, 0],
  ['const table: Partial<Record<Kind, string>> = {};', 0, 1],
  ["const names = { agent: 'a', gvc: 'g', secret: 's', workload: 'w' };", 0, 1],
  ['interface Fields { agent: A; gvc: G; secret: S; workload: W }', 0, 1],
  ['const settings = { org, gvc };', 0, 0],
])('%s', (text, comparisons, tables) => {
  const names = kindNames('src/x.ts', text);
  expect([names.comparisons.length, names.tables.length]).toEqual([comparisons, tables]);
});
