import { type JsonObject, objectAt, stringAt } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { onceFor } from '../../base/once.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { appliedTag, ownerOf, ownerTag } from '../../manifest/model/ownTags.ts';
import { linkOf, type Ref } from '../../schema/record/ref.ts';

/** The longest `gantry/applied`, in bytes; it is ASCII only. */
export const appliedTagLimit = 480;

const linkHashLength = 12;
const hashLength = 6;
const hashPattern = /^[\w-]*$/;
const hashes = new RegExp(`.{${hashLength}}`, 'g');
const none: ReadonlySet<string> = new Set();
const noHolds: Holds = new Map();

/** A short hash of a text: at least 12 characters of `A-Z a-z 0-9 - _`. */
export type Hash = (text: string) => string;

/**
 * How a stack claims a tag or a list item.
 *
 * - `set`: this stack, or an earlier claimant, wrote it; it is removed with its last claim
 * - `found`: it existed unclaimed when the stack began to declare it; it stays when the claim ends
 */
export type Hold = 'set' | 'found';

/** The claims of a stack, by the hash of the place of each item. */
export type Holds = ReadonlyMap<string, Hold>;

/** The facts that one write records for the next plan. They contain no values, so no secrets. */
export interface AppliedFacts {
  /** The resource's own full link. */
  readonly link: string;
  /** The version that the write produces. */
  readonly version: number;
  readonly retain: boolean;
  readonly holds: Holds;
  /** Paths of the service-class fields that the stack set. */
  readonly servicePaths: readonly string[];
  /** Paths of all declared values (`declaredPaths`); absent if not recorded. */
  readonly declaredPaths?: readonly string[];
  /** Id of the record that is written to; a new one has none yet. */
  readonly uid?: string | undefined;
  /** The hash of the content expected after the write (`contentHash`); absent if the platform stores it as written. */
  readonly content?: string | undefined;
}

export interface AppliedRecord {
  readonly linkHash: string;
  readonly version: number;
  readonly retain: boolean;
  /** Undefined if there were too many to record, so that nothing is known. */
  readonly holds: Holds | undefined;
  readonly fields: ReadonlySet<string> | undefined;
  /** Hashes of the paths of all declared values; undefined if unknown. */
  readonly declared: ReadonlySet<string> | undefined;
  /**
   * Hash of the id of the record that was written to; undefined if the write created it, so that it may be another one
   * by now.
   */
  readonly writtenTo?: string;
  /** The hash of the content after the write (`contentHash`); while it is equal, nothing has changed. */
  readonly content?: string;
  /** The hash of the stack to which the owner has released it. */
  readonly handedTo?: string;
}

/** The text of `gantry/applied`, never longer than `appliedTagLimit`: facts that do not fit become `*`, unknown. */
export function writeApplied(facts: AppliedFacts, hash: Hash): string {
  const head = headOf(facts, hash);
  const fields = joined(facts.servicePaths.map((path) => hash(path).slice(0, hashLength)));
  const fitting = (text: string, left: number): string => (text.length <= left ? text : '*');

  const room = appliedTagLimit - head.length - ';s'.length;
  const claims = claimsText(facts.holds);
  const written = claims.length <= room - '*'.length ? claims : ';i*';
  const text = `${head}${written};s${fitting(fields, room - written.length)}`;
  if (facts.declaredPaths === undefined) return text;
  const declared = `;p${[...new Set(facts.declaredPaths.map(pathHash))].sort().join('')}`;
  const content = facts.content === undefined ? '' : `;c${facts.content}`;
  const last = `${facts.uid === undefined ? '' : `;u${itemHash(facts.uid, hash)}`}${content}${declared}`;
  return text.length + last.length <= appliedTagLimit ? `${text}${last}` : text;
}

/**
 * The same text with the written record's id and content; undefined if it has them already, or records no declared
 * paths.
 */
export function withStored(text: string, uid: string, content: string, hash: Hash): string | undefined {
  const next = text.replace(/(?:;u[\w-]*)?(?:;c[\w-]*)?;p/, `;u${itemHash(uid, hash)};c${content};p`);
  return next === text || next.length > appliedTagLimit ? undefined : next;
}

/**
 * 18 bits of a path. If two of the many paths collide, a platform value is taken for a declared one, never the reverse.
 */
const pathHash = onceFor((path: string): string => {
  let bits = 0x811c9dc5;
  for (let index = 0; index < path.length; index += 1) bits = Math.imul(bits ^ path.charCodeAt(index), 0x01000193);
  bits ^= bits >>> 15;
  return [bits >>> 12, bits >>> 6, bits].map((part) => digits[part & 63]).join('');
}, 10_000); // records of one kind declare mostly the same paths

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const pathHashes = /.{3}/g;

