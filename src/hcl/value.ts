/** A value that Terraform does not know yet, at any depth of a configuration or a planned state. */
export const unknown: unique symbol = Symbol('unknown');

/**
 * A value as Terraform and the provider exchange it: every attribute of an object is present, `null` if it is not set.
 * Integers above 2^53 arrive as `bigint`, so that they can be refused and are never rounded.
 */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | typeof unknown
  | readonly Value[]
  | { readonly [name: string]: Value };

/** An object value: a resource, a data source, the provider block, or a nested attribute. */
export type ObjectValue = { readonly [name: string]: Value };

export function isObjectValue(value: Value | undefined): value is ObjectValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isListValue(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

/** Whether the value, or anything inside of it, is unknown. */
export function holdsUnknown(value: Value | undefined): boolean {
  if (value === unknown) return true;
  if (isListValue(value)) return value.some(holdsUnknown);
  return isObjectValue(value) && Object.values(value).some(holdsUnknown);
}

/** The attribute, `null` if it is not set. */
export function attributeOf(object: ObjectValue, name: string): Value {
  return Object.hasOwn(object, name) ? (object[name] ?? null) : null;
}

/** The text of an attribute; undefined if it is not set, not known, or empty. */
export function textAt(object: ObjectValue | null | undefined, name: string): string | undefined {
  const value = object === null || object === undefined ? null : attributeOf(object, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Equal in everything that Terraform compares; unknown is equal to unknown. */
export function sameValue(a: Value | undefined, b: Value | undefined): boolean {
  if (a === b) return true;
  if (isListValue(a)) return isListValue(b) && a.length === b.length && a.every((item, at) => sameValue(item, b[at]));
  if (!isObjectValue(a) || !isObjectValue(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameValue(a[name], b[name]))
  );
}
