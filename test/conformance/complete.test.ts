import { expect, test } from 'vitest';
import { knownFailures } from './knownFailures.ts';
import { outline } from './outline.ts';
import { table } from './table.ts';

const ids = table.map(({ id }) => id);
const tests = table.flatMap((row) => row.tests);

test('every statement of the specification has its row, and every row a test', () => {
  expect(outline.filter((id) => !ids.includes(id))).toEqual([]);
  expect(table.filter((row) => row.tests.length === 0)).toEqual([]);
});

test('no row and no test is listed twice, and every row belongs to a section that was read', () => {
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(tests.map(({ name }) => name)).size).toBe(tests.length);
  const sections = new Set(outline.map(sectionOf));
  expect(ids.filter((id) => !sections.has(sectionOf(id)))).toEqual([]);
});

test('the names of tests begin with the id of their row, and known failures are names of tests', () => {
  for (const row of table) {
    for (const { name } of row.tests) expect(name.startsWith(`[${row.id}] `)).toBe(true);
  }
  expect(knownFailures.filter((name) => !tests.some((one) => one.name === name))).toEqual([]);
});

function sectionOf(id: string): string {
  return id.slice(0, id.indexOf('/'));
}
