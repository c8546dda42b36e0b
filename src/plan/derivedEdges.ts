import { type JsonObject, objectAt, own } from '../schema/json.ts';
import { formatRef, type ResourceId } from '../schema/ref.ts';
import type { Reference } from '../schema/references.ts';
import { keepsData } from './dataLoss.ts';
import { type Draft, deletes, writes } from './draft.ts';
import type { Planning } from './planning.ts';
import { readersAfterPolicies } from './policyEdges.ts';
import { deletionStep, derivedEdge, type StepEdge } from './steps.ts';

type Drafts = ReadonlyMap<ResourceId, Draft>;
type DerivedEdges = (drafts: Drafts, planning: Planning) => readonly StepEdge[];

/** Orders that no field states, each a pure function of what is planned. A new one is a line here. */
const sources: readonly DerivedEdges[] = [readersAfterPolicies, subdomainsAfterApex, newMountsAfterOld];

export function derivedEdges(drafts: Drafts, planning: Planning): readonly StepEdge[] {
  return sources.flatMap((source) => source(drafts, planning));
}

/** A sub-domain needs its apex in `ns` mode, and goes before it (resources D, row 23). */
function subdomainsAfterApex(drafts: Drafts): readonly StepEdge[] {
  return [...drafts.values()].flatMap((draft) => {
    const apex = draft.kind === 'domain' ? nearestAbove(draft.name, drafts) : undefined;
    if (apex === undefined) return [];
    const because = `it is a sub-domain of ${apex.name}`;
    const soft = delegated(draft.desired?.record ?? draft.live?.record ?? {}) === false;
    return [
      ...(writes(draft) && writes(apex) ? [derivedEdge(draft, 'main', apex, 'main', because, soft)] : []),
      ...(deletes(draft) && deletes(apex)
        ? [derivedEdge(apex, deletionStep(apex), draft, deletionStep(draft), because, soft)]
        : []),
    ];
  });
}

function nearestAbove(name: string, drafts: Drafts): Draft | undefined {
  const labels = name.split('.');
  for (let from = 1; from < labels.length - 1; from += 1) {
    const above = drafts.get(formatRef({ kind: 'domain', name: labels.slice(from).join('.') }));
    if (above !== undefined) return above;
  }
  return undefined;
}

function delegated(record: JsonObject): boolean {
  const spec = objectAt(record, 'spec');
  const mode = own(spec, 'dnsMode');
  return mode === 'ns' || (mode === undefined && own(spec, 'gvcLink') !== undefined);
}

/** Who newly mounts what keeps data waits for who lets go of it: it may be used by one at a time (specification 2.6). */
function newMountsAfterOld(drafts: Drafts, planning: Planning): readonly StepEdge[] {
  const leaving = new Map<ResourceId, Draft[]>();
  const arriving: (readonly [Draft, ResourceId])[] = [];
  for (const draft of drafts.values()) {
    if (draft.action === 'keep' || draft.action === 'forget' || draft.via !== undefined) continue;
    const before = mounts(draft.live === undefined ? [] : planning.liveReferences(draft.live));
    const after = mounts(draft.desired === undefined ? [] : planning.desiredReferences(draft.desired));
    for (const id of after) if (!before.has(id)) arriving.push([draft, id]);
    for (const id of before) if (!after.has(id)) leaving.set(id, [...(leaving.get(id) ?? []), draft]);
  }
  return arriving.flatMap(([draft, id]) =>
    (leaving.get(id) ?? []).map((holder) =>
      derivedEdge(draft, 'main', holder, deletes(holder) ? deletionStep(holder) : 'main', `it lets go of ${id}`, true),
    ),
  );
}

function mounts(references: readonly Reference[]): ReadonlySet<ResourceId> {
  return new Set(references.filter(({ target }) => keepsData(target.kind)).map(({ target }) => formatRef(target)));
}
