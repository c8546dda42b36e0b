import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { compact } from '../../base/json/present.ts';
import { addTo } from '../../base/multimap.ts';
import { compareText } from '../../base/text/compareText.ts';
import { parentsOf } from '../../kinds/domain/domainView.ts';
import { impliesPermission } from '../../kinds/impliedPermissions.ts';
import { grantsAccess, isNamedByHost, isSecret, storesData } from '../../kinds/kindFacts.ts';
import { blocksDeletion } from '../../kinds/referenceStrength.ts';
import type { Reference } from '../../kinds/references.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import {
  contextOf,
  formatRef,
  parseLink,
  type RecordContext,
  type Ref,
  type ResourceId,
} from '../../schema/record/ref.ts';
import { type Draft, deletes, deletionStep, derivedEdge, type Step, type StepEdge, writes } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';
import { bindsAddress, type Referrers, refersAfter } from '../references/referrers.ts';
import { renamingsOf } from '../references/rename.ts';
import { renameEdges, yieldToMovers } from '../references/renameEdges.ts';

export type Drafts = ReadonlyMap<ResourceId, Draft>;

/** All edges between steps, with their reasons (order is a graph, not levels). */
export function findEdges(drafts: Drafts, referrers: Referrers, planning: PlanContext): readonly StepEdge[] {
  const edges = [...drafts.values()].flatMap((draft) => [...ownEdges(draft, drafts, referrers, planning)]);
  edges.push(...sources.flatMap((source) => [...source(drafts, planning)]));
  const moving = renameEdges(drafts, planning);
  const all = [...yieldToMovers(edges, moving, drafts), ...moving];
  return [...all, ...prerequisitesOfDeletions(all, drafts, planning)];
}

/** The edges of the steps of a change. A replacement deletes before it creates, and the second step comes last. */
function* ownEdges(draft: Draft, drafts: Drafts, referrers: Referrers, planning: PlanContext): Iterable<StepEdge> {
  if (writes(draft) && draft.desired !== undefined) yield* writeEdges(draft, draft.desired, drafts, planning);
  if (deletes(draft)) yield* deletionEdges(draft, drafts, referrers, planning);
  if (draft.action === 'replace')
    yield derivedEdge({ draft }, { draft, step: 'delete' }, 'it is deleted before it is created again', false);
  if (draft.then !== undefined) yield derivedEdge({ draft, step: 'then' }, { draft }, 'it is the second step', false);
}

/** A referrer waits for its future targets. */
function writeEdges(
  draft: Draft,
  desired: DesiredResource,
  drafts: Drafts,
  planning: PlanContext,
): readonly StepEdge[] {
  const edges: StepEdge[] = [];
  const wait = (fromStep: Step, target: Draft | undefined, because: string, soft: boolean, pointer: Pointer): void => {
    if (target === undefined || !(writes(target) || (!soft && mustBeReady(target)))) return;
    const locate = () => desired.locate(pointer);
    edges.push({ from: draft.id, fromStep, on: target.id, onStep: 'main', because, soft, ready: target.wait, locate });
  };

  const parent = gvcOf(draft, drafts);
  if (parent?.secondStepOnly !== true) wait('main', parent, 'it lives in that GVC', false, ['gvc']);

  const later = new Set(draft.later.map((reference) => reference.path));
  for (const { target, path, pointer, strength } of planning.desiredReferences(desired)) {
    if (strength === 'none') continue;
    const on = drafts.get(formatRef(target));
    const isLater = later.has(path);
    // The target of a second step is a child. If it is live already, or was named before it existed, the order does not
    // matter.
    const soft = strength === 'soft' || (strength === 'second-step' && !isLater);
    wait(isLater ? 'then' : 'main', on, `${path} refers to it`, soft, pointer);
  }
  for (const { id, path } of desired.reads ?? []) wait('main', drafts.get(id), `it reads ${path} of it`, false, []);
  desired.lifecycle.dependsOn?.forEach((id, index) => {
    wait('main', drafts.get(id), 'lifecycle.dependsOn names it', false, ['lifecycle', 'dependsOn', index]);
  });
  return edges;
}

