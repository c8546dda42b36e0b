import { ToolError } from '../src/errors.ts';
import { type JsonObject, type JsonValue, put } from '../src/schema/json.ts';

/** Deeper than a manifest may be: what is below is cut, and validation reports the depth. */
const deepest = 110;

/**
 * What authors wrote, as plain data: constructs become links (or URIs, in a field called `uri`), `undefined` is left
 * out. What is no data (a function, a symbol) stays, for validation to report it with its place. A value that contains
 * itself, as every construct without a link does, throws `stack.cycle`.
 */
export function resolve(...parts: readonly { readonly [field: string]: unknown }[]): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const part of parts) resolveInto(result, part, []);
  return result;
}

function resolveInto(
  result: Record<string, JsonValue>,
  object: { readonly [field: string]: unknown },
  around: object[],
): void {
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value !== undefined) put(result, key, resolveValue(value, key, around));
  }
}

/** `around`: the objects and lists that the value stands in. */
function resolveValue(value: unknown, key: string, around: object[]): JsonValue {
  if (typeof value !== 'object' || value === null) return value as JsonValue; // checked by jsonProblems
  if (around.length > deepest) return null;
  if (around.includes(value)) throw cycle(key);
  around.push(value);
  const resolved = resolveObject(value, key, around);
  around.pop();
  return resolved;
}

function resolveObject(value: object, key: string, around: object[]): JsonValue {
  if (Array.isArray(value)) return resolveList(value, key, around);
  if (!isPlain(value)) {
    if ('link' in value && 'kind' in value) return reference(value, key);
    if ('toJSON' in value && typeof value.toJSON === 'function') return resolveValue(value.toJSON(), key, around);
  }
  const result: Record<string, JsonValue> = {};
  resolveInto(result, value as { readonly [field: string]: unknown }, around); // any object has unknown fields
  return result;
}

function resolveList(list: readonly unknown[], key: string, around: object[]): JsonValue {
  const result: JsonValue[] = [];
  for (const item of list) {
    if (item !== undefined) result.push(resolveValue(item, key, around));
  }
  return result;
}

function cycle(key: string): ToolError {
  return new ToolError({
    code: 'stack.cycle',
    message: `the value of ${JSON.stringify(key)} contains itself`,
    hint: 'A field takes plain data, or a construct where it refers to a resource.',
  });
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
