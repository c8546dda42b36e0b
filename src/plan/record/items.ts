import {
  fieldIn,
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  own,
} from '../../base/json/json.ts';
import { compact } from '../../base/json/present.ts';
import { memberKey } from '../../kinds/equal.ts';
import { identityOf } from '../../patch/place.ts';
import type { RecordContext } from '../../schema/record/ref.ts';
import { keyFields } from '../../schema/shape/listKey.ts';
import { type Collection, ownableCollections, waysToCollections } from '../../schema/shape/ownableCollections.ts';
import type { ObjectShape, Shape } from '../../schema/shape/shape.ts';
import { type Hash, itemHash } from './ownership.ts';

/** One item of a list or one member of a map. */
interface Item {
  /** Undefined if the item has no key, so that it cannot be owned alone. */
  readonly key: string | undefined;
  readonly value: JsonValue;
}

/** The names of objects and the keys of items that lead to an item. */
export type ItemPath = readonly string[];

/** A text unique to the item; a part records its hash. */
export function placeOf(path: ItemPath): string {
  return path.join('\n');
}

/** The hash by which a claim on a tag is recorded. */
export function tagHash(key: string, hash: Hash): string {
  return itemHash(placeOf(['tags', key]), hash);
}

export function itemsOf(collection: Collection, value: JsonValue | undefined, context: RecordContext): readonly Item[] {
  if (collection.type === 'map') {
    return isObject(value) ? Object.keys(value).map((key) => ({ key, value: own(value, key) ?? null })) : [];
  }
  if (!isArray(value)) return [];
  const keyOf =
    collection.facts.byContent === true ? byContent(collection, context) : byIdentity(collection, value, context);
  return value.map((item) => ({ key: keyOf(item), value: item }));
}

/** Makes the list or map of these items. */
function collectionOf(collection: Collection, items: readonly Item[]): JsonArray | JsonObject {
  if (collection.type === 'list') return items.map(({ value }) => value);
  return Object.fromEntries(compact(items, ({ key, value }) => (key === undefined ? undefined : [key, value])));
}

function shapeOfItem(collection: Collection): Shape {
  return collection.type === 'list' ? collection.item : collection.value;
}

/** The item at a path; undefined if it does not exist. */
export function itemAt(
  shape: ObjectShape,
  record: JsonObject,
  path: ItemPath,
  context: RecordContext,
): JsonValue | undefined {
  let at: Shape | undefined = shape;
  let value: JsonValue | undefined = record;
  for (const step of path) {
    if (at?.type === 'object') {
      value = fieldIn(value, step);
      at = at.fields.get(step);
    } else if (at?.type === 'list' || at?.type === 'map') {
      value = itemsOf(at, value, context).find(({ key }) => key === step)?.value;
      at = shapeOfItem(at);
    } else {
      return undefined;
    }
  }
  return value;
}

/** The own value of an item, without items of others inside it; undefined if it does not exist. */
export function ownValueAt(
  shape: ObjectShape,
  record: JsonObject,
  path: ItemPath,
  context: RecordContext,
): JsonValue | undefined {
  const value = itemAt(shape, record, path, context);
  const list = path.slice(0, -1).reduce<Shape | undefined>((at, step) => inside(at, step), shape);
  const shared = list?.type === 'list' || list?.type === 'map' ? ownableCollections(list) : undefined;
  if (shared === undefined || shared.size === 0 || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !shared.has(name)));
}

function inside(shape: Shape | undefined, step: string): Shape | undefined {
  if (shape?.type === 'object') return shape.fields.get(step);
  return shape?.type === 'list' || shape?.type === 'map' ? shapeOfItem(shape) : undefined;
}

/**
 * Whether a declared item only locates something inside it: `{number: 443, routes: […]}`. All its other fields are
 * claimed with it.
 */
export function isLocatorOnly(collection: Collection, item: JsonValue): boolean {
  const inside = ownableCollections(collection);
  const keys = keyFields(collection);
  if (inside.size === 0 || keys.length === 0 || !isObject(item)) return false;
  return Object.keys(item).every((name) => inside.has(name) || keys.includes(name));
}

type KeyOf = (item: JsonValue) => string | undefined;

function byIdentity(collection: Collection, items: JsonArray, context: RecordContext): KeyOf {
  return identityOf(collection, items, context)?.ofItem ?? (() => undefined);
}

function byContent(collection: Collection, context: RecordContext): KeyOf {
  return (item) => contentOf(shapeOfItem(collection), item, context);
}

/** Equal items give equal texts: fields in any order, sets in any order, links in any form. */
function contentOf(shape: Shape, value: JsonValue, context: RecordContext): string {
  if (shape.type === 'object' && isObject(value)) {
    const members = compact(Object.keys(value).sort(), (name) => {
      const member = own(value, name) ?? null;
      const field = shape.fields.get(name);
      return field === undefined || member === null
        ? undefined
        : `${JSON.stringify(name)}:${contentOf(field, member, context)}`;
    });
    return `{${members.join(',')}}`;
  }
  if (shape.type === 'list' && isArray(value)) {
    const items = value.map((item) =>
      shape.item.type === 'scalar' ? memberKey(shape, item, context) : contentOf(shape.item, item, context),
    );
    if (shape.facts.list?.class === 'set') items.sort();
    return `[${items.map((text) => JSON.stringify(text)).join(',')}]`;
  }
  return JSON.stringify(value);
}

