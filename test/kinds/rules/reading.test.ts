import { expect, test } from 'vitest';
import { eachRepeated, holdsSomething, itemsAt, show, tagIsTrue, textsAt } from '../../../src/schema/rules/reading.ts';

test('an empty value counts as absent', () => {
  const record = { none: null, list: [], object: {}, zero: 0, no: false, text: '', some: [0], more: { a: null } };
  expect(Object.keys(record).filter((key) => holdsSomething(record, key))).toEqual([
    'zero',
    'no',
    'text',
    'some',
    'more',
  ]);
  expect(holdsSomething(record, 'absent')).toBe(false);
});

test('items are the objects, and texts the texts, each with its place', () => {
  const record = { list: [1, { a: 1 }, null, 'x', ['y'], {}], other: {} };
  expect(itemsAt(record, 'list')).toEqual([
    { index: 1, value: { a: 1 } },
    { index: 5, value: {} },
  ]);
  expect(textsAt(record, 'list')).toEqual([{ index: 3, value: 'x' }]);
  expect([itemsAt(record, 'other'), textsAt(record, 'other'), itemsAt(record, 'toString')]).toEqual([[], [], []]);
});

test.each([
  [{ tags: { on: true } }, true],
  [{ tags: { on: 'true' } }, true],
  [{ tags: { on: 'yes' } }, false],
  [{ tags: { on: 1 } }, false],
  [{ tags: {} }, false],
  [{ tags: ['on'] }, false],
  [{}, false],
])('the tag of %j is true: %s', (record, is) => {
  expect(tagIsTrue(record, 'on')).toBe(is);
});

test('a value is shown on one line of at most 80 characters', () => {
  expect(show(undefined)).toBe('nothing');
  expect(show({ a: ['b\n'] })).toBe('{"a":["b\\n"]}');
  expect(show('x'.repeat(78))).toBe(`"${'x'.repeat(78)}"`);
  expect(show('x'.repeat(79))).toBe(`"${'x'.repeat(76)}...`);
});

test('repeated items are found each time, and items without a key never', () => {
  const found: string[] = [];
  eachRepeated(
    ['a', '', 'b', 'a', '', 'a'],
    (item) => item || undefined,
    (item, key) => found.push(item + key),
  );
  expect(found).toEqual(['aa', 'aa']);
});