/** Whether it is unchanged but declared so that its dependents wait until it is ready. */
function mustBeReady({ action, desired }: Draft): boolean {
  return action === 'keep' && desired?.lifecycle.wait === true;
}

function gvcOf({ gvc }: Pick<Ref, 'gvc'>, drafts: Drafts): Draft | undefined {
  return gvc === undefined ? undefined : drafts.get(formatRef({ kind: 'gvc', name: gvc }));
}

/**
 * A deletion waits for everything that stops referring to its target, references of live records included. That of a
 * child that is deleted with its GVC is the deletion of the GVC.
 */
function* deletionEdges(draft: Draft, drafts: Drafts, referrers: Referrers, planning: PlanContext): Iterable<StepEdge> {
  for (const { live, reference } of referrers.get(draft.id) ?? []) {
    const referrer = carrier(live.ref, drafts);
    if (referrer === undefined || referrer.action === 'keep' || referrer.action === 'forget') continue;
    const dropsReference = deletes(referrer) || !refersAfter(referrer, draft.id, planning);
    const refersAgainLater = referrer.later.some((later) => formatRef(later.target) === draft.id);
    if (!dropsReference && !refersAgainLater) continue;
    yield {
      from: draft.via ?? draft.id,
      fromStep: deletionStep(draft),
      on: referrer.id,
      onStep: deletes(referrer) ? deletionStep(referrer) : releasingStep(referrer, reference.path, draft.id),
      because: `${reference.path} of ${live.id} refers to it until then`,
      soft: !blocksDeletion(live.ref.kind, reference) && !bindsAddress(live, draft, planning),
      ready: false,
    };
  }
}

/** The change with the request: for a child that is deleted with its GVC, and for a bystander, the GVC. */
function carrier(ref: Ref, drafts: Drafts): Draft | undefined {
  const draft = drafts.get(formatRef(ref));
  if (draft !== undefined) return drafts.get(draft.via ?? draft.id);
  const gvc = gvcOf(ref, drafts);
  return gvc?.action === 'delete' ? gvc : undefined;
}

/** A field that moves between children drops the first reference only in the second step. */
function releasingStep(referrer: Draft, path: string, target: ResourceId): Step {
  const moves = referrer.later.some(
    (later) => later.path === path && later.strength === 'second-step' && formatRef(later.target) !== target,
  );
  return moves ? 'then' : 'main';
}

/** A GVC is deleted after its children that have their own requests. */
function* gvcsAfterChildren(drafts: Drafts): Iterable<StepEdge> {
  const because = 'it stores data, or mounts a volume set: it is deleted before its GVC';
  for (const child of drafts.values()) {
    const gvc = gvcOf(child, drafts);
    if (gvc?.action !== 'delete' || child.action !== 'delete' || child.via !== undefined) continue;
    yield derivedEdge({ draft: gvc }, { draft: child }, because, false);
  }
}

type DerivedEdges = (drafts: Drafts, planning: PlanContext) => Iterable<StepEdge>;

/**
 * A subdomain needs its apex in `ns` mode, and blocks the deletion of its apex in any mode
 * (platform/deletion.references).
 */
function* subdomainsAfterApex(drafts: Drafts): Iterable<StepEdge> {
  for (const draft of drafts.values()) {
    const apex = isNamedByHost(draft.kind) ? nearestAbove(draft.name, drafts) : undefined;
    if (apex === undefined) continue;
    const because = `it is a sub-domain of ${apex.name}`;
    const soft = !delegated(draft.desired?.record ?? {});
    if (writes(draft) && writes(apex)) yield derivedEdge({ draft }, { draft: apex }, because, soft);
    if (deletes(draft) && deletes(apex))
      yield derivedEdge(
        { draft: apex, step: deletionStep(apex) },
        { draft, step: deletionStep(draft) },
        because,
        false,
      );
  }
}

function nearestAbove(name: string, drafts: Drafts): Draft | undefined {
  return parentsOf(name)
    .map((above) => drafts.get(formatRef({ kind: 'domain', name: above })))
    .find((draft) => draft !== undefined);
}

