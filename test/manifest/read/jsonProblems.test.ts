import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../src/base/json/json.ts';
import { jsonProblems } from '../../../src/manifest/readManifest.ts';

const longest = 'x'.repeat(1_048_576);
const exact = Number.MAX_SAFE_INTEGER;

// From a TypeScript stack, in which any value is possible.
const odd = (value: unknown): JsonValue => JSON.parse('0', () => value);

describe('a value anywhere in a manifest', () => {
  test.each<{ it: string; value: JsonValue; problems: readonly string[] }>(
    // biome-ignore format: a row is a case
    [
      { it: 'data of every type', value: { a: ['x', 1, -1.5, true, false, null, {}, []], b: { c: '' } }, problems: [] },
      { it: '$schema at the top level', value: { $schema: 'x' }, problems: [] },
      { it: '$schema at another level',
        value: { a: { $schema: 'x' } }, problems: ['manifest.directive-key a.$schema'] },
      { it: 'names that begin as a directive', value: { $: 1, a: [{ $drop: [] }], b$: 1 },
        problems: ['manifest.directive-key $', 'manifest.directive-key a.0.$drop'] },
      { it: 'values below such a name are not checked', value: { $a: { $b: 1 } },
        problems: ['manifest.directive-key $a'] },
      { it: '__proto__', value: JSON.parse('{"__proto__": {"$a": 1}, "b": {"__proto__": 1}}'),
        problems: ['manifest.unsafe-key __proto__', 'manifest.unsafe-key b.__proto__'] },
      { it: 'other names of JavaScript', value: { constructor: 1, prototype: 2, toString: 'x' }, problems: [] },
      { it: 'the longest text', value: { a: longest }, problems: [] },
      { it: 'a longer text', value: { a: `${longest}x` }, problems: ['manifest.too-long a'] },
      { it: 'a whole surrogate pair', value: ['\u{1f600}'], problems: [] },
      { it: 'half a surrogate pair',
        value: ['a\ud83d', '\ude00'], problems: ['manifest.not-json 0', 'manifest.not-json 1'] },
      { it: 'the largest numbers that are exact', value: [exact, -exact, 0.1], problems: [] },
      { it: 'larger numbers', value: [exact + 1, -exact - 1, 1e300],
        problems: ['manifest.not-json 0', 'manifest.not-json 1', 'manifest.not-json 2'] },
      { it: 'not a number, and infinity', value: [Number.NaN, Number.NEGATIVE_INFINITY],
        problems: ['manifest.not-json 0', 'manifest.not-json 1'] },
      { it: 'functions and symbols', value: { a: odd(() => 1), b: [odd(Symbol.iterator), odd(5n)] },
        problems: ['manifest.not-json a', 'manifest.not-json b.0', 'manifest.not-json b.1'] },
      { it: 'objects whose content is not in fields', value: { a: odd(new Set(['x'])), b: [odd(/x/)] },
        problems: ['manifest.not-json a', 'manifest.not-json b.0'] },
      { it: 'objects without fields, of any class', value: { a: odd(Object.create(null)), b: odd(new (class {})()) },
        problems: [] },
      { it: 'undefined values', value: { a: odd(undefined), b: [odd(undefined)] }, problems: [] },
    ],
  )('$it', ({ value, problems }) => {
    expect(jsonProblems(value).map(({ rule, path }) => `${rule} ${path}`)).toEqual(problems);
  });

  test('each problem has its own path', () => {
    expect(jsonProblems({ a: [1, { $b: 1 }], $c: 1 }).map(({ pointer }) => pointer)).toEqual([['a', 1, '$b'], ['$c']]);
  });

  test('an invalid number is reported with the reason', () => {
    expect(jsonProblems([Number.NaN, exact + 1]).map(({ message }) => message)).toEqual([
      'NaN is not a JSON number',
      'the number is outside of ±9007199254740991 and may lose precision',
    ]);
  });

  test('60 characters of a long name are shown', () => {
    const [problem] = jsonProblems({ [`$${'x'.repeat(99)}`]: 1 });
    expect(problem?.message).toBe(`"$${'x'.repeat(59)}" would be read as a patch directive`);
  });
});