/** Whether the write that left this record declared something at this path. */
export function declaredThen(declared: ReadonlySet<string>, path: string): boolean {
  return declared.has(pathHash(path));
}

/** The same text without the declared paths: their absence proves nothing. */
export function withoutDeclared(text: string): string {
  return text.replace(/(?:;u[\w-]*)?(?:;c[\w-]*)?;p[\w-]*/, '');
}

/**
 * The same text for a record that is restored. Unless it states the content, declared paths are dropped: an undeclared
 * value may be a user's, and must not pass for a default.
 */
export function forReturn(text: string): string {
  return text.includes(';c') ? text.replace(/;u[\w-]*/, '') : withoutDeclared(text);
}

/** The text of `gantry/applied.<stack>`. Undefined if the items do not fit into `appliedTagLimit` bytes. */
export function writePart(facts: Pick<AppliedFacts, 'link' | 'version' | 'holds'>, hash: Hash): string | undefined {
  const text = `${headOf({ ...facts, retain: false }, hash)}${claimsText(facts.holds)}`;
  return text.length <= appliedTagLimit ? text : undefined;
}

/** Maximum number of items in the tag of a part, at any version. */
export const mostItems = Math.floor(
  (appliedTagLimit - `1;l${'x'.repeat(linkHashLength)};v${Number.MAX_SAFE_INTEGER};i;d`.length) / hashLength,
);

function headOf({ link, version, retain }: Pick<AppliedFacts, 'link' | 'version' | 'retain'>, hash: Hash): string {
  return `1;l${linkHash(link, hash)};v${version}${retain ? ';r' : ''}`;
}

function claimsText(holds: Holds): string {
  const held = (which: Hold): string => joined([...holds].flatMap(([item, hold]) => (hold === which ? [item] : [])));
  const found = held('found');
  return `;i${held('set')}${found === '' ? '' : `;d${found}`}`;
}

/** Changes to the recorded claims of another stack, by item hash. */
export interface ClaimChanges {
  /** The item was missing, so the claim has ended. */
  readonly ended?: ReadonlySet<string>;
  /** Found items that will be removed with this claim. */
  readonly passed?: ReadonlySet<string>;
  /** Items that will no longer be removed with this claim, because another client may have set them. */
  readonly found?: ReadonlySet<string>;
}

/** The same text with these changes; undefined if nothing changes. */
export function withClaims(
  text: string,
  { ended = none, passed = none, found = none }: ClaimChanges,
): string | undefined {
  const holds = readApplied(text)?.holds;
  if (holds === undefined) return undefined;
  const after = new Map<string, Hold>();
  let changes = false;
  for (const [item, hold] of holds) {
    const next = ended.has(item) ? undefined : passed.has(item) ? 'set' : found.has(item) ? 'found' : hold;
    if (next !== hold) changes = true;
    if (next !== undefined) after.set(item, next);
  }
  return changes ? text.replace(claimsPattern, claimsText(after)) : undefined;
}

const claimsPattern = /;i[\w-]*(?:;d[\w-]*)?/;

/**
 * The same text for a record that is created anew: later writes of others are unknown, so nothing is removed with the
 * claims.
 */
export function withNothingSet(text: string): string {
  const holds = readApplied(text)?.holds ?? noHolds;
  const found = claimsText(new Map([...holds.keys()].map((item) => [item, 'found'])));
  const next = text.replace(claimsPattern, found).replace(/;s[\w*-]*/, ';s');
  return next.length <= appliedTagLimit ? next : next.replace(found, ';i*');
}

/** Undefined for texts that this version of Gantry did not write. */
export function readApplied(text: string): AppliedRecord | undefined {
  const [format, ...parts] = text.split(';');
  if (format !== '1') return undefined;

  const read = new Map(parts.map((each) => [each.slice(0, 1), each.slice(1)]));
  const link = read.get('l');
  const version = Number(read.get('v'));
  if (link === undefined || !hashPattern.test(link) || !Number.isSafeInteger(version)) return undefined;
  if (![...read.keys()].every((letter) => 'lvridsucph'.includes(letter) && letter !== '')) return undefined;
  const [set, found] = [readHashes(read.get('i')), readHashes(read.get('d') ?? '')];
  const holds = set === undefined || found === undefined ? undefined : holdsOf(set, found);
  const [declared, uid, content, to] = ['p', 'u', 'c', 'h'].map((letter) => read.get(letter));
  return {
    linkHash: link,
    version,
    retain: read.has('r'),
    holds,
    fields: readHashes(read.get('s')),
    declared: declared !== undefined && hashPattern.test(declared) ? new Set(declared.match(pathHashes)) : undefined,
    ...present({ writtenTo: uid, content, handedTo: to }),
  };
}

