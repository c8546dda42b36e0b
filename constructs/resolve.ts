import { type JsonArray, type JsonObject, type JsonValue, put } from '../src/base/json/json.ts';
import { opaqueClass } from '../src/base/json/opaque.ts';
import { ToolError } from '../src/base/toolError.ts';
import { isLinkable, type Linkable, refOfLink, uriOf } from './linkable.ts';
import { withPaths } from './marks.ts';
import { type Found, Members } from './members.ts';
import { applyOverrides, type Override, type OverrideFound } from './overrides.ts';
import { markedValue } from './sensitive.ts';

/** Deeper than a manifest may be: deeper values are removed, and validation reports the depth. */
const deepest = 110;

export interface Resolved {
  readonly manifest: JsonObject;
  /** The place of each override. */
  readonly overridden: readonly OverrideFound[];
  /** The fields that refer to some of the constructs. */
  references(which: (target: Linkable) => boolean): readonly Found<Linkable>[];
}

type Part = { readonly [field: string]: unknown };

/**
 * The authors' values as plain data: constructs become links (or URIs, in a field called `uri`), `undefined` is
 * omitted. A value that is not data (a function, a Promise) is kept, and validation reports it with its place. A value
 * that contains itself, such as every construct without a link, throws `stack.cycle`. The paths of sensitive values are
 * added to `lifecycle.sensitive`, those of overrides that the schema does not know to `lifecycle.untyped`.
 */
export function resolve(parts: readonly Part[], overrides: readonly Override[] = []): Resolved {
  const result: Record<string, JsonValue> = {};
  const walk: Walk = { around: [], marked: new Members(), targets: new Members() };
  for (const part of parts) resolveInto(result, part, walk);
  const overridden = applyOverrides(result, overrides, {
    set(container, step, value) {
      walk.marked.forget(container, step);
      walk.targets.forget(container, step);
      const resolved = resolveValue(value, String(step), walk);
      remember(walk, container, step, value);
      return resolved;
    },
    remove(container, step) {
      walk.marked.remove(container, step);
      walk.targets.remove(container, step);
    },
  });
  const sensitive = walk.marked.in(result).map(({ pointer }) => pointer);
  const untyped = overridden.flatMap(({ unknown }) => unknown);
  return {
    manifest: withPaths(withPaths(result, 'untyped', untyped), 'sensitive', sensitive),
    overridden,
    references: (which) => walk.targets.in(result, which),
  };
}

interface Walk {
  /** The objects and lists around the current value. */
  readonly around: object[];
  /** The places of sensitive values. */
  readonly marked: Members<true>;
  /** The places of constructs. */
  readonly targets: Members<Linkable>;
}

/** Stores for a member that it is sensitive, or which construct it refers to. */
function remember({ marked, targets }: Walk, container: JsonObject | JsonArray, step: string | number, value: unknown) {
  if (typeof value !== 'object' || value === null) return;
  if (markedValue(value) !== undefined) marked.set(container, step, true);
  else if (isReference(value)) targets.set(container, step, value);
}

function resolveInto(result: Record<string, JsonValue>, object: Part, walk: Walk): void {
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value === undefined) continue;
    put(result, key, resolveValue(value, key, walk));
    remember(walk, result, key, value);
  }
}

function resolveValue(value: unknown, key: string, walk: Walk): JsonValue {
  if (typeof value !== 'object' || value === null || isOpaque(value)) return value as JsonValue; // checked by jsonProblems
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
  if (isReference(value)) return key === 'uri' ? uriOf(value) : value.link;
  if (!isPlain(value) && 'toJSON' in value && typeof value.toJSON === 'function') {
    return resolveValue(value.toJSON(), key, walk);
  }
  const result: Record<string, JsonValue> = {};
  resolveInto(result, value as Part, walk); // any object has unknown fields
  return result;
}

function resolveList(list: readonly unknown[], key: string, walk: Walk): JsonValue {
  const result: JsonValue[] = [];
  for (const item of list) {
    if (item === undefined) continue;
    remember(walk, result, result.length, item);
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

/** Whether the value is opaque, such as a date or a buffer. One with `toJSON` converts itself. */
function isOpaque(value: object): boolean {
  return opaqueClass(value) !== undefined && !('toJSON' in value);
}

/** Whether the object is data. Objects of classes are constructs, dates and the like. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** A construct, or plain data that is certainly a reference. */
function isReference(value: object): value is Linkable {
  if (!isPlain(value)) return 'link' in value && 'kind' in value && typeof value.link === 'string';
  return isLinkable(value) && refOfLink(value.link)?.kind === value.kind;
}
