import { fieldIn, isObject, type JsonObject, type JsonValue, mapMembers, sameJson } from '../../base/json/json.ts';
import { compact } from '../../base/json/present.ts';
import type { RecordContext, ResourceId } from '../../schema/record/ref.ts';
import { type Collection, ownableCollections } from '../../schema/shape/ownableCollections.ts';
import { quoted } from '../../schema/shape/paths.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import type { Refusal } from '../model/change.ts';
import { type Claim, type Claimant, mayRemove, ruleDeclared } from '../record/claims.ts';
import { type ItemPair, type ItemPath, isLocatorOnly, itemAt, mergeItems, placeOf } from '../record/items.ts';
import { type Hash, type Hold, itemHash, mostItems } from '../record/ownership.ts';

interface PartOf {
  readonly shape: ObjectShape;
  readonly context: RecordContext;
  readonly claimAt: (path: ItemPath) => Claim;
  /** Whether existing unclaimed items become ours (`lifecycle.adopt`). */
  readonly taking: boolean;
}

export interface MergedPart {
  /** The whole record including the part; the same object as `live` if nothing is declared or given up. */
  readonly record: JsonObject;
  /** The claims of the stack afterwards. */
  readonly claimed: readonly ClaimedItem[];
  /** Claimed items that do not exist yet: others' claims on them have ended. */
  readonly added: readonly ItemPath[];
  /** Existing items that this stack no longer claims but others have. */
  readonly released: readonly ItemPath[];
  /** Declared items that this stack must not change: the live item must equal the declaration. */
  readonly fixed: readonly FixedItem[];
}

interface ClaimedItem {
  readonly path: ItemPath;
  readonly hold: Hold;
}

interface FixedItem {
  readonly path: ItemPath;
  /** Its fields that others fill too; they are merged item by item. */
  readonly open: readonly string[];
  /** The other stacks that claim it; empty if it belongs to the owner of the record or is unclaimed. */
  readonly whose: readonly Claimant[];
  /**
   * - `item`: declared here, and so claimed
   * - `place`: it contains the declared items
   * - `identity`: not an item; the field identifies the resource (`targetKind` of a policy)
   */
  readonly as: 'item' | 'place' | 'identity';
}

/**
 * The live record plus the declared items, without those that this stack owns and no longer declares. Everything else
 * stays the same. An empty `declared` gives up the whole part.
 */
export function mergePart(part: PartOf, live: JsonObject, declared: JsonObject): MergedPart {
  const run: Run = { claimed: [], added: [], released: [], fixed: [] };
  const { context } = part;
  const item = (pair: ItemPair): JsonValue | undefined => mergeItem(run, part, pair);
  // A field that identifies the resource may be repeated; another value is a conflict.
  const fields = (shape: ObjectShape, said: JsonObject, path: ItemPath): JsonObject => {
    const identity = mapMembers(said, (value, name) =>
      shape.fields.get(name)?.facts.immutable === true ? value : undefined,
    );
    for (const name of Object.keys(identity))
      run.fixed.push({ path: [...path, name], open: [], whose: [], as: 'identity' });
    return identity;
  };
  return { record: mergeItems({ context, base: 'live', item, fields }, part.shape, live, declared), ...run };
}

/** The record without the items with these hashes; an item that contains items of others stays. */
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
  readonly claimed: ClaimedItem[];
  readonly added: ItemPath[];
  readonly released: ItemPath[];
  readonly fixed: FixedItem[];
}

