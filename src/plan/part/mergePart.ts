import { isObject, type JsonObject, type JsonValue, own, put } from '../../base/json/json.ts';
import type { RecordContext } from '../../schema/record/context.ts';
import { type Collection, ownableCollections, waysToCollections } from '../../schema/shape/ownableCollections.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import { type Claim, type Claimant, mayRemove, ruleDeclared } from '../claims/claims.ts';
import { collectionOf, type Item, type ItemPath, itemsOf, placeOf, saysOnlyWhere } from '../claims/items.ts';
import { type Hash, type Hold, itemHash } from '../record/ownership.ts';

export interface PartOf {
  readonly shape: ObjectShape;
  readonly context: RecordContext;
  readonly claimAt: (path: ItemPath) => Claim;
  /** What is there and nobody claims becomes ours (`lifecycle.adopt`). */
  readonly taking: boolean;
}

export interface MergedPart {
  /** The whole record with the part in it; the same object as `live` where nothing is declared or given up. */
  readonly record: JsonObject;
  /** What the stack claims afterwards. */
  readonly claimed: readonly ClaimedItem[];
  /** Those of them that are not there yet: a claim of others on one has ended. */
  readonly added: readonly ItemPath[];
  /** Items that are there, and on which the claim of the stack ends: others have them. */
  readonly released: readonly ItemPath[];
  /** Items declared here that are not for this stack to change: they must be there as they are declared. */
  readonly fixed: readonly FixedItem[];
}

export interface ClaimedItem {
  readonly path: ItemPath;
  readonly hold: Hold;
}

export interface FixedItem {
  readonly path: ItemPath;
  /** Its fields that others fill too: these are merged item by item. */
  readonly open: readonly string[];
  /** The other stacks that claim it; empty: the owner of the record, or nobody. */
  readonly whose: readonly Claimant[];
  /**
   * - `item`: it is declared here, and so claimed
   * - `place`: what is declared is inside it
   * - `identity`: not an item; the field identifies the resource (`targetKind` of a policy)
   */
  readonly as: 'item' | 'place' | 'identity';
}

/**
 * The live record with the declared items in it, and without those that this stack owns and no longer declares.
 * Everything else is as it is. An empty `declared` gives up the whole part.
 */
export function mergePart(part: PartOf, live: JsonObject, declared: JsonObject): MergedPart {
  const run: Run = { part, claimed: [], added: [], released: [], fixed: [] };
  const record = mergeObject(run, part.shape, live, declared, []);
  const { claimed, added, released, fixed } = run;
  return { record, claimed, added, released, fixed };
}

/** The record without the items with these hashes; an item that holds others inside stays. */
export function withoutItems(
  shape: ObjectShape,
  record: JsonObject,
  items: ReadonlySet<string>,
  context: RecordContext,
  hash: Hash,
): JsonObject {
  const claimAt = (path: ItemPath): Claim => ({
    mine: items.has(itemHash(placeOf(path), hash)) ? 'set' : undefined,
    others: [],
  });
  return mergePart({ shape, context, claimAt, taking: false }, record, {}).record;
}

interface Run {
  readonly part: PartOf;
  readonly claimed: ClaimedItem[];
  readonly added: ItemPath[];
  readonly released: ItemPath[];
  readonly fixed: FixedItem[];
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
    run.fixed.push({ path: [...path, name], open: [], whose: [], as: 'identity' });
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
    run.claimed.push({ path: place, hold: 'set' });
    run.added.push(place);
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
  const claim = run.part.claimAt(place);
  if (wanted === undefined) {
    const rest = withInside(run, collection, value, value, undefined, place);
    if (mayRemove(claim) && !holdsInside(collection, rest)) return undefined;
    if (claim.mine !== undefined) run.released.push(place);
    return rest;
  }
  const open = [...ownableCollections(collection).keys()];
  // Of an item that others may fill too only what is declared is looked at, unless it is this stack's own.
  const merged = open.length > 0 && isObject(value) && isObject(wanted) ? { ...value, ...wanted } : wanted;
  const isPlace = claim.mine === undefined && saysOnlyWhere(collection, wanted);
  const ruling = isPlace
    ? { may: 'match' as const, whose: claim.others, hold: undefined }
    : ruleDeclared(claim, true, run.part.taking);
  if (ruling.may === 'set') {
    run.claimed.push({ path: place, hold: ruling.hold });
    return withInside(run, collection, claim.mine === undefined ? merged : wanted, value, wanted, place);
  }
  const { hold, whose } = ruling;
  const isClaimed = hold !== undefined && (open.length === 0 || claim.mine !== undefined || hold === 'set');
  if (isClaimed) run.claimed.push({ path: place, hold });
  run.fixed.push({ path: place, open, whose, as: isClaimed ? 'item' : 'place' });
  return withInside(run, collection, merged, value, wanted, place);
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
