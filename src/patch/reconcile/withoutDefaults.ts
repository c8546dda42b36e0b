import { isArray, isObject, type JsonObject, type JsonValue, put } from '../../base/json/json.ts';
import type { RecordContext } from '../../schema/record/ref.ts';
import { keyFields } from '../../schema/shape/listKey.ts';
import type { ObjectShape, Shape } from '../../schema/shape/shape.ts';
import { saidByAbsence } from '../judge/omission.ts';

/** The objects around the value, the record first. */
interface Around {
  readonly enclosing: readonly JsonObject[];
  readonly context: RecordContext;
}

/**
 * A value that live does not hold yet, without the members that mean what their absence means: documented defaults,
 * derived values, empty lists. What identifies an item of a list stays.
 */
export function withoutDefaults(
  shape: Shape,
  value: JsonValue,
  around: Around,
  keep: readonly string[] = [],
): JsonValue {
  if (shape.type === 'object' && isObject(value)) return leanObject(shape, value, around, keep);
  if (shape.type === 'list' && isArray(value)) {
    const keys = keyFields(shape);
    return value.map((item) => withoutDefaults(shape.item, item, around, keys));
  }
  return value;
}

function leanObject(shape: ObjectShape, object: JsonObject, around: Around, keep: readonly string[]): JsonObject {
  const inside: Around = { context: around.context, enclosing: [...around.enclosing, object] };
  const result: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(object)) {
    const member = keep.includes(name) ? undefined : shape.fields.get(name);
    const next = member === undefined ? value : leanMember(member, value, inside);
    if (next !== undefined) put(result, name, next);
  }
  return result;
}

/** Undefined: it can be spared. */
function leanMember(shape: Shape, value: JsonValue, around: Around): JsonValue | undefined {
  const next = withoutDefaults(shape, value, around);
  return saidByAbsence(shape, next, around) === undefined ? next : undefined;
}
