import fc from 'fast-check';
import { type JsonObject, type JsonValue, put } from '../../src/base/json/json.ts';
import type { FieldFacts } from '../../src/schema/facts/fieldFacts.ts';
import type { FreeShape, ListShape, MapShape, ObjectShape, ScalarShape, Shape } from '../../src/schema/shape/shape.ts';

/** Small shapes with every class of list, and generators that often produce equal keys on both sides. */
const none: FieldFacts = {};
export const scalar: ScalarShape = { type: 'scalar', of: 'any', facts: none };
export const free: FreeShape = { type: 'free', facts: none };

export function object(fields: Readonly<Record<string, Shape>>): ObjectShape {
  return { type: 'object', fields: new Map(Object.entries(fields)), facts: none };
}

export function map(value: Shape): MapShape {
  return { type: 'map', value, facts: none };
}

export function list(kind: 'set' | 'sequence', item: Shape): ListShape {
  return { type: 'list', item, facts: { list: { class: kind } } };
}

export function keyed(item: ObjectShape, evidence: 'stated' | 'proposed'): ListShape {
  return { type: 'list', item, facts: { list: { class: 'keyed', key: { parts: [{ fields: ['n'] }], evidence } } } };
}

export function withFacts<Of extends Shape>(shape: Of, facts: FieldFacts): Of {
  return { ...shape, facts: { ...shape.facts, ...facts } };
}

const variable = object({ n: scalar, v: scalar });
const item = object({ n: scalar, v: scalar, env: keyed(variable, 'proposed'), args: list('sequence', scalar) });

export const toy = object({
  a: scalar,
  o: object({ a: scalar, b: scalar, o: object({ a: scalar, m: map(scalar) }) }),
  m: map(scalar),
  maps: map(object({ a: scalar, b: scalar })),
  set: list('set', scalar),
  seq: list('sequence', scalar),
  items: keyed(item, 'stated'),
  plain: list('sequence', object({ a: scalar, b: scalar })),
  free,
});

export const context = { org: 'acme' };

const nastyKeys = ['a', 'b', '', '__proto__', 'constructor', 'toString', 'x.y', 'x/y', '*', 'ü😀', '0'];
const texts = ['x', 'y', 'z', '', 'ü😀', '__proto__'];
/** Few numbers and texts; both `1` and `"1"`, since names in directives are text. */
const scalars: fc.Arbitrary<JsonValue> = fc.constantFrom(...texts, '1', 1, 0, true, false);

export function record(entries: readonly (readonly [string, JsonValue])[]): JsonObject {
  const made: Record<string, JsonValue> = {};
  for (const [key, value] of entries) put(made, key, value);
  return made;
}

function members(key: fc.Arbitrary<string>, value: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> {
  return fc.array(fc.tuple(key, value), { maxLength: 4 }).map(record);
}

const json: fc.Arbitrary<JsonValue> = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    scalars,
    fc.constant(null),
    fc.array(tie('json'), { maxLength: 3 }),
    members(fc.constantFrom(...nastyKeys, '$k', '$drop'), tie('json')),
  ),
})).json;
const freeValue = json.filter((value) => value !== null);

/** Values of a shape, with nulls only in free-form JSON; objects may contain an unknown field. */
export function valuesOf(shape: Shape, unknown = true): fc.Arbitrary<JsonValue> {
  switch (shape.type) {
    case 'scalar':
      return scalars;
    case 'free':
      return freeValue;
    case 'map':
      return members(fc.constantFrom(...nastyKeys), valuesOf(shape.value, unknown));
    case 'object':
      return objectsOf(shape, unknown);
    case 'list':
      return listsOf(shape, unknown);
  }
}

export function objectsOf(shape: ObjectShape, unknown = true): fc.Arbitrary<JsonObject> {
  const known = [...shape.fields].map(([name, field]) =>
    fc.option(
      valuesOf(field, unknown).map((value) => [name, value] as const),
      { nil: undefined, freq: 2 },
    ),
  );
  const extra = fc.option(
    freeValue.map((value) => ['zz', value] as const),
    { nil: undefined, freq: 1 },
  );
  return fc
    .tuple(...known, unknown ? extra : fc.constant(undefined))
    .map((entries) => record(entries.filter((entry) => entry !== undefined)));
}

function listsOf(shape: ListShape, unknown: boolean): fc.Arbitrary<JsonValue> {
  if (shape.facts.list?.class !== 'keyed' || shape.item.type !== 'object') {
    return fc.array(valuesOf(shape.item, unknown), { maxLength: 5 });
  }
  const items = objectsOf(shape.item, unknown);
  const names = fc.oneof(
    { weight: 6, arbitrary: fc.uniqueArray(fc.constantFrom<JsonValue>('x', 'y', 'z', 1), { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.array(fc.constantFrom<JsonValue>('x', 'y', '1', 1), { maxLength: 4 }) },
  );
  return names.chain((each) =>
    fc.tuple(...each.map((name) => items.map((made) => ({ ...made, n: name })))).map((made) => [...made]),
  );
}
