import { isArray, isObject, type JsonObject, type JsonValue, own, put } from '../../schema/json/json.ts';
import { isLiteral, type Shape } from '../../schema/shape/shape.ts';
import { itemShape, memberShape } from './shapeInside.ts';

/** The value without members that are null, which mean absence; free-form JSON stays as it is. */
export function withoutNulls(shape: Shape, value: JsonValue): JsonValue {
  if (isLiteral(shape) || typeof value !== 'object' || value === null) return value;
  if (isArray(value)) {
    const items = value.map((item) => withoutNulls(itemShape(shape), item));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  return isObject(value) ? membersWithoutNulls(shape, value) : value;
}

function membersWithoutNulls(shape: Shape, object: JsonObject): JsonObject {
  let changed: Record<string, JsonValue> | undefined;
  for (const name of Object.keys(object)) {
    const value = own(object, name) ?? null;
    const kept = value === null ? undefined : withoutNulls(memberShape(shape, name), value);
    if (kept === value) continue;
    changed ??= { ...object };
    if (kept === undefined) delete changed[name];
    else put(changed, name, kept);
  }
  return changed ?? object;
}
