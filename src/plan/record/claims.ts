import { type JsonObject, type JsonValue, mapMembers, objectAt, own, put, stringAt } from '../../base/json/json.ts';
import { compact, nonEmpty, present } from '../../base/json/present.ts';
import { compareText } from '../../base/text/compareText.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { Lifecycle } from '../../manifest/model/manifest.ts';
import {
  appliedTag,
  ownerOf,
  ownerOfPartTag,
  ownerTag,
  partTagOf,
  partTagPrefix,
} from '../../manifest/model/ownTags.ts';
import { protectedTag } from '../../schema/record/protection.ts';
import { contextOf, linkOf } from '../../schema/record/ref.ts';
import { keyFields } from '../../schema/shape/listKey.ts';
import { matchPath, quoted, shapeAt } from '../../schema/shape/paths.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import { type Evidence, type FieldClaims, type Later, laterNote, laterWrites, type Note } from './fieldClaims.ts';
import { type ItemPath, ownValueAt, placeOf, placesOf } from './items.ts';
import {
  type AppliedRecord,
  appliedTo,
  type ClaimChanges,
  declaredThen,
  type Hash,
  type Hold,
  type Holds,
  itemHash,
  linkHash,
  readApplied,
  wasRecorded,
  withClaims,
} from './ownership.ts';
import { replacingTag } from './replacementMark.ts';
import { atVersion, firstVersion } from './version.ts';

/** Another stack that claims an item; `unknown`: it owns the record, and has too many claims to record. */
export interface Claimant {
  readonly stack: string;
  readonly hold: Hold | 'unknown';
  /** Set if another client has, or may have, set the item since that stack recorded writing it. */
  readonly later?: Later;
}

/** The claims on one item, from the point of view of one stack. */
export interface Claim {
  /** Undefined if this stack has no claim. */
  readonly mine: Hold | undefined;
  /** Sorted by name. */
  readonly others: readonly Claimant[];
  /** Set if another client has, or may have, set this stack's item since. */
  readonly later?: Later;
  /** The stack that wrote it, if another one (`underNewName`). */
  readonly writer?: string;
}

/** The owners of a record's items, according to its tags. Tags are items: `['tags', key]`. */
export interface Claims {
  readonly at: (path: ItemPath) => Claim;
  readonly hashOf: (path: ItemPath) => string;
  /** The recorded claims of this stack; undefined if there are none, or too many. */
  readonly mine: Holds | undefined;
  /** The records of other stacks on their parts, by stack. */
  readonly parts: ReadonlyMap<string, PartRecord>;
  /**
   * For an item without a recorded claim: whether the owner of the whole record, this stack or another, declared it in
   * its last write, or another client has set it since. `untold`: its record does not show this; then the items of its
   * lists are its own.
   */
  readonly ofOwner: (path: ItemPath) => 'declared' | 'untold' | Later | undefined;
  /** The other stack that owns the whole record. */
  readonly whole: string | undefined;
}

interface ClaimsOf extends Evidence {
  /** The stack that the claims are computed for. */
  readonly owner: string;
  /** The former name under which it had its part, and which it gives up. */
  readonly former?: string | undefined;
  readonly org: string;
  readonly hash: Hash;
}

/**
 * The claims on a live record. `applied`: the record of this stack, or of the one that it takes over from, as the owner
 * of the whole; without it the stack owns at most a part.
 */
