import { type JsonObject, objectAt, own, stringAt } from '../../base/json/json.ts';
import { maxTags } from '../../kinds/common/envelope.ts';
import { appliedTag, ownTagPrefix } from '../../manifest/model/ownTags.ts';
import { readApplied } from './ownership.ts';
import { atVersion, versionAfter } from './version.ts';

/**
 * Written directly before the DELETE of a replacement, so that the audit trail shows why the record was deleted, and
 * the next plan can finish the replacement. Its value is the owner.
 */
export const replacingTag = `${ownTagPrefix}replacing`;

/** The tags of the marking PATCH, which is pinned to this version, the one after our last recorded write. */
export function replacementMark(record: JsonObject, version: number, owner: string): JsonObject {
  return { [replacingTag]: owner, ...followed(record, version) };
}

/** The tags of the PATCH that removes the mark. */
export function withoutReplacementMark(record: JsonObject, version: number): JsonObject {
  return { $drop: [replacingTag], ...followed(record, version) };
}

/** Why the record has no room for the mark; undefined if it has. */
export function whyUnmarked(record: JsonObject): string | undefined {
  const keys = Object.keys(objectAt(record, 'tags'));
  if (keys.includes(replacingTag) || keys.length < maxTags) return undefined;
  return `it has ${keys.length} tags, and a record has at most ${maxTags}`;
}

/** Whether the record, live or deleted, was marked for replacement by this stack. */
export function isBeingReplaced(record: JsonObject, owner: string): boolean {
  return own(objectAt(record, 'tags'), replacingTag) === owner;
}

/** The same for any stack. */
export function isMarkedToReplace(record: JsonObject): boolean {
  return own(objectAt(record, 'tags'), replacingTag) !== undefined;
}

/** `gantry/applied` with the next version, if no other client has written since. */
function followed(record: JsonObject, version: number): JsonObject {
  const applied = stringAt(objectAt(record, 'tags'), appliedTag);
  if (applied === undefined || readApplied(applied)?.version !== version) return {};
  return { [appliedTag]: atVersion(applied, versionAfter(version)) };
}
