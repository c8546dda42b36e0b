import { expect, test } from 'vitest';
import { SizedMap } from '../../../src/server/store/model/sizedMap.ts';

test('the least recently read value is removed first', () => {
  const map = new SizedMap<string, string>(10);
  map.set('a', 'first', 4);
  map.set('b', 'second', 4);
  expect(map.get('a')).toBe('first');
  map.set('c', 'third', 4);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual(['first', undefined, 'third']);
});

test('a value replaces the one of its key, and its size', () => {
  const map = new SizedMap<string, number>(10);
  for (let turn = 0; turn < 5; turn += 1) map.set('a', turn, 8);
  map.set('b', 1, 2);
  expect([map.get('a'), map.get('b')]).toEqual([4, 1]);
  map.delete('a');
  map.set('c', 2, 8);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([undefined, 1, 2]);
});

test('a value larger than the limit is not stored, and removes the earlier one of its key', () => {
  const map = new SizedMap<string, string>(10);
  map.set('a', 'small', 1);
  map.set('a', 'large', 11);
  expect(map.get('a')).toBeUndefined();
});

test('the time for making room depends only on the number of removed values', () => {
  const most = 100_000;
  const map = new SizedMap<number, number>(most);
  let key = 0;
  for (; key < most; key += 1) map.set(key, key, 1);
  for (let asked = 0; asked < most; asked += 1) map.get(asked);
  const startedMs = process.threadCpuUsage().user;
  for (; key < 2 * most; key += 1) map.set(key, key, 1);
  map.set(-1, -1, most / 2);
  // Searching a list from its start takes 20 s.
  expect((process.threadCpuUsage().user - startedMs) / 1000).toBeLessThan(5_000);
  expect([map.get(0), map.get(key - 1), map.get(-1)]).toEqual([undefined, key - 1, -1]);
});
