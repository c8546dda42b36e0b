import type { Body } from '../../manifest/body.ts';
import { isArray, isObject, type JsonObject, type JsonValue, own, put, sameJson } from '../../schema/json.ts';

export type Pointer = readonly (string | number)[];

/** One sensitive value, and where it stands. */
export interface SensitivePlace {
  readonly at: Pointer;
  readonly value: JsonValue;
}

const mask: JsonObject = { sensitive: true };

/** Every value of a body that its masked form hides, in the order of the document. */
export function sensitivePlaces(body: Body): readonly SensitivePlace[] {
  const found: SensitivePlace[] = [];
  collect(body.expose(), body.masked, [], found);
  return found;
}

/** Masking leaves everything else as it is, so where a mask stands for another value, that value is hidden. */
function collect(value: JsonValue, masked: JsonValue | undefined, at: Pointer, found: SensitivePlace[]): void {
  if (value === masked) return;
  if (sameJson(masked, mask)) {
    if (!sameJson(value, mask)) found.push({ at, value });
  } else if (isArray(value) && isArray(masked)) {
    for (const [index, item] of value.entries()) collect(item, masked[index], [...at, index], found);
  } else if (isObject(value) && isObject(masked)) {
    for (const [key, item] of Object.entries(value)) collect(item, own(masked, key), [...at, key], found);
  }
}

/** The value at a place that is there; undefined where nothing is. */
export function valueThere(value: JsonValue | undefined, [step, ...rest]: Pointer): JsonValue | undefined {
  if (step === undefined || value === undefined) return value;
  if (isArray(value)) return typeof step === 'number' ? valueThere(value[step], rest) : undefined;
  return isObject(value) ? valueThere(own(value, String(step)), rest) : undefined;
}

/** The document with other values at places that are there. */
export function withValues(document: JsonObject, places: readonly SensitivePlace[]): JsonObject {
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
