import { type JsonObject, objectAt, own } from '../../base/json/json.ts';
import { compareText } from '../../base/text/compareText.ts';
import { parentsOf } from '../../kinds/domain/hostNames.ts';
import { isNamedByHost } from '../../kinds/kindFacts.ts';
import { formatRef, type Ref, type ResourceId } from '../../schema/record/ref.ts';
import { type Draft, deletes, writes } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';
import { deletionStep, derivedEdge, type StepEdge } from '../model/steps.ts';

type Drafts = ReadonlyMap<ResourceId, Draft>;

/**
 * A subdomain needs its apex in `ns` mode, and blocks the deletion of its apex in any mode
 * (platform/deletion.references).
 */
export function subdomainsAfterApex(drafts: Drafts): readonly StepEdge[] {
  return [...drafts.values()].flatMap((draft) => {
    const apex = isNamedByHost(draft.kind) ? nearestAbove(draft.name, drafts) : undefined;
    if (apex === undefined) return [];
    const because = `it is a sub-domain of ${apex.name}`;
    const soft = !delegated(draft.desired?.record ?? {});
    return [
      ...(writes(draft) && writes(apex) ? [derivedEdge({ draft }, { draft: apex }, because, soft)] : []),
      ...(deletes(draft) && deletes(apex)
        ? [derivedEdge({ draft: apex, step: deletionStep(apex) }, { draft, step: deletionStep(draft) }, because, false)]
        : []),
    ];
  });
}

function nearestAbove(name: string, drafts: Drafts): Draft | undefined {
  return parentsOf(name)
    .map((above) => drafts.get(formatRef({ kind: 'domain', name: above })))
    .find((draft) => draft !== undefined);
}

/** For a sub-domain in `ns` mode the domains that may be its apex, which has to be there (platform/domain.names). */
export function apexesOf({ kind, name }: Ref, record: JsonObject): readonly Ref[] {
  if (!isNamedByHost(kind) || !delegated(record)) return [];
  return parentsOf(name).map((above) => ({ kind: 'domain', name: above }));
}

function delegated(record: JsonObject): boolean {
  const spec = objectAt(record, 'spec');
  const mode = own(spec, 'dnsMode');
  return mode === 'ns' || (mode === undefined && own(spec, 'gvcLink') !== undefined);
}

/** For each name above a domain that stays: the first such domain. */
export function keptApexes(drafts: Drafts, planning: PlanContext): ReadonlyMap<string, ResourceId> {
  const apexes = new Map<string, ResourceId>();
  const add = (name: string, id: ResourceId): void => {
    for (const above of parentsOf(name)) {
      const before = apexes.get(above);
      if (before === undefined || compareText(id, before) < 0) apexes.set(above, id);
    }
  };
  for (const draft of drafts.values())
    if (isNamedByHost(draft.kind) && draft.action !== 'delete') add(draft.name, draft.id);
  for (const { id, ref } of planning.snapshot.resources.values()) {
    if (isNamedByHost(ref.kind) && !drafts.has(id)) add(ref.name, id);
  }
  return apexes;
}
