import {
  fieldIn,
  isObject,
  type JsonObject,
  type JsonValue,
  mapMembers,
  objectAt,
  sameJson,
  stringAt,
} from '../../base/json/json.ts';
import { compact } from '../../base/json/present.ts';
import { valueThere } from '../../base/json/valuesAt.ts';
import type { Capabilities } from '../../capabilities/capabilities.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import type { LiveResource, PastVersion } from '../../manifest/live/snapshot.ts';
import { appliedTag } from '../../manifest/model/ownTags.ts';
import { pointerTo } from '../../schema/shape/paths.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import { type AppliedRecord, type Hash, readApplied, wasRecorded } from './ownership.ts';
import { isKey } from './shapeFacts.ts';
import { versionBefore, versionsRise, versionsSince } from './version.ts';

/** A stack's claims on fields that the platform would otherwise choose. */
export interface FieldClaims {
  /** Whether this stack was the last to set the field; then it is removed when no longer declared. */
  readonly wasSet: (path: string) => boolean;
  /**
   * The fields that this stack set, that `wasSet` was called for, and that another client has, or may have, set since.
   */
  readonly later: ReadonlyMap<string, Later>;
  /**
   * The same without adding to `later`: `set` if this stack was the last to set the field, otherwise the later write,
   * if any. `after`: the record after a write; the items that it changes no longer belong to others.
   */
  readonly at: (path: string, after?: JsonObject) => 'set' | Later | undefined;
}

interface FieldClaimsOf extends Evidence {
  readonly hash: Hash;
}

export function fieldClaimsOn(
  live: LiveResource,
  applied: AppliedRecord | undefined,
  { hash, ...evidence }: FieldClaimsOf,
): FieldClaims {
  const later = new Map<string, Later>();
  const laterThan = laterWrites(live, evidence);
  const at = (path: string, after = live.record): 'set' | Later | undefined => {
    if (applied === undefined || !wasRecorded(applied.fields, path, hash)) return undefined;
    const shape = shapeOf(live.ref.kind, live.record);
    const [before, next] = [live.record, after].map((record) => claimedIn(record, path, shape));
    const found = laterThan(applied.version, appliedTag, (record) => {
      const value = claimedIn(record, path, shape);
      return isObject(value)
        ? mapMembers(value, (member, name) => (stays(name, before, next) ? member : undefined))
        : value;
    });
    return found ?? 'set';
  };
  return {
    later,
    at,
    wasSet: (path) => {
      const claim = at(path);
      if (claim !== undefined && claim !== 'set') later.set(path, claim);
      return claim === 'set';
    },
  };
}

/** The value that a claim on a field covers: for the key of an item, the item. */
function claimedIn(record: JsonObject, path: string, shape: ObjectShape): JsonValue | undefined {
  const pointer = pointerTo(path, shape, record);
  return pointer && valueThere(record, isKey(shape, pointer) ? pointer.slice(0, -1) : pointer);
}

function stays(name: string, before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  return before === after || sameJson(fieldIn(before, name), fieldIn(after, name));
}

/** Why fields stay that this stack set and no longer declares. */
export function laterNotes({ later }: FieldClaims): readonly Note[] {
  return [...later].map(([path, each]) => laterNote(`${path} stays: `, each));
}

/**
 * A note on a change, for users. `isDoubt`: something stays although it may be unneeded; the result repeats the note.
 */
export type Note = string | { readonly text: string; readonly isDoubt: true };

export function noteText(note: Note): string {
  return typeof note === 'string' ? note : note.text;
}

/** The texts of the notes with `isDoubt`. */
export function doubtsIn(notes: readonly Note[]): readonly string[] {
  return compact(notes, (note) => (typeof note === 'string' ? undefined : note.text));
}

/**
 * The write of a value after the version at which a stack recorded it as its own; it no longer belongs to the stack.
 * `unknown`: neither the versions nor the audit trail show whether there was one.
 */
export type Later = PastVersion | 'unknown';

/** Returns the write of another client since the stack recorded a value of one record at a version. */
type LaterWrite = (
  recordedAt: number,
  /** The tag with that record: a version that changes it is the stack's own. */
  tag: string,
  valueIn: (record: JsonObject) => JsonValue | undefined,
) => Later | undefined;

export interface Evidence {
  /** Earlier versions of the record, if they were read. */
  readonly past?: readonly PastVersion[] | undefined;
  readonly capabilities?: Capabilities | undefined;
}

/**
 * Checks the evidence, the cheapest first: the version of the record, the versions that other stacks recorded (these
 * write only what they claim), earlier versions of the record (the audit trail). Another client has set the value if
 * any later version, except the stack's own, has changed it. A record below the recorded version proves nothing: it was
 * created again with its tags, or its versions do not rise.
 */
export function laterWrites(live: LiveResource, { past, capabilities }: Evidence): LaterWrite {
  let stacks: ReadonlySet<number> | undefined;
  let versions: ReadonlyMap<number, PastVersion> | undefined;
  return (recordedAt, tag, valueIn) => {
    if (live.version < recordedAt || !versionsRise(capabilities)) return 'unknown';
    // The mark of a creation has the usual first version, which another write may have by now.
    const isPredicted = tag === appliedTag && readApplied(textOf(live, tag) ?? '')?.writtenTo === undefined;
    if (isPredicted && capabilities?.isOtherwise('version.plus-one') === true) return 'unknown';
    stacks ??= versionsOfStacks(objectAt(live.record, 'tags'));
    if (isAllOf(stacks, recordedAt, live.version)) return undefined;
    if (past === undefined) return 'unknown';
    versions ??= new Map(past.map((each) => [each.version, each]));
    let after: PastVersion = versions.get(live.version) ?? live;
    for (const version of versionsSince(recordedAt, live.version)) {
      const before = versions.get(versionBefore(version));
      if (before === undefined) return 'unknown';
      const isOwn = textOf(before, tag) !== textOf(after, tag);
      if (!isOwn && !sameJson(valueIn(before.record), valueIn(after.record))) return after;
      after = before;
    }
    return undefined;
  };
}

function textOf({ record }: Pick<PastVersion, 'record'>, tag: string): string | undefined {
  return stringAt(objectAt(record, 'tags'), tag);
}

/** Whether every version after `after`, up to `upTo`, was written by a stack that recorded it. */
function isAllOf(stacks: ReadonlySet<number>, after: number, upTo: number): boolean {
  for (const version of versionsSince(after, upTo)) if (!stacks.has(version)) return false;
  return true;
}

function versionsOfStacks(tags: JsonObject): ReadonlySet<number> {
  const versions = new Set<number>();
  for (const [key, text] of Object.entries(tags)) {
    const version = key.startsWith(appliedTag) ? readApplied(String(text))?.version : undefined;
    if (version !== undefined) versions.add(version);
  }
  return versions;
}

/** Why something stays. `stack`: its former writer. */
export function laterNote(stays: string, later: Later, stack = 'this stack'): Note {
  if (later !== 'unknown') {
    return `${stays}${later.writer?.name ?? 'somebody else'} set it after ${stack} did, in version ${later.version}`;
  }
  const doubt = 'and the audit trail does not show it; if it is not needed, remove it by hand';
  return { text: `${stays}somebody may have set it after ${stack} did, ${doubt}`, isDoubt: true };
}
