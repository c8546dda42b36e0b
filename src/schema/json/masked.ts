import { type JsonObject, type JsonValue, sameJson } from './json.ts';

/** The mask of a sensitive value. */
export const masked: JsonObject = { sensitive: true };

export function isMasked(value: JsonValue | undefined): boolean {
  return sameJson(value, masked);
}
