import { expect, test } from 'vitest';
import { isObject, mapMembers } from '../../src/base/json/json.ts';

test('mapped members have new values, those without one are omitted, and the order is kept', () => {
  const mapped = mapMembers({ b: 1, a: 2, c: null }, (value, name) => (name === 'a' ? undefined : [name, value]));
  expect(Object.entries(mapped)).toEqual([
    ['b', ['b', 1]],
    ['c', ['c', null]],
  ]);
});

test('a member named __proto__ is an ordinary one', () => {
  const object: unknown = JSON.parse('{"__proto__": {"polluted": true}}');
  const mapped = mapMembers(isObject(object) ? object : {}, () => 'own');
  expect(Object.getPrototypeOf(mapped)).toBe(Object.prototype);
  expect(Object.entries(mapped)).toEqual([['__proto__', 'own']]);
});
