import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A table keyed by one of these types whose cells are neither numbers nor fields. */
const table = /Record<(Action|Risk|Outcome|DriftState|ResourceState), (?!number|Case|readonly CaseField)/;

test('words, signs and colours of actions, risks, outcomes and states are in one table for all forms', () => {
  const files = globSync(['src/**/*.ts', 'browser/**/*.{ts,tsx}']);
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((file) => table.test(readFileSync(file, 'utf8')))).toEqual(['src/change/words.ts']);
});