/** The possible apex domains of a subdomain in `ns` mode, which needs one (platform/domain.names). */
export function apexesOf({ kind, name }: Ref, record: JsonObject): readonly Ref[] {
  if (!isNamedByHost(kind) || !delegated(record)) return [];
  return parentsOf(name).map((above) => ({ kind: 'domain', name: above }));
}

function delegated(record: JsonObject): boolean {
  const spec = objectAt(record, 'spec');
  const mode = own(spec, 'dnsMode');
  return mode === 'ns' || (mode === undefined && own(spec, 'gvcLink') !== undefined);
}

/** The first remaining domain below each name. */
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

/** Edges not stated by any field. Each source is a pure function of the plan; add new ones here. */
const sources: readonly DerivedEdges[] = [
  gvcsAfterChildren,
  readersAfterPolicies,
  subdomainsAfterApex,
  newMountsAfterOld,
];

/**
 * A workload that newly mounts a volume set waits for the one that unmounts it: only one at a time can mount it
 * (platform/volumeset).
 */
function newMountsAfterOld(drafts: Drafts, planning: PlanContext): readonly StepEdge[] {
  const leaving = new Map<ResourceId, Draft[]>();
  const arriving: (readonly [Draft, ResourceId])[] = [];
  for (const draft of drafts.values()) {
    if (!writes(draft) && !deletes(draft)) continue;
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

/** Policies by principal and secret: `identity/g/app secret/s`, or `identity/g/app *` if the policy has a query. */
type Grants = Map<string, Draft[]>;

/**
 * A workload pauses its rollout while its identity cannot read its secrets. So it is created after the policies that
 * permit this, and deleted before them (platform/deletion.references, safe create order).
 */
function* readersAfterPolicies(drafts: ReadonlyMap<ResourceId, Draft>, planning: PlanContext): Iterable<StepEdge> {
  const granting: Grants = new Map();
  const losing: Grants = new Map();
  for (const draft of drafts.values()) {
    if (!grantsAccess(draft.kind)) continue;
    if (writes(draft)) addGrants(granting, draft, draft.desired?.record ?? {}, planning);
    else if (draft.action === 'delete') addGrants(losing, draft, draft.live?.record ?? {}, planning);
  }
  if (granting.size === 0 && losing.size === 0) return;

  const grants = 'it grants its identity reveal on the secrets that it reads';
  for (const draft of drafts.values()) {
    if (writes(draft) && draft.desired !== undefined) {
      for (const policy of policiesFor(planning.desiredReferences(draft.desired), granting))
        yield { ...derivedEdge({ draft }, { draft: policy }, grants, true), needed: true };
    }
    if (draft.action !== 'delete' || draft.live === undefined) continue;
    const carrier = drafts.get(draft.via ?? draft.id) ?? draft;
    const because = `${draft.id} reads secrets through the policy until then`;
    for (const policy of policiesFor(planning.liveReferences(draft.live), losing))
      yield derivedEdge({ draft: policy }, { draft: carrier }, because, true);
  }
}

/** The policies that let one of the referred identities read one of the referred secrets. */
function* policiesFor(references: readonly Reference[], grants: Grants): Iterable<Draft> {
  const named = (kind: Kind): readonly ResourceId[] =>
    references.filter(({ target }) => target.kind === kind).map(({ target }) => formatRef(target));
  const secrets = named('secret');
  if (secrets.length === 0) return;
  for (const identity of named('identity'))
    for (const target of [...secrets, '*']) yield* grants.get(`${identity} ${target}`) ?? [];
}

function addGrants(grants: Grants, policy: Draft, record: JsonObject, planning: PlanContext): void {
  if (!isSecret(stringAt(record, 'targetKind'))) return;
  const context = contextOf(policy.ref, planning.org);
  const isForAll = own(record, 'target') === 'all' || own(record, 'targetQuery') !== undefined;
  const targets = compact([...refsIn(record, 'targetLinks', context), isForAll ? '*' : undefined]);
  for (const binding of listAt(record, 'bindings')) {
    if (
      !isObject(binding) ||
      !listAt(binding, 'permissions').some((held) => impliesPermission('secret', held, 'reveal'))
    )
      continue;
    for (const principal of refsIn(binding, 'principalLinks', context)) {
      for (const target of targets) addTo(grants, `${principal} ${target}`, policy);
    }
  }
}

function refsIn(holder: JsonObject, field: string, context: RecordContext): readonly ResourceId[] {
  const refs = compact(listAt(holder, field), (link) =>
    typeof link === 'string' ? parseLink(link, context)?.ref : undefined,
  );
  return refs.map(formatRef);
}

/** A creation that replaces a resource deleted before it. */
interface Succession {
  readonly created: Draft;
  readonly deleted: Draft;
}

/**
 * A resource that is deleted to be created again is deleted only after everything that its creation waits for: if one
 * of these fails, nothing is lost. It cannot wait for changes that wait for the deletion themselves, but it waits for
 * their prerequisites.
 */
function prerequisitesOfDeletions(
  edges: readonly StepEdge[],
  drafts: Drafts,
  planning: PlanContext,
): readonly StepEdge[] {
  const found = successions(drafts, planning);
  if (found.length === 0) return [];
  const graph = new Graph(edges);
  for (const { created, deleted } of found) graph.postpone(created, deleted);
  return graph.added;
}

/** Replacements, and renamings whose old name must be deleted first. */
function successions(drafts: Drafts, planning: PlanContext): readonly Succession[] {
  const replaced = [...drafts.values()].filter(({ action }) => action === 'replace');
  const renamed = [...renamingsOf(planning).byNew.values()].flatMap(({ next, old, contested }) => {
    const [created, deleted] = [drafts.get(next.id), drafts.get(old.id)];
    if (contested === undefined || created?.action !== 'create' || deleted === undefined) return [];
    return deletes(deleted) ? [{ created, deleted }] : [];
  });
  return [...replaced.map((draft) => ({ created: draft, deleted: draft })), ...renamed];
}

class Graph {
  readonly added: StepEdge[] = [];
  /** Edges by waiting step, and waiting steps by the step waited for. */
  readonly #waits = new Map<string, StepEdge[]>();
  readonly #waiters = new Map<string, string[]>();

  constructor(edges: readonly StepEdge[]) {
    for (const edge of edges) this.#add(edge);
  }

  postpone(created: Draft, deleted: Draft): void {
    const step = deletionStep(deleted);
    const barred = this.#waitingFor(key(deleted.id, step));
    const seen = new Set<string>();
    const open = [key(created.id, 'main')];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      for (const edge of this.#waits.get(at) ?? []) {
        const on = key(edge.on, edge.onStep);
        if (on === key(deleted.id, step)) continue;
        const soft = !binds(edge);
        if (!barred.has(on)) this.#addFor(deleted.id, step, { ...edge, soft });
        else if (!soft) open.push(on);
      }
    }
  }

  #addFor(from: ResourceId, fromStep: Step, edge: StepEdge): void {
    const because = edge.from === from ? edge.because : `${edge.from} waits for it: ${edge.because}`;
    const made: StepEdge = { ...edge, from, fromStep, because, forCreation: true };
    this.added.push(made);
    this.#add(made);
  }

  #add(edge: StepEdge): void {
    const [from, on] = [key(edge.from, edge.fromStep), key(edge.on, edge.onStep)];
    addTo(this.#waits, from, edge);
    if (!binds(edge)) return;
    addTo(this.#waiters, on, from);
  }

  /** All steps that wait for this one, including itself. */
  #waitingFor(step: string): ReadonlySet<string> {
    const found = new Set([step]);
    for (const each of found) for (const waiter of this.#waiters.get(each) ?? []) found.add(waiter);
    return found;
  }
}

/** Whether the edge must not be cut in a cycle. Optional edges can be cut, unless a request would be refused then. */
function binds({ soft, needed }: StepEdge): boolean {
  return !soft || needed === true;
}

/** Names a step of a change. */
export function key(id: ResourceId, step: Step): string {
  return `${id} ${step}`;
}
