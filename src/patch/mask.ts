import { isArray, isObject, type JsonObject, type JsonValue, own, put } from '../schema/json.ts';
import { masked } from '../schema/masked.ts';
import type { ObjectShape, Shape } from '../schema/shape.ts';
import { isReserved, parseDirective } from './directive.ts';
import { itemShape, memberShape } from './shapeInside.ts';

/**
 * The record, or the patch document, with every sensitive value as `{"sensitive": true}`: also in the values of
 * directives, and in the strings by which they name sensitive items.
 */
export function maskSensitive(shape: ObjectShape, document: JsonObject): JsonObject {
  return holdsSensitive(shape) ? maskObject(shape, document) : document;
}

/** Whether anything below this place may be sensitive. */
export function holdsSensitive(shape: Shape): boolean {
  if (shape.facts.sensitive === true) return true;
  if (shape.type === 'map') return holdsSensitive(shape.value);
  if (shape.type === 'list') return holdsSensitive(shape.item);
  if (shape.type !== 'object') return false;
  const before = known.get(shape);
  if (before !== undefined) return before;
  const found = [...shape.fields.values()].some(holdsSensitive);
  known.set(shape, found);
  return found;
}

const known = new WeakMap<ObjectShape, boolean>();

function maskValue(shape: Shape, value: JsonValue): JsonValue {
  if (value === null) return value;
  if (shape.facts.sensitive === true) return masked;
  if (!holdsSensitive(shape)) return value;
  if (isArray(value)) return value.map((item) => maskValue(itemShape(shape), item));
  return isObject(value) ? maskObject(shape, value) : masked;
}

function maskObject(shape: Shape, object: JsonObject): JsonObject {
  const copy: Record<string, JsonValue> = {};
  for (const name of Object.keys(object)) {
    const value = own(object, name);
    if (value !== undefined)
      put(copy, name, isReserved(name) ? maskDirective(shape, name, value) : maskMember(shape, name, value));
  }
  return copy;
}

/** A member that the schema does not know is hidden where its neighbours may be sensitive, except at the top. */
function maskMember(shape: Shape, name: string, value: JsonValue): JsonValue {
  const hidden = shape.type === 'object' && !shape.fields.has(name) && [...shape.fields.values()].some(isSensitive);
  return hidden ? masked : maskValue(memberShape(shape, name), value);
}

function isSensitive(shape: Shape): boolean {
  return shape.facts.sensitive === true;
}

function maskDirective(shape: Shape, name: string, value: JsonValue): JsonValue {
  const directive = parseDirective(name);
  if (directive === undefined) return holdsSensitive(shape) ? masked : value;
  if (directive.name === '$drop-fields') return value;
  if (directive.name === '$replace') return maskMember(shape, directive.field, value);

  const list = memberShape(shape, directive.field);
  if (list.facts.sensitive === true) return masked;
  const naming = directive.name === '$drop' || directive.name === '$retain';
  if (naming) return isSensitive(itemShape(list)) ? masked : value;
  return maskValue(list, value);
}
