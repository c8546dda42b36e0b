import { isObject, type JsonObject, type JsonValue, objectAt } from '../../base/json/json.ts';
import { compact } from '../../base/json/present.ts';
import { counted } from '../../base/text/counted.ts';
import { normalise } from '../../kinds/normalise.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { isMatched, type Patterns, parsePatterns, patternsBelow } from '../../patch/place.ts';
import { contextOf, type RecordContext } from '../../schema/record/ref.ts';
import { ownableCollections } from '../../schema/shape/ownableCollections.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import type { Refusal } from '../model/change.ts';
import type { PlanContext } from '../model/planContext.ts';
import {
  asSpelled,
  type Claim,
  type Claimant,
  type Claims,
  isProven,
  isUnasked,
  type OthersTags,
  othersTags,
  partsOfOthers,
  ruleDeclared,
} from '../record/claims.ts';
import type { Note } from '../record/fieldClaims.ts';
import { type ItemPair, type ItemPath, mergeItems, placesOf, withoutShared } from '../record/items.ts';
import type { Hold } from '../record/ownership.ts';
import { withoutFields } from '../record/shapeFacts.ts';
import { conflicts, pathText } from './mergePart.ts';

/** The items that the owner of a resource has to leave to the stacks that own a part of it. */
export interface LeftToOthers {
  /** The declaration, completed with the items of others. */
  readonly record: JsonObject;
  readonly notes: readonly Note[];
  /** Refuses changes of items that another stack set first; `target` is the record after the change. */
  readonly conflictsIn: (target: JsonObject) => readonly Refusal[];
  /** The owner's claims on items that others claim too, by hash; the tag plan handles claims on tags. */
  readonly holds: readonly (readonly [string, Hold])[];
  /** Whether these claims are unrecorded or have ended; then they are written even if nothing else differs. */
  readonly differs: boolean;
  /**
   * Whether the owner ceases to declare items that are removed with the last claim of a part from now on; this is
   * written even if nothing else differs.
   */
  readonly passes: boolean;
  /** Whether the audit trail was not queried for who last set shared items (`isUnasked`). */
  readonly inDoubt: (isWritten: boolean) => boolean;
  /**
   * The changed tags of parts: without ended claims, and with claims that now remove the items which the owner ceases
   * to declare.
   */
  readonly others: OthersTags;
}

/** For a record that has parts of others. `declared` is the owner's desired record, with final `tags`. */
export function leaveToOthers(
  { ref, lifecycle }: DesiredResource,
  live: LiveResource,
  declared: JsonObject,
  claims: Claims,
  planning: PlanContext,
): LeftToOthers {
  const shape = shapeOf(ref.kind, live.record);
  const context = contextOf(ref, planning.org);
  let lacking: readonly string[] | undefined;
  const missing = (): readonly string[] => {
    const there = [live.record, declared].flatMap((record) => placesOf(shape, record, context));
    lacking ??= missingFrom(new Set(there.map(claims.hashOf)), claims);
    return lacking;
  };
  const completed = completeForOwner({ shape, context, claimAt: claims.at, missing }, live.record, declared);
  const { record, kept, again, doubtful } = completed;
  const ignored = parsePatterns(lifecycle.ignore);
  const shared = completed.shared.filter(({ path }) => !isUnder(ignored, path));

  // The claim on a deleted tag has ended.
  const liveTags = objectAt(live.record, 'tags');
  const tagPaths = Object.keys(objectAt(declared, 'tags')).map((key) => ['tags', key]);
  const [thereTags = [], newTags = []] = [true, false].map((isThere) =>
    tagPaths.filter(([, key = '']) => Object.hasOwn(liveTags, key) === isThere),
  );
  const tags = thereTags.map((path) => ({ path, open: [], whose: claims.at(path).others }));
  const leaving = kept
    .filter((item) => mayPass(item) && !isUnder(ignored, item.path))
    .map(({ path }) => ({ path, was: claims.ofOwner(path) }));
  const passed = leaving.filter(({ was }) => was === 'declared' || was === 'untold');
  // The owner needs no new claim on an item that others only found: it is the owner's anyway.
  const held = shared.filter(({ mine, hold }) => mine !== undefined || hold === 'set');
  return {
    record,
    notes: [...keptNotes(kept), ...doubtful.map((path) => doubtfulNote(path, missing()))],
    conflictsIn: (target) => {
      const items = [...shared, ...tags].filter(({ whose }) => whose.length > 0);
      if (items.length === 0) return [];
      const [before, after] = [live.record, target].map((each) => normalise(ref.kind, each, context));
      return conflicts(
        { shape, context, live: before ?? {}, target: withSpelledTags(after ?? {}, live.record) },
        items,
      );
    },
    holds: [
      ...held.map(({ path, hold }) => [claims.hashOf(path), hold] as const),
      ...again.map((path) => [claims.hashOf(path), 'set'] as const),
    ],
    differs: held.some(({ mine }) => mine === undefined) || kept.some(({ claim }) => claim.mine !== undefined),
    passes: passed.length > 0,
    inDoubt: (isWritten) =>
      leaving.some(({ was }) => was === 'unknown') || shared.some(({ path }) => isUnasked(claims.at(path), isWritten)),
    others: othersTags(live, claims, {
      ended: new Set([...again, ...newTags].map(claims.hashOf)),
      passed: new Set(passed.map(({ path }) => claims.hashOf(path))),
    }),
  };
}

