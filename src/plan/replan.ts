import type { LiveResource, Snapshot } from '../manifest/live/snapshot.ts';
import type { DesiredResource } from '../manifest/model/manifest.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import { draftDeclared } from './draft/declared.ts';
import { draftUndeclared } from './draft/undeclared.ts';
import type { Change } from './model/change.ts';
import { type Draft, toChange } from './model/draft.ts';
import { makePlanContext } from './model/planContext.ts';
import type { PlanOptions } from './model/planOptions.ts';

/**
 * Plans one resource again from its current live record; everything else is as in the snapshot. Undefined: there is
 * nothing left to do. The applier calls this when a version has changed, and only the same patch may run then: effects
 * on other resources (edges, cascades, refusals) are left out.
 */
export function makeReplan(
  desired: readonly DesiredResource[],
  snapshot: Snapshot,
  options: PlanOptions,
): (id: ResourceId, live: LiveResource) => Change | undefined {
  const byId = new Map(desired.map((resource) => [resource.id, resource]));
  let resources: Map<ResourceId, LiveResource> | undefined;

  /** The draft of one resource with another live record, without copying the snapshot. */
  function draftOf(id: ResourceId, live: LiveResource): Draft | undefined {
    resources ??= new Map(snapshot.resources);
    resources.set(id, live);
    try {
      const resource = byId.get(id);
      const planning = makePlanContext(
        resource === undefined ? desired : [resource],
        { ...snapshot, resources, ...pastOf(snapshot, id, live) },
        options,
      );
      return resource === undefined
        ? draftUndeclared(new Map([[id, live]]), planning)[0]
        : draftDeclared(resource, planning);
    } finally {
      const before = snapshot.resources.get(id);
      if (before === undefined) resources.delete(id);
      else resources.set(id, before);
    }
  }

  return (id, live) => {
    const draft = draftOf(id, live);
    if (draft === undefined || draft.action === 'keep') return undefined;
    return toChange(draft);
  };
}

/** What the record was when it was planned is one of its earlier versions now. */
function pastOf({ resources, past = new Map() }: Snapshot, id: ResourceId, live: LiveResource): Pick<Snapshot, 'past'> {
  const before = resources.get(id);
  if (before === undefined || before.uid !== live.uid || before.version >= live.version) return { past };
  return { past: new Map([...past, [live.uid, [before, ...(past.get(live.uid) ?? [])]]]) };
}
