import { isArray, isObject, type JsonArray, type JsonObject, type JsonValue, own, put } from '../../base/json/json.ts';
import { parseJsonText } from '../../base/json/parseJsonText.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import type { ScalarShape, Shape } from '../../schema/shape/shape.ts';
import { shapeOf } from '../shape/shapeOf.ts';

const numeral = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * Numbers and booleans that were sent as text, in their own type: `"5"` where the schema expects a number is 5
 * (platform/patch.clients). Never inside free-form objects. Text that is not a number stays, for the validator to
 * refuse.
 *
 * The directives of a PATCH body are not fields: apply the patch first. Unchanged parts are shared with the input.
 */
export function coerce(kind: Kind, record: JsonObject): JsonObject {
  const value = coerceValue(shapeOf(kind, record), record);
  return isObject(value) ? value : record;
}

/** The same for one value of a known shape. */
function coerceValue(shape: Shape, value: JsonValue): JsonValue {
  if (typeof value === 'string' && shape.facts.orJsonText === true) return parseJsonText(value);
  switch (shape.type) {
    case 'object':
      return isObject(value) ? coerceMembers(value, (name) => shape.fields.get(name)) : value;
    case 'map':
      return isObject(value) ? coerceMembers(value, () => shape.value) : value;
    case 'list':
      return isArray(value) ? coerceItems(value, shape.item) : value;
    case 'scalar':
      return typeof value === 'string' ? coerceText(shape, value) : value;
    case 'free':
      return value;
  }
}

function coerceMembers(object: JsonObject, shapeAt: (name: string) => Shape | undefined): JsonObject {
  let coerced: Record<string, JsonValue> | undefined;
  for (const name of Object.keys(object)) {
    const value = own(object, name) ?? null;
    const shape = shapeAt(name);
    const said = shape === undefined ? value : coerceValue(shape, value);
    if (said === value) continue;
    coerced ??= { ...object };
    put(coerced, name, said);
  }
  return coerced ?? object;
}

function coerceItems(items: JsonArray, shape: Shape): JsonArray {
  let coerced: JsonValue[] | undefined;
  for (const [index, item] of items.entries()) {
    const said = coerceValue(shape, item);
    if (said === item) continue;
    coerced ??= [...items];
    coerced[index] = said;
  }
  return coerced ?? items;
}

/**
 * The value as the schema writes it: an installation may answer `"1"` for 1, 1 for `"1"`, and `Standard` for `standard`
 * (assumptions `value.types` and `value.case`).
 */
export function ofItsType(shape: ScalarShape, value: JsonValue): JsonValue {
  if (typeof value === 'object') return value;
  if (shape.of !== 'string') return typeof value === 'string' ? coerceText(shape, value) : value;
  const text = String(value);
  const { words } = shape;
  if (words === undefined || words.includes(text)) return text;
  return words.find((word) => plainWord(word) === plainWord(text)) ?? text;
}

/** A word without what installations write in different ways: case, and what is between its parts. */
export function plainWord(word: string): string {
  return word.toLowerCase().replaceAll(/[-_ ]/g, '');
}

function coerceText({ of }: ScalarShape, text: string): JsonValue {
  if (of === 'number' && numeral.test(text)) return Number(text);
  if (of === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
