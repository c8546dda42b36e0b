import { isArray, isObject, type JsonObject, type JsonValue, own, put } from '../../base/json/json.ts';

/**
 * The record with its texts and keys in Unicode's normal form C. Terraform normalises all texts, the platform does not:
 * without this an imported record seems to have changed.
 */
export function composed(record: JsonObject): JsonObject {
  const object: Record<string, JsonValue> = {};
  // Normalised keys come last: if two keys become equal, the one that Terraform has written wins.
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
