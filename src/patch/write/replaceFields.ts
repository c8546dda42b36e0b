import { type JsonObject, type JsonValue, own, put, sameJson } from '../../base/json/json.ts';

/** Every top-level field that differs, as a whole: longer than any other patch, and right for every record. */
export function replaceFields(live: JsonObject, target: JsonObject): JsonObject | undefined {
  const patch: Record<string, JsonValue> = {};
  const dropped = Object.keys(live).filter((name) => !Object.hasOwn(target, name));
  if (dropped.length > 0) put(patch, '$drop', dropped);
  for (const name of Object.keys(target)) {
    const value = own(target, name);
    if (value !== undefined && !sameJson(own(live, name), value)) put(patch, `$replace/${name}`, value);
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}
