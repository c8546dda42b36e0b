import { type JsonObject, own } from '../../base/json/json.ts';
import type { Capabilities } from '../../capabilities/capabilities.ts';

/**
 * Whether a version newer than the mark of our last write proves that others wrote. A known platform must state that
 * versions rise by one; for an unknown one every assumption stands.
 */
export function versionsTell(capabilities: Capabilities | undefined): boolean {
  return capabilities === undefined || capabilities.of('version.plus-one') === 'holds';
}

/** Whether versions are known not to rise by one, so that a newer version does not tell how often it was written. */
export function versionsJump(capabilities: Capabilities | undefined): boolean {
  return capabilities?.isOtherwise('version.plus-one') === true;
}

/** Whether an equal version proves that no client wrote. */
export function versionsRise(capabilities: Capabilities | undefined): boolean {
  return capabilities?.isOtherwise('version.rises') !== true;
}

/**
 * The version of a new record. This and `versionAfter` are predictions (assumption `version.plus-one`): the response to
 * a write has the real version.
 */
export const firstVersion = 1;

/** The version after a write to a record of this version; `writes`: after that many consecutive writes. */
export function versionAfter(version: number, writes = 1): number {
  return version + writes;
}

/** The version of a record before the write that produced this one. */
export function versionBefore(version: number): number {
  return version - 1;
}

/**
 * All versions after the first, up to the second, if each write adds one, latest first. Generated one by one: if a
 * version is a time in milliseconds, there are billions.
 */
export function* versionsSince(version: number, upTo: number): Generator<number, undefined> {
  for (let each = upTo; each > version; each -= 1) yield each;
}

const versionPart = /;v(\d+)/;

/** The version in a mark; NaN if there is none. */
export function versionOfMark(mark: string): number {
  return Number(versionPart.exec(mark)?.[1]);
}

/** The text of `gantry/applied`, or of the tag of a part, for a write that produces this version. */
export function atVersion(text: string, version: number): string {
  return text.replace(versionPart, `;v${version}`);
}

/** The same for a new record: without a version, the written record's id, and its content. */
export function withoutVersion(text: string): string {
  return text.replace(versionPart, '').replace(/;[uc][\w-]*/g, '');
}

/**
 * The tags, with the mark under this key for a write that produces this version. A mark up to the version `before`, at
 * which the write was planned, is an earlier one that the write keeps, with its doubts about writes of others.
 */
export function tagsAtVersion(tags: JsonObject, key: string, version: number, before: number): JsonObject {
  const mark = own(tags, key);
  if (typeof mark !== 'string' || versionOfMark(mark) <= before) return tags;
  const next = atVersion(mark, version);
  return next === mark ? tags : { ...tags, [key]: next };
}

/**
 * The mark for the next write to a record of this version that changes none of its facts: as certain or doubtful as
 * before.
 */
export function markAfter(mark: string, recordVersion: number, version: number): string {
  return versionOfMark(mark) === recordVersion ? atVersion(mark, version) : mark;
}
