import { expect, test } from 'vitest';
import { onceForObject } from '../../../src/base/once.ts';
import { anywhere, holdsSensitive, isResponseOnly, shapesInside } from '../../../src/schema/shape/anywhere.ts';
import type { ObjectShape, Shape } from '../../../src/schema/shape/shape.ts';

const plain: Shape = { type: 'scalar', of: 'string', facts: {} };
const secret: Shape = { type: 'scalar', of: 'string', facts: { sensitive: true } };
const shown: Shape = { type: 'free', facts: { responseOnly: true, sensitive: true } };

function objectOf(field: Shape, rest?: Shape): ObjectShape {
  return { type: 'object', fields: new Map([['field', field]]), facts: {}, ...(rest === undefined ? {} : { rest }) };
}

const list: Shape = { type: 'list', item: secret, facts: {} };
const values: Shape = { type: 'map', value: secret, facts: {} };

test.each<[string, Shape, readonly Shape[]]>([
  ['of an object its fields', objectOf(plain), [plain]],
  ['of an open object also the additional ones', objectOf(plain, secret), [plain, secret]],
  ['of a list its items', list, [secret]],
  ['of a map its values', values, [secret]],
  ['of a scalar none', plain, []],
  ['of free-form JSON none', shown, []],
])('inside a shape: %s', (_it, shape, inside) => {
  expect(shapesInside(shape)).toEqual(inside);
});

test.each<[string, Shape, boolean]>([
  ['itself', secret, true],
  ['a field', objectOf(secret), true],
  ['an undeclared field', objectOf(plain, secret), true],
  ['an item in a field', objectOf(list), true],
  ['a value in an item', { type: 'list', item: values, facts: {} }, true],
  ['no field', objectOf(plain), false],
  ['none', plain, false],
])('something sensitive is found: %s', (_it, shape, holds) => {
  expect(holdsSensitive(shape)).toBe(holds);
});

test('a skipped shape is not searched', () => {
  const found = anywhere(({ facts }) => facts.sensitive === true, isResponseOnly);
  expect([shown, objectOf(shown), secret, objectOf(plain, secret)].map(found)).toEqual([false, false, true, true]);
});

test.each([5, undefined, false])('a fact of a shape is computed once: %s', (fact) => {
  let times = 0;
  const factOf = onceForObject((_shape: Shape) => {
    times += 1;
    return fact;
  });
  expect([factOf(plain), factOf(plain), times]).toEqual([fact, fact, 1]);
  factOf(secret);
  expect(times).toBe(2);
});
