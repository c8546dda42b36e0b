import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compilePattern } from '../../../src/server/query/decisions/query.ts';
import { runs } from '../../harness/sampled.ts';

const part = fc.constantFrom(
  'a',
  'b',
  '.',
  '[ab]',
  '[^a]',
  '\\d',
  '\\.',
  '\\-',
  '[\\-a]',
  '[^\\@1]',
  '(a|b)',
  '(?:ab)*',
  'a*',
  'b+',
  'a?',
  '(a|b|)+',
  'a{2}',
  'b{1,}',
  'a{0,2}',
  '^',
  '$',
  '|',
  'a+?',
);
const pattern = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
const text = fc
  .array(fc.constantFrom('a', 'b', 'c', '1', '.', '-', '@'), { maxLength: 8 })
  .map((letters) => letters.join(''));

test('a pattern matches the same texts as in JavaScript (platform/query, =~)', () => {
  fc.assert(
    fc.property(pattern, text, (source, given) => {
      expect(compilePattern(source)?.(given)).toBe(new RegExp(source, 's').test(given));
    }),
    { numRuns: runs(3000) },
  );
});

test.each(['(a+)+$', '(a|a)*b', 'a*a*a*a*a*a*a*b', '(.*)*x'])('%s does not take exponential time', (source) => {
  expect(compilePattern(source)?.(`${'a'.repeat(4096)}!`)).toBe(false);
});

test.each([
  '(',
  ')',
  '[',
  '*',
  'a{2,1}',
  '(?=a)',
  '(?<n>a)',
  '(a)\\1',
  '\\b',
  '\\',
  '[b-a]',
  '(a{1000}){1000}',
  '((((){999}){999}){999}){999}',
])('%s is refused', (source) => {
  expect(compilePattern(source)).toBeUndefined();
});