export function claimsOn(
  live: LiveResource,
  { owner, former, org, hash, ...evidence }: ClaimsOf,
  applied?: AppliedRecord,
): Claims {
  const tags = objectAt(live.record, 'tags');
  const [ownPart, formerPart] = [owner, former].map((stack) =>
    stack === undefined ? undefined : partRecord(partTagOf(stack), live, { org, hash }),
  );
  const records = [
    { tag: appliedTag, recorded: applied },
    { tag: partTagOf(owner) ?? '', recorded: ownPart },
    { tag: partTagOf(former ?? '') ?? '', recorded: formerPart },
  ];
  const parts = hasParts(tags) ? partsOfOthers(live, { owner, former, org, hash }) : noParts;
  const whole = applied === undefined ? wholeOfOther(live, { owner, org, hash }) : undefined;
  const mine = both(applied?.holds, both(ownPart?.holds, formerPart?.holds));
  const hashOf = (path: ItemPath): string => itemHash(placeOf(path), hash);
  const laterThan = laterWrites(live, evidence);
  /** Returns the write of another client since our newest record of setting it. */
  const laterOf = (item: string, path: ItemPath): Later | undefined => {
    const newest = records
      .flatMap(({ tag, recorded }) =>
        recorded?.holds?.get(item) === 'set' ? [{ tag, version: recorded.version }] : [],
      )
      .sort((a, b) => b.version - a.version)[0];
    return newest === undefined ? undefined : laterAt(path, newest.version, newest.tag);
  };
  const [shape, context] = [shapeOf(live.ref.kind, live.record), contextOf(live.ref, org)];
  const laterAt = (path: ItemPath, version: number, tag: string): Later | undefined =>
    laterThan(version, tag, (record) => ownValueAt(shape, record, path, context));
  const ofOwner: Claims['ofOwner'] = (path) => {
    const owner = applied ?? whole;
    if (owner === undefined) return undefined;
    const isDeclared = isDeclaredBy(owner, shape, path, hash);
    if (isDeclared !== true) return isDeclared === false ? undefined : 'untold';
    return laterAt(path, owner.version, appliedTag) ?? 'declared';
  };
  const at = (path: ItemPath): Claim => {
    const item = hashOf(path);
    const others: Claimant[] = [];
    const hold = mine?.get(item);
    const add = (stack: string, theirs: Claimant['hold'], version: number, tag: string): void => {
      const later = theirs === 'set' ? laterAt(path, version, tag) : undefined;
      others.push({ stack, hold: theirs, ...present({ later }) });
    };
    for (const [stack, { holds, version }] of parts) {
      const theirs = holds.get(item);
      if (theirs !== undefined) add(stack, theirs, version, partTagOf(stack) ?? '');
    }
    if (whole !== undefined) {
      const theirs = whole.holds === undefined ? 'unknown' : whole.holds.get(item);
      if (theirs !== undefined) add(whole.stack, theirs, whole.version, appliedTag);
    }
    const later = hold === 'set' ? laterOf(item, path) : undefined;
    return { mine: hold, others, ...present({ later }) };
  };
  return { at, hashOf, mine, parts, ofOwner, whole: whole?.stack };
}

/** Returns undefined if the owner's record does not show it, as for items without a key. */
function isDeclaredBy(
  { fields, declared }: AppliedRecord,
  shape: ObjectShape,
  path: ItemPath,
  hash: Hash,
): boolean | undefined {
  const list = shapeAt(shape, path.slice(0, -1));
  const keys = list === undefined ? [] : keyFields(list);
  const merged = list?.facts.merged;
  const paths = merged === true ? fields : declared;
  if (keys.length === 0 || paths === undefined) return undefined;
  return keys.some((key) => {
    const text = [...path, key].map(quoted).join('.');
    return merged === true ? wasRecorded(paths, text, hash) : declaredThen(paths, text);
  });
}

/** Changed tags of other stacks. */
export interface OthersTags {
  readonly set: JsonObject;
  readonly drop: readonly string[];
}

/**
 * The records of other stacks after a write of this one, which these stacks could not find out themselves: a deleted
 * item that is created anew is no longer theirs, and items that only they claim from now on are removed with their
 * claims.
 */
export function othersTags({ record }: LiveResource, { parts, whole }: Claims, changes: ClaimChanges): OthersTags {
  const tags = objectAt(record, 'tags');
  const set: Record<string, JsonValue> = {};
  const drop: string[] = [];
  const ofParts = [...parts.keys()].map((stack) => partTagOf(stack) ?? '');
  for (const tag of whole === undefined ? ofParts : [appliedTag, ...ofParts]) {
    const text = withClaims(stringAt(tags, tag) ?? '', changes);
    if (text === undefined) continue;
    if (tag !== appliedTag && readApplied(text)?.holds?.size === 0) drop.push(tag);
    else put(set, tag, text);
  }
  return { set, drop };
}

/** The records of parts in a record that is created anew. */
interface PartsAnew {
  readonly tags: JsonObject;
  /** Whether the audit trail was not queried for the last writers of the items that they record as set. */
  readonly inDoubt: boolean;
}

