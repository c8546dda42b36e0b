import { storesData } from '../../kinds/kindFacts.ts';
import type { Reference } from '../../kinds/shape/references.ts';
import { formatRef, type ResourceId } from '../../schema/record/ref.ts';
import { type Draft, deletes } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';
import { deletionStep, derivedEdge, type StepEdge } from '../model/steps.ts';
import { addTo } from '../record/multimap.ts';
import { subdomainsAfterApex } from './domainEdges.ts';
import { readersAfterPolicies } from './policyEdges.ts';

type Drafts = ReadonlyMap<ResourceId, Draft>;
type DerivedEdges = (drafts: Drafts, planning: PlanContext) => readonly StepEdge[];

/** Orders that no field states, each a pure function of what is planned. A new one is a line here. */
const sources: readonly DerivedEdges[] = [readersAfterPolicies, subdomainsAfterApex, newMountsAfterOld];

export function derivedEdges(drafts: Drafts, planning: PlanContext): readonly StepEdge[] {
  return sources.flatMap((source) => source(drafts, planning));
}

/**
 * A workload that newly mounts a volume set waits for the one that unmounts it: only one at a time can mount it
 * (platform/volumeset).
 */
function newMountsAfterOld(drafts: Drafts, planning: PlanContext): readonly StepEdge[] {
  const leaving = new Map<ResourceId, Draft[]>();
  const arriving: (readonly [Draft, ResourceId])[] = [];
  for (const draft of drafts.values()) {
    if (draft.action === 'keep' || draft.action === 'forget' || draft.via !== undefined) continue;
    const before = mounts(draft.live === undefined ? [] : planning.liveReferences(draft.live));
    const after = mounts(draft.desired === undefined ? [] : planning.desiredReferences(draft.desired));
    for (const id of after) if (!before.has(id)) arriving.push([draft, id]);
    for (const id of before) if (!after.has(id)) addTo(leaving, id, draft);
  }
  return arriving.flatMap(([draft, id]) =>
    (leaving.get(id) ?? []).map((referrer) => ({
      ...derivedEdge(
        { draft },
        { draft: referrer, step: deletes(referrer) ? deletionStep(referrer) : 'main' },
        `it stops using ${id}`,
        true,
      ),
      needed: true as const,
    })),
  );
}

function mounts(references: readonly Reference[]): ReadonlySet<ResourceId> {
  return new Set(references.filter(({ target }) => storesData(target.kind)).map(({ target }) => formatRef(target)));
}
