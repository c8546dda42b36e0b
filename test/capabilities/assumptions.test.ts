import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Assumption, assumptions } from '../../src/capabilities/assumptions.ts';
import { Capabilities } from '../../src/capabilities/capabilities.ts';

const rows: readonly (readonly [string, Assumption])[] = Object.entries(assumptions);
const learnable = rows.flatMap(([id, row]) => (row.test === undefined ? [] : [[id, row.test] as const]));

describe('the table of assumptions', () => {
  test.each(learnable)('%s has a test that names it', (id, file) => {
    expect(existsSync(file), `${file} does not exist`).toBe(true);
    expect(readFileSync(file, 'utf8'), `${file} does not name ${id}`).toContain(id);
  });

  test.each(rows)('%s states in sentences what is assumed, and what happens otherwise', (_, row) => {
    expect(row.assumed).toMatch(/^[A-Z].*\.$/);
    expect(row.otherwise).toMatch(/^[A-Z].*\.$/);
    expect(row.section).toMatch(/^[1-9](\.\d+)*$/);
  });
});

describe('the knowledge about a platform', () => {
  test('contains no deviation until an answer shows it', () => {
    expect(new Capabilities().isOtherwise('read.query')).toBe(false);
    expect(new Capabilities().of('read.query')).toBeUndefined();
  });

  test('keeps the latest finding', () => {
    const capabilities = new Capabilities([['read.query', 'otherwise']]);
    capabilities.learn('read.query', 'holds');
    expect(capabilities.of('read.query')).toBe('holds');
  });
});