/**
 * The records of others' parts for the first version of a record that is created anew. Items that another client has,
 * or may have, set after a part did count as found, because no version of the new record shows that; except for items
 * that the owner would take for its own (`mayPass`). `changed`: further changes in them.
 */
export function partsAnew(
  { ref, record }: LiveResource,
  { owner, org }: Pick<ClaimsOf, 'owner' | 'org'>,
  { at, hashOf, parts, ofOwner }: Claims,
  changed: OthersTags,
): PartsAnew {
  const all = parts.size === 0 ? [] : placesOf(shapeOf(ref.kind, record), record, contextOf(ref, org));
  const places = all.filter((path) => path[0] === 'tags' || ofOwner(path) !== 'untold');
  const theirs = places.flatMap((path) => at(path).others.map((each) => ({ ...each, item: hashOf(path) })));
  const tags = mapMembers({ ...objectAt(record, 'tags'), ...changed.set }, (text, key) => {
    if (!key.startsWith(partTagPrefix) || key === partTagOf(owner) || changed.drop.includes(key)) return undefined;
    const later = theirs.filter((each) => each.later !== undefined && partTagOf(each.stack) === key);
    const found = new Set(later.map(({ item }) => item));
    return atVersion(withClaims(String(text), { found }) ?? String(text), firstVersion);
  });
  return { tags, inDoubt: theirs.some(isDoubtful) };
}

/** The recorded claims of a stack on its part, with the version. */
interface PartRecord {
  readonly holds: Holds;
  readonly version: number;
}

const noParts: ReadonlyMap<string, PartRecord> = new Map();

/** Almost no record has any. */
export function hasParts(tags: JsonObject): boolean {
  for (const key in tags) if (key.startsWith(partTagPrefix)) return true;
  return false;
}

/** The claims of this stack on its part of a record; undefined if it has none. */
export function partOf(live: LiveResource, { owner, org, hash }: ClaimsOf): Holds | undefined {
  return partRecord(partTagOf(owner), live, { org, hash })?.holds;
}

/** The claims of other stacks on parts of a record, by stack. */
export function partsOfOthers(
  live: LiveResource,
  { owner, former, org, hash }: ClaimsOf,
): ReadonlyMap<string, PartRecord> {
  const tags = objectAt(live.record, 'tags');
  const found = new Map<string, PartRecord>();
  for (const key in tags) {
    const stack = ownerOfPartTag(key);
    if (stack === undefined || stack === owner || stack === former) continue;
    const recorded = partRecord(key, live, { org, hash });
    if (recorded !== undefined) found.set(stack, recorded);
  }
  return new Map([...found].sort(([a], [b]) => compareText(a, b)));
}

/** Undefined without a tag, or if it is of another version of Gantry or copied from another resource. */
function partRecord(
  tag: string | undefined,
  { ref, record }: LiveResource,
  { org, hash }: Pick<ClaimsOf, 'org' | 'hash'>,
): PartRecord | undefined {
  const text = tag === undefined ? undefined : stringAt(objectAt(record, 'tags'), tag);
  const read = text === undefined ? undefined : readApplied(text);
  const isOfThis = read?.linkHash === linkHash(linkOf(ref, org), hash);
  return isOfThis && read.holds !== undefined ? { holds: read.holds, version: read.version } : undefined;
}

interface Whole extends AppliedRecord {
  readonly stack: string;
}

/** Another stack that owns the whole record. */
function wholeOfOther(live: LiveResource, { owner, org, hash }: ClaimsOf): Whole | undefined {
  const stack = ownerOf(live.record);
  if (stack === undefined || stack === owner) return undefined;
  const applied = appliedTo(live, hash);
  if (applied === undefined || applied.linkHash !== linkHash(linkOf(live.ref, org), hash)) return undefined;
  return { stack, ...applied };
}

function both(whole: Holds | undefined, part: Holds | undefined): Holds | undefined {
  if (whole === undefined || part === undefined) return whole ?? part;
  const setBy = (holds: Holds): Holds => new Map([...holds].filter(([, hold]) => hold === 'set'));
  return new Map([...whole, ...part, ...setBy(whole)]);
}

