import { isArray, isObject, type JsonValue, put } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';

/**
 * The place of a value in a document, and what it is: `function`, `symbol`, `bigint`, `undefined`, or a number's name.
 */
export type NotJson = readonly [pointer: Pointer, what: string];

export interface AsJson {
  readonly value: JsonValue;
  /** What stands in `value` as null, because JSON has no word for it. */
  readonly notJson: readonly NotJson[];
}

/** A document as JSON carries it. */
export function toJson(value: JsonValue): AsJson {
  if (isJson(value)) return { value, notJson: [] };
  const notJson: NotJson[] = [];
  return { value: copied(value, [], notJson), notJson };
}

/** The usual case, without keeping track of places. */
function isJson(value: unknown): boolean {
  if (typeof value === 'object') {
    if (value === null) return true;
    return (isArray(value) ? value : Object.values(value)).every(isJson);
  }
  return (
    typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
  );
}

function copied(value: unknown, pointer: Pointer, notJson: NotJson[]): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (isArray(value)) return value.map((item, index) => copied(item, [...pointer, index], notJson));
  if (isObject(value)) {
    const copy: Record<string, JsonValue> = {};
    for (const key of Object.keys(value)) put(copy, key, copied(value[key], [...pointer, key], notJson));
    return copy;
  }
  notJson.push([pointer, typeof value === 'number' ? String(value) : typeof value]);
  return null;
}

/** Values of the same type, for validation to refuse at the place where the author wrote one. */
const examples: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['function', () => undefined],
  ['symbol', Symbol('of the stack')],
  ['bigint', 0n],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

/** Puts a value of its type at each of the places. `document` was made by `JSON.parse`, and is changed. */
export function restore(document: JsonValue, notJson: readonly NotJson[]): void {
  for (const [pointer, what] of notJson) {
    const key = pointer.at(-1);
    let holder: unknown = document;
    for (const step of pointer.slice(0, -1))
      holder = isObject(holder) || isArray(holder) ? Reflect.get(holder, step) : {};
    if (key === undefined || typeof holder !== 'object' || holder === null) continue;
    const value = examples.get(what);
    Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
  }
}
