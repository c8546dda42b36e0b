import { isArray, isObject, type JsonObject, type JsonValue, put } from '../../schema/json/json.ts';

/** A manifest as it has to be written, so that nothing in it is taken for a reference to a value. */
export function escapeValues(manifest: JsonObject): JsonObject {
  const made: Record<string, JsonValue> = {};
  for (const [key, member] of Object.entries(manifest)) put(made, key, escaped(member));
  return made;
}

function escaped(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.replaceAll('${' + 'values.', () => '$${' + 'values.');
  if (isArray(value)) return value.map(escaped);
  return isObject(value) ? escapeValues(value) : value;
}
