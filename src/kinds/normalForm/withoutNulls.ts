import { isArray, isObject, type JsonObject, type JsonValue, mapMembers } from '../../base/json/json.ts';
import { childShape } from '../../schema/shape/paths.ts';
import { isLiteral, type Shape } from '../../schema/shape/shape.ts';

/** The value without members that are null, which mean absence (platform/concepts.tags); free-form JSON stays as it is. */
export function withoutNulls(shape: Shape | undefined, value: JsonValue): JsonValue {
  if (shape === undefined || isLiteral(shape)) return value;
  if (isArray(value)) return shape.type === 'list' ? value.map((item) => withoutNulls(shape.item, item)) : value;
  return isObject(value) ? membersWithoutNulls(shape, value) : value;
}

export function membersWithoutNulls(shape: Shape, object: JsonObject): JsonObject {
  return mapMembers(object, (value, name) =>
    value === null ? undefined : withoutNulls(childShape(shape, name), value),
  );
}
