import { type JsonObject, type JsonValue, put } from '../src/schema/json.ts';

/** Deeper than a manifest may be: what is below is cut, and validation reports the depth. */
const deepest = 110;

/**
 * What authors wrote, as plain data: constructs become links (or URIs, in a field called `uri`), `undefined` is left
 * out. What is no data (a function, a symbol) stays, for validation to report it with its place.
 */
export function resolve(...parts: readonly { readonly [field: string]: unknown }[]): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const part of parts) resolveInto(result, part, 0);
  return result;
}

function resolveInto(
  result: Record<string, JsonValue>,
  object: { readonly [field: string]: unknown },
  depth: number,
): void {
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value !== undefined) put(result, key, resolveValue(value, key, depth));
  }
}

function resolveValue(value: unknown, key: string, depth: number): JsonValue {
  if (typeof value !== 'object' || value === null) return value as JsonValue; // checked by jsonProblems
  if (depth > deepest) return null;
  if (Array.isArray(value)) return resolveList(value, key, depth + 1);
  if (!isPlain(value)) {
    if ('link' in value && 'kind' in value) return reference(value, key);
    if ('toJSON' in value && typeof value.toJSON === 'function') return resolveValue(value.toJSON(), key, depth + 1);
  }
  const result: Record<string, JsonValue> = {};
  resolveInto(result, value as { readonly [field: string]: unknown }, depth + 1); // any object has unknown fields
  return result;
}

function resolveList(list: readonly unknown[], key: string, depth: number): JsonValue {
  const result: JsonValue[] = [];
  for (const item of list) {
    if (item !== undefined) result.push(resolveValue(item, key, depth));
  }
  return result;
}

/** Objects of classes are constructs, dates and the like; all others are data. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function reference(target: { readonly link: unknown; readonly kind: unknown }, key: string): string {
  if (key !== 'uri') return String(target.link);
  return `scheme://${String(target.kind)}/${'name' in target ? String(target.name) : ''}`;
}
