import type { Change } from '../../plan/model/change.ts';
import type { FieldChange } from '../../plan/model/fieldChange.ts';
import { isObject, own, sameJson } from '../../schema/json/json.ts';

/**
 * What the plan says about a record now and did not say when it was approved, in words; none if only other fields
 * moved. Old values count: the same patch over a value that somebody else has written since is another change than the
 * one approved, and of two runs at once it would let each overwrite some of the other's. No value is in the result.
 */
export function movedFields(approved: Change, now: Change): readonly string[] {
  const before = new Map(approved.fields.map((field) => [field.path, field]));
  const fields = now.fields.filter((field) => !isSame(field, before.get(field.path))).map(({ path }) => path);
  return [
    ...now.refusals.map(({ message }) => message),
    ...(fields.length === 0 ? [] : [`the change is different for ${fields.sort().join(', ')}`]),
  ];
}

/** Approved fields into which somebody else has written another value since; those that are hidden are left out. */
export function overwrittenFields(approved: Change, now: Change): readonly string[] {
  const before = new Map(approved.fields.map((field) => [field.path, field]));
  const moved = now.fields.filter((field) => before.has(field.path) && !isHidden(field));
  return moved.filter((field) => !isSame(field, before.get(field.path))).map(({ path }) => path);
}

function isSame(a: FieldChange, b: FieldChange | undefined): boolean {
  return b !== undefined && !isHidden(a) && sameJson(a.old, b.old) && sameJson(a.new, b.new);
}

/** Nobody can say that a value which is not in the plan is still what it was. */
function isHidden({ old }: FieldChange): boolean {
  return isObject(old) && own(old, 'sensitive') === true;
}
