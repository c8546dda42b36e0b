import { isArray, isObject, type JsonObject, type JsonValue, put } from '../../base/json/json.ts';
import { masked } from '../../base/json/masked.ts';
import { textsIn } from '../../base/json/textsIn.ts';
import { holdsSensitive } from '../../schema/shape/anywhere.ts';
import type { Shape } from '../../schema/shape/shape.ts';
import { isReserved, parseDirective } from '../model/directive.ts';
import { itemShape } from '../model/place.ts';
import {
  isSensitive,
  mayHide,
  repeatsMarked,
  type Sensitivity,
  sensitivityOfItem,
  sensitivityOfMember,
} from '../model/sensitivity.ts';

/**
 * The record, or the patch document, with every sensitive value as `{"sensitive": true}`: also in the values of
 * directives, and in the strings by which they name sensitive items.
 */
export function maskSensitive(of: Sensitivity, document: JsonObject): JsonObject {
  return mayHide(of) ? maskObject(of, document) : document;
}

/** The same for a value inside of a record. */
export function maskValue(of: Sensitivity, value: JsonValue): JsonValue {
  if (value === null) return value;
  if (isSensitive(of)) return masked;
  if (!mayHide(of)) return value; // most values: they need not be copied
  if (isArray(value)) return value.map((item) => maskValue(sensitivityOfItem(of, item), item));
  if (isObject(value)) return maskObject(of, value);
  return holdsSensitive(of.shape) || repeatsMarked(of, value) ? masked : value;
}

function maskObject(of: Sensitivity, object: JsonObject): JsonObject {
  const copy: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(object)) {
    put(copy, name, isReserved(name) ? maskDirective(of, name, value) : maskMember(of, name, value));
  }
  return copy;
}

/** A member that the schema does not know is hidden where one beside it is sensitive: it may be, too. */
function maskMember(of: Sensitivity, name: string, value: JsonValue): JsonValue {
  const { shape } = of;
  const hidden = shape.type === 'object' && !shape.fields.has(name) && [...shape.fields.values()].some(isHidden);
  return hidden ? masked : maskValue(sensitivityOfMember(of, name), value);
}

function isHidden(shape: Shape): boolean {
  return shape.facts.sensitive === true;
}

function maskDirective(of: Sensitivity, name: string, value: JsonValue): JsonValue {
  const directive = parseDirective(name);
  if (directive === undefined) return mayHide(of) ? masked : value;
  if (directive.name === '$drop-fields') return value;
  if (directive.name === '$replace') return maskMember(of, directive.field, value);

  const list = sensitivityOfMember(of, directive.field);
  const naming = directive.name === '$drop' || directive.name === '$retain';
  return naming ? maskNames(list, value) : maskValue(list, value);
}

/** Items go by their key, which is shown, or by what they are. */
function maskNames(list: Sensitivity, names: JsonValue): JsonValue {
  const hidden = isSensitive(list) || (isKeyed(list) ? isHidden(itemShape(list.shape)) : areHidden(list, names));
  return hidden ? masked : names;
}

function isKeyed({ shape }: Sensitivity): boolean {
  return shape.facts.list?.class === 'keyed';
}

function areHidden(list: Sensitivity, items: JsonValue): boolean {
  return isSensitive(sensitivityOfItem(list, null)) || textsIn(items).some((text) => repeatsMarked(list, text));
}
