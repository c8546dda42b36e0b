import { isObject, type JsonObject, type JsonValue, mapMembers, own, put } from '../../base/json/json.ts';
import type { RecordContext } from '../../schema/record/context.ts';
import { type Collection, ownableCollections, waysToCollections } from '../../schema/shape/ownableCollections.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import { collectionOf, type ItemPath, itemsOf } from './items.ts';

/** One item, live or declared. */
export interface ItemPair {
  readonly collection: Collection;
  readonly path: ItemPath;
  readonly live: JsonValue | undefined;
  readonly declared: JsonValue | undefined;
  /** An item with what is shared inside it merged in turn. */
  readonly inside: (item: JsonValue) => JsonValue;
}

export interface Merging {
  readonly context: RecordContext;
  /** The side that gives the order of items and everything that is in none; the result is it where nothing differs. */
  readonly base: 'live' | 'declared';
  /** What becomes of an item; undefined: it is not in the result. */
  readonly item: (pair: ItemPair) => JsonValue | undefined;
  /** Fields of the result besides, of an object on the way to items. */
  readonly fields?: (shape: ObjectShape, declared: JsonObject, path: ItemPath) => JsonObject;
}

/** One record of two, item by item. */
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
  const changed: Record<string, JsonValue> = mapMembers(more, (value, name) =>
    value === memberOf(base, name) ? undefined : value,
  );
  for (const [name, way] of waysToCollections(shape)) {
    const [before, wanted] = [memberOf(live, name), memberOf(declared, name)];
    if (before === undefined && wanted === undefined) continue;
    const at = [...path, name];
    const merged =
      way.type === 'object'
        ? mergeObject(merging, way, { live: objectOr(before), declared: objectOr(wanted) }, at)
        : mergeCollection(merging, way, { live: before, declared: wanted }, at);
    if (merged !== undefined && merged !== memberOf(base, name)) put(changed, name, merged);
  }
  return Object.keys(changed).length === 0 ? base : { ...base, ...changed };
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) ? own(value, name) : undefined;
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
    // What is new keeps its predecessor, so that nothing moves.
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
  const changed: Record<string, JsonValue> = {};
  for (const [name, inner] of ownableCollections(collection)) {
    const sides = { live: memberOf(live, name), declared: memberOf(declared, name) };
    const merged = mergeCollection(merging, inner, sides, [...path, name]);
    if (merged !== undefined && merged !== own(item, name)) put(changed, name, merged);
  }
  return Object.keys(changed).length === 0 ? item : { ...item, ...changed };
}

/** An item without what is shared inside it by itself. */
export function withoutShared(collection: Collection, item: JsonObject): JsonObject {
  const shared = ownableCollections(collection);
  return Object.fromEntries(Object.entries(item).filter(([name]) => !shared.has(name)));
}

/** The places of everything in a record that can be claimed by itself. */
export function placesOf(shape: ObjectShape, record: JsonObject, context: RecordContext): readonly ItemPath[] {
  const places: ItemPath[] = [];
  const item = ({ path, live = null, inside }: ItemPair): JsonValue => {
    places.push(path);
    return inside(live);
  };
  mergeItems({ context, base: 'live', item }, shape, record, {});
  return places;
}
