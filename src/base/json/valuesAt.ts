import { isArray, isObject, type JsonObject, type JsonValue, own, put } from './json.ts';
import type { Pointer } from './pointer.ts';

/** One value, and its place in a document. */
export interface PlacedValue {
  readonly at: Pointer;
  readonly value: JsonValue;
}

/** The value at a place that is there; undefined where nothing is. */
export function valueThere(value: JsonValue | undefined, [step, ...rest]: Pointer): JsonValue | undefined {
  if (step === undefined || value === undefined) return value;
  if (isArray(value)) return typeof step === 'number' ? valueThere(value[step], rest) : undefined;
  return isObject(value) ? valueThere(own(value, String(step)), rest) : undefined;
}

/** The document with other values at places that are there. */
export function withValues(document: JsonObject, places: readonly PlacedValue[]): JsonObject {
  let filled: JsonValue = document;
  for (const { at, value } of places) filled = replaced(filled, at, value);
  return isObject(filled) ? filled : document;
}

function replaced(document: JsonValue, [step, ...rest]: Pointer, value: JsonValue): JsonValue {
  if (step === undefined) return value;
  if (isArray(document)) return document.map((item, index) => (index === step ? replaced(item, rest, value) : item));
  if (!isObject(document)) return document;
  const copy: Record<string, JsonValue> = {};
  for (const [key, item] of Object.entries(document)) {
    put(copy, key, key === step ? replaced(item, rest, value) : item);
  }
  return copy;
}
