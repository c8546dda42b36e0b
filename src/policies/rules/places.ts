import { isArray, isObject, type JsonObject, type JsonValue, own } from '../../base/json/json.ts';
import { childShape, nameOfPart, type PathSegment, parsePath, quoted } from '../../schema/shape/paths.ts';
import type { Shape } from '../../schema/shape/shape.ts';

/** A place that a path names, whether or not something is there. */
export interface Place {
  /** Dotted, list items by key. */
  readonly path: string;
  readonly value: JsonValue | undefined;
  readonly shape: Shape | undefined;
}

/**
 * The places that a path names in a manifest: of `*` one for each item or key that is there; of what is missing on the
 * way, the place where it would be. Empty: a `*` has nothing to stand for.
 */
export function placesOf(path: string, shape: Shape, manifest: JsonObject): readonly Place[] {
  let places: readonly Place[] = [{ path: '', value: manifest, shape }];
  for (const segment of parsePath(path) ?? []) places = places.flatMap((place) => step(place, segment));
  return places;
}

function step({ path, value, shape }: Place, segment: PathSegment): readonly Place[] {
  const at = (name: string) => (path === '' ? quoted(name) : `${path}.${quoted(name)}`);
  if (isArray(value)) {
    const items = value.map((item, index) => ({ name: nameOfPart(shape, item, index), index, item }));
    const item = shape?.type === 'list' ? shape.item : undefined;
    const named = items.filter(
      ({ name, index }) => segment.any || segment.name === name || segment.name === String(index),
    );
    if (named.length > 0) return named.map((each) => ({ path: at(each.name), value: each.item, shape: item }));
    return segment.any ? [] : [{ path: at(segment.name), value: undefined, shape: item }];
  }
  if (segment.any) {
    const keys = isObject(value) ? Object.keys(value) : [];
    return keys.map((key) => ({ path: at(key), value: memberOf(value, key), shape: childShape(shape, key) }));
  }
  return [{ path: at(segment.name), value: memberOf(value, segment.name), shape: childShape(shape, segment.name) }];
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) ? own(value, name) : undefined;
}
