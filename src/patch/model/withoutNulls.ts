import { isArray, isObject, type JsonObject, type JsonValue, put } from '../../base/json/json.ts';
import { isLiteral, type Shape } from '../../schema/shape/shape.ts';
import { itemShape, memberShape } from './shapeInside.ts';

/** The value without members that are null, which mean absence; free-form JSON stays as it is. */
export function withoutNulls(shape: Shape, value: JsonValue): JsonValue {
  if (isLiteral(shape)) return value;
  if (isArray(value)) return value.map((item) => withoutNulls(itemShape(shape), item));
  return isObject(value) ? membersWithoutNulls(shape, value) : value;
}

export function membersWithoutNulls(shape: Shape, object: JsonObject): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(object)) {
    if (value !== null) put(result, name, withoutNulls(memberShape(shape, name), value));
  }
  return result;
}
