import { isArray, isObject, type JsonObject, type JsonValue } from '../../../base/json/json.ts';

/** The schema of a body in which unknown fields are refused. */
export function closed(schema: JsonObject): JsonObject {
  const inside = Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, below(keyword, value)]));
  const isOpen = !Object.hasOwn(schema, 'properties') || Object.hasOwn(schema, 'additionalProperties');
  return isOpen ? inside : { ...inside, additionalProperties: false };
}

function below(keyword: string, value: JsonValue): JsonValue {
  if (keyword === 'properties' && isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, isObject(each) ? closed(each) : each]),
    );
  }
  if (keyword === 'items' && isObject(value)) return closed(value);
  return keyword === 'oneOf' && isArray(value) ? value.map((each) => (isObject(each) ? closed(each) : each)) : value;
}
