import { type JsonObject, objectAt, sameJson } from '../base/json/json.ts';
import { compact } from '../base/json/present.ts';
import type { Body } from '../manifest/model/body.ts';
import { appliedTag, partTagPrefix } from '../manifest/model/ownTags.ts';
import { type Change, type FieldChange, isHidden } from '../plan/model/change.ts';

/** A change whose first write is a PATCH. */
type Patching = Extract<Change, { readonly patch: Body }>;

/**
 * Whether the patch that a resource needs now is the approved one: the same action and body, apart from the version.
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

/** A patch without what names the version: `id`, `version` and the marks in the tags. */
function essence({ id: _id, version: _version, ...rest }: JsonObject): JsonObject {
  const tags = Object.entries(objectAt(rest, 'tags'));
  const others = tags.filter(([key]) => key !== appliedTag && !key.startsWith(partTagPrefix));
  return { ...rest, tags: Object.fromEntries(others) };
}

/**
 * The changes of the new plan beyond the approved one, in words; empty if only other fields have changed. Old values
 * count: the same patch over a value that another client has changed since is not the approved change, and would let
 * two runs overwrite each other. No value is in the result.
 */
export function movedFields(approved: Change, now: Change): readonly string[] {
  const before = new Map(approved.fields.map((field) => [field.path, field]));
  const moved = now.fields.filter((field) => !isSame(field, before.get(field.path)));
  const pathsOf = (fields: readonly FieldChange[]): string =>
    fields
      .map(({ path }) => path)
      .sort()
      .join(', ');
  const hidden = moved.filter(({ old }) => isHidden(old));
  const known = moved.filter(({ old }) => !isHidden(old));
  return compact([
    ...now.refusals.map(({ message }) => message),
    known.length === 0 ? undefined : `the change is different for ${pathsOf(known)}`,
    hidden.length === 0 ? undefined : `the earlier value of ${pathsOf(hidden)} is not known, so it cannot be compared`,
  ]);
}

/** Approved fields that another writer has changed since, without hidden ones. */
export function overwrittenFields(approved: Change, now: Change): readonly string[] {
  const before = new Map(approved.fields.map((field) => [field.path, field]));
  const moved = now.fields.filter((field) => before.has(field.path) && !isHidden(field.old));
  return moved.filter((field) => !isSame(field, before.get(field.path))).map(({ path }) => path);
}

/** A hidden value is not in the plan, so it cannot be compared. */
function isSame(a: FieldChange, b: FieldChange | undefined): boolean {
  return b !== undefined && !isHidden(a.old) && sameJson(a.old, b.old) && sameJson(a.new, b.new);
}
