import { isArray, isObject, type JsonValue, own, put } from '../../src/base/json/json.ts';

/** All documents with one entry less: a member, or an item of a list that does not become empty. */
export function shortened(value: JsonValue): readonly JsonValue[] {
  if (isArray(value)) {
    return value.flatMap((item, index) => [
      ...(value.length === 1 ? [] : [value.filter((_, each) => each !== index)]),
      ...shortened(item).map((shorter) => value.map((each, position) => (position === index ? shorter : each))),
    ]);
  }
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((name) => {
    const without: Record<string, JsonValue> = {};
    for (const [key, each] of Object.entries(value)) if (key !== name) put(without, key, each);
    const withShorter = shortened(own(value, name) ?? null).map((shorter) => {
      const changed: Record<string, JsonValue> = { ...value };
      put(changed, name, shorter);
      return changed;
    });
    return [without, ...withShorter];
  });
}
