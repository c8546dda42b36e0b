import { expect, test } from 'vitest';
import { holdsUnknown, sameValue, textAt, unknown, type Value } from '../../src/hcl/value.ts';

test.each<readonly [boolean, Value, Value | undefined]>([
  [true, unknown, unknown],
  [false, 1, '1'],
  [false, 1, 1n],
  [false, null, undefined],
  [true, ['a', ['b']], ['a', ['b']]],
  [false, ['a', 'b'], ['a']],
  [false, ['a'], ['a', 'b']],
  [false, ['a', 'b'], ['a', 'c']],
  [false, [], {}],
  [false, {}, []],
  [false, { a: null }, null],
  [true, { a: { b: [unknown] }, c: 1 }, { c: 1, a: { b: [unknown] } }],
  [false, { a: { b: 1 } }, { a: { b: 2 } }],
  [false, { a: 1, b: 2 }, { a: 1, b: 3 }],
  [false, { a: 1 }, { a: 1, b: 2 }],
  [false, { a: 1, b: 2 }, { a: 1 }],
  [false, { a: 1 }, { b: 1 }],
])('equality is %s: %o, %o', (expected, a, b) => {
  expect(sameValue(a, b)).toBe(expected);
});

test.each<readonly [boolean, Value | undefined]>([
  [true, unknown],
  [true, ['a', unknown]],
  [true, { a: 1, b: { c: [{ d: unknown }] } }],
  [false, { a: ['unknown'], b: null }],
  [false, undefined],
])('an unknown value is contained: %s, %o', (expected, value) => {
  expect(holdsUnknown(value)).toBe(expected);
});

test('the text of an attribute exists if it is known and not empty', () => {
  expect(textAt({ a: 'x' }, 'a')).toBe('x');
  const others: readonly Value[] = [null, '', unknown, 1];
  for (const value of others) expect(textAt({ a: value }, 'a')).toBeUndefined();
  for (const object of [null, undefined, {}]) expect(textAt(object, 'a')).toBeUndefined();
});
