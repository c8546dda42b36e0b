import { isArray, isObject, type JsonArray, type JsonObject, type JsonValue, own, put } from '../src/base/json/json.ts';
import type { Pointer } from '../src/base/json/pointer.ts';
import { suggestion } from '../src/base/text/suggestion.ts';
import { ToolError } from '../src/base/toolError.ts';
import type { Position } from '../src/manifest/model/manifest.ts';
import { itemKey } from '../src/schema/shape/listKey.ts';
import { childValue, type PathSegment, parsePath, shapeAt } from '../src/schema/shape/paths.ts';
import type { Shape } from '../src/schema/shape/shape.ts';
import { shapeOfManifest } from './marks.ts';

/** A change of the complete manifest. */
export interface Override {
  readonly path: string;
  readonly segments: readonly string[];
  /** If absent, the existing value is removed. */
  readonly set?: { readonly value: unknown };
  /** The position of the call in user code. */
  readonly origin: { position(): Position };
}

/** The place of an override in the manifest, and its fields that the schema does not know. */
export interface OverrideFound {
  readonly pointer: Pointer;
  readonly origin: Override['origin'];
  readonly unknown: readonly Pointer[];
}

/** Access to the values of members: their value in the manifest, and the stored value. */
export interface Values {
  set(container: JsonObject | JsonArray, step: string | number, value: unknown): JsonValue;
  remove(container: JsonObject | JsonArray, step: string | number): void;
}

/** Errors: `stack.override` if the path is invalid, or if it is a part of the resource's identity. */
export function overrideSegments(path: string): readonly string[] {
  const segments = parsePath(path);
  if (segments === undefined || segments.some(({ any }) => any)) {
    throw wrong(
      `${JSON.stringify(path)} is not a valid path`,
      'Write names with dots between them: spec.containers.main.image.',
    );
  }
  const names = segments.map((segment: PathSegment) => (segment.any ? '*' : segment.name));
  const [first = ''] = names;
  if (names.length === 1 && ['kind', 'name', 'gvc'].includes(first)) {
    const hint = first === 'kind' ? 'Use RawResource for another kind.' : `Give it where it is made: ${first}: …`;
    throw wrong(`${first} cannot be overridden: references to the resource have it in them`, hint);
  }
  return names;
}

/** Changes the manifest, one override after the other. */
export function applyOverrides(
  manifest: Record<string, JsonValue>,
  overrides: readonly Override[],
  values: Values,
): readonly OverrideFound[] {
  if (overrides.length === 0) return [];
  const shape = shapeOfManifest(manifest);
  return overrides.map((override) => {
    const pointer = applyOne(manifest, shape, override, values);
    const unknown = override.set === undefined ? [] : unknownPlaces(manifest, shape, pointer);
    return { pointer, origin: override.origin, unknown };
  });
}

type Container = Record<string, JsonValue> | JsonValue[];

function applyOne(manifest: Record<string, JsonValue>, root: Shape, override: Override, values: Values): Pointer {
  const { segments, set } = override;
  const pointer: (string | number)[] = [];
  let container: Container = manifest;
  let shape: Shape | undefined = root;
  for (const [index, name] of segments.entries()) {
    const step = stepIn(container, shape, name, override);
    pointer.push(step);
    shape = shapeAt(root, pointer);
    if (index === segments.length - 1) {
      if (set !== undefined) write(container, step, values.set(container, step, set.value));
      else remove(container, step, override, values);
      break;
    }
    container = inside(container, step, { shape, next: segments[index + 1] ?? '', override });
  }
  return pointer;
}

/** The position of an item by its key or its number, or the name itself. */
function stepIn(container: Container, shape: Shape | undefined, name: string, override: Override): string | number {
  if (!Array.isArray(container)) return name;
  const list = shape?.type === 'list' ? shape.facts.list : undefined;
  const keys = container.map((item) =>
    list?.class === 'keyed' && isObject(item) ? itemKey(list.key, item) : undefined,
  );
  const named = keys.indexOf(name);
  if (named >= 0) return named;
  const number = /^\d+$/.test(name) ? Number(name) : -1;
  const most = override.set === undefined ? container.length - 1 : container.length;
  if (number >= 0 && number <= most) return number;
  const known = keys.filter((key) => key !== undefined);
  const items = known.length > 0 ? known.join(', ') : container.length === 0 ? 'none' : `0 to ${container.length - 1}`;
  throw wrong(`the list has no item ${JSON.stringify(name)}`, `Its items: ${items}.`, override);
}

