import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { appliedTag, ownerOf, ownerTag } from '../../manifest/model/ownTags.ts';
import { type JsonObject, objectAt, stringAt } from '../../schema/json/json.ts';
import { linkOf } from '../../schema/record/links.ts';
import type { Ref } from '../../schema/record/ref.ts';

/** The longest `gantry/applied`, in bytes; it is ASCII only. */
export const appliedTagLimit = 480;

const linkHashLength = 12;
const itemHashLength = 6;
const hashPattern = /^[\w-]*$/;
const itemHashes = new RegExp(`.{${itemHashLength}}`, 'g');
const none: ReadonlySet<string> = new Set();

/** A short hash of a text: at least 12 characters of `A-Z a-z 0-9 - _`. */
export type Hash = (text: string) => string;

/** What one write leaves behind for the next plan. No value, so no secret, is in it. */
export interface AppliedFacts {
  /** The resource's own full link. */
  readonly link: string;
  /** The version that the write produces. */
  readonly version: number;
  readonly retain: boolean;
  readonly tagKeys: readonly string[];
  /** Paths of the service-class fields that the stack set. */
  readonly servicePaths: readonly string[];
}

export interface AppliedRecord {
  readonly linkHash: string;
  readonly version: number;
  readonly retain: boolean;
  /** Undefined: there were too many to record, so nothing is known. */
  readonly tags: ReadonlySet<string> | undefined;
  readonly fields: ReadonlySet<string> | undefined;
}

/** The text of `gantry/applied`, never longer than `appliedTagLimit`: what does not fit becomes `*`, unknown. */
export function writeApplied(facts: AppliedFacts, hash: Hash): string {
  const head = `1;l${linkHash(facts.link, hash)};v${facts.version}${facts.retain ? ';r' : ''}`;
  const tags = hashes(facts.tagKeys, hash);
  const fields = hashes(facts.servicePaths, hash);
  const fitting = (text: string, left: number): string => (text.length <= left ? text : '*');

  const room = appliedTagLimit - head.length - ';t;s'.length;
  const writtenTags = fitting(tags, room - '*'.length);
  return `${head};t${writtenTags};s${fitting(fields, room - writtenTags.length)}`;
}

/** Undefined for anything that this version of Gantry did not write. */
export function readApplied(text: string): AppliedRecord | undefined {
  const [format, ...parts] = text.split(';');
  if (format !== '1') return undefined;

  const part = (letter: string): string | undefined => parts.find((each) => each.startsWith(letter))?.slice(1);
  const linkHash = part('l');
  const version = Number(part('v'));
  if (linkHash === undefined || !hashPattern.test(linkHash) || !Number.isSafeInteger(version)) return undefined;
  return { linkHash, version, retain: parts.includes('r'), tags: readHashes(part('t')), fields: readHashes(part('s')) };
}

/** The text of `gantry/applied`, or of the tag of a part, without the version that it was written with. */
export function withoutVersion(text: string): string {
  return text.replace(/;v\d+/, '');
}

/** The hash of a resource's own full link in the records of its owners. */
export function linkHash(link: string, hash: Hash): string {
  return hash(link).slice(0, linkHashLength);
}

/** Did an earlier write set this tag key or field path, according to the record? */
export function wasRecorded(recorded: ReadonlySet<string> | undefined, text: string, hash: Hash): boolean {
  return recorded !== undefined && recorded.size > 0 && recorded.has(hash(text).slice(0, itemHashLength));
}

export type Ownership =
  | { readonly state: 'ours'; readonly applied: AppliedRecord }
  /** Our owner tag, but no record: somebody removed it. May be changed, is never pruned. */
  | { readonly state: 'unrecorded' }
  /** The record was written for another resource: somebody cloned it. Not owned. */
  | { readonly state: 'copy' }
  /** The record is still there, but another writer erased the owner. */
  | { readonly state: 'lost'; readonly applied: AppliedRecord }
  | { readonly state: 'other'; readonly owner: string; readonly applied: AppliedRecord | undefined }
  | { readonly state: 'none' };

/** The owner of a live resource, judged by its two tags. */
export function ownershipOf(live: LiveResource, owner: string, org: string, hash: Hash): Ownership {
  const tagged = ownerOf(live.record);
  const applied = readApplied(stringAt(objectAt(live.record, 'tags'), appliedTag) ?? '');

  if (applied !== undefined && applied.linkHash !== linkHash(linkOf(live.ref, org), hash)) {
    return { state: 'copy' };
  }
  if (tagged === undefined) return applied === undefined ? { state: 'none' } : { state: 'lost', applied };
  if (tagged !== owner) return { state: 'other', owner: tagged, applied };
  return applied === undefined ? { state: 'unrecorded' } : { state: 'ours', applied };
}

/** Is it of this stack, whether or not the record of what was written is still there? */
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

function hashes(texts: readonly string[], hash: Hash): string {
  return texts
    .map((text) => hash(text).slice(0, itemHashLength))
    .sort()
    .join('');
}

function readHashes(text: string | undefined): ReadonlySet<string> | undefined {
  if (text === undefined || !hashPattern.test(text)) return undefined;
  return text === '' ? none : new Set(text.match(itemHashes) ?? []);
}