function holdsOf(set: ReadonlySet<string>, found: ReadonlySet<string>): Holds {
  if (set.size === 0 && found.size === 0) return noHolds;
  const holds = new Map<string, Hold>();
  for (const item of found) holds.set(item, 'found');
  for (const item of set) holds.set(item, 'set');
  return holds;
}

/** The text after the owner hands everything over to another stack, for which it is kept. */
export function handedTo(text: string, stack: string, hash: Hash): string {
  const [before = text] = withoutDeclared(text).split(';h');
  const mark = `;h${hash(stack).slice(0, hashLength)}`;
  const isShort = before.length + mark.length <= appliedTagLimit;
  return `${isShort ? before : before.replace(/;s[\w-]*/, ';s*')}${mark}`;
}

/** The hash of an item's place, by which claims on it are recorded. */
export function itemHash(place: string, hash: Hash): string {
  return hash(place).slice(0, hashLength);
}

/** The hash of a resource's own full link in the records of its owners. */
export function linkHash(link: string, hash: Hash): string {
  return hash(link).slice(0, linkHashLength);
}

/** Whether an earlier write set this field, according to the record. */
export function wasRecorded(recorded: ReadonlySet<string> | undefined, text: string, hash: Hash): boolean {
  return recorded !== undefined && recorded.size > 0 && recorded.has(hash(text).slice(0, hashLength));
}

export type Ownership =
  | { readonly state: 'ours'; readonly applied: AppliedRecord }
  /** Our owner tag without a record, which was removed. May be changed, is never pruned. */
  | { readonly state: 'unrecorded' }
  /** The record was written for another resource, which was cloned. Not owned. */
  | { readonly state: 'copy' }
  /** The record still exists, but another writer removed the owner. */
  | { readonly state: 'lost'; readonly applied: AppliedRecord }
  | { readonly state: 'other'; readonly owner: string; readonly applied: AppliedRecord | undefined }
  /** `applied`: the record of its last owner, which has handed it over to this stack. */
  | { readonly state: 'none'; readonly applied?: AppliedRecord };

/**
 * The facts that our write left on this record. If its id differs, nothing counts as set: it was created again with our
 * tags, and any value may have changed.
 */
export function appliedTo(
  { record, uid }: Pick<LiveResource, 'record' | 'uid'>,
  hash: Hash,
): AppliedRecord | undefined {
  const text = stringAt(objectAt(record, 'tags'), appliedTag) ?? '';
  const applied = readApplied(text);
  const { writtenTo } = applied ?? {};
  return writtenTo === undefined || writtenTo === itemHash(uid, hash) ? applied : readApplied(withNothingSet(text));
}

/** The owner of a live resource, judged by its two tags. */
export function ownershipOf(live: LiveResource, owner: string, org: string, hash: Hash): Ownership {
  const tagged = ownerOf(live.record);
  const applied = appliedTo(live, hash);

  if (applied !== undefined && applied.linkHash !== linkHash(linkOf(live.ref, org), hash)) {
    return { state: 'copy' };
  }
  if (tagged === undefined) {
    if (applied === undefined) return { state: 'none' };
    if (applied.handedTo === undefined) return { state: 'lost', applied };
    return applied.handedTo === hash(owner).slice(0, hashLength) ? { state: 'none', applied } : { state: 'none' };
  }
  if (tagged !== owner) return { state: 'other', owner: tagged, applied };
  return applied === undefined ? { state: 'unrecorded' } : { state: 'ours', applied };
}

/**
 * The owner before `project` made its name unique: `shop@g` of `shop.k3f9qz@g` (`name[.project][@gvc]`; no part
 * contains a dot or an at sign). Undefined without a project.
 */
export function ownerWithoutProject(owner: string): string | undefined {
  const plain = owner.replace(/\.[^.@]*/, '');
  return plain === owner ? undefined : plain;
}

/** The facts of the owner whose claims this stack has or takes over. */
export function appliedOf(ownership: Ownership): AppliedRecord | undefined {
  return 'applied' in ownership ? ownership.applied : undefined;
}

/** Whether this stack owns it, with or without a record of what was written. */
export function isOwned({ state }: Ownership): boolean {
  return state === 'ours' || state === 'unrecorded';
}

/** The two tags of a resource of this stack. */
export function ownTags(
  owner: string,
  ref: Ref,
  org: string,
  facts: Omit<AppliedFacts, 'link'>,
  hash: Hash,
): JsonObject {
  return { [ownerTag]: owner, [appliedTag]: writeApplied({ ...facts, link: linkOf(ref, org) }, hash) };
}

function joined(items: readonly string[]): string {
  return [...items].sort().join('');
}

/** Undefined if unknown, missing, or cut off. */
function readHashes(text: string | undefined): ReadonlySet<string> | undefined {
  if (text === undefined || !hashPattern.test(text) || text.length % hashLength !== 0) return undefined;
  return text === '' ? none : new Set(text.match(hashes) ?? []);
}