function memberOf(container: Container, step: string | number): JsonValue | undefined {
  if (Array.isArray(container)) return typeof step === 'number' ? container[step] : undefined;
  return own(container, String(step));
}

function write(container: Container, step: string | number, value: JsonValue): void {
  if (!Array.isArray(container)) put(container, String(step), value);
  else if (typeof step === 'number') container[step] = value;
}

function remove(container: Container, step: string | number, override: Override, values: Values): void {
  if (memberOf(container, step) === undefined) {
    const names = Array.isArray(container) ? [] : Object.keys(container);
    const hint = suggestion(String(step), names) ?? `Known here: ${names.join(', ') || 'nothing'}.`;
    throw wrong('there is nothing to remove', hint, override);
  }
  if (!Array.isArray(container)) delete container[String(step)];
  else if (typeof step === 'number') container.splice(step, 1);
  values.remove(container, step);
}

interface Next {
  readonly shape: Shape | undefined;
  readonly next: string;
  readonly override: Override;
}

/** The object or list at a member, which is created if missing. */
function inside(container: Container, step: string | number, { shape, next, override }: Next): Container {
  const value = memberOf(container, step);
  if (value === undefined) {
    if (override.set === undefined) throw wrong('there is nothing to remove', 'Leave it out.', override);
    const made: Container = shape?.type === 'list' || (shape === undefined && next === '0') ? [] : {};
    write(container, step, made);
    return made;
  }
  if (isContainer(value)) return value;
  const hint = 'Override the whole value, or remove what comes after it from the path.';
  throw wrong(`${String(step)} is a single value`, hint, override);
}

/** All containers of the manifest were created for it, so they are writable. */
function isContainer(value: JsonValue): value is Record<string, JsonValue> | JsonValue[] {
  return isObject(value) || isArray(value);
}

/** Places at or below the pointer that the schema does not know, except names that resemble known ones. */
function unknownPlaces(manifest: JsonObject, root: Shape, pointer: Pointer): readonly Pointer[] {
  if (pointer[0] === 'lifecycle') return []; // not a part of the record
  let value: JsonValue | undefined = manifest;
  let shape: Shape = root;
  for (const [index, step] of pointer.entries()) {
    const child = knownChild(shape, step);
    if (child === 'any') return [];
    if (child === undefined) return isMisspelt(shape, step) ? [] : [pointer.slice(0, index + 1)];
    shape = child;
    value = childValue(value, step);
  }
  return value === undefined ? [] : unknownBelow(value, shape, pointer);
}

function unknownBelow(value: JsonValue, shape: Shape, at: Pointer): readonly Pointer[] {
  const steps = isArray(value) ? [...value.keys()] : isObject(value) ? Object.keys(value) : [];
  return steps.flatMap((step) => {
    const child = knownChild(shape, step);
    if (child === 'any') return [];
    if (child === undefined) return isMisspelt(shape, step) ? [] : [[...at, step]];
    return unknownBelow(childValue(value, step) ?? null, child, [...at, step]);
  });
}

/** `any`: every value is known. */
function knownChild(shape: Shape, step: string | number): Shape | 'any' | undefined {
  if (shape.type === 'object') return shape.fields.get(String(step)) ?? (shape.open === true ? 'any' : undefined);
  return shape.type === 'map' ? shape.value : shape.type === 'list' ? shape.item : 'any';
}

function isMisspelt(shape: Shape, step: string | number): boolean {
  return shape.type === 'object' && suggestion(String(step), [...shape.fields.keys()]) !== undefined;
}

function wrong(message: string, hint: string, override?: Override): ToolError {
  const text = override === undefined ? message : `the override of ${override.path}: ${message}`;
  return new ToolError({ code: 'stack.override', message: text, hint, place: override?.origin.position() });
}
