import { isObject, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import type { RecordContext } from '../../schema/record/ref.ts';
import { ownableCollections } from '../../schema/shape/ownableCollections.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import { type Claim, type Claimant, ruleDeclared } from '../claims/claims.ts';
import { type ItemPair, type ItemPath, mergeItems, withoutShared } from '../claims/items.ts';
import type { Hold } from '../record/ownership.ts';
import { withoutFields } from '../record/shapeFacts.ts';

export interface PartsOfOthers {
  readonly shape: ObjectShape;
  readonly context: RecordContext;
  readonly claimAt: (path: ItemPath) => Claim;
  /** Stacks that claim an item which is not there: somebody removed it, or made another of it. */
  readonly missing: () => readonly string[];
}

export interface OwnersRecord {
  /** The owner's declaration, completed with the items of others that are there. */
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
  const run: Run = { kept: [], shared: [], again: [], doubtful: [] };
  const item = (pair: ItemPair): JsonValue | undefined => completeItem(run, of, pair);
  const [before, wanted] = [live, declared].map((record) => withoutFields(record, [['tags']]));
  const merged = mergeItems({ context: of.context, base: 'declared', item }, of.shape, before ?? {}, wanted ?? {});
  return { record: merged === wanted ? declared : { ...declared, ...merged }, ...run };
}

interface Run {
  readonly kept: KeptItem[];
  readonly shared: SharedItem[];
  readonly again: ItemPath[];
  readonly doubtful: ItemPath[];
}

/** Undefined: the item is neither declared nor kept. */
function completeItem(
  run: Run,
  { claimAt, missing }: PartsOfOthers,
  { collection, path, live, declared, inside }: ItemPair,
): JsonValue | undefined {
  const claim = claimAt(path);
  const { mine, others } = claim;
  if (declared !== undefined) {
    const open = [...ownableCollections(collection).keys()];
    if (others.length > 0 && live === undefined) run.again.push(path);
    else if (others.length > 0) {
      run.shared.push({ path, open, whose: others, mine, hold: ruleDeclared(claim, true, false).hold });
    }
    return inside(declared);
  }
  if (others.length > 0) {
    run.kept.push({ path, claim });
    return live;
  }
  // The place of an item without a key is its content: of an edited one nobody can tell whose it was.
  if (collection.facts.byContent === true && missing().length > 0) {
    run.doubtful.push(path);
    return live;
  }
  // What only others still need of it is all but the owner's own items inside it.
  if (!isObject(live)) return undefined;
  const rest = withoutShared(collection, live);
  const completed = inside(rest);
  return completed === rest ? undefined : completed;
}