/**
 * The ruling on a declared item: what the stack may do with it, and how it claims one that is as declared. Items that
 * it creates or changes are set.
 *
 * - `set`: create or change it
 * - `match`: declare it as it is; anything else is refused, because `whose` claim it (empty: the owner, or unclaimed)
 */
type DeclaredRuling =
  | { readonly may: 'set'; readonly hold: Hold }
  | { readonly may: 'match'; readonly hold: Hold; readonly whose: readonly Claimant[] };

/**
 * `taking`: existing items become the stack's own too (`lifecycle.adopt`); those that others claim only as they are.
 */
export function ruleDeclared({ mine, others, later }: Claim, isThere: boolean, taking: boolean): DeclaredRuling {
  if (!isThere) return { may: 'set', hold: 'set' };
  const kept = mine === 'set' && isProvenLater(later) ? 'found' : mine;
  if (others.length > 0) {
    return { may: 'match', hold: taking ? 'set' : (kept ?? (others.some(isProven) ? 'set' : 'found')), whose: others };
  }
  if (mine !== 'set' && !taking) return { may: 'match', hold: 'found', whose: [] };
  return { may: 'set', hold: taking ? 'set' : (kept ?? 'set') };
}

/** Whether another client has set it since. */
function isProvenLater(later: Later | undefined): boolean {
  return later !== undefined && later !== 'unknown';
}

/** Whether it wrote the item and no other client has set it since. */
export function isProven({ hold, later }: Claimant): boolean {
  return hold === 'set' && later === undefined;
}

/**
 * For an item that is as declared: whether its last writer was not queried although that decides how the stack claims
 * it. A new claim is recorded by its own write, a continued one with the next write (`isWritten`).
 */
export function isUnasked({ mine, others, later }: Claim, isWritten: boolean): boolean {
  return mine === undefined ? others.some(isDoubtful) : isWritten && mine === 'set' && later === 'unknown';
}

function isDoubtful({ later }: Claimant): boolean {
  return later === 'unknown';
}

/**
 * Whether a stack may remove an item that it no longer declares: it wrote it, no other stack claims it, and certainly
 * no other client has set it since.
 */
export function mayRemove({ mine, others, later }: Claim): boolean {
  return mine === 'set' && others.length === 0 && later === undefined;
}

/**
 * The claim under another name, to which other stacks' parts do not move: this stack may remove an item that one of the
 * stacks wrote, unless another client has, or may have, set it after each of the stacks that wrote it.
 */
export function underNewName({ mine, others, later }: Claim): Claim {
  const own = mine === undefined ? undefined : { stack: undefined, hold: mine, later };
  const wrote = compact([own, ...others]).filter(({ hold }) => hold === 'set');
  const last =
    wrote.find((each) => each.later === undefined) ?? wrote.find((each) => each.later === 'unknown') ?? wrote[0];
  if (last === undefined) return { mine, others: [] };
  return {
    mine: 'set',
    others: [],
    ...present({ later: last.later, writer: last.stack }),
  };
}

/** Why this stack may not remove an item that it wrote and that no other stack claims. */
export function laterAlone({ others, later }: Claim): Later | undefined {
  return others.length === 0 ? later : undefined;
}

/** Whether something stays only because the audit trail was not queried for its writer. */
export function isInDoubt(later: Iterable<Later | undefined>, fields?: FieldClaims): boolean {
  return [...later, ...(fields?.later.values() ?? [])].includes('unknown');
}

/** Why an item stays although the stack's claim on it ends. */
export function whyItStays(path: ItemPath, { others, later, writer }: Claim): Note {
  const what = `${path.map(quoted).join('.')} stays: `;
  if (others.length > 0) return `${what}${others.map(({ stack }) => stack).join(', ')} declares it too`;
  if (later === undefined) return `${what}it existed before this stack declared it`;
  return laterNote(what, later, writer);
}

interface TagInput {
  readonly desired: JsonObject;
  readonly live: JsonObject;
  /** `lifecycle.protect`. */
  readonly protect: boolean | undefined;
  readonly claim: (key: string) => Claim;
  /** The tag of this stack's former part of the record: the owner of the whole needs none. */
  readonly partTag?: string | undefined;
  /** Whether the key is under `lifecycle.ignore`. */
  readonly ignored: (key: string) => boolean;
}

