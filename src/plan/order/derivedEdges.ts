import { isObject, type JsonObject, listAt, own, stringAt } from '../../base/json/json.ts';
import { brings } from '../../kinds/impliedPermissions.ts';
import { grantsAccess, isSecret, storesData } from '../../kinds/kindFacts.ts';
import type { Reference } from '../../kinds/shape/references.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import { contextOf, formatRef, parseLink, type RecordContext, type ResourceId } from '../../schema/record/ref.ts';
import { type Draft, deletes, writes } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';
import { deletionStep, derivedEdge, type StepEdge } from '../model/steps.ts';
import { addTo } from '../record/multimap.ts';
import { subdomainsAfterApex } from './domainEdges.ts';

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

/** Policies by grantee and secret: `identity/g/app secret/s`, or `identity/g/app *` if the policy has a query. */
type Grants = Map<string, Draft[]>;

/**
 * A workload pauses its rollout while its identity cannot read its secrets. So it is created after the policies that
 * permit this, and deleted before them (platform/deletion.references, safe create order).
 */
function readersAfterPolicies(drafts: ReadonlyMap<ResourceId, Draft>, planning: PlanContext): readonly StepEdge[] {
  const granting: Grants = new Map();
  const losing: Grants = new Map();
  for (const draft of drafts.values()) {
    if (!grantsAccess(draft.kind)) continue;
    if (writes(draft)) addGrants(granting, draft, draft.desired?.record ?? {}, planning);
    else if (draft.action === 'delete') addGrants(losing, draft, draft.live?.record ?? {}, planning);
  }
  if (granting.size === 0 && losing.size === 0) return [];

  return [...drafts.values()].flatMap((draft) => {
    const gains = writes(draft) && draft.desired !== undefined ? planning.desiredReferences(draft.desired) : [];
    const loses = draft.action === 'delete' && draft.live !== undefined ? planning.liveReferences(draft.live) : [];
    const carrier = draft.via === undefined ? draft : (drafts.get(draft.via) ?? draft);
    return [
      ...policiesFor(gains, granting).map((policy) => ({
        ...derivedEdge(
          { draft },
          { draft: policy },
          'it grants its identity reveal on the secrets that it reads',
          true,
        ),
        needed: true as const,
      })),
      ...policiesFor(loses, losing).map((policy) =>
        derivedEdge(
          { draft: policy },
          { draft: carrier },
          `${draft.id} reads secrets through the policy until then`,
          true,
        ),
      ),
    ];
  });
}

/** The policies through which one of the referred identities may read one of the referred secrets. */
function policiesFor(references: readonly Reference[], grants: Grants): readonly Draft[] {
  const named = (kind: Kind): readonly ResourceId[] =>
    references.filter(({ target }) => target.kind === kind).map(({ target }) => formatRef(target));
  const secrets = named('secret');
  if (secrets.length === 0) return [];
  return named('identity').flatMap((identity) =>
    [...secrets, '*'].flatMap((target) => grants.get(`${identity} ${target}`) ?? []),
  );
}

function addGrants(grants: Grants, policy: Draft, record: JsonObject, planning: PlanContext): void {
  if (!isSecret(stringAt(record, 'targetKind'))) return;
  const context = contextOf(policy.ref, planning.org);
  const targets = [
    ...refsIn(record, 'targetLinks', 'secret', context),
    ...(own(record, 'target') === 'all' || own(record, 'targetQuery') !== undefined ? ['*'] : []),
  ];
  for (const binding of listAt(record, 'bindings')) {
    if (!isObject(binding) || !listAt(binding, 'permissions').some((held) => brings('secret', held, 'reveal')))
      continue;
    for (const identity of refsIn(binding, 'principalLinks', 'identity', context)) {
      for (const target of targets) {
        const key = `${identity} ${target}`;
        addTo(grants, key, policy);
      }
    }
  }
}

function refsIn(holder: JsonObject, field: string, kind: Kind, context: RecordContext): readonly ResourceId[] {
  return listAt(holder, field).flatMap((link) => {
    const ref = typeof link === 'string' ? parseLink(link, context)?.ref : undefined;
    return ref?.kind === kind ? [formatRef(ref)] : [];
  });
}
