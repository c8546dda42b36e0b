import { own } from '../base/json/json.ts';
import { fillMasks, holdsMask } from '../kinds/fillMasks.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import { type LiveValues, withLiveValues } from '../manifest/live/liveReference.ts';
import type { LiveResource, Snapshot } from '../manifest/live/snapshot.ts';
import type { DesiredResource } from '../manifest/model/manifest.ts';
import type { PlanOptions } from '../plan/model/planOptions.ts';
import { shapeFacts, withoutFields } from '../plan/record/shapeFacts.ts';
import { makeReplan, type Replan } from '../plan/replan.ts';
import type { ResourceId } from '../schema/record/ref.ts';

/**
 * Like `makeReplan`, for the declarations of a saved plan. If the file lacks the sensitive values of a resource,
 * because it writes none, the live values count as declared.
 */
export function replanSaved(
  declared: readonly DesiredResource[],
  masked: ReadonlySet<ResourceId>,
  snapshot: Snapshot,
  options: PlanOptions,
): Replan {
  const replan = makeReplan(declared, snapshot, options);
  const byId = new Map(declared.map((resource) => [resource.id, resource]));
  function replanFor(id: ResourceId, live: LiveResource): Replan {
    const resource = masked.has(id) ? byId.get(id) : undefined;
    if (resource === undefined) return replan;
    const names = shapeFacts(shapeOf(resource.ref.kind, resource.record)).sensitive;
    const shown = names.filter((name) => own(live.record, name) !== undefined);
    const values = Object.fromEntries(shown.map((name) => [name, own(live.record, name) ?? null]));
    const hidden = names.map((name) => [name]);
    const shape = shapeOf(resource.ref.kind, resource.record);
    const record = { ...fillMasks(shape, withoutFields(resource.record, hidden), live.record), ...values };
    const unrevealed = shown.length === 0 ? new Set([...snapshot.unrevealed, id]) : snapshot.unrevealed;
    return makeReplan([{ ...resource, record }], { ...snapshot, unrevealed }, options);
  }
  const replanFilled: Replan = (id, live, isAnswer) => replanFor(id, live)(id, live, isAnswer);
  return Object.assign(replanFilled, {
    ofAnswer: (id: ResourceId, live: LiveResource, as: 'answer' | 'read') =>
      replanFor(id, live).ofAnswer?.(id, live, as),
    learn(id: ResourceId, values: LiveValues) {
      replan.learn?.(id, values);
      const resource = byId.get(id);
      if (resource !== undefined) byId.set(id, { ...resource, record: withLiveValues(resource.record, values) });
    },
  });
}

/** Resources whose sensitive values are not represented in the file. */
export function maskedResources(
  declared: readonly DesiredResource[],
  known: ReadonlySet<ResourceId>,
): ReadonlySet<ResourceId> {
  const sensitive = declared.filter(({ ref, record, lifecycle }) => {
    const inSchema = shapeFacts(shapeOf(ref.kind, record)).sensitive.length > 0;
    return inSchema || (lifecycle.sensitive !== undefined && holdsMask(record));
  });
  return new Set(sensitive.map(({ id }) => id).filter((id) => !known.has(id)));
}
