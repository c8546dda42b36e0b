import { compareText } from '../../base/text/compareText.ts';
import type { LiveResource, Snapshot } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import type { Plan } from '../../plan/model/plan.ts';
import type { PlanOptions } from '../../plan/model/planOptions.ts';
import { savedRecord } from '../../plan/record/savedRecord.ts';
import { formatRef, type ResourceId } from '../../schema/record/ref.ts';
import { factsOf } from './facts.ts';
import type { SavedInputs, SavedPlan } from './savedPlan.ts';

/** A plan, and what it was made from. */
export interface PlanToSave {
  readonly plan: Plan;
  readonly desired: readonly DesiredResource[];
  /** Further declarations whose marks apply to live records: of resources that the plan deletes. */
  readonly marking?: readonly DesiredResource[];
  readonly snapshot: Snapshot;
  readonly options: PlanOptions;
  /** The ids of the policies that it was made under; absent: there are none. */
  readonly policies?: readonly string[];
}

/**
 * The part of a plan that is worth keeping: everything about what it changes, and the facts that it used of everything
 * else.
 */
export function savedPlanOf(
  { plan, desired, marking = [], snapshot, options, policies }: PlanToSave,
  inputs: SavedInputs,
): SavedPlan {
  const {
    owner: _owner,
    hash: _hash,
    destroys: _destroys,
    declaredHere: _declaredHere,
    promised: _promised,
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
    live: keptLive(changed, snapshot, marksOf([...marking, ...desired])),
    facts: factsOf(plan, desired, snapshot),
    secrets: [],
    fingerprints: undefined,
    ...(policies === undefined ? {} : { judged: { policies, beside: desired.filter(({ id }) => !changed.has(id)) } }),
  };
}

/** The declaration whose marks apply to a record: its own, or that of the resource that replaces it. */
function marksOf(desired: readonly DesiredResource[]): ReadonlyMap<ResourceId, DesiredResource> {
  const marked = desired.filter(({ lifecycle }) => lifecycle.sensitive !== undefined);
  const before = marked.flatMap((resource) => {
    const { previously } = resource.lifecycle;
    return previously === undefined ? [] : [[formatRef({ ...resource.ref, name: previously }), resource] as const];
  });
  return new Map([...before, ...marked.map((resource) => [resource.id, resource] as const)]);
}

function keptLive(
  changed: ReadonlySet<ResourceId>,
  snapshot: Snapshot,
  marks: ReadonlyMap<ResourceId, DesiredResource>,
): ReadonlyMap<ResourceId, LiveResource> {
  const along = [...snapshot.closures.values()].flatMap(({ children }) => children);
  const all = new Map([...along.map((live) => [live.id, live] as const), ...snapshot.resources]);
  const touched = [...all.values()].filter(({ id }) => changed.has(id));
  return new Map(
    touched
      .map((live) => [live.id, { ...live, record: savedRecord(live, marks.get(live.id)) }] as const)
      .sort(([a], [b]) => compareText(a, b)),
  );
}
