import { isArray, isObject, type JsonObject, type JsonValue, own } from '../../../src/base/json/json.ts';

/** What stands at a place such as `spec/containers/0/cpu`; an item of a list may also be named by its `name`. */
export function at(value: JsonValue | undefined, place: string): JsonValue | undefined {
  return place.split('/').reduce<JsonValue | undefined>(step, value);
}

function step(value: JsonValue | undefined, segment: string): JsonValue | undefined {
  if (isArray(value)) {
    return /^\d+$/.test(segment) ? value[Number(segment)] : value.find((item) => at(item, 'name') === segment);
  }
  return isObject(value) ? own(value, segment) : undefined;
}

/** The objects of the list at a place; none where there is no list. */
export function itemsAt(value: JsonValue | undefined, place: string): readonly JsonObject[] {
  const found = at(value, place);
  return isArray(found) ? found.filter(isObject) : [];
}

/** A document that holds the value at a place such as `spec/loadBalancer/dedicated`, and nothing else. */
export function nest(place: string, value: JsonValue): JsonObject {
  const segments = place.split('/');
  const nested = segments.reduceRight<JsonValue>((inner, segment) => ({ [segment]: inner }), value);
  return isObject(nested) ? nested : {};
}

/** Both documents in one; where both hold an object the two are joined, else the second one counts. */
export function joined(first: JsonObject, second: JsonObject): JsonObject {
  const result: Record<string, JsonValue> = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const before = own(first, key);
    result[key] = isObject(before) && isObject(value) ? joined(before, value) : value;
  }
  return result;
}
