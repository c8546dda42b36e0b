import { isArray, isObject, type JsonArray, type JsonObject, type JsonValue, own, put } from '../../base/json/json.ts';
import type { RecordContext } from '../../schema/record/context.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import { anywhere, shapesInside } from '../../schema/shape/anywhere.ts';
import { memoByShape } from '../../schema/shape/memoByShape.ts';
import type { ListShape, MapShape, ObjectShape, Shape } from '../../schema/shape/shape.ts';
import { shapeOf } from '../shape/shapeOf.ts';
import { canonicalList, canonicalText, isBlank } from './canonical.ts';
import { valueWhenOmitted } from './derive.ts';

export { coerce } from './coerce.ts';

/**
 * The record as the platform stores it: complete links, lists as it rewrites them (platform/concepts.rewritten), and
 * the values that it fills in (platform/concepts.filled), but no others. Pure and idempotent. Fields that are not in
 * the schema, or have a wrong type, are unchanged. Unchanged parts are shared with the input.
 */
export function normalise(kind: Kind, record: JsonObject, context: RecordContext): JsonObject {
  return normaliseObject(shapeOf(kind, record), record, context, []);
}

function normaliseValue(shape: Shape, value: JsonValue, context: RecordContext, enclosing: JsonObject[]): JsonValue {
  switch (shape.type) {
    case 'object':
      return isObject(value) ? normaliseObject(shape, value, context, enclosing) : value;
    case 'map':
      return isObject(value) ? normaliseMap(shape, value, context, enclosing) : value;
    case 'list':
      return isArray(value) ? normaliseList(shape, value, context, enclosing) : value;
    case 'scalar':
      return typeof value === 'string' ? canonicalText(value, shape.facts, context) : value;
    case 'free':
      return value;
  }
}

function normaliseObject(
  shape: ObjectShape,
  object: JsonObject,
  context: RecordContext,
  enclosing: JsonObject[],
): JsonObject {
  const { filled: toFill, rewritten } = workOf(shape);
  const filled = toFill.length === 0 ? object : fill(toFill, object, enclosing);
  if (rewritten.length === 0) return filled;

  let changed: Record<string, JsonValue> | undefined;
  enclosing.push(filled);
  for (const [name, field] of rewritten) {
    const value = own(filled, name);
    if (value === undefined) continue;
    const normal = normaliseValue(field, value, context, enclosing);
    if (normal === value) continue;
    changed ??= { ...filled };
    changed[name] = normal;
  }
  enclosing.pop();
  return changed ?? filled;
}

type Fields = readonly (readonly [name: string, field: Shape])[];

/** The few fields of an object that can change; most of a record is stored as it was sent. */
const workOf = memoByShape((shape: ObjectShape): { readonly filled: Fields; readonly rewritten: Fields } => ({
  filled: [...shape.fields].filter(([, { facts }]) => facts.stored === true),
  rewritten: [...shape.fields].filter(([, field]) => canChange(field)),
}));

const canChange = anywhere((shape) => {
  if (shape.facts.canonical !== undefined || shape.facts.link !== undefined) return true;
  return shape.type === 'object' && shapesInside(shape).some(({ facts }) => facts.stored === true);
});

/** The object with the fields that the platform stores by itself. */
function fill(fields: Fields, object: JsonObject, enclosing: readonly JsonObject[]): JsonObject {
  let filled: Record<string, JsonValue> | undefined;
  for (const [name, { facts }] of fields) {
    const member = own(object, name);
    if (member !== undefined && !isBlank(member, facts)) continue;
    const value = valueWhenOmitted(facts, [...enclosing, filled ?? object]);
    if (value === undefined) continue;
    filled ??= { ...object };
    filled[name] = value;
  }
  return filled ?? object;
}

function normaliseMap(shape: MapShape, map: JsonObject, context: RecordContext, enclosing: JsonObject[]): JsonObject {
  let changed: Record<string, JsonValue> | undefined;
  for (const key of Object.keys(map)) {
    const value = own(map, key);
    if (value === undefined) continue;
    const normal = normaliseValue(shape.value, value, context, enclosing);
    if (normal === value) continue;
    changed ??= { ...map };
    put(changed, key, normal);
  }
  return changed ?? map;
}

function normaliseList(shape: ListShape, items: JsonArray, context: RecordContext, enclosing: JsonObject[]): JsonArray {
  let changed: JsonValue[] | undefined;
  let index = 0;
  for (const item of items) {
    const normal = normaliseValue(shape.item, item, context, enclosing);
    if (normal !== item) {
      changed ??= [...items];
      changed[index] = normal;
    }
    index += 1;
  }
  return canonicalList(changed ?? items, shape.facts);
}
