import { fieldIn, isArray, isObject, type JsonObject, type JsonValue } from '../base/json/json.ts';
import { nameOfPart, type PathSegment } from '../schema/shape/paths.ts';
import type { ListShape, ObjectShape, Shape } from '../schema/shape/shape.ts';

/** A place that a path may match, whether or not the manifest sets it. */
export interface Place {
  /** Undefined if unknown to the schema. */
  readonly shape: Shape | undefined;
  /** Undefined if the manifest omits it. */
  readonly value: JsonValue | undefined;
}

export interface Followed {
  /** The number of segments that match. */
  readonly followed: number;
  /** The places that they lead to. */
  readonly places: readonly Place[];
}

/** How far a path matches: in the schema, or with `declared` in the manifest. */
export function followPath(
  shape: ObjectShape,
  record: JsonObject,
  segments: readonly PathSegment[],
  by: 'schema' | 'declared' = 'schema',
): Followed {
  let places: readonly Place[] = [{ shape, value: record }];
  for (const [followed, segment] of segments.entries()) {
    const inside = places.flatMap((place) => step(place, segment));
    const next = by === 'schema' ? inside : inside.filter(({ value }) => value !== undefined);
    if (next.length === 0) return { followed, places };
    places = next;
  }
  return { followed: segments.length, places };
}

/** The possible names at this place: fields of the schema and of the manifest, keys of declared items. */
export function namesAt({ shape, value }: Place): readonly string[] {
  if (isArray(value)) return value.map((item, index) => nameOfPart(shape, item, index));
  const fields =
    shape?.type === 'object' ? [...shape.fields].filter(([, { facts }]) => facts.responseOnly !== true) : [];
  return [...fields.map(([name]) => name), ...keysOf(value)];
}

function step({ shape, value }: Place, segment: PathSegment): readonly Place[] {
  switch (shape?.type) {
    case 'object':
      return fieldsNamed(shape, value, segment);
    case 'map':
      return membersNamed(shape.value, value, segment);
    case 'list':
      return itemsNamed(shape, value, segment);
    case 'scalar':
      return [];
    default:
      return membersNamed(undefined, value, segment);
  }
}

/** Any name can match, whether or not the manifest sets it. */
function membersNamed(shape: Shape | undefined, value: JsonValue | undefined, segment: PathSegment): readonly Place[] {
  const places = (segment.any ? keysOf(value) : [segment.name]).map((name) => ({
    shape,
    value: memberAt(value, name),
  }));
  return places.length === 0 ? [{ shape, value: undefined }] : places;
}

/** Also matches fields unknown to the schema, if the manifest sets them or the object is open. */
function fieldsNamed(shape: ObjectShape, value: JsonValue | undefined, segment: PathSegment): readonly Place[] {
  if (segment.any) {
    const names = new Set([...shape.fields.keys(), ...keysOf(value)]);
    return [...names].map((name) => ({ shape: shape.fields.get(name), value: memberAt(value, name) }));
  }
  const field = shape.fields.get(segment.name);
  const set = memberAt(value, segment.name);
  return field === undefined && set === undefined && shape.open !== true ? [] : [{ shape: field, value: set }];
}

/** Any item can match if the manifest omits the list: the platform, or a short form, fills it. */
function itemsNamed(shape: ListShape, value: JsonValue | undefined, segment: PathSegment): readonly Place[] {
  if (shape.item.type === 'scalar') return []; // a plain value has no name
  if (!isArray(value)) return [{ shape: shape.item, value: undefined }];
  const items = value.flatMap((item, index): readonly Place[] => {
    const named = segment.any || segment.name === nameOfPart(shape, item, index) || segment.name === String(index);
    return named ? [{ shape: shape.item, value: item }] : [];
  });
  return segment.any && items.length === 0 ? [{ shape: shape.item, value: undefined }] : items;
}

function keysOf(value: JsonValue | undefined): readonly string[] {
  return isArray(value) || isObject(value) ? Object.keys(value) : [];
}

function memberAt(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (isArray(value)) return value[Number(name)];
  return fieldIn(value, name);
}
