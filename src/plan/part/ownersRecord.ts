import { isObject, type JsonObject, type JsonValue, own, put } from '../../schema/json/json.ts';
import type { RecordContext } from '../../schema/record/context.ts';
import { type Collection, ownableCollections, waysToCollections } from '../../schema/shape/ownableCollections.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import { collectionOf, type Item, type ItemPath, itemsOf } from './items.ts';

export interface PartsOfOthers {
  readonly shape: ObjectShape;
  readonly context: RecordContext;
  /** Which other stack owns the item at this place. */
  readonly ownerAt: (path: ItemPath) => string | undefined;
}

export interface OwnersRecord {
  /** What the owner declares, completed with the items of others that are there. */
  readonly record: JsonObject;
  /** How many items stay because they belong to others, by owner. */
  readonly kept: ReadonlyMap<string, number>;
  /** Items that the owner declares and another stack had first. */
  readonly contested: readonly ContestedItem[];
}

export interface ContestedItem {
  readonly path: ItemPath;
  /** Its fields that others fill too: these are completed item by item. */
  readonly open: readonly string[];
  readonly owner: string;
}

/**
 * The declaration of the owner is complete, except for the items that other stacks own as parts: these stay, in their
 * positions. Tags are left out: foreign tags stay anyway.
 */
export function completeForOwner(of: PartsOfOthers, live: JsonObject, declared: JsonObject): OwnersRecord {
  const run: Run = { of, kept: new Map(), contested: [] };
  const record = completeObject(run, of.shape, live, declared, []);
  return { record: record ?? declared, kept: run.kept, contested: run.contested };
}

interface Run {
  readonly of: PartsOfOthers;
  readonly kept: Map<string, number>;
  readonly contested: ContestedItem[];
}

/** Undefined: nothing is declared, and nothing stays. */
function completeObject(
  run: Run,
  shape: ObjectShape,
  live: JsonObject,
  declared: JsonObject | undefined,
  path: ItemPath,
): JsonObject | undefined {
  const changed: Record<string, JsonValue> = {};
  for (const [name, way] of waysToCollections(shape)) {
    if (path.length === 0 && name === 'tags') continue;
    const [before, wanted] = [own(live, name), declared === undefined ? undefined : own(declared, name)];
    const inside = [...path, name];
    const completed =
      way.type === 'object'
        ? isObject(before)
          ? completeObject(run, way, before, isObject(wanted) ? wanted : undefined, inside)
          : wanted
        : completeItems(run, way, before, wanted, inside);
    if (completed !== undefined && completed !== wanted) put(changed, name, completed);
  }
  return Object.keys(changed).length === 0 ? declared : { ...declared, ...changed };
}

function completeItems(
  run: Run,
  collection: Collection,
  live: JsonValue | undefined,
  declared: JsonValue | undefined,
  path: ItemPath,
): JsonValue | undefined {
  const { context, ownerAt } = run.of;
  const wanted = itemsOf(collection, declared, context);
  const byKey = new Map(wanted.map((item) => [item.key, item]));
  const result: Item[] = [...wanted];
  let last = -1;
  let changed = false;
  for (const item of itemsOf(collection, live, context)) {
    if (item.key === undefined) continue;
    const place = [...path, item.key];
    const declaredItem = byKey.get(item.key);
    const owner = ownerAt(place);
    if (declaredItem !== undefined && owner !== undefined) {
      run.contested.push({ path: place, open: [...ownableCollections(collection).keys()], owner });
    }
    const stays = declaredItem === undefined && owner !== undefined;
    const value = stays ? item.value : insideOf(run, collection, item.value, declaredItem?.value, place);
    if (stays) run.kept.set(owner, (run.kept.get(owner) ?? 0) + 1);
    const at = result.findIndex(({ key }) => key === item.key);
    if (value !== undefined && value !== declaredItem?.value) {
      changed = true;
      // Items that stay keep their predecessor, so that nothing moves.
      if (at === -1) result.splice(last + 1, 0, { key: item.key, value });
      else result[at] = { key: item.key, value };
    }
    const now = result.findIndex(({ key }) => key === item.key);
    if (now !== -1) last = now;
  }
  return changed ? collectionOf(collection, result) : declared;
}

/** The item, with the parts of other stacks inside it; undefined if it is not declared and contains no such parts. */
function insideOf(
  run: Run,
  collection: Collection,
  live: JsonValue,
  declared: JsonValue | undefined,
  path: ItemPath,
): JsonValue | undefined {
  if (!isObject(live) || (declared !== undefined && !isObject(declared))) return declared;
  const completed: Record<string, JsonValue> = {};
  for (const [name, inner] of ownableCollections(collection)) {
    const [before, wanted] = [own(live, name), declared === undefined ? undefined : own(declared, name)];
    const items = completeItems(run, inner, before, wanted, [...path, name]);
    if (items !== undefined && items !== wanted) put(completed, name, items);
  }
  if (Object.keys(completed).length === 0) return declared;
  return { ...(declared ?? withoutShared(collection, live)), ...completed };
}

/** What must stay of an item that only others still need: all but the owner's own items inside it. */
function withoutShared(collection: Collection, item: JsonObject): JsonObject {
  const shared = ownableCollections(collection);
  return Object.fromEntries(Object.entries(item).filter(([name]) => !shared.has(name)));
}
