import { type JsonObject, own } from '../../base/json/json.ts';
import type { Capabilities } from '../../capabilities/capabilities.ts';

/**
 * Does a version that is newer than the mark of our last write show that others wrote? Where a platform is known, only if
 * it says of itself that versions rise by one; where nothing is known of one, every assumption stands.
 */
export function versionsTell(capabilities: Capabilities | undefined): boolean {
  return capabilities === undefined || capabilities.of('version.plus-one') === 'holds';
}

/** Does an equal version show that nobody wrote? */
export function versionsRise(capabilities: Capabilities | undefined): boolean {
  return capabilities?.isOtherwise('version.rises') !== true;
}

/**
 * The version of a new record. This and `versionAfter` are predictions (assumption `version.plus-one`): what a write
 * returned is its version.
 */
export const firstVersion = 1;

/** The version that a write produces, made for a record of this version; `writes`: so many, one after the other. */
export function versionAfter(version: number, writes = 1): number {
  return version + writes;
}

/** The version of a record before the write that produced this one. */
export function versionBefore(version: number): number {
  return version - 1;
}

/**
 * All versions after the first, up to the second, where each write adds one; the latest comes first. One by one: where
 * a version is a time in milliseconds, there are billions.
 */
export function* versionsSince(version: number, upTo: number): Generator<number, undefined> {
  for (let each = upTo; each > version; each -= 1) yield each;
}

const versionPart = /;v(\d+)/;

/** The version that a mark names; NaN: none. */
export function versionOfMark(mark: string): number {
  return Number(versionPart.exec(mark)?.[1]);
}

/** The text of `gantry/applied`, or of the tag of a part, for a write that produces this version. */
export function atVersion(text: string, version: number): string {
  return text.replace(versionPart, `;v${version}`);
}

/** The same without a version, the record that was written to, and what it held then: a new one has none yet. */
export function withoutVersion(text: string): string {
  return text.replace(versionPart, '').replace(/;[uc][\w-]*/g, '');
}

/**
 * These tags, with the mark under this key for a write that produces this version. A mark of a version up to `before`, at
 * which the write was planned, is an earlier one that the write keeps, with all that others may have set since.
 */
export function tagsAtVersion(tags: JsonObject, key: string, version: number, before: number): JsonObject {
  const mark = own(tags, key);
  if (typeof mark !== 'string' || versionOfMark(mark) <= before) return tags;
  const next = atVersion(mark, version);
  return next === mark ? tags : { ...tags, [key]: next };
}

/**
 * The mark of a record of this version for the next write, which changes none of what it says: as certain as before, or
 * as doubtful.
 */
export function markAfter(mark: string, recordVersion: number, version: number): string {
  return versionOfMark(mark) === recordVersion ? atVersion(mark, version) : mark;
}
