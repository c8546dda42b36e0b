import type { Body } from '../manifest/body.ts';
import type { LiveResource } from '../manifest/snapshot.ts';
import { appliedTag, ownerTag } from '../plan/ownership.ts';
import { type JsonObject, objectAt, own } from '../schema/json.ts';
import { unlike } from './replyCheck.ts';

/** A PATCH, and what the record is after it. */
export interface PlannedPatch {
  readonly body: JsonObject;
  readonly expected: Body | undefined;
}

/** True if the live record is what this PATCH promised: it was carried out, and its answer was lost. */
export function hasLanded({ body, expected }: PlannedPatch, live: LiveResource, org: string): boolean {
  const removed = Object.entries(objectAt(body, 'tags')).filter(([, value]) => value === null);
  const tags = objectAt(live.record, 'tags');
  if (removed.some(([key]) => own(tags, key) !== undefined)) return false;
  return expected !== undefined && unlike(expected.expose(), live, org).length === 0;
}

/** True if a record carries both tags as this body sends them: the owner, and the record that holds the hash of its link. */
export function carriesTagsOf(body: JsonObject, live: LiveResource): boolean {
  const sent = objectAt(body, 'tags');
  const tags = objectAt(live.record, 'tags');
  return [ownerTag, appliedTag].every((key) => own(sent, key) !== undefined && own(sent, key) === own(tags, key));
}

/** A creation as it is after its second step, which may have been made already. */
export function withTagsOf(body: JsonObject, then: JsonObject): JsonObject {
  return { tags: { ...objectAt(body, 'tags'), ...objectAt(then, 'tags') } };
}
