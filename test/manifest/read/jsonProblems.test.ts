import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../src/base/json/json.ts';
import { jsonProblems } from '../../../src/manifest/readManifest.ts';

const longest = 'x'.repeat(1_048_576);
const exact = Number.MAX_SAFE_INTEGER;

/** Of a TypeScript stack, in which anything can stand. */
const odd = (value: unknown): JsonValue => JSON.parse('0', () => value);

describe('of a value anywhere in a manifest', () => {
  test.each<{ it: string; value: JsonValue; problems: readonly string[] }>(
    // biome-ignore format: a row is a case
    [
      { it: 'data of every type', value: { a: ['x', 1, -1.5, true, false, null, {}, []], b: { c: '' } }, problems: [] },
      { it: 'a name for editors at the top', value: { $schema: 'x' }, problems: [] },
      { it: 'and deeper', value: { a: { $schema: 'x' } }, problems: ['manifest.directive-key a.$schema'] },
      { it: 'names that begin like a directive', value: { $: 1, a: [{ $drop: [] }], b$: 1 },
        problems: ['manifest.directive-key $', 'manifest.directive-key a.0.$drop'] },
      { it: 'what lies below such a name is not looked at', value: { $a: { $b: 1 } },
        problems: ['manifest.directive-key $a'] },
      { it: '__proto__', value: JSON.parse('{"__proto__": {"$a": 1}, "b": {"__proto__": 1}}'),
        problems: ['manifest.unsafe-key __proto__', 'manifest.unsafe-key b.__proto__'] },
      { it: 'other names of JavaScript', value: { constructor: 1, prototype: 2, toString: 'x' }, problems: [] },
      { it: 'the longest text', value: { a: longest }, problems: [] },
      { it: 'a longer one', value: { a: `${longest}x` }, problems: ['manifest.too-long a'] },
      { it: 'a whole surrogate pair', value: ['\u{1f600}'], problems: [] },
      { it: 'half of one', value: ['a\ud83d', '\ude00'], problems: ['manifest.not-json 0', 'manifest.not-json 1'] },
      { it: 'the largest numbers that are exact', value: [exact, -exact, 0.1], problems: [] },
      { it: 'larger ones', value: [exact + 1, -exact - 1, 1e300],
        problems: ['manifest.not-json 0', 'manifest.not-json 1', 'manifest.not-json 2'] },
      { it: 'no numbers', value: [Number.NaN, Number.NEGATIVE_INFINITY],
        problems: ['manifest.not-json 0', 'manifest.not-json 1'] },
      { it: 'functions and symbols', value: { a: odd(() => 1), b: [odd(Symbol.iterator), odd(5n)] },
        problems: ['manifest.not-json a', 'manifest.not-json b.0', 'manifest.not-json b.1'] },
      { it: 'what has its content elsewhere than in fields', value: { a: odd(new Set(['x'])), b: [odd(/x/)] },
        problems: ['manifest.not-json a', 'manifest.not-json b.0'] },
      { it: 'objects without a field, of any class', value: { a: odd(Object.create(null)), b: odd(new (class {})()) },
        problems: [] },
      { it: 'what is left out', value: { a: odd(undefined), b: [odd(undefined)] }, problems: [] },
    ],
  )('$it', ({ value, problems }) => {
    expect(jsonProblems(value).map(({ rule, path }) => `${rule} ${path}`)).toEqual(problems);
  });

  test('the place of each problem is its own', () => {
    expect(jsonProblems({ a: [1, { $b: 1 }], $c: 1 }).map(({ pointer }) => pointer)).toEqual([['a', 1, '$b'], ['$c']]);
  });

  test('a number says why it is none', () => {
    expect(jsonProblems([Number.NaN, exact + 1]).map(({ message }) => message)).toEqual([
      'NaN is not a JSON number',
      'the number is outside of ±9007199254740991 and may lose precision',
    ]);
  });

  test('of a long name 60 characters are shown', () => {
    const [problem] = jsonProblems({ [`$${'x'.repeat(99)}`]: 1 });
    expect(problem?.message).toBe(`"$${'x'.repeat(59)}" would be read as a patch directive`);
  });
});
