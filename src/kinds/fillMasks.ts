import { isArray, isObject, type JsonArray, type JsonObject, type JsonValue, own, put } from '../base/json/json.ts';
import { isMasked } from '../base/json/mask.ts';
import { itemKey, itemsByKey } from '../schema/shape/listKey.ts';
import { shapeAt } from '../schema/shape/paths.ts';
import type { Shape } from '../schema/shape/shape.ts';

/**
 * Fills the masks of a saved record with the values of another record at the same places; items of keyed lists by key.
 * Masks without a counterpart stay.
 */
export function fillMasks(shape: Shape, record: JsonObject, known: JsonObject): JsonObject {
  return holdsMask(record) ? fillObject(shape, record, known) : record;
}

/** Whether it contains a mask. */
export function holdsMask(value: JsonValue): boolean {
  if (isArray(value)) return value.some(holdsMask);
  return isObject(value) && (isMasked(value) || Object.values(value).some(holdsMask));
}

function fill(shape: Shape | undefined, value: JsonValue, known: JsonValue | undefined): JsonValue {
  if (isMasked(value)) return known ?? value;
  if (isArray(value)) return isArray(known) ? fillList(shape, value, known) : value;
  return isObject(value) && isObject(known) ? fillObject(shape, value, known) : value;
}

function fillObject(shape: Shape | undefined, object: JsonObject, known: JsonObject): JsonObject {
  const copy: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(object)) {
    put(copy, name, fill(inside(shape, name), value, own(known, name)));
  }
  return copy;
}

function fillList(shape: Shape | undefined, list: JsonArray, known: JsonArray): JsonArray {
  const of = shape?.type === 'list' && shape.facts.list?.class === 'keyed' ? shape.facts.list.key : undefined;
  const byKey = of === undefined ? undefined : itemsByKey(of, known);
  return list.map((item, index) => {
    const key = of !== undefined && isObject(item) ? itemKey(of, item) : undefined;
    return fill(inside(shape, 0), item, byKey === undefined || key === undefined ? known[index] : byKey.get(key));
  });
}

function inside(shape: Shape | undefined, part: string | number): Shape | undefined {
  return shape === undefined ? undefined : shapeAt(shape, [part]);
}
