import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sectionOf, titles } from './document.ts';
import { laws, swept } from './laws.ts';

const root = new URL('../..', import.meta.url);
const document = readFileSync(new URL('test/laws.md', root), 'utf8');

describe('test/laws.md, quickly checked; `npm run laws` compares every figure', () => {
  test('there are ten laws, and each has a test', () => {
    expect(laws.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(laws.filter(({ tests }) => tests.length === 0)).toEqual([]);
  });

  test.each(laws)('law $number is in it with each of its tests, which exist', ({ number, says, tests }) => {
    const sample = sectionOf(document, titles.sample);
    expect(sample).toContain(`${number}. ${says}\n`);
    for (const { file, name } of tests) {
      expect(sample).toContain(`: \`${file}\`, ${name}\n`);
      expect(existsSync(new URL(file, root)), file).toBe(true);
    }
  });

  test('every test in it ran at least once, and each sweep is in it in full too', () => {
    expect(document).not.toMatch(/- 0 tests|, 0 /);
    for (const file of swept) expect(sectionOf(document, titles.whole)).toContain(file);
  });
});
