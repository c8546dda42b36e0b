import { sameJson } from '../base/json/json.ts';
import { compact } from '../base/json/present.ts';
import { compareText } from '../base/text/compareText.ts';
import { references } from '../kinds/references.ts';
import { liveValue } from '../manifest/live/liveReference.ts';
import type { LiveResource, Snapshot } from '../manifest/live/snapshot.ts';
import type { DesiredResource } from '../manifest/model/manifest.ts';
import { ownerOf } from '../manifest/model/ownTags.ts';
import { affectedChildren } from '../plan/consequences/cascade.ts';
import type { Action, Change } from '../plan/model/change.ts';
import type { Plan } from '../plan/model/plan.ts';
import { usersByEmail } from '../plan/model/planContext.ts';
import type { PlanOptions } from '../plan/model/planOptions.ts';
import { type Hash, isOwned, ownershipOf } from '../plan/record/ownership.ts';
import { savedRecord } from '../plan/record/savedRecord.ts';
import { isContainer } from '../schema/record/kinds.ts';
import { contextOf, formatRef, gvcOf, type Ref, type ResourceId } from '../schema/record/ref.ts';
import type { Fact, SavedInputs, SavedPlan } from './savedPlan.ts';

/** A plan and its inputs. */
export interface PlanToSave {
  readonly plan: Plan;
  readonly desired: readonly DesiredResource[];
  /** Declarations of deleted resources, whose sensitivity marks still apply to their live records. */
  readonly marking?: readonly DesiredResource[];
  readonly snapshot: Snapshot;
  readonly options: PlanOptions;
  /** The ids of the policies that it was made under; absent if there are none. */
  readonly policies?: readonly string[];
}

/** The parts of a plan to save: everything about its changes, and the facts about other resources that it used. */
export function savedPlanOf(
  { plan, desired, marking = [], snapshot, options, policies }: PlanToSave,
  inputs: SavedInputs,
): SavedPlan {
  const {
    owner: _owner,
    hash: _hash,
    destroys: _destroys,
    declaredHere: _declaredHere,
    before: _before,
    elsewhere: _elsewhere,
    others: _others,
    moment: _moment,
    ...kept
  } = options;
  const { inDoubt: _inDoubt, ...made } = plan;
  const changed = new Set(plan.changes.filter(({ action }) => action !== 'keep').map(({ id }) => id));
  const declared = desired.filter(({ id }) => changed.has(id));
  return {
    plan: made,
    inputs,
    options: kept,
    directives: snapshot.directives,
    unrevealed: new Set([...snapshot.unrevealed].filter((id) => changed.has(id)).sort()),
    declared,
    live: savedLive(changed, snapshot, marksOf([...marking, ...desired])),
    facts: factsOf(plan, desired, snapshot),
    secrets: [],
    fingerprints: undefined,
    ...(policies === undefined ? {} : { judged: { policies, beside: desired.filter(({ id }) => !changed.has(id)) } }),
  };
}

/** The declaration whose sensitivity marks apply to a record: its own, or that of its replacement. */
function marksOf(desired: readonly DesiredResource[]): ReadonlyMap<ResourceId, DesiredResource> {
  const marked = desired.filter(({ lifecycle }) => lifecycle.sensitive !== undefined);
  const before = compact(marked, (resource) => {
    const { previously } = resource.lifecycle;
    return previously === undefined
      ? undefined
      : ([formatRef({ ...resource.ref, name: previously }), resource] as const);
  });
  return new Map([...before, ...marked.map((resource) => [resource.id, resource] as const)]);
}

function savedLive(
  changed: ReadonlySet<ResourceId>,
  snapshot: Snapshot,
  marks: ReadonlyMap<ResourceId, DesiredResource>,
): ReadonlyMap<ResourceId, LiveResource> {
  const children = [...snapshot.closures.values()].flatMap(({ children }) => children);
  const all = new Map([...children.map((live) => [live.id, live] as const), ...snapshot.resources]);
  const changedLive = [...all.values()].filter(({ id }) => changed.has(id));
  return new Map(
    changedLive
      .map((live) => [live.id, { ...live, record: savedRecord(live, marks.get(live.id)) }] as const)
      .sort(([a], [b]) => compareText(a, b)),
  );
}

/** Actions with their own pin, which need no further facts. */
const pinnedActions: ReadonlySet<Action> = new Set(['create', 'patch', 'replace', 'delete', 'adopt', 'forget']);
const writingActions: ReadonlySet<Action> = new Set(['create', 'patch', 'replace', 'adopt']);

/**
 * The facts that the plan relies on without changing them: targets of references still exist and are the same records,
 * a deleted GVC contains only the shown records, values read from records are the same, and handed-over resources have
 * no third owner. Changed records are pinned by their changes; a creation checks that its name is free.
 */
