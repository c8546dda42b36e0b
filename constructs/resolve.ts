import { ToolError } from '../src/errors/toolError.ts';
import { type JsonArray, type JsonObject, type JsonValue, put } from '../src/schema/json/json.ts';
import { type Marked, withMarks } from './marks.ts';
import { markedValue } from './sensitive.ts';

/** Deeper than a manifest may be: what is below is cut, and validation reports the depth. */
const deepest = 110;

/**
 * What authors wrote, as plain data: constructs become links (or URIs, in a field called `uri`), `undefined` is left
 * out. What is no data (a function, a symbol) stays, for validation to report it with its place. A value that contains
 * itself, as every construct without a link does, throws `stack.cycle`. The paths of sensitive values are added to
 * `lifecycle.sensitive`.
 */
export function resolve(...parts: readonly { readonly [field: string]: unknown }[]): JsonObject {
  const result: Record<string, JsonValue> = {};
  const walk: Walk = { around: [], marked: new Map() };
  for (const part of parts) resolveInto(result, part, walk);
  return withMarks(result, walk.marked);
}

interface Walk {
  /** The objects and lists that the present value stands in. */
  readonly around: object[];
  /** Where sensitive values are. */
  readonly marked: Marked;
}

function isMarked(value: unknown): boolean {
  return typeof value === 'object' && value !== null && markedValue(value) !== undefined;
}

function note({ marked }: Walk, container: JsonObject | JsonArray, step: string | number): void {
  const steps = marked.get(container);
  if (steps === undefined) marked.set(container, [step]);
  else steps.push(step);
}

function resolveInto(
  result: Record<string, JsonValue>,
  object: { readonly [field: string]: unknown },
  walk: Walk,
): void {
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value === undefined) continue;
    put(result, key, resolveValue(value, key, walk));
    if (isMarked(value)) note(walk, result, key);
  }
}

function resolveValue(value: unknown, key: string, walk: Walk): JsonValue {
  if (typeof value !== 'object' || value === null) return value as JsonValue; // checked by jsonProblems
  const marked = markedValue(value);
  if (marked !== undefined) return marked;
  const { around } = walk;
  if (around.length > deepest) return null;
  if (around.includes(value)) throw cycle(key);
  around.push(value);
  const resolved = resolveObject(value, key, walk);
  around.pop();
  return resolved;
}

function resolveObject(value: object, key: string, walk: Walk): JsonValue {
  if (Array.isArray(value)) return resolveList(value, key, walk);
  if (!isPlain(value)) {
    if ('link' in value && 'kind' in value) return reference(value, key);
    if ('toJSON' in value && typeof value.toJSON === 'function') return resolveValue(value.toJSON(), key, walk);
  }
  const result: Record<string, JsonValue> = {};
  resolveInto(result, value as { readonly [field: string]: unknown }, walk); // any object has unknown fields
  return result;
}

function resolveList(list: readonly unknown[], key: string, walk: Walk): JsonValue {
  const result: JsonValue[] = [];
  for (const item of list) {
    if (item === undefined) continue;
    if (isMarked(item)) note(walk, result, result.length);
    result.push(resolveValue(item, key, walk));
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
