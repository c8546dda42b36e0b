import type { Change, FieldChange } from '../plan/plan.ts';
import { sameJson } from '../schema/json.ts';

/**
 * What the plan says about a record now and did not say when it was approved, in words; none if only other fields moved.
 * No value is in the result.
 */
export function movedFields(approved: Change, now: Change): readonly string[] {
  const paths = [...unmatched(now.fields, approved.fields), ...unmatched(approved.fields, now.fields)];
  const fields = [...new Set(paths)].sort();
  return [
    ...now.refusals.map(({ message }) => message),
    ...(fields.length === 0 ? [] : [`what would change is different for ${fields.join(', ')}`]),
  ];
}

function unmatched(fields: readonly FieldChange[], among: readonly FieldChange[]): readonly string[] {
  const byPath = new Map(among.map((field) => [field.path, field]));
  return fields.filter((field) => !isSame(field, byPath.get(field.path))).map(({ path }) => path);
}

function isSame(a: FieldChange, b: FieldChange | undefined): boolean {
  return b !== undefined && sameJson(a.old, b.old) && sameJson(a.new, b.new);
}
