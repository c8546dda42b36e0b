import type { JsonObject } from '../../base/json/json.ts';
import { objectAt, stringAt } from '../../base/json/json.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { appliedTag, ownerTag } from '../../manifest/model/ownTags.ts';
import { type Hash, handedTo } from '../record/ownership.ts';
import { withoutFields } from '../record/shapeFacts.ts';
import { markAfter, versionAfter } from '../record/version.ts';
import { tagPatch } from './tagPlan.ts';

/** What becomes of our tags when the owner lets go of a whole record. */
export interface Release {
  /** The `tags` of the PATCH. */
  readonly patch: JsonObject;
  /** All tags afterwards. */
  readonly tags: JsonObject;
}

/** Nobody's from now on: the claims of the owner end, and what they were on stays. */
export function forgotten(record: JsonObject): Release {
  const marks = [ownerTag, appliedTag];
  const tags = withoutFields(
    objectAt(record, 'tags'),
    marks.map((key) => [key]),
  );
  return { patch: tagPatch({}, marks) ?? {}, tags };
}

/**
 * Left to another stack: its claims stay recorded until that one adopts the record, and then are that stack's. What
 * somebody may have set since is as doubtful as before.
 */
export function handedOver({ record, version }: LiveResource, to: string, hash: Hash): Release {
  const before = stringAt(objectAt(record, 'tags'), appliedTag);
  if (before === undefined) return forgotten(record);
  const set = { [appliedTag]: handedTo(markAfter(before, version, versionAfter(version)), to, hash) };
  const tags = withoutFields({ ...objectAt(record, 'tags'), ...set }, [[ownerTag]]);
  return { patch: tagPatch(set, [ownerTag]) ?? {}, tags };
}