export function factsOf(plan: Plan, declared: readonly DesiredResource[], snapshot: Snapshot): readonly Fact[] {
  const changes = new Map(plan.changes.map((change) => [change.id, change]));
  const isPinned = (id: ResourceId): boolean => pinnedActions.has(changes.get(id)?.action ?? 'keep');
  const users = usersByEmail(snapshot);
  const existingFacts = new Map<ResourceId, Fact>();
  for (const resource of declared) {
    if (!writingActions.has(changes.get(resource.id)?.action ?? 'keep')) continue;
    for (const target of targetsOf(resource, plan.org, snapshot)) {
      const id = formatRef(target);
      const live = snapshot.resources.get(id) ?? users.get(id);
      if (live !== undefined && !isPinned(id)) existingFacts.set(id, { fact: 'exists', ref: target, uid: live.uid });
    }
  }
  const exists = [...existingFacts].sort(([a], [b]) => compareText(a, b)).map(([, fact]) => fact);
  const handOverFacts = compact(declared, ({ id, ref, lifecycle: { handOver: to } }): Fact | undefined =>
    to === undefined || isPinned(id) || snapshot.hidden?.has(id) === true ? undefined : { fact: 'handedOver', ref, to },
  );
  const values = declared.flatMap(({ id, reads = [] }) =>
    writingActions.has(changes.get(id)?.action ?? 'keep') ? reads : [],
  );
  const valueFacts = compact(values, ({ id, ref, path, value }): Fact | undefined =>
    value === undefined || isPinned(id) ? undefined : { fact: 'value', ref, path, value },
  );
  return [
    ...exists,
    ...valueFacts,
    ...plan.changes.flatMap((change) => childrenFact(change, snapshot)),
    ...handOverFacts,
  ];
}

/** Every resource that must exist: the GVC, the targets of references, and those in dependsOn. */
function targetsOf(
  { ref, record, lifecycle, reads = [] }: DesiredResource,
  org: string,
  snapshot: Snapshot,
): readonly Ref[] {
  const referred = references(ref.kind, record, contextOf(ref, org))
    .filter(({ strength, org: other }) => strength !== 'none' && other === org)
    .map(({ target }) => target);
  const awaited = (lifecycle.dependsOn ?? []).flatMap((id) => snapshot.resources.get(id)?.ref ?? []);
  return compact([gvcOf(ref), ...referred, ...awaited, ...reads.map((read) => read.ref)]);
}

function childrenFact(change: Change, { closures }: Snapshot): readonly Fact[] {
  const children = change.action === 'delete' ? closures.get(change.name)?.children : undefined;
  if (!isContainer(change.kind) || children === undefined) return [];
  const holds = children.map(({ id, uid }) => ({ id, uid })).sort((a, b) => compareText(a.id, b.id));
  return [{ fact: 'children', ref: change.ref, holds }];
}

/**
 * Sentences about the facts that are no longer true. A GVC may contain less than was shown: the deletion of that was
 * approved.
 */
export function brokenFacts(facts: readonly Fact[], snapshot: Snapshot): readonly string[] {
  const users = usersByEmail(snapshot);
  return facts.flatMap((fact) => {
    const id = formatRef(fact.ref);
    const live = snapshot.resources.get(id) ?? users.get(id);
    if (fact.fact === 'exists') {
      if (live === undefined) return [`${id}, which it refers to, is gone`];
      return live.uid === fact.uid ? [] : [`${id}, which it refers to, was deleted and created again`];
    }
    if (fact.fact === 'value') {
      const value = live === undefined ? undefined : liveValue(live.record, fact);
      if (value !== undefined && sameJson(value, fact.value)) return [];
      return [`${fact.path} of ${id}, which it takes, is ${value === undefined ? 'not there' : 'another one'} now`];
    }
    if (fact.fact === 'handedOver') {
      const owner = live === undefined ? undefined : ownerOf(live.record);
      if (owner === undefined || owner === fact.to) return [];
      return [`${id}, which is handed over to the stack ${fact.to}, belongs to the stack ${owner}`];
    }
    const closure = snapshot.closures.get(live?.ref.name ?? '');
    if (live === undefined || closure === undefined) return []; // deleted: the pin of its deletion reports it
    if (!closure.known) return [`the content of ${id} cannot be listed`];
    const approved = new Set(fact.holds.map((held) => `${held.id} ${held.uid}`));
    return closure.children
      .filter((child) => !approved.has(`${child.id} ${child.uid}`))
      .map((child) => `${id} contains ${child.id}, which would be deleted with it and was not shown`);
  });
}

/** Sentences about resources of others that an update affects and that came after the approval. */
export function newVictims({ changes, stack, org }: Plan, snapshot: Snapshot, hash: Hash): readonly string[] {
  const ids = new Set(changes.map(({ id }) => id));
  return changes.flatMap(({ id, name, takes, victims }) => {
    if (takes === undefined) return [];
    const shown = new Set(victims);
    const children = snapshot.closures.get(name)?.children ?? [];
    return affectedChildren(takes, children, org)
      .filter((child) => !ids.has(child.id) && !shown.has(child.id))
      .filter((child) => !isOwned(ownershipOf(child, stack, org, hash)))
      .map((child) => `the change of ${id} affects ${child.id}, which was not shown`);
  });
}

/**
 * Sentences about GVCs that are deleted or lose something and that this token cannot view fully: the plan may have been
 * made with another token.
 */
export function unseenIn({ changes }: Plan, { closures }: Snapshot, { options }: Pick<SavedPlan, 'options'>) {
  if (options.allowUnseen === true) return [];
  return changes.flatMap(({ id, name, kind, action, takes }) => {
    const isConcerned = isContainer(kind) && (action === 'delete' || takes !== undefined);
    const { unseen = [] } = (isConcerned ? closures.get(name) : undefined) ?? {};
    return unseen.map(
      (each) => `this token cannot view every ${each} in ${id}, so more than was shown may be affected`,
    );
  });
}
