import { describe, expect, test } from 'vitest';
import { fields, free, map, openFields, optional, text } from '../../../src/schema/facts/define.ts';
import { isLiteral, isMerged, isOpenEnded, type Shape } from '../../../src/schema/shape/shape.ts';
import { shapeOfNode } from '../../../src/schema/shape/shapeOfNode.ts';

describe('a node of the schema as a shape', () => {
  const scalar = (of: 'string' | 'number' | 'boolean' | 'any'): Shape => ({ type: 'scalar', of, facts: {} });

  test.each<[object, Shape]>(
    // biome-ignore format: a row is a case
    [
      [{ type: 'string' }, scalar('string')],
      [{ type: 'integer' }, scalar('number')],
      [{ type: 'number' }, scalar('number')],
      [{ type: 'boolean' }, scalar('boolean')],
      [{ type: ['string', 'number'] }, scalar('any')],
      [{ type: ['string', 'object'] }, { type: 'free', facts: {} }],
      [{ type: 'object' }, { type: 'free', facts: {} }],
      [{}, { type: 'free', facts: {} }],
      [{ type: 'array' }, { type: 'list', item: { type: 'free', facts: {} }, facts: {} }],
      [{ type: 'array', items: { type: 'string' } }, { type: 'list', item: scalar('string'), facts: {} }],
      [{ type: 'object', additionalProperties: { type: 'string' } },
        { type: 'map', value: scalar('string'), facts: {} }],
      [{ type: 'object', properties: {} }, { type: 'object', fields: new Map(), facts: {} }],
    ],
  )('%j', (node, shape) => {
    expect(shapeOfNode(node)).toStrictEqual(shape);
  });

  test('an object lists its required fields, and whether it is open', () => {
    expect(shapeOfNode(fields({ a: text(), b: optional(free()) }))).toStrictEqual({
      type: 'object',
      fields: new Map<string, Shape>([
        ['a', scalar('string')],
        ['b', { type: 'free', facts: {} }],
      ]),
      required: new Set(['a']),
      facts: {},
    });
    expect(shapeOfNode(openFields({ a: optional(text()) }, { presence: true }))).toStrictEqual({
      type: 'object',
      fields: new Map([['a', scalar('string')]]),
      open: true,
      facts: { presence: true },
    });
  });
});

interface Free {
  readonly it: string;
  readonly shape: Shape;
  readonly is: readonly string[];
}

test.each<Free>([
  { it: 'free-form JSON is one value', shape: shapeOfNode(free()), is: ['literal'] },
  { it: 'merged JSON is not', shape: shapeOfNode(free({ merged: true })), is: ['merged', 'open-ended'] },
  { it: 'declared fields are complete', shape: shapeOfNode(fields({ a: text() })), is: [] },
  { it: 'fields that are passed through are not compared', shape: shapeOfNode(openFields({ a: text() })), is: [] },
  {
    it: 'fields with few facts may belong to others',
    shape: { type: 'object', fields: new Map(), open: true, rest: shapeOfNode(free()), facts: {} },
    is: ['open-ended'],
  },
  { it: 'a map belongs to its user', shape: shapeOfNode(map(text())), is: [] },
  { it: 'only free-form JSON is merged', shape: shapeOfNode(text({ merged: true })), is: [] },
])('$it', ({ shape, is }) => {
  const tests = { literal: isLiteral, merged: isMerged, 'open-ended': isOpenEnded };
  expect(Object.entries(tests).flatMap(([name, holds]) => (holds(shape) ? [name] : []))).toEqual(is);
});
