import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Static, TSchema } from 'typebox';
import { Type } from 'typebox';
import { expect, expectTypeOf, test } from 'vitest';
import type { JsonValue } from '../../../src/base/json/json.ts';
import {
  decimal,
  factsKeyword,
  fields,
  flag,
  free,
  freeObject,
  integer,
  keyed,
  link,
  map,
  nameOrObject,
  oneOf,
  openFields,
  optional,
  proposedKey,
  quantity,
  scalar,
  sequence,
  set,
  tagValue,
  text,
  textLike,
} from '../../../src/schema/facts/define.ts';
import type { ListClass } from '../../../src/schema/facts/fieldFacts.ts';
import { shapeOfNode } from '../../../src/schema/shape/shapeOfNode.ts';

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

test('our nodes equal those of TypeBox, except for their facts', () => {
  const withoutFacts: unknown = JSON.parse(
    JSON.stringify(ours, (key, value) => (key === factsKeyword ? undefined : value)),
  );
  expect(withoutFacts).toEqual(JSON.parse(JSON.stringify(theirs)));
});

test('the types of our nodes are those that TypeBox infers', () => {
  expectTypeOf<Static<typeof ours>>().toEqualTypeOf<Static<typeof theirs>>();
});

test('a node becomes a shape with its facts', () => {
  const shape = shapeOfNode(fields({ a: optional(map(oneOf(['x', 'y'], { asText: true }))) }, { presence: true }));
  expect(shape).toEqual({
    type: 'object',
    facts: { presence: true },
    fields: new Map([
      [
        'a',
        { type: 'map', facts: {}, value: { type: 'scalar', of: 'string', words: ['x', 'y'], facts: { asText: true } } },
      ],
    ]),
  });
});

interface Node {
  readonly it: string;
  readonly node: TSchema;
  readonly takes: readonly JsonValue[];
  readonly refuses: readonly JsonValue[];
}

// biome-ignore format: a row is a case
test.each<Node>([
  { it: 'text', node: text(), takes: ['', 'x'], refuses: [1, null] },
  { it: 'a whole number', node: integer(), takes: [-1], refuses: [1.5, '1'] },
  { it: 'a number', node: decimal(), takes: [1.5], refuses: ['1.5'] },
  { it: 'true or false', node: flag(), takes: [true], refuses: ['true', 1] },
  { it: 'one of some words', node: oneOf(['x', 'y']), takes: ['x', 'y'], refuses: ['z', 1] },
  { it: 'a name or an object', node: nameOrObject(['t4']), takes: ['t4', {}, { a: 1 }], refuses: ['t5', 1, ['t4']] },
  { it: 'a scalar', node: scalar(), takes: ['x', 1, false], refuses: [null, {}, []] },
  { it: 'a scalar that is compared as a string', node: textLike(), takes: ['x', 1, false], refuses: [null, {}, []] },
  { it: 'the value of a tag (platform/concepts.tags)', node: tagValue(), takes: ['x', 1, false, null], refuses: [{}] },
  { it: 'a quantity', node: quantity('cpu'), takes: ['50m', 1], refuses: ['much', true, '1'.repeat(21)] },
  { it: 'a link', node: link(['secret'], 'hard'), takes: ['//secret/s', '/org/o/secret/s'], refuses: ['s', 1] },
  { it: 'a link or a name', node: link(['location'], 'hard', { orName: true }), takes: ['//location/l', 'l'],
    refuses: ['a/b'] },
  { it: 'a list', node: sequence(text()), takes: [[], ['a', 'a']], refuses: [[1], 'a', {}] },
  { it: 'keys chosen by users', node: map(text()), takes: [{}, { a: 'x' }], refuses: [{ a: 1 }, []] },
  { it: 'only these fields', node: fields({ a: text() }), takes: [{ a: 'x' }], refuses: [{}, { a: 'x', b: 1 }] },
  { it: 'these fields and others', node: openFields({ a: text() }), takes: [{ a: 'x', b: 1 }],
    refuses: [{}, { a: 1 }] },
  { it: 'any object', node: freeObject(), takes: [{}, { a: [] }], refuses: [[], 'x'] },
  { it: 'anything', node: free(), takes: [null, 1, [], {}], refuses: [] },
  { it: 'a list with bounds', node: set(text(), {}, { maxItems: 1 }), takes: [['a']], refuses: [['a', 'b']] },
])('$it', ({ node, takes, refuses }) => {
  const validate = new Ajv2020({ strict: false }).compile(node);
  expect(takes.filter((value) => !validate(value))).toEqual([]);
  expect(refuses.filter((value) => validate(value))).toEqual([]);
});

const key = proposedKey('protocol', 'number');

test.each<[string, TSchema, ListClass]>(
  // biome-ignore format: a row is a case
  [
    ['a set', set(text()), { class: 'set' }],
    ['a sequence', sequence(text()), { class: 'sequence' }],
    ['a list with keys', keyed(text(), key), { class: 'keyed', key }],
    ['one that may be a sequence', keyed(text(), key, { sequenceIfAny: ['regex'] }),
      { class: 'keyed', key, sequenceIfAny: ['regex'] }],
    ['one with a significant first item', keyed(text(), key, { firstWith: ['port'] }),
      { class: 'keyed', key, firstWith: ['port'] }],
  ],
)('the class of %s', (_it, node, list) => {
  expect(shapeOfNode(node).facts).toStrictEqual({ list });
});
