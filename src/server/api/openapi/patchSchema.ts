import { isArray, isObject, type JsonObject, type JsonValue, own } from '../../../base/json/json.ts';

/** Keywords whose value is a map of schemas by name. */
const maps = new Set(['properties', 'patternProperties']);

const directives: JsonObject = {
  '^\\$drop$': { type: 'array', items: { type: 'string' } },
  '^\\$(replace|append|patch)/': {},
  '^\\$(drop|retain)/': { type: 'array', items: { type: 'string' } },
};

/**
 * The schema of a patch for this schema (platform/patch.directives): nothing is required, everything may be `null`, and
 * any object may contain directives. Limits remain, as the result must meet them.
 */
export function patchSchema(schema: JsonObject): JsonObject {
  const {
    required: _,
    allOf: __,
    ...kept
  } = Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, changed(keyword, value)]));
  if (own(schema, 'type') !== 'object') return kept;
  const patterns = own(kept, 'patternProperties');
  return { ...kept, patternProperties: { ...(isObject(patterns) ? patterns : {}), ...directives } };
}

function changed(keyword: string, value: JsonValue): JsonValue {
  if (keyword === 'type' && typeof value === 'string' && value !== 'object') return [value, 'null'];
  if (maps.has(keyword) && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, below(child)]));
  }
  return keyword === 'items' ? below(value) : value;
}

function below(schema: JsonValue): JsonValue {
  if (!isObject(schema)) return schema;
  const choices = own(schema, 'enum');
  const nullable = isArray(choices) ? { ...schema, enum: [...choices, null] } : schema;
  return patchSchema(nullable);
}
