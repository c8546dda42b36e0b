import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  own,
  stringAt,
} from '../../../base/json/json.ts';
import type { Pointer } from '../../../base/json/pointer.ts';
import type { Problem } from '../../../schema/record/problem.ts';

type Place = Pointer;

/**
 * The problems of a value by a JSON Schema.
 *
 * Supports the keywords that the small bodies of operations need: `type`, `properties`, `required`, `items`, `enum`,
 * `minimum`, `maximum`, `minLength`, `maxLength`, `minItems`, `maxItems`, `pattern`, `format: date-time`. Objects with
 * `properties` are closed unless `additionalProperties` is true: an unknown field is refused (platform/wire.writes).
 */
export function schemaProblems(
  schema: JsonObject,
  value: JsonValue | undefined,
  place: Place = [],
): readonly Problem[] {
  if (value === undefined) return [problem(place, 'is missing')];
  const type = stringAt(schema, 'type');
  if (type !== undefined && !isOfType(value, type)) return [problem(place, `must be ${article(type)}`)];
  const allowed = own(schema, 'enum');
  if (isArray(allowed) && !allowed.includes(value)) {
    return [problem(place, `must be one of ${allowed.map((each) => JSON.stringify(each)).join(', ')}`)];
  }
  if (typeof value === 'number') return numberProblems(schema, value, place);
  if (typeof value === 'string') return textProblems(schema, value, place);
  if (isArray(value)) return listProblems(schema, value, place);
  return isObject(value) ? objectProblems(schema, value, place) : [];
}

function objectProblems(schema: JsonObject, value: JsonObject, place: Place): readonly Problem[] {
  const known = objectAt(schema, 'properties');
  const found: Problem[] = [];
  for (const name of listAt(schema, 'required')) {
    if (typeof name === 'string' && !Object.hasOwn(value, name)) found.push(problem([...place, name], 'is missing'));
  }
  const open = own(schema, 'additionalProperties') === true || own(schema, 'properties') === undefined;
  for (const [name, member] of Object.entries(value)) {
    const expected = own(known, name);
    if (isObject(expected)) found.push(...schemaProblems(expected, member, [...place, name]));
    else if (!open) found.push(problem([...place, name], `"${name}" is not allowed`));
  }
  return found;
}

function listProblems(schema: JsonObject, value: readonly JsonValue[], place: Place): readonly Problem[] {
  const [least, most] = [own(schema, 'minItems'), own(schema, 'maxItems')];
  if (typeof least === 'number' && value.length < least) return [problem(place, `must have at least ${least} items`)];
  if (typeof most === 'number' && value.length > most) return [problem(place, `must have at most ${most} items`)];
  const items = own(schema, 'items');
  return isObject(items) ? value.flatMap((item, index) => schemaProblems(items, item, [...place, index])) : [];
}

function numberProblems(schema: JsonObject, value: number, place: Place): readonly Problem[] {
  const [least, most] = [own(schema, 'minimum'), own(schema, 'maximum')];
  if (typeof least === 'number' && value < least) return [problem(place, `must be at least ${least}`)];
  if (typeof most === 'number' && value > most) return [problem(place, `must be at most ${most}`)];
  return [];
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

function textProblems(schema: JsonObject, value: string, place: Place): readonly Problem[] {
  const [least, most] = [own(schema, 'minLength'), own(schema, 'maxLength')];
  const pattern = stringAt(schema, 'pattern');
  if (typeof least === 'number' && value.length < least) {
    return [problem(place, least === 1 ? 'must not be empty' : `must have at least ${least} characters`)];
  }
  if (typeof most === 'number' && value.length > most) return [problem(place, `must have at most ${most} characters`)];
  if (pattern !== undefined && !new RegExp(pattern).test(value)) return [problem(place, `must match ${pattern}`)];
  const isTime =
    stringAt(schema, 'format') !== 'date-time' || (instant.test(value) && !Number.isNaN(Date.parse(value)));
  return isTime ? [] : [problem(place, 'must be a time as in ISO 8601')];
}

function isOfType(value: JsonValue, type: string): boolean {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}

const articles: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  integer: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
};

function article(type: string): string {
  return articles[type] ?? type;
}

function problem(place: Place, message: string): Problem {
  return { rule: 'body', path: place.join('.'), pointer: place, message, severity: 'error' };
}
