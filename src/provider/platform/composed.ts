import { isArray, isObject, type JsonObject, type JsonValue, own, put } from '../../base/json/json.ts';

/**
 * The record with its texts, keys too, in the normal form C of Unicode. Terraform has all texts in it, the platform as
 * they were sent: without this an imported record looks as if somebody had changed it.
 */
export function composed(record: JsonObject): JsonObject {
  const object: Record<string, JsonValue> = {};
  // What is composed already comes last: of two keys that become one, it is the one that Terraform has written.
  const keys = Object.keys(record);
  const changing = keys.filter((key) => key !== key.normalize());
  for (const key of changing.length === 0 ? keys : [...changing, ...keys.filter((key) => !changing.includes(key))]) {
    put(object, key.normalize(), composedValue(own(record, key) ?? null));
  }
  return object;
}

function composedValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.normalize();
  if (isArray(value)) return value.map(composedValue);
  return isObject(value) ? composed(value) : value;
}
