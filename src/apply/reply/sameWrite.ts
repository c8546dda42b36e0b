import { partTagPrefix } from '../../manifest/model/partTag.ts';
import type { Change } from '../../plan/model/change.ts';
import { appliedTag } from '../../plan/record/ownership.ts';
import { type JsonObject, objectAt, put, sameJson } from '../../schema/json/json.ts';
import { movedFields } from './movedFields.ts';

/**
 * Is the patch that a resource needs now the approved one: the same action and body, apart from the version?
 * Overwritten values are not compared; `movedFields` does that.
 *
 * A part of a resource is compared field by field: if a list can only be written as a whole, foreign items in it are
 * included unchanged.
 */
export function isSameWrite(approved: Change, approvedBody: JsonObject, now: Change): boolean {
  const body = now.patch?.expose();
  if (body === undefined || now.action !== approved.action) return false;
  if (sameJson(essence(body), essence(approvedBody))) return true;
  return now.part === true && now.fields.length === approved.fields.length && movedFields(approved, now).length === 0;
}

/** A patch without what names the version: `id`, `version` and the records of it in the tags. */
function essence(body: JsonObject): JsonObject {
  const tags = objectAt(body, 'tags');
  const records = Object.keys(tags).filter((key) => key === appliedTag || key.startsWith(partTagPrefix));
  return without({ ...body, tags: without(tags, ...records) }, 'id', 'version');
}

function without(object: JsonObject, ...keys: readonly string[]): JsonObject {
  const rest: Record<string, JsonObject[string]> = {};
  for (const [key, value] of Object.entries(object)) if (!keys.includes(key)) put(rest, key, value);
  return rest;
}
