import { fieldIn, isArray, isObject, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { itemKey } from './listKey.ts';
import { fieldShape, isMerged, type Shape } from './shape.ts';

const plainSegment = /^[\w@$-]+$/;

/**
 * Formats a place in a record for users: dotted, list items by key or else position, other keys quoted
 * (`spec.containers.main.env.A.value`, `tags."a.b"`).
 */
export function formatPath(shape: Shape, record: JsonValue, pointer: Pointer): string {
  let at: Shape | undefined = shape;
  let value: JsonValue | undefined = record;
  const segments: string[] = [];
  for (const part of pointer) {
    const child: JsonValue | undefined = childValue(value, part);
    segments.push(quoted(nameOfPart(at, child, part)));
    at = childShape(at, part);
    value = child;
  }
  return segments.join('.');
}

/** The shape at a place; undefined if unknown to the schema. */
export function shapeAt(shape: Shape, pointer: Pointer): Shape | undefined {
  let at: Shape | undefined = shape;
  for (const part of pointer) at = childShape(at, part);
  return at;
}

export function childShape(shape: Shape | undefined, part: string | number): Shape | undefined {
  switch (shape?.type) {
    case 'object':
      return fieldShape(shape, String(part));
    case 'map':
      return shape.value;
    case 'list':
      return shape.item;
    case 'free':
      return isMerged(shape) && typeof part === 'string' ? shape : undefined;
    default:
      return undefined;
  }
}

export function childValue(value: JsonValue | undefined, part: string | number): JsonValue | undefined {
  if (isArray(value)) return typeof part === 'number' ? value[part] : undefined;
  return fieldIn(value, String(part));
}

/** The name of a step in a path: the key of an item of a keyed list, else its name or position. */
export function nameOfPart(shape: Shape | undefined, child: JsonValue | undefined, part: string | number): string {
  return itemName(shape, child) ?? String(part);
}

/** The key of an item of a keyed list. */
export function itemName(shape: Shape | undefined, item: JsonValue | undefined): string | undefined {
  const list = shape?.facts.list;
  return list?.class === 'keyed' && isObject(item) ? itemKey(list.key, item) : undefined;
}

/** The segment as written in a path. */
export function quoted(segment: string): string {
  return plainSegment.test(segment) ? segment : JSON.stringify(segment);
}

const segmentGrammar = /("(?:[^"\\]|\\.)*"|[^."]+)(?:\.|$)/gy;

/** The segments of a path or pattern; undefined if it is malformed (`a..b`, an open quote). */
export function parsePath(path: string): readonly PathSegment[] | undefined {
  if (!path.includes('"') && !path.includes('*')) {
    const names = path.split('.');
    return names.includes('') ? undefined : names.map((name) => ({ any: false, name }));
  }
  const segments: PathSegment[] = [];
  let end = 0;
  for (const match of path.matchAll(segmentGrammar)) {
    const [whole, segment = ''] = match;
    end = match.index + whole.length;
    if (segment === '*') segments.push({ any: true });
    else {
      const name = segment.startsWith('"') ? unquoted(segment) : segment;
      if (name === undefined) return undefined;
      segments.push({ any: false, name });
    }
  }
  return end === path.length && !path.endsWith('.') ? segments : undefined;
}

/** The segments of a path as names, for following a shape; empty if it is malformed. */
export function namesOfPath(path: string): readonly string[] {
  return (parsePath(path) ?? []).map((segment) => (segment.any ? '*' : segment.name));
}

export type PathSegment = { readonly any: true } | { readonly any: false; readonly name: string };

function unquoted(segment: string): string | undefined {
  try {
    const name: unknown = JSON.parse(segment);
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined; // a bad escape makes the pattern malformed
  }
}

/** The places of the record that a pattern matches; `*` is any one segment, list items match by key or position. */
export function matchPath(pattern: string, shape: Shape, record: JsonObject): readonly Pointer[] {
  const segments = parsePath(pattern);
  if (segments === undefined) return [];

  let places: readonly Place[] = [{ shape, value: record, pointer: [] }];
  for (const segment of segments) places = places.flatMap((place) => childrenNamed(place, segment));
  return places.map(({ pointer }) => pointer);
}

interface Place {
  readonly shape: Shape | undefined;
  readonly value: JsonValue;
  readonly pointer: Pointer;
}

function childrenNamed({ shape, value, pointer }: Place, segment: PathSegment): readonly Place[] {
  const parts: Pointer = isArray(value) ? [...value.keys()] : isObject(value) ? Object.keys(value) : [];
  return parts.flatMap((part) => {
    const child = childValue(value, part);
    if (child === undefined) return [];
    const named = segment.any || segment.name === nameOfPart(shape, child, part) || segment.name === String(part);
    return named ? [{ shape: childShape(shape, part), value: child, pointer: [...pointer, part] }] : [];
  });
}

/** The first place of a path without `*`, without searching the rest. */
export function pointerTo(path: string, shape: Shape, record: JsonObject): Pointer | undefined {
  const segments = parsePath(path);
  if (segments === undefined) return undefined;
  const pointer: (string | number)[] = [];
  let place: Place = { shape, value: record, pointer };
  for (const segment of segments) {
    if (segment.any) return undefined;
    const part = partNamed(place, segment.name);
    const value = childValue(place.value, part);
    if (value === undefined) return undefined;
    pointer.push(part);
    place = { shape: childShape(place.shape, part), value, pointer };
  }
  return pointer;
}

function partNamed({ shape, value }: Place, name: string): string | number {
  if (!isArray(value)) return name;
  const keyed = value.findIndex((item) => itemName(shape, item) === name);
  return keyed < 0 ? Number(name) : keyed;
}

/** Whether one of two dotted paths equals the other, or is inside it. */
export function touches(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);
}