/** If no stack owns a part of the record (`hasParts`). */
export const noOthers: Omit<LeftToOthers, 'record'> = {
  notes: [],
  conflictsIn: () => [],
  holds: [],
  differs: false,
  passes: false,
  inDoubt: () => false,
  others: { set: {}, drop: [] },
};

/** Tags are compared as text (platform/concepts.tags). */
function withSpelledTags(record: JsonObject, live: JsonObject): JsonObject {
  return { ...record, tags: asSpelled(objectAt(record, 'tags'), objectAt(live, 'tags')) };
}

function keptNotes(kept: readonly KeptItem[]): readonly string[] {
  const byStack = new Map<string, number>();
  for (const { claim } of kept) {
    const [first] = claim.others;
    if (first !== undefined) byStack.set(first.stack, (byStack.get(first.stack) ?? 0) + 1);
  }
  return [...byStack].map(([stack, count]) => `${counted(count, 'item belongs', 'items belong')} to ${stack}`);
}

function doubtfulNote(path: ItemPath, stacks: readonly string[]): string {
  return (
    `${pathText(path)} stays: it may be an edited item of ${stacks.join(', ')}, which is ` +
    'missing; apply that stack, and plan again'
  );
}

/** The stacks that claim an item missing from the record. */
function missingFrom(there: ReadonlySet<string>, { parts }: Claims): readonly string[] {
  return [...parts].flatMap(([stack, { holds }]) =>
    [...holds.keys()].some((item) => !there.has(item)) ? [stack] : [],
  );
}

/**
 * Whether some claimants only found the item, and the others provably set it last. If it was the owner's, it is removed
 * with the last of these claims once the owner ceases to declare it.
 */
function mayPass({ claim: { others } }: KeptItem): boolean {
  const isFound = ({ hold }: Claimant): boolean => hold === 'found';
  return others.some(isFound) && others.every((each) => isFound(each) || isProven(each));
}

/** Whether the path is ignored: the owner has not released such an item. */
export function isUnder(patterns: Patterns, path: ItemPath): boolean {
  return path.some((_, depth) =>
    isMatched(path.slice(0, depth + 1).reduce((at, step) => patternsBelow(at, step), patterns)),
  );
}

export function partOwners(live: LiveResource, planning: PlanContext): readonly string[] {
  const { options, org } = planning;
  const parts = partsOfOthers(live, { owner: options.owner, org, hash: options.hash });
  return compact([...parts], ([stack, { holds }]) => (holds.size === 0 ? undefined : stack));
}

interface PartsOfOthers {
  readonly shape: ObjectShape;
  readonly context: RecordContext;
  readonly claimAt: (path: ItemPath) => Claim;
  /** Stacks that claim a missing item: it was removed, or changed to another one. */
  readonly missing: () => readonly string[];
}

interface OwnersRecord {
  /** The owner's declaration, completed with the existing items of others. */
  readonly record: JsonObject;
  /** Existing items that others claim and the owner does not declare. */
  readonly kept: readonly KeptItem[];
  /** Items that the owner declares and others claim too: the live item must equal the declaration. */
  readonly shared: readonly SharedItem[];
  /** Items that the owner adds and that others recorded before they were removed: those claims count again. */
  readonly again: readonly ItemPath[];
  /** Unclaimed items that may be an edited item of a part: they stay. */
  readonly doubtful: readonly ItemPath[];
}

interface KeptItem {
  readonly path: ItemPath;
  readonly claim: Claim;
}

interface SharedItem {
  readonly path: ItemPath;
  /** Its fields that others fill too; they are completed item by item. */
  readonly open: readonly string[];
  readonly whose: readonly Claimant[];
  readonly mine: Hold | undefined;
  /** How the owner claims it from now on. */
  readonly hold: Hold;
}

/**
 * The owner's declaration is complete, except for the items that other stacks own as parts: these stay, in their
 * positions. Tags are omitted: foreign tags stay anyway.
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

/** Returns undefined if the item is neither declared nor kept. */
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
  // An item without a key is identified by its content, so the owner of an edited one is unknown.
  if (collection.facts.byContent === true && missing().length > 0) {
    run.doubtful.push(path);
    return live;
  }
  // If only others still need the item, the owner's own items inside it are removed.
  if (!isObject(live)) return undefined;
  const rest = withoutShared(collection, live);
  const completed = inside(rest);
  return completed === rest ? undefined : completed;
}
