import type { JsonObject, JsonValue } from '../../schema/json/json.ts';

/** The object without the members that are undefined, in the same order. */
export function withoutUndefined(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const kept: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) kept[name] = value;
  return kept;
}
