import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { masked as mask } from '../../../src/base/json/mask.ts';
import { Body, checkHidden, requestBody, sensitivePlaces } from '../../../src/manifest/model/body.ts';

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

describe('a mask in the place of a value is not sent', () => {
  const copy = { ...mask };
  test.each<{ it: string; document: JsonObject; masked: JsonObject; sends: boolean }>(
    // biome-ignore format: a row is a case
    [
      { it: 'no mask', document, masked: hidden, sends: true },
      { it: 'the mask itself', document: hidden, masked: hidden, sends: false },
      { it: 'the mask itself in a list', document: { a: ['x', mask] }, masked: { a: ['x', mask] }, sends: false },
      { it: 'a copy of it', document: { data: copy }, masked: { data: mask }, sends: false },
      { it: 'a copy of it in a list', document: { a: [{ b: 'x' }, { b: copy }] }, masked: { a: [{ b: 'x' }, { b: mask }] },
        sends: false },
      { it: 'the same value where nothing is hidden', document: { tags: { a: copy }, data: 'x' },
        masked: { tags: { a: { ...copy } }, data: mask }, sends: true },
    ],
  )('$it', ({ document: written, masked, sends }) => {
    const body = new Body(written, masked);
    expect(body.isUnknown()).toBe(!sends);
    if (sends) expect(body.toSend()).toBe(written);
    else expect(() => body.toSend()).toThrow(expect.objectContaining({ code: 'internal.mask' }));
  });

  test('a request of a command, at any depth', () => {
    expect(() => requestBody({ spec: { a: [mask] } })).toThrow(expect.objectContaining({ code: 'internal.mask' }));
    expect(requestBody(document)).toBe(document);
  });

  test.each<{ it: string; kind: 'secret' | 'gvc'; written: JsonObject; sends: boolean }>([
    { it: 'a copy in the data of a secret', kind: 'secret', written: { data: copy }, sends: false },
    { it: 'a copy beside it', kind: 'secret', written: { $drop: ['description'], other: copy }, sends: false },
    { it: 'the removal of the data', kind: 'secret', written: { $drop: ['data'] }, sends: false },
    { it: 'a tag that is named like a mask', kind: 'secret', written: { tags: copy }, sends: true },
    { it: 'another change', kind: 'secret', written: { $drop: ['description'], data: { a: 'b' } }, sends: true },
    { it: 'a record without hidden values', kind: 'gvc', written: { $drop: ['data'], data: copy }, sends: true },
  ])('a patch by a command: $it', ({ kind, written, sends }) => {
    const sent = () => checkHidden(kind, written);
    if (sends) expect(sent).not.toThrow();
    else expect(sent).toThrow(expect.objectContaining({ code: 'internal.mask' }));
  });
});
