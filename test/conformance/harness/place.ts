import { isArray, isObject, type JsonObject, type JsonValue, own } from '../../../src/base/json/json.ts';

/** The value at a place such as `spec/containers/0/cpu`. A part can also be the `name` of a list item. */
export function at(value: JsonValue | undefined, place: string): JsonValue | undefined {
  return place.split('/').reduce<JsonValue | undefined>(step, value);
}

function step(value: JsonValue | undefined, segment: string): JsonValue | undefined {
  if (isArray(value)) {
    return /^\d+$/.test(segment) ? value[Number(segment)] : value.find((item) => at(item, 'name') === segment);
  }
  return isObject(value) ? own(value, segment) : undefined;
}

/** The objects in the list at a place; none if there is no list. */
export function itemsAt(value: JsonValue | undefined, place: string): readonly JsonObject[] {
  const found = at(value, place);
  return isArray(found) ? found.filter(isObject) : [];
}

/** A document with only this value, at a place such as `spec/loadBalancer/dedicated`. */
export function nest(place: string, value: JsonValue): JsonObject {
  const segments = place.split('/');
  const nested = segments.reduceRight<JsonValue>((inner, segment) => ({ [segment]: inner }), value);
  return isObject(nested) ? nested : {};
}

/** Both documents merged. Objects at the same place are merged, otherwise the second value wins. */
export function joined(first: JsonObject, second: JsonObject): JsonObject {
  const result: Record<string, JsonValue> = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const before = own(first, key);
    result[key] = isObject(before) && isObject(value) ? joined(before, value) : value;
  }
  return result;
}
