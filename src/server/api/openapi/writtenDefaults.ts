import { isArray, isObject, type JsonObject, type JsonValue, own } from '../../../base/json/json.ts';

/**
 * The schema with its defaults in words, and for programs as `x-default`. Generators of clients take a member with
 * `default` for one that is always there, and then ask for it in requests, where it may be left out.
 */
export function writtenDefaults(schema: JsonObject): JsonObject {
  const inside = without(schema, writtenDefaults);
  const value = own(schema, 'default');
  if (value === undefined) return inside;
  const description = own(schema, 'description');
  const said = typeof description === 'string' ? `${description} ` : '';
  return { ...inside, description: `${said}Default: \`${JSON.stringify(value)}\`.`, 'x-default': value };
}

/** The same of a patch: what is left out of it stays as it is, so it has no defaults. */
export function withoutDefaults(schema: JsonObject): JsonObject {
  return without(schema, withoutDefaults);
}

const maps: ReadonlySet<string> = new Set(['properties', 'patternProperties']);
const lists: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);
const single: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'if', 'then']);

function without(schema: JsonObject, change: (schema: JsonObject) => JsonObject): JsonObject {
  const each = (member: JsonValue) => (isObject(member) ? change(member) : member);
  const inside: Record<string, JsonValue> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'default') continue;
    if (maps.has(keyword) && isObject(value)) {
      inside[keyword] = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, each(member)]));
    } else if (lists.has(keyword) && isArray(value)) inside[keyword] = value.map(each);
    else inside[keyword] = single.has(keyword) ? each(value) : value;
  }
  return inside;
}
