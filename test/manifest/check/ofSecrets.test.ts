import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json/json.ts';
import type { Pointer } from '../../../src/base/json/pointer.ts';
import { tagProblems, valueSource } from '../../../src/manifest/checkManifests.ts';
import { withoutSecretKey } from '../../../src/manifest/secretKeys.ts';
import type { Problem } from '../../../src/schema/record/problem.ts';

function problem(pointer: Pointer): Problem {
  return { rule: 'r', path: pointer.join('.'), pointer, message: 'm', severity: 'error' };
}

describe('a problem about a key of a secret', () => {
  test.each<{ it: string; pointer: Pointer; data: JsonValue; kind?: 'gvc' | 'secret' }>([
    { it: 'a plain key with a value', pointer: ['data', 'paylod'], data: { paylod: 'x' } },
    { it: 'a plain key with punctuation', pointer: ['data', 'a-b.c_1'], data: { 'a-b.c_1': '' } },
    { it: 'a key of 64 characters', pointer: ['data', 'x'.repeat(64)], data: { ['x'.repeat(64)]: 'x' } },
    { it: 'a missing key', pointer: ['data', 'pay load'], data: { a: 'x' } },
    { it: 'a key that every object has', pointer: ['data', 'constructor'], data: {} },
    { it: 'data without keys', pointer: ['data', 'length'], data: 'a text' },
    { it: 'an item of a list', pointer: ['data', 0], data: [null] },
    { it: 'the data', pointer: ['data'], data: { a: null } },
    { it: 'the record', pointer: [], data: { a: null } },
    { it: 'another field', pointer: ['tags', 'a'], data: { a: null } },
    { it: 'another kind', pointer: ['data', 'a'], data: { a: null }, kind: 'gvc' },
  ])('is shown unchanged: $it', ({ pointer, data, kind = 'secret' }) => {
    const told = problem(pointer);
    expect(withoutSecretKey(told, { ref: { kind }, record: { data, tags: { a: null } } })).toBe(told);
  });

  test.each([
    { it: 'without a value, as one that lost its colon', key: 'hunter2', value: null },
    { it: 'with a space', key: 'open sesame', value: 'x' },
    { it: 'that begins with another character', key: '!hunter2', value: 'x' },
    { it: 'that ends with another character', key: 'hunter2!', value: 'x' },
    { it: 'of 65 characters', key: 'x'.repeat(65), value: 'x' },
    { it: 'without characters', key: '', value: 'x' },
  ])('does not show a key $it', ({ key, value }) => {
    const told = withoutSecretKey(problem(['data', key]), {
      ref: { kind: 'secret' },
      record: { data: { [key]: value } },
    });
    expect(told).toEqual({
      rule: 'r',
      path: 'data',
      pointer: ['data'],
      message: 'this is not a key with a value; it is not shown, because it may be a secret value',
      hint: 'Write KEY: VALUE, and put values with special characters in quotes.',
      severity: 'error',
    });
  });
});

test.each<{ it: string; kind: 'secret' | 'gvc'; pointer: Pointer; hidden: boolean }>([
  { it: 'the data of a secret', kind: 'secret', pointer: ['data'], hidden: true },
  { it: 'a nested field of it', kind: 'secret', pointer: ['data', 'payload'], hidden: true },
  { it: 'other fields of a secret', kind: 'secret', pointer: ['type'], hidden: false },
  { it: 'a marked field', kind: 'gvc', pointer: ['tags', 'a'], hidden: true },
  { it: 'a nested field of one', kind: 'gvc', pointer: ['spec', 'env', 0, 'value', 'x'], hidden: true },
  { it: 'a field beside one', kind: 'gvc', pointer: ['spec', 'env', 0, 'name'], hidden: false },
  { it: 'the parent of one', kind: 'gvc', pointer: ['spec', 'env', 0], hidden: false },
  { it: 'the record', kind: 'gvc', pointer: [], hidden: false },
])('no message contains hidden values: $it', ({ kind, pointer, hidden }) => {
  const record = {
    name: 'a',
    type: 'opaque',
    tags: { a: 1 },
    data: { payload: 1 },
    spec: { env: [{ name: 'A', value: 1 }] },
  };
  const lifecycle = { sensitive: ['tags.a', 'spec.env.A.value'] };
  expect(valueSource({ ref: { kind }, record, lifecycle }).isHidden(pointer)).toBe(hidden);
});

// biome-ignore format: a row is a case
test.each<{ it: string; record: JsonObject; written?: string; told: readonly string[] }>([
  { it: 'a number that changes', record: { tags: { v: 1.1 } }, written: '1.10',
    told: ['tags.v: 1.10 is a number here, so the tag becomes 1.1'] },
  { it: 'a number that does not change', record: { tags: { v: 1.1 } }, written: '1.1', told: [] },
  { it: 'a number in quotes', record: { tags: { v: '1.10' } }, written: '1.10', told: [] },
  { it: 'a number from code', record: { tags: { v: 1.1 } }, told: [] },
  { it: 'tags of another type', record: { tags: 'v' }, written: '1.10', told: [] },
  { it: 'no tags', record: {}, written: '1.10', told: [] },
])('a tag is reported if it becomes another string: $it', ({ record, written, told }) => {
  const known = written === undefined ? undefined : () => written;
  expect(tagProblems('gvc', record, known).map(({ path, message }) => `${path}: ${message}`)).toEqual(told);
  expect(tagProblems('gvc', record, () => undefined)).toEqual([]);
});
