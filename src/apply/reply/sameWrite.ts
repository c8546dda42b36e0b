import { type JsonObject, objectAt, sameJson } from '../../base/json/json.ts';
import type { Body } from '../../manifest/model/body.ts';
import { appliedTag, partTagPrefix } from '../../manifest/model/ownTags.ts';
import type { Change } from '../../plan/model/change.ts';
import { movedFields } from './movedFields.ts';

/** A change whose first write is a PATCH. */
type Patching = Extract<Change, { readonly patch: Body }>;

/**
 * Is the patch that a resource needs now the approved one: the same action and body, apart from the version?
 * Overwritten values are not compared; `movedFields` does that.
 *
 * A part of a resource is compared field by field: if a list can only be written as a whole, foreign items in it are
 * included unchanged.
 */
export function isSameWrite(approved: Change, approvedBody: JsonObject, now: Change): now is Patching {
  if (now.action !== approved.action || now.patch === undefined) return false;
  if (sameJson(essence(now.patch.expose()), essence(approvedBody))) return true;
  return now.part === true && now.fields.length === approved.fields.length && movedFields(approved, now).length === 0;
}

/** A patch without what names the version: `id`, `version` and the records of it in the tags. */
function essence({ id: _id, version: _version, ...rest }: JsonObject): JsonObject {
  const tags = Object.entries(objectAt(rest, 'tags'));
  const others = tags.filter(([key]) => key !== appliedTag && !key.startsWith(partTagPrefix));
  return { ...rest, tags: Object.fromEntries(others) };
}
