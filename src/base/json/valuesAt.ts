import { fieldIn, isArray, isObject, type JsonObject, type JsonValue, put } from './json.ts';
import type { Pointer } from './pointer.ts';

/** A value with its place in a document. */
export interface PlacedValue {
  readonly at: Pointer;
  readonly value: JsonValue;
}

/** The value at a place; undefined if there is none. */
export function valueThere(value: JsonValue | undefined, pointer: Pointer): JsonValue | undefined {
  let at = value;
  for (const step of pointer) {
    if (isArray(at)) at = typeof step === 'number' ? at[step] : undefined;
    else at = fieldIn(at, String(step));
  }
  return at;
}

/** The document with other values at existing places. */
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