/** Returns undefined if the item is removed. */
function mergeItem(
  run: Run,
  { claimAt, taking }: PartOf,
  { collection, path, live, declared, inside }: ItemPair,
): JsonValue | undefined {
  if (live === undefined) {
    if (declared === undefined) return undefined;
    run.claimed.push({ path, hold: 'set' });
    run.added.push(path);
    return inside(declared);
  }
  const claim = claimAt(path);
  if (declared === undefined) {
    const rest = inside(live);
    if (mayRemove(claim) && !holdsInside(collection, rest)) return undefined;
    if (claim.mine !== undefined) run.released.push(path);
    return rest;
  }
  const open = [...ownableCollections(collection).keys()];
  // For an item that others may fill too, only the declared fields are compared, unless this stack owns it.
  const merged = open.length > 0 && isObject(live) && isObject(declared) ? { ...live, ...declared } : declared;
  const isPlace = claim.mine === undefined && isLocatorOnly(collection, declared);
  const ruling = isPlace
    ? { may: 'match' as const, whose: claim.others, hold: undefined }
    : ruleDeclared(claim, true, taking);
  if (ruling.may === 'set') {
    run.claimed.push({ path, hold: ruling.hold });
    return inside(claim.mine === undefined ? merged : declared);
  }
  const { hold, whose } = ruling;
  const isClaimed = hold !== undefined && (open.length === 0 || claim.mine !== undefined || hold === 'set');
  if (isClaimed) run.claimed.push({ path, hold });
  run.fixed.push({ path, open, whose, as: isClaimed ? 'item' : 'place' });
  return inside(merged);
}

/** Whether others have items inside it. */
function holdsInside(collection: Collection, item: JsonValue): boolean {
  return [...ownableCollections(collection).keys()].some((name) => {
    const value = fieldIn(item, name) ?? null;
    return value !== null && Object.keys(value).length > 0;
  });
}

/** A record before and after the change of a stack that owns only parts of it. */
export interface BeforeAndAfter {
  readonly shape: ObjectShape;
  readonly context: RecordContext;
  readonly live: JsonObject;
  readonly target: JsonObject;
}

/** An item that must stay unchanged. */
interface Untouchable {
  readonly path: ItemPath;
  /** Fields that others fill too, which are compared separately. */
  readonly open: readonly string[];
  /** The other stacks that claim it; empty if no tag names one. */
  readonly whose: readonly Claimant[];
}

/** Refuses each change of an item that another owner set first. */
export function conflicts(of: BeforeAndAfter, items: readonly Untouchable[]): readonly Refusal[] {
  const { shape, context, live, target } = of;
  return compact(items, ({ path, open, whose }) => {
    const before = closed(itemAt(shape, live, path, context), open);
    const after = closed(itemAt(shape, target, path, context), open);
    return sameJson(before, after)
      ? undefined
      : refusePart.conflict(
          pathText(path),
          whose.map(({ stack }) => stack),
        );
  });
}

/** The path as shown to users. */
export function pathText(path: ItemPath): string {
  return path.map(quoted).join('.');
}

function closed(value: JsonValue | undefined, open: readonly string[]): JsonValue | undefined {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !open.includes(name)));
}

/** All refusals of a part (`lifecycle.part`). */
export const refusePart = {
  absent: (id: ResourceId): Refusal => ({
    code: 'part.absent',
    message: `${id} does not exist, and a part never creates it: apply the stack of its owner first`,
  }),
  owned: (): Refusal => ({
    code: 'part.owned',
    message: 'this stack owns the whole resource, so it cannot also own a part of it',
    allow: 'no lifecycle.part in its manifest; to give up the resource, apply lifecycle.retain: true, then remove it',
  }),
  ownerTooLong: (): Refusal => ({
    code: 'part.owner-too-long',
    message: 'the name of this stack is too long for the key of the tag that records its part',
    allow: 'a shorter name of the stack, the project or the GVC',
  }),
  tooMany: (count: number): Refusal => ({
    code: 'part.too-many',
    message: `${count} items of one resource are declared; a tag can record at most ${mostItems}`,
    allow: 'several stacks, each with some of the items',
  }),
  lost: (owners: readonly string[], total: number): Refusal => ({
    code: 'delete.part',
    message: `it would also delete parts that belong to ${owners.join(', ')}`,
    allow: `--allow-collateral=${total}`,
  }),
  conflict: (path: string, stacks: readonly string[]): Refusal => ({
    code: 'part.conflict',
    message: `${path} already exists with another value: it belongs to ${ownersOf(stacks)}`,
    ...(stacks.length === 0 ? { allow: 'lifecycle.adopt: true in its manifest, or the live value' } : {}),
  }),
} as const;

function ownersOf(stacks: readonly string[]): string {
  if (stacks.length === 0) return 'the owner of the resource, or to nobody';
  return `${stacks.length === 1 ? 'the stack' : 'the stacks'} ${stacks.join(', ')}`;
}