/** One item, live or declared. */
export interface ItemPair {
  readonly collection: Collection;
  readonly path: ItemPath;
  readonly live: JsonValue | undefined;
  readonly declared: JsonValue | undefined;
  /** Merges the shared collections inside the item. */
  readonly inside: (item: JsonValue) => JsonValue;
}

interface Merging {
  readonly context: RecordContext;
  /** The side that provides the order and everything outside of items; returned unchanged if nothing differs. */
  readonly base: 'live' | 'declared';
  /** The item in the result; undefined to omit it. */
  readonly item: (pair: ItemPair) => JsonValue | undefined;
  /** Further fields of the result, for an object on the path to items. */
  readonly fields?: (shape: ObjectShape, declared: JsonObject, path: ItemPath) => JsonObject;
}

/** Merges two records item by item. */
export function mergeItems(merging: Merging, shape: ObjectShape, live: JsonObject, declared: JsonObject): JsonObject {
  return mergeObject(merging, shape, { live, declared }, []) ?? {};
}

interface Sides<Value> {
  readonly live: Value | undefined;
  readonly declared: Value | undefined;
}

function mergeObject(
  merging: Merging,
  shape: ObjectShape,
  { live, declared }: Sides<JsonObject>,
  path: ItemPath,
): JsonObject | undefined {
  const base = merging.base === 'live' ? live : declared;
  const more = declared === undefined ? {} : (merging.fields?.(shape, declared, path) ?? {});
  const changed = new Map(Object.entries(more).filter(([name, value]) => value !== fieldIn(base, name)));
  for (const [name, way] of waysToCollections(shape)) {
    const [before, wanted] = [fieldIn(live, name), fieldIn(declared, name)];
    if (before === undefined && wanted === undefined) continue;
    const at = [...path, name];
    const merged =
      way.type === 'object'
        ? mergeObject(merging, way, { live: objectOr(before), declared: objectOr(wanted) }, at)
        : mergeCollection(merging, way, { live: before, declared: wanted }, at);
    if (merged !== undefined && merged !== fieldIn(base, name)) changed.set(name, merged);
  }
  return changed.size === 0 ? base : { ...base, ...Object.fromEntries(changed) };
}

function objectOr(value: JsonValue | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

function mergeCollection(
  merging: Merging,
  collection: Collection,
  { live, declared }: Sides<JsonValue>,
  path: ItemPath,
): JsonValue | undefined {
  const [before, wanted] = [live, declared].map((value) => itemsOf(collection, value, merging.context));
  const result = [...((merging.base === 'live' ? before : wanted) ?? [])];
  const byKey = new Map(wanted?.map(({ key, value }) => [key, value]));
  const there = new Set(before?.map(({ key }) => key));
  let changed = false;
  let last = -1;
  const settle = (key: string | undefined, value: JsonValue | undefined): void => {
    if (key === undefined) return;
    const place = [...path, key];
    const pair = { collection, path: place, live: value, declared: byKey.get(key) };
    const next = merging.item({ ...pair, inside: (item) => insideOf(merging, pair, item) });
    const at = result.findIndex((item) => item.key === key);
    if (next !== result[at]?.value) changed = true;
    // A new item keeps its predecessor, so that nothing moves.
    if (next === undefined) result.splice(at, at < 0 ? 0 : 1);
    else if (at < 0) result.splice(last + 1, 0, { key, value: next });
    else result[at] = { key, value: next };
    if (next !== undefined) last = at < 0 ? last + 1 : at;
  };
  for (const { key, value } of before ?? []) settle(key, value);
  last = result.length - 1;
  for (const key of byKey.keys()) if (!there.has(key)) settle(key, undefined);
  return changed ? collectionOf(collection, result) : merging.base === 'live' ? live : declared;
}

function insideOf(
  merging: Merging,
  { collection, path, live, declared }: Omit<ItemPair, 'inside'>,
  item: JsonValue,
): JsonValue {
  if (!isObject(item)) return item;
  const changed = new Map<string, JsonValue>();
  for (const [name, inner] of ownableCollections(collection)) {
    const sides = { live: fieldIn(live, name), declared: fieldIn(declared, name) };
    const merged = mergeCollection(merging, inner, sides, [...path, name]);
    if (merged !== undefined && merged !== own(item, name)) changed.set(name, merged);
  }
  return changed.size === 0 ? item : { ...item, ...Object.fromEntries(changed) };
}

/** An item without the collections inside it that are shared separately. */
export function withoutShared(collection: Collection, item: JsonObject): JsonObject {
  const shared = ownableCollections(collection);
  return Object.fromEntries(Object.entries(item).filter(([name]) => !shared.has(name)));
}

/** The places of everything in a record that can be claimed separately. */
export function placesOf(shape: ObjectShape, record: JsonObject, context: RecordContext): readonly ItemPath[] {
  const places: ItemPath[] = [];
  const item = ({ path, live = null, inside }: ItemPair): JsonValue => {
    places.push(path);
    return inside(live);
  };
  mergeItems({ context, base: 'live', item }, shape, record, {});
  return places;
}
