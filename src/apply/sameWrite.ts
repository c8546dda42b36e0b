import { appliedTag } from '../plan/ownership.ts';
import type { Change } from '../plan/plan.ts';
import { type JsonObject, objectAt, put, sameJson } from '../schema/json.ts';

/**
 * True if what a resource would be patched with now is what was approved: the same action, and the same body but for
 * what names the version. Says nothing of the values that are overwritten; `movedFields` does.
 */
export function isSameWrite(approved: Pick<Change, 'action'>, approvedBody: JsonObject, now: Change): boolean {
  const body = now.patch?.expose();
  return body !== undefined && now.action === approved.action && sameJson(essence(body), essence(approvedBody));
}

/** A patch without what names the version: `id`, `version` and the record of it in the tags. */
function essence(body: JsonObject): JsonObject {
  return without({ ...body, tags: without(objectAt(body, 'tags'), appliedTag) }, 'id', 'version');
}

function without(object: JsonObject, ...keys: readonly string[]): JsonObject {
  const rest: Record<string, JsonObject[string]> = {};
  for (const [key, value] of Object.entries(object)) if (!keys.includes(key)) put(rest, key, value);
  return rest;
}
