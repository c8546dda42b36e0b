import { isObject, type JsonObject, type JsonValue, own, put } from '../../base/json/json.ts';
import type { RecordContext } from '../../schema/record/context.ts';
import { type Collection, ownableCollections, waysToCollections } from '../../schema/shape/ownableCollections.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import { type Claim, type Claimant, ruleDeclared } from '../claims/claims.ts';
import { collectionOf, type Item, type ItemPath, itemsOf } from '../claims/items.ts';
import type { Hold } from '../record/ownership.ts';

export interface PartsOfOthers {
  readonly shape: ObjectShape;
  readonly context: RecordContext;
  readonly claimAt: (path: ItemPath) => Claim;
  /** Stacks that claim an item which is not there: somebody removed it, or made another of it. */
  readonly missing: () => readonly string[];
}

export interface OwnersRecord {
  /** What the owner declares, completed with the items of others that are there. */
  readonly record: JsonObject;
  /** Items that are there, that others claim, and that the owner does not declare. */
  readonly kept: readonly KeptItem[];
  /** Items that the owner declares and others claim too: they must be there as they are declared. */
  readonly shared: readonly SharedItem[];
  /** Items that the owner adds, and that others recorded before somebody removed them: their claims count again. */
  readonly again: readonly ItemPath[];
  /** Items that nobody claims, and that somebody may have made of an item of a part: they stay. */
  readonly doubtful: readonly ItemPath[];
}

export interface KeptItem {
  readonly path: ItemPath;
  readonly claim: Claim;
}

export interface SharedItem {
  readonly path: ItemPath;
  /** Its fields that others fill too: these are completed item by item. */
  readonly open: readonly string[];
  readonly whose: readonly Claimant[];
  readonly mine: Hold | undefined;
  /** How the owner claims it from now on. */
  readonly hold: Hold;
}

/**
 * The declaration of the owner is complete, except for the items that other stacks own as parts: these stay, in their
 * positions. Tags are left out: foreign tags stay anyway.
 */
export function completeForOwner(of: PartsOfOthers, live: JsonObject, declared: JsonObject): OwnersRecord {
  const run: Run = { of, kept: [], shared: [], again: [], doubtful: [] };
  const record = completeObject(run, of.shape, live, declared, []);
  const { kept, shared, again, doubtful } = run;
  return { record: record ?? declared, kept, shared, again, doubtful };
}

interface Run {
  readonly of: PartsOfOthers;
  readonly kept: KeptItem[];
  readonly shared: SharedItem[];
  readonly again: ItemPath[];
  readonly doubtful: ItemPath[];
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
        ? isObject(before) || isObject(wanted)
          ? completeObject(run, way, isObject(before) ? before : {}, isObject(wanted) ? wanted : undefined, inside)
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
  const { context, claimAt } = run.of;
  const wanted = itemsOf(collection, declared, context);
  const byKey = new Map(wanted.map((item) => [item.key, item]));
  const result: Item[] = [...wanted];
  let last = -1;
  let changed = false;
  for (const item of itemsOf(collection, live, context)) {
    if (item.key === undefined) continue;
    const place = [...path, item.key];
    const declaredItem = byKey.get(item.key);
    const claim = claimAt(place);
    const { mine, others } = claim;
    if (declaredItem !== undefined && others.length > 0) {
      const open = [...ownableCollections(collection).keys()];
      run.shared.push({ path: place, open, whose: others, mine, hold: ruleDeclared(claim, true, false).hold });
    }
    const isKept = declaredItem === undefined && others.length > 0;
    // The place of an item without a key is its content: of an edited one nobody can tell whose it was.
    const isDoubtful =
      declaredItem === undefined && !isKept && collection.facts.byContent === true && run.of.missing().length > 0;
    const stays = isKept || isDoubtful;
    const value = stays ? item.value : insideOf(run, collection, item.value, declaredItem?.value, place);
    if (isKept) run.kept.push({ path: place, claim });
    if (isDoubtful) run.doubtful.push(place);
    const at = result.findIndex(({ key }) => key === item.key);
    if (value !== undefined && value !== declaredItem?.value) {
      changed = true;
      // Items that stay keep their predecessor, so that nothing moves.
      if (at === -1) result.splice(last + 1, 0, { key: item.key, value });
      else result[at] = { key: item.key, value };
    }
    const now = result.findIndex(({ key }) => key === item.key);
    if (now !== -1) last = now;
    byKey.delete(item.key);
  }
  for (const { key, value } of byKey.values()) if (key !== undefined) noteAdded(run, collection, value, [...path, key]);
  return changed ? collectionOf(collection, result) : declared;
}

function noteAdded(run: Run, collection: Collection, item: JsonValue, place: ItemPath): void {
  if (run.of.claimAt(place).others.length > 0) run.again.push(place);
  if (!isObject(item)) return;
  for (const [name, inner] of ownableCollections(collection)) {
    for (const { key, value } of itemsOf(inner, own(item, name), run.of.context)) {
      if (key !== undefined) noteAdded(run, inner, value, [...place, name, key]);
    }
  }
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
