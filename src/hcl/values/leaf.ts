import { isArray, isObject, type JsonValue, sameJson } from '../../base/json/json.ts';
import type { LeafForm } from '../schema/form.ts';
import type { Value } from '../value.ts';

/** One value of a record; null where it has another type than the schema says. */
export function leafValue({ is }: LeafForm, json: JsonValue): Value {
  switch (is) {
    case 'json':
      return JSON.stringify(json);
    case 'number':
      return typeof json === 'number' ? json : null;
    case 'bool':
      return typeof json === 'boolean' ? json : null;
    case 'text':
      return json === null || isObject(json) || isArray(json) ? null : String(json);
  }
}

/** The same, in the text of the last state where that is JSON for the same value. */
export function answeredLeaf(form: LeafForm, json: JsonValue | undefined, hint: Value | undefined): Value {
  if (json === undefined || json === null) return null;
  if (form.is === 'json' && typeof hint === 'string' && isTextOf(hint, json)) return hint;
  return leafValue(form, json);
}

function isTextOf(text: string, json: JsonValue): boolean {
  try {
    const value: JsonValue = JSON.parse(text);
    return sameJson(value, json);
  } catch {
    return false; // of an older version of the provider
  }
}

/** Does a value of the record have the type of this alternative? */
export function fitsAlternative({ is }: LeafForm, json: JsonValue): boolean {
  if (is === 'json') return typeof json !== 'string';
  return typeof json === (is === 'text' ? 'string' : is === 'bool' ? 'boolean' : 'number');
}
