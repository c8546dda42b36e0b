/** Read-only JSON data, safe with keys such as `__proto__`. */
export type JsonValue = string | number | boolean | null | JsonArray | JsonObject;
export type JsonArray = readonly JsonValue[];
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isArray(value: unknown): value is JsonArray {
  return Array.isArray(value);
}

/** The object's own field, never one of Object.prototype. */
export function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The own field of this name; undefined if the value is not an object. */
export function fieldIn(value: unknown, key: string): JsonValue | undefined {
  return isObject(value) ? own(value, key) : undefined;
}

/** Sets an own field, even one named `__proto__`. Only for objects that the caller has just created. */
export function put(target: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[key] = value;
  }
}

/** The object with mapped values; undefined ones are omitted. */
export function mapMembers(
  object: JsonObject,
  mapped: (value: JsonValue, name: string) => JsonValue | undefined,
): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(object)) {
    const member = mapped(value, name);
    if (member !== undefined) put(result, name, member);
  }
  return result;
}

/** The object at `key`, or an empty one. */
export function objectAt(object: JsonObject, key: string): JsonObject {
  const value = own(object, key);
  return isObject(value) ? value : {};
}

/** The list at `key`, or an empty one. */
export function listAt(object: JsonObject, key: string): JsonArray {
  const value = own(object, key);
  return isArray(value) ? value : [];
}

export function stringAt(object: JsonObject, key: string): string | undefined {
  const value = own(object, key);
  return typeof value === 'string' ? value : undefined;
}

export function numberAt(object: JsonObject, key: string): number | undefined {
  const value = own(object, key);
  return typeof value === 'number' ? value : undefined;
}

/** Strict structural equality: keys in any order, lists in order. */
export function sameJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (isArray(a)) return isArray(b) && a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}
