import { isObject, type JsonObject } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { valueThere } from '../../base/json/valuesAt.ts';
import { equalValues } from '../../kinds/equal.ts';
import { valueWhenOmitted } from '../../kinds/normalise.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import type { StoredForms } from '../../patch/recorder.ts';
import { contextOf, type RecordContext } from '../../schema/record/ref.ts';
import { formatPath } from '../../schema/shape/paths.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import { describeCause } from '../model/cause.ts';
import { type Draft, withRefusals } from '../model/draft.ts';
import { firstCause } from '../model/firstCause.ts';
import type { PlanContext } from '../model/planContext.ts';
import { refuse } from '../model/refusal.ts';
import type { Note } from '../record/fieldClaims.ts';
import type { AppliedRecord } from '../record/ownership.ts';
import { shapeFacts } from '../record/shapeFacts.ts';
import { draftReplace } from './newRecord.ts';
import { draftUpdate } from './update.ts';

export interface Existing {
  readonly applied: AppliedRecord | undefined;
  readonly adopting?: string;
  readonly notes: readonly Note[];
}

/** A field that the platform cannot change in place makes the update a replacement. */
export function updateOrReplace(
  resource: DesiredResource,
  live: LiveResource,
  existing: Existing,
  planning: PlanContext,
): Draft {
  const shape = shapeOf(resource.ref.kind, resource.record);
  const stored = planning.platformValues.formsOf(resource, live, existing.applied);
  const context = contextOf(resource.ref, planning.org);
  const pointer = immutableDifference(shape, live.record, resource.record, { context, stored });
  if (pointer === undefined) return draftUpdate({ resource, live, ...existing }, planning);

  const path = formatPath(shape, resource.record, pointer);
  const draft = draftReplace(resource, live, `${path} cannot be changed in place`, planning);
  const allowed = existing.adopting === undefined || resource.lifecycle.replace === true;
  const { applied } = existing;
  const { wasSet } = planning.fieldClaims(live, applied);
  const cause =
    existing.adopting === undefined ? firstCause(draft.fields, { resource, live, applied, wasSet }) : undefined;
  return {
    ...withRefusals(draft, allowed ? [] : [refuse.adoptByReplacing(path)]),
    ...(cause === undefined ? {} : { cause, reason: `${draft.reason}; ${describeCause(cause)}` }),
    notes: [...existing.notes, ...draft.notes],
  };
}

/** The first field that would have to change but cannot be changed in place; omitted fields mean their default. */
export function immutableDifference(
  shape: ObjectShape,
  live: JsonObject,
  desired: JsonObject,
  { context, stored }: { readonly context: RecordContext; readonly stored?: StoredForms },
): Pointer | undefined {
  const different = shapeFacts(shape).immutable.find(({ pointer, shape: field }) => {
    const said = valueThere(desired, pointer);
    const wanted = said ?? field.facts.default;
    const before = valueThere(live, pointer) ?? valueWhenOmitted(field.facts, enclosing(live, pointer));
    if (wanted === undefined || equalValues(field, before, wanted, context)) return false;
    const path = formatPath(shape, live, pointer);
    if (said !== undefined) return stored?.isForm(path, field, before, said) !== true;
    return before === undefined || stored?.isFilled(path, field, before) !== true;
  });
  return different?.pointer;
}

/** The objects around a place that are not inside a list. */
function enclosing(record: JsonObject, pointer: Pointer): readonly JsonObject[] {
  return pointer.flatMap((_, depth) => {
    const around = valueThere(record, pointer.slice(0, depth));
    return isObject(around) ? [around] : [];
  });
}
