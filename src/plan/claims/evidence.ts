import { type JsonObject, type JsonValue, objectAt, sameJson, stringAt } from '../../base/json/json.ts';
import type { Capabilities } from '../../capabilities/capabilities.ts';
import type { LiveResource, PastVersion } from '../../manifest/live/snapshot.ts';
import { appliedTag } from '../../manifest/model/ownTags.ts';
import { readApplied } from '../record/ownership.ts';
import { versionBefore, versionsRise, versionsSince } from '../record/version.ts';
import type { Note } from './note.ts';

/**
 * Who wrote a value after the version at which a stack recorded it as its own; the value is not the stack's any more.
 * `unknown`: neither the versions nor the audit trail tell whether anybody has.
 */
export type Later = PastVersion | 'unknown';

/** The question about one record: whether anybody but the stack has set a value since it recorded it at a version. */
export type LaterWrite = (
  recordedAt: number,
  /** The tag in which it recorded that: a version that changes it is the stack's own. */
  tag: string,
  valueIn: (record: JsonObject) => JsonValue | undefined,
) => Later | undefined;

export interface Evidence {
  /** Earlier versions of the record, where they were read. */
  readonly past?: readonly PastVersion[] | undefined;
  /** The findings about the platform. */
  readonly capabilities?: Capabilities | undefined;
}

/**
 * The evidence, the cheapest first: the version of the record, the versions that other stacks recorded (these write only
 * what they claim), earlier versions of the record (the audit trail). Somebody else has set the value where any version
 * since then that is not the stack's own has changed it. A record below the version at which it was recorded tells
 * nothing: it was created again with its tags, or its versions do not rise.
 */
export function laterWrites(live: LiveResource, { past, capabilities }: Evidence): LaterWrite {
  let stacks: ReadonlySet<number> | undefined;
  let versions: ReadonlyMap<number, PastVersion> | undefined;
  return (recordedAt, tag, valueIn) => {
    if (live.version < recordedAt || !versionsRise(capabilities)) return 'unknown';
    // The mark of a creation names the usual first version, which another write may have by now.
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

/** Has each version after the first, up to the second, been written by a stack that recorded it? */
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

/** Why something stays. `stack`: the one that wrote it before. */
export function laterNote(stays: string, later: Later, stack = 'this stack'): Note {
  if (later !== 'unknown') {
    return `${stays}${later.writer?.name ?? 'somebody else'} set it after ${stack} did, in version ${later.version}`;
  }
  const doubt = 'and the audit trail does not tell; if nobody needs it, remove it by hand';
  return { text: `${stays}somebody may have set it after ${stack} did, ${doubt}`, isDoubt: true };
}
