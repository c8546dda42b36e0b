import type { Static } from 'typebox';
import { Type } from 'typebox';
import { expect, expectTypeOf, test } from 'vitest';
import {
  decimal,
  factsKeyword,
  fields,
  flag,
  integer,
  map,
  oneOf,
  openFields,
  optional,
  set,
  text,
} from '../../src/schema/facts/define.ts';
import { shapeOfNode } from '../../src/schema/shape/shapeOfNode.ts';

const ours = fields({
  name: text({}, { minLength: 1 }),
  size: optional(integer({ fill: 'constant', default: 1 }, { minimum: 0 })),
  ratio: decimal(),
  on: optional(flag()),
  words: set(text()),
  inside: optional(openFields({ x: optional(text()) })),
});

const theirs = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    size: Type.Optional(Type.Integer({ minimum: 0 })),
    ratio: Type.Number(),
    on: Type.Optional(Type.Boolean()),
    words: Type.Array(Type.String()),
    inside: Type.Optional(Type.Object({ x: Type.Optional(Type.String()) }, { additionalProperties: true })),
  },
  { additionalProperties: false },
);

test('our nodes are what TypeBox makes, but for the facts that they carry', () => {
  const withoutFacts: unknown = JSON.parse(
    JSON.stringify(ours, (key, value) => (key === factsKeyword ? undefined : value)),
  );
  expect(withoutFacts).toEqual(JSON.parse(JSON.stringify(theirs)));
});

test('and so are their types', () => {
  expectTypeOf<Static<typeof ours>>().toEqualTypeOf<Static<typeof theirs>>();
});

test('a node becomes a shape with its facts', () => {
  const shape = shapeOfNode(fields({ a: optional(map(oneOf(['x', 'y'], { asText: true }))) }, { presence: true }));
  expect(shape).toEqual({
    type: 'object',
    facts: { presence: true },
    fields: new Map([
      ['a', { type: 'map', facts: {}, value: { type: 'scalar', of: 'string', facts: { asText: true } } }],
    ]),
  });
});
