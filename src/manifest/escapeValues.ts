import { isArray, isObject, type JsonObject, type JsonValue, mapMembers } from '../base/json/json.ts';

/** Escapes a manifest so that nothing in it is read as a reference to a value. */
export function escapeValues(manifest: JsonObject): JsonObject {
  return mapMembers(manifest, escaped);
}

function escaped(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.replaceAll('${' + 'values.', () => '$${' + 'values.');
  if (isArray(value)) return value.map(escaped);
  return isObject(value) ? escapeValues(value) : value;
}