export interface TagPlan {
  /** The tags to write, because live differs. */
  readonly set: JsonObject;
  readonly drop: readonly string[];
  /** The keys that this stack claims from now on; recorded with the next write. */
  readonly keys: readonly string[];
  /** How it claims one of these keys. */
  readonly holdOf: (key: string) => Hold;
  /** Undeclared keys that stay, because others claim them or were first: this stack's claims on them end. */
  readonly released: readonly string[];
  /** All tags after the write, except our own two. */
  readonly result: JsonObject;
}

/** The keys of the tags under `lifecycle.ignore`. */
export function ignoredTags(
  { ignore = [] }: Pick<Lifecycle, 'ignore'>,
  shape: ObjectShape,
  tags: JsonObject,
): ReadonlySet<string> {
  if (ignore.includes('tags')) return new Set(Object.keys(tags));
  const pointers = ignore.flatMap((pattern) => matchPath(pattern, shape, { tags }));
  return new Set(pointers.map((pointer) => String(pointer[1])));
}

/**
 * Tags are three-way: a claimed key that is no longer declared is removed, unless others claim it too; a foreign one
 * stays. Values are compared as text (platform/concepts.tags). The guard stays until `protect: false` is applied.
 */
export function planTags({ desired, live, protect, claim, partTag, ignored }: TagInput): TagPlan {
  const declared = declaredTags(desired, protect);
  if (Object.keys(declared).length === 0 && !hasOthers(live)) return nothing;
  const set: Record<string, JsonValue> = {};
  const drop: string[] = [];
  const keys: string[] = [];
  const released: string[] = [];
  const result: Record<string, JsonValue> = {};

  for (const key of Object.keys(live).sort()) {
    const value = live[key];
    if (value === undefined || key === ownerTag || key === appliedTag) continue;
    if (key === replacingTag || key === partTag) {
      drop.push(key); // left by a replacement that was given up, or by a part
    } else if (Object.hasOwn(declared, key) || ignored(key)) {
      put(result, key, value);
    } else if (key === protectedTag) {
      if (protect === false) drop.push(key);
      else put(result, key, value);
      if (protect !== false && claim(key).mine !== undefined) keys.push(key);
    } else {
      const claimed = claim(key);
      if (mayRemove(claimed)) drop.push(key);
      else put(result, key, value);
      if (claimed.mine !== undefined && !mayRemove(claimed)) released.push(key);
    }
  }
  for (const key of Object.keys(declared).sort()) {
    if (ignored(key)) continue;
    keys.push(key);
    const value = declared[key];
    const before = own(live, key);
    if (value === undefined || (before !== undefined && before !== null && String(before) === String(value))) continue;
    put(set, key, value);
    put(result, key, value);
  }
  const holdOf = (key: string): Hold => (Object.hasOwn(set, key) ? 'set' : ruleDeclared(claim(key), true, false).hold);
  return { set, drop, keys, holdOf, released, result };
}

const nothing: TagPlan = { set: {}, drop: [], keys: [], holdOf: () => 'set', released: [], result: {} };

/** Most resources have only our own two tags. */
function hasOthers(live: JsonObject): boolean {
  for (const key in live) if (key !== ownerTag && key !== appliedTag) return true;
  return false;
}

/** Tags are compared as text (platform/concepts.tags): equal values keep their spelling. */
export function asSpelled(tags: JsonObject, live: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(tags).map(([key, value]) => {
      const before = own(live, key);
      return [key, before !== undefined && String(before) === String(value) ? before : value];
    }),
  );
}

/** The tags of a new record: those declared, and the guard. */
export function declaredTags(desired: JsonObject, protect: boolean | undefined): JsonObject {
  const tags: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(desired)) {
    if (value !== null && !(key === protectedTag && protect === false)) put(tags, key, value);
  }
  if (protect === true) put(tags, protectedTag, 'true');
  return tags;
}

/**
 * The `tags` member of a PATCH; undefined if nothing differs. Removes by `$drop`: that a null removes is only our
 * reading (platform/patch.directives).
 */
export function tagPatch(set: JsonObject, drop: readonly string[]): JsonObject | undefined {
  if (drop.length === 0 && Object.keys(set).length === 0) return undefined;
  return { ...set, ...nonEmpty({ $drop: drop }) };
}
