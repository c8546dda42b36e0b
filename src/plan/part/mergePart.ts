import { isObject, type JsonObject, type JsonValue, own, put } from '../../schema/json/json.ts';
import type { RecordContext } from '../../schema/record/context.ts';
import { type Collection, ownableCollections, waysToCollections } from '../../schema/shape/ownableCollections.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import { collectionOf, type Item, type ItemPath, itemsOf } from './items.ts';
import type { OwnedItems } from './partRecord.ts';

export interface PartOf {
  readonly shape: ObjectShape;
  readonly context: RecordContext;
  /** The short hash of an item's place. */
  readonly hash: (path: ItemPath) => string;
  /** What this stack owns of the record now. */
  readonly mine: OwnedItems;
  /** Whether an item that is there and not ours becomes ours (`lifecycle.adopt`). */
  readonly claims: (hash: string) => boolean;
}

export interface MergedPart {
  /** The whole record with the part in it; the same object as `live` where nothing is declared or given up. */
  readonly record: JsonObject;
  /** What the stack owns afterwards. */
  readonly owned: OwnedItems;
  /** Items declared here that somebody else had first: they must be there as they are declared. */
  readonly unowned: readonly UnownedItem[];
}

export interface UnownedItem {
  readonly path: ItemPath;
  /** Its fields that others fill too: these are merged item by item. */
  readonly open: readonly string[];
  /** Not an item: the field identifies the resource (`targetKind` of a policy). */
  readonly identifies: boolean;
}

/**
 * The live record with the declared items in it, and without those that this stack owns and no longer declares.
 * Everything else is as it is. An empty `declared` gives up the whole part.
 */
export function mergePart(part: PartOf, live: JsonObject, declared: JsonObject): MergedPart {
  const run: Run = { part, owned: new Set(), unowned: [] };
  return { record: mergeObject(run, part.shape, live, declared, []), owned: run.owned, unowned: run.unowned };
}

interface Run {
  readonly part: PartOf;
  readonly owned: Set<string>;
  readonly unowned: UnownedItem[];
}

function mergeObject(run: Run, shape: ObjectShape, live: JsonObject, declared: JsonObject, path: ItemPath): JsonObject {
  const changed: Record<string, JsonValue> = {};
  const change = (name: string, value: JsonValue): void => {
    if (own(live, name) !== value) put(changed, name, value);
  };
  for (const [name, way] of waysToCollections(shape)) {
    const [before, wanted] = [own(live, name), own(declared, name)];
    if (before === undefined && wanted === undefined) continue;
    if (way.type !== 'object') {
      change(name, mergeItems(run, way, before, wanted, [...path, name]));
      continue;
    }
    const merged = mergeObject(run, way, objectOr(before), objectOr(wanted), [...path, name]);
    if (Object.keys(merged).length > 0) change(name, merged);
  }
  // A field that identifies the resource may be repeated; another value is a conflict.
  for (const [name, { facts }] of shape.fields) {
    const wanted = facts.immutable === true ? own(declared, name) : undefined;
    if (wanted === undefined) continue;
    run.unowned.push({ path: [...path, name], open: [], identifies: true });
    change(name, wanted);
  }
  return Object.keys(changed).length === 0 ? live : { ...live, ...changed };
}

const nothing: JsonObject = {};

function objectOr(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : nothing;
}

function mergeItems(
  run: Run,
  collection: Collection,
  live: JsonValue | undefined,
  declared: JsonValue | undefined,
  path: ItemPath,
): JsonValue {
  const { context } = run.part;
  const before = itemsOf(collection, live, context);
  const wanted = new Map(itemsOf(collection, declared, context).map(({ key, value }) => [key, value]));
  const after: Item[] = [];
  let changed = false;
  for (const item of before) {
    const next = mergeItem(run, collection, item, wanted.get(item.key), path);
    if (next !== item.value) changed = true;
    if (next !== undefined) after.push({ key: item.key, value: next });
  }
  const present = new Set(before.map(({ key }) => key));
  for (const [key, value] of wanted) {
    if (key === undefined || present.has(key)) continue;
    changed = true;
    const place = [...path, key];
    run.owned.add(run.part.hash(place));
    after.push({ key, value: withInside(run, collection, value, undefined, value, place) });
  }
  return changed || live === undefined ? collectionOf(collection, after) : live;
}

/** Undefined: the item is removed. */
function mergeItem(
  run: Run,
  collection: Collection,
  { key, value }: Item,
  wanted: JsonValue | undefined,
  path: ItemPath,
): JsonValue | undefined {
  if (key === undefined) return value;
  const place = [...path, key];
  const hash = run.part.hash(place);
  const isMine = run.part.mine.has(hash);
  if (wanted === undefined) {
    const rest = withInside(run, collection, value, value, undefined, place);
    return isMine && !holdsInside(collection, rest) ? undefined : rest;
  }
  if (isMine || run.part.claims(hash)) {
    run.owned.add(hash);
    return withInside(run, collection, wanted, value, wanted, place);
  }
  const open = [...ownableCollections(collection).keys()];
  run.unowned.push({ path: place, open, identifies: false });
  // Of an item that others may fill too only what is declared is looked at.
  const isOpen = open.length > 0 && isObject(value) && isObject(wanted);
  return withInside(run, collection, isOpen ? { ...value, ...wanted } : wanted, value, wanted, place);
}

/** The item with what is shared inside it merged in turn. */
function withInside(
  run: Run,
  collection: Collection,
  item: JsonValue,
  live: JsonValue | undefined,
  declared: JsonValue | undefined,
  path: ItemPath,
): JsonValue {
  if (!isObject(item)) return item;
  const changed: Record<string, JsonValue> = {};
  for (const [name, inner] of ownableCollections(collection)) {
    const [before, wanted] = [own(objectOr(live), name), own(objectOr(declared), name)];
    if (before === undefined && wanted === undefined) continue;
    const merged = mergeItems(run, inner, before, wanted, [...path, name]);
    if (merged !== own(item, name)) put(changed, name, merged);
  }
  return Object.keys(changed).length === 0 ? item : { ...item, ...changed };
}

/** Whether others have something inside the item. */
function holdsInside(collection: Collection, item: JsonValue): boolean {
  return [...ownableCollections(collection).keys()].some((name) => {
    const value = own(objectOr(item), name) ?? null;
    return value !== null && Object.keys(value).length > 0;
  });
}
