import { sameJson } from '../../base/json/json.ts';
import { type Change, type FieldChange, isHidden } from '../../plan/model/change.ts';

/**
 * The changes of the new plan beyond the approved one, in words; empty if only other fields moved. Old values count:
 * the same patch over a value that somebody has changed since is not the change that was approved, and would let two
 * runs overwrite each other. No value is in the result.
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
  return [
    ...now.refusals.map(({ message }) => message),
    ...(known.length === 0 ? [] : [`the change is different for ${pathsOf(known)}`]),
    ...(hidden.length === 0 ? [] : [`the earlier value of ${pathsOf(hidden)} is not known, so it cannot be compared`]),
  ];
}

/** Approved fields that another writer has changed since; hidden ones are left out. */
export function overwrittenFields(approved: Change, now: Change): readonly string[] {
  const before = new Map(approved.fields.map((field) => [field.path, field]));
  const moved = now.fields.filter((field) => before.has(field.path) && !isHidden(field.old));
  return moved.filter((field) => !isSame(field, before.get(field.path))).map(({ path }) => path);
}

/** A hidden value is not in the plan, so it cannot be compared. */
function isSame(a: FieldChange, b: FieldChange | undefined): boolean {
  return b !== undefined && !isHidden(a.old) && sameJson(a.old, b.old) && sameJson(a.new, b.new);
}
