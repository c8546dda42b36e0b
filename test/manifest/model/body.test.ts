import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { Body, sensitivePlaces } from '../../../src/manifest/model/body.ts';

const mask = { sensitive: true };
const document = { name: 'key', data: { user: 'shop', words: ['open sesame', 4711] }, tags: { a: 'shop' } };
const hidden = { name: 'key', data: mask, tags: { a: 'shop' } };

test('a printed, logged or serialised body is masked; only `expose` returns the sent values', () => {
  const body = new Body(document, hidden);
  expect(body.expose()).toBe(document);
  expect(body.masked).toBe(hidden);
  expect(JSON.parse(JSON.stringify({ body }))).toEqual({ body: hidden });
  expect(inspect(body, { depth: 9 })).toBe(inspect(hidden, { depth: 9 }));
});

test('texts that messages must not contain: every masked text and every replaced one, each once', () => {
  expect(new Body(document, hidden, ['old password', 'shop']).hiddenTexts().toSorted()).toEqual([
    '4711',
    'old password',
    'open sesame',
    'shop',
  ]);
  expect(new Body({ a: 'b' }, { a: 'b' }).hiddenTexts()).toEqual([]);
});

test('another content is masked in the same way, and hides the same texts', () => {
  const body = new Body(document, hidden, ['old password']).with(({ tags: _, ...rest }) => ({ ...rest, more: 1 }));
  expect(body.expose()).toEqual({ name: 'key', data: document.data, more: 1 });
  expect(body.masked).toEqual({ name: 'key', data: mask, more: 1 });
  expect(body.hiddenTexts()).toContain('old password');
});

test.each(
  // biome-ignore format: a row is a case
  [
    { it: 'nothing is masked', value: { a: [1, { b: 'x' }] }, masked: { a: [1, { b: 'x' }] }, found: [] },
    { it: 'a field', value: { a: 'x', b: 'y' }, masked: { a: mask, b: 'y' }, found: [{ at: ['a'], value: 'x' }] },
    { it: 'an item of a list, and a member of an object in it', value: { a: ['x', { b: 'y', c: 'z' }] },
      masked: { a: [mask, { b: mask, c: 'z' }] },
      found: [{ at: ['a', 0], value: 'x' }, { at: ['a', 1, 'b'], value: 'y' }] },
    { it: 'a whole object', value: { a: { b: 'y' } }, masked: { a: mask },
      found: [{ at: ['a'], value: { b: 'y' } }] },
    { it: 'a mask is not a hidden value', value: { a: mask }, masked: { a: mask }, found: [] },
    { it: 'a value beside a masked one', value: { a: 5, b: null }, masked: { a: 5, b: null }, found: [] },
  ],
)('the sensitive values of a document: $it', ({ value, masked, found }) => {
  expect(sensitivePlaces(value, structuredClone(masked))).toEqual(found);
});
