import { isArray, isObject, type JsonObject, type JsonValue, own, put } from '../base/json/json.ts';
import type { Pointer } from '../base/json/pointer.ts';
import { equalValues, shortLink } from '../kinds/equal.ts';
import { ofItsType, valueWhenOmitted } from '../kinds/normalise.ts';
import type { RecordContext } from '../schema/record/ref.ts';
import { keyFields } from '../schema/shape/listKey.ts';
import { formatPath } from '../schema/shape/paths.ts';
import type { ObjectShape, Shape } from '../schema/shape/shape.ts';

export interface Declarable {
  /** Fields in schema order, without those whose absence means the same. */
  readonly record: JsonObject;
  /** Paths unknown to the schema: they stay unchanged on the platform and cannot be declared. */
  readonly unknown: readonly string[];
}

/**
 * The part of a live record that a manifest must declare so that nothing differs: without platform-owned fields, values
 * implied by omission (documented defaults, derived values, empty lists), and nulls. Uncomputable values that the
 * platform chose are included, because a user may have set them. Links are short.
 */
export function declarable(shape: ObjectShape, live: JsonObject, context: RecordContext): Declarable {
  const unknown: string[] = [];
  const walk: Walk = {
    context,
    unknown: (pointer) => unknown.push(formatPath(shape, live, pointer)),
  };
  return { record: declarableObject(shape, live, { around: [], pointer: [], keys: [] }, walk), unknown };
}

interface Walk {
  readonly context: RecordContext;
  readonly unknown: (pointer: Pointer) => void;
}

/** A position in the record, with the objects around it. */
interface Spot {
  readonly around: readonly JsonObject[];
  readonly pointer: Pointer;
  /** For a list item, the names of its key fields, which are always included. */
  readonly keys: readonly string[];
}

function below({ around, pointer }: Spot, step: string | number, keys: readonly string[] = []): Spot {
  return { around, pointer: [...pointer, step], keys };
}

function declarableObject(shape: ObjectShape, live: JsonObject, outer: Spot, walk: Walk): JsonObject {
  const spot: Spot = { ...outer, around: [...outer.around, live] };
  const result: Record<string, JsonValue> = {};
  for (const [name, field] of shape.fields) {
    const value = own(live, name);
    if (value === undefined || value === null || field.facts.responseOnly === true) continue;
    const needed = shape.required?.has(name) === true || outer.keys.includes(name);
    const said = declarableValue(field, value, below(spot, name), walk); // also finds unknown fields in it
    if (!needed && equalValues(field, valueWhenOmitted(field.facts, spot.around), value, walk.context)) continue;
    if (needed || !equalValues(field, undefined, said, walk.context)) put(result, name, said);
  }
  for (const name of Object.keys(live)) {
    const value = own(live, name);
    if (shape.fields.has(name)) continue;
    if (shape.rest === undefined) walk.unknown([...spot.pointer, name]);
    else if (value !== undefined && value !== null) put(result, name, value);
  }
  return result;
}

function declarableValue(shape: Shape, value: JsonValue, spot: Spot, walk: Walk): JsonValue {
  switch (shape.type) {
    case 'object':
      return isObject(value) ? declarableObject(shape, value, spot, walk) : value;
    case 'map':
      return isObject(value) ? declarableMap(shape.value, value, spot, walk) : value;
    case 'list': {
      if (!isArray(value)) return value;
      const keys = keyFields(shape);
      const { item } = shape;
      return value.map((each, index) =>
        item.type === 'object' && isObject(each)
          ? declarableObject(item, each, below(spot, index, keys), walk)
          : declarableValue(item, each, below(spot, index), walk),
      );
    }
    case 'scalar':
      return typeof value === 'string' && shape.words === undefined && shape.of === 'string'
        ? shortLink(shape, value, walk.context)
        : ofItsType(shape, value);
    case 'free':
      return value;
  }
}

function declarableMap(shape: Shape, map: JsonObject, spot: Spot, walk: Walk): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const key of Object.keys(map).sort()) {
    const value = own(map, key);
    if (value !== undefined && value !== null) put(result, key, declarableValue(shape, value, below(spot, key), walk));
  }
  return result;
}
