import type { DesiredResource } from '../manifest/manifest.ts';
import type { LiveResource, Snapshot } from '../manifest/snapshot.ts';
import type { ResourceId } from '../schema/ref.ts';
import { draftDeclared } from './classify.ts';
import type { Change, PlanOptions } from './plan.ts';
import { makePlanning } from './planning.ts';
import { draftUndeclared } from './removals.ts';

/**
 * Plans one resource again, from what is live now; everything else is taken as it was in the snapshot. Undefined:
 * nothing is left to do. The applier asks when a version moved (design, section 2, "What was approved is what runs"):
 * only the same patch may run then, so what a whole plan would add (edges, cascades, refusals of others) is left out.
 */
export function makeReplan(
  desired: readonly DesiredResource[],
  snapshot: Snapshot,
  options: PlanOptions,
): (id: ResourceId, live: LiveResource) => Change | undefined {
  const byId = new Map(desired.map((resource) => [resource.id, resource]));
  return (id, live) => {
    const resource = byId.get(id);
    const resources = new Map(snapshot.resources).set(id, live);
    const planning = makePlanning(resource === undefined ? desired : [resource], { ...snapshot, resources }, options);
    const [draft] =
      resource === undefined ? draftUndeclared(new Map([[id, live]]), planning) : [draftDeclared(resource, planning)];
    if (draft === undefined || draft.action === 'keep') return undefined;

    const { desired: _desired, live: _live, later: _later, secondStepOnly: _only, ...change } = draft;
    const refused = draft.refusals.length > 0 ? { action: 'refuse' as const, intended: draft.action } : {};
    return { ...change, ...refused, requires: [] };
  };
}
