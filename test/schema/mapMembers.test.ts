import { expect, test } from 'vitest';
import { isObject, mapMembers } from '../../src/base/json/json.ts';

test('members have other values, and those without one are left out, in the same order', () => {
  const mapped = mapMembers({ b: 1, a: 2, c: null }, (value, name) => (name === 'a' ? undefined : [name, value]));
  expect(Object.entries(mapped)).toEqual([
    ['b', ['b', 1]],
    ['c', ['c', null]],
  ]);
});

test('a member called __proto__ is one like others', () => {
  const object: unknown = JSON.parse('{"__proto__": {"polluted": true}}');
  const mapped = mapMembers(isObject(object) ? object : {}, () => 'own');
  expect(Object.getPrototypeOf(mapped)).toBe(Object.prototype);
  expect(Object.entries(mapped)).toEqual([['__proto__', 'own']]);
});
