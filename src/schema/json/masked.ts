import { type JsonObject, type JsonValue, sameJson } from './json.ts';

/** Stands for a value that nobody may see. */
export const masked: JsonObject = { sensitive: true };

export function isMasked(value: JsonValue | undefined): boolean {
  return sameJson(value, masked);
}
