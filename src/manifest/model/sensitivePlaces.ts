import { isArray, isObject, type JsonObject, type JsonValue, own } from '../../base/json/json.ts';
import { isMasked } from '../../base/json/masked.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import type { PlacedValue } from '../../base/json/valuesAt.ts';

/** Every value of a document that its masked form hides, in the order of the document. */
export function sensitivePlaces(document: JsonObject, masked: JsonObject): readonly PlacedValue[] {
  const found: PlacedValue[] = [];
  collect(document, masked, [], found);
  return found;
}

/** Masking changes nothing else: where a mask replaces another value, that value is sensitive. */
function collect(value: JsonValue, masked: JsonValue | undefined, at: Pointer, found: PlacedValue[]): void {
  if (value === masked) return;
  if (isMasked(masked)) {
    if (!isMasked(value)) found.push({ at, value });
  } else if (isArray(value) && isArray(masked)) {
    for (const [index, item] of value.entries()) collect(item, masked[index], [...at, index], found);
  } else if (isObject(value) && isObject(masked)) {
    for (const [key, item] of Object.entries(value)) collect(item, own(masked, key), [...at, key], found);
  }
}
