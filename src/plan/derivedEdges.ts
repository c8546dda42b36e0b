import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../schema/json.ts';
import { parseLink } from '../schema/links.ts';
import { formatRef, type ResourceId } from '../schema/ref.ts';
import type { Reference } from '../schema/references.ts';
import { keepsData } from './dataLoss.ts';
import { type Draft, deletes, writes } from './draft.ts';
import { contextOf, type Planning } from './planning.ts';
import { deletionStep, type Step, type StepEdge } from './steps.ts';

type Drafts = ReadonlyMap<ResourceId, Draft>;
type DerivedEdges = (drafts: Drafts, planning: Planning) => readonly StepEdge[];

/** Orders that no field states, each a pure function of what is planned. A new one is a line here. */
const sources: readonly DerivedEdges[] = [readersAfterPolicies, subdomainsAfterApex, newMountsAfterOld];

export function derivedEdges(drafts: Drafts, planning: Planning): readonly StepEdge[] {
  return sources.flatMap((source) => source(drafts, planning));
}

function edge(from: Draft, fromStep: Step, on: Draft, onStep: Step, because: string, soft: boolean): StepEdge {
  const locate =
    from.desired === undefined ? undefined : () => from.desired?.locate([]) ?? { file: '', line: 1, column: 1 };
  return { from: from.id, fromStep, on: on.id, onStep, because, soft, ready: false, locate };
}

/** A workload whose identity may not read its secrets yet pauses its rollout (resources D, safe create order). */
function readersAfterPolicies(drafts: Drafts, planning: Planning): readonly StepEdge[] {
  const granting = new Map<ResourceId, Draft[]>();
  const losing = new Map<ResourceId, Draft[]>();
  for (const draft of drafts.values()) {
    if (draft.kind !== 'policy') continue;
    const granted = writes(draft) ? granting : draft.action === 'delete' ? losing : undefined;
    const record = draft.desired?.record ?? draft.live?.record;
    if (granted === undefined || record === undefined || stringAt(record, 'targetKind') !== 'secret') continue;
    for (const reader of readers(draft, record, planning)) granted.set(reader, [...(granted.get(reader) ?? []), draft]);
  }
  if (granting.size === 0 && losing.size === 0) return [];

  return [...drafts.values()].flatMap((draft) => {
    const before = writes(draft) && draft.desired !== undefined ? planning.desiredReferences(draft.desired) : [];
    const after = draft.action === 'delete' && draft.live !== undefined ? planning.liveReferences(draft.live) : [];
    return [
      ...policiesFor(before, granting).map((policy) =>
        edge(draft, 'main', policy, 'main', 'it lets its identity reveal the secrets that it reads', true),
      ),
      ...(draft.via === undefined ? policiesFor(after, losing) : []).map((policy) =>
        edge(policy, 'main', draft, 'main', 'it reads secrets through the policy until then', true),
      ),
    ];
  });
}

function policiesFor(
  references: readonly Reference[],
  policies: ReadonlyMap<ResourceId, readonly Draft[]>,
): readonly Draft[] {
  if (policies.size === 0 || !references.some(({ target }) => target.kind === 'secret')) return [];
  return references.flatMap(({ target }) =>
    target.kind === 'identity' ? (policies.get(formatRef(target)) ?? []) : [],
  );
}

/** The identities that a policy for secrets lets reveal them. */
function readers(policy: Draft, record: JsonObject, planning: Planning): readonly ResourceId[] {
  const context = contextOf(policy.ref, planning.org);
  return listAt(record, 'bindings').flatMap((binding) => {
    if (!isObject(binding)) return [];
    const permissions = listAt(binding, 'permissions');
    if (!permissions.includes('reveal') && !permissions.includes('manage')) return [];
    return listAt(binding, 'principalLinks').flatMap((link) => {
      const ref = typeof link === 'string' ? parseLink(link, context)?.ref : undefined;
      return ref?.kind === 'identity' ? [formatRef(ref)] : [];
    });
  });
}

/** A sub-domain needs its apex in `ns` mode, and goes before it (resources D, row 23). */
function subdomainsAfterApex(drafts: Drafts): readonly StepEdge[] {
  return [...drafts.values()].flatMap((draft) => {
    const apex = draft.kind === 'domain' ? nearestAbove(draft.name, drafts) : undefined;
    if (apex === undefined) return [];
    const because = `it is a sub-domain of ${apex.name}`;
    const soft = delegated(draft.desired?.record ?? draft.live?.record ?? {}) === false;
    return [
      ...(writes(draft) && writes(apex) ? [edge(draft, 'main', apex, 'main', because, soft)] : []),
      ...(deletes(draft) && deletes(apex)
        ? [edge(apex, deletionStep(apex), draft, deletionStep(draft), because, soft)]
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
      edge(draft, 'main', holder, deletes(holder) ? deletionStep(holder) : 'main', `it lets go of ${id}`, true),
    ),
  );
}

function mounts(references: readonly Reference[]): ReadonlySet<ResourceId> {
  return new Set(references.filter(({ target }) => keepsData(target.kind)).map(({ target }) => formatRef(target)));
}
