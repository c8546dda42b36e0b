import type { DesiredResource } from '../manifest/manifest.ts';
import type { Snapshot } from '../manifest/snapshot.ts';
import type { ResourceId } from '../schema/ref.ts';
import { refuseDrafts } from './checks.ts';
import { noteDangling } from './dangling.ts';
import { draftDeclared } from './classify.ts';
import { closeOverContainers } from './closure.ts';
import { type Draft, deletes } from './draft.ts';
import { findEdges } from './edges.ts';
import { findHolders, type Holders, knownLive } from './holders.ts';
import { orderChanges } from './orderChanges.ts';
import type { Change, Plan, PlanOptions, Refusal } from './plan.ts';
import { makePlanning, type Planning } from './planning.ts';
import { compareText, refuse } from './refusals.ts';
import { draftUndeclared } from './removals.ts';
import { awaitKept } from './renameEdges.ts';
import { takeDependents } from './replacement.ts';
import { countApplyRequests } from './requests.ts';

/**
 * What would change, and in which order. Pure: equal input gives a byte-equal plan, in whatever order it came.
 *
 * Errors: DependencyCycleError (`plan.cycle`) when resources wait for each other and nothing can be left for later.
 * What is refused is part of the plan, which stays complete; `isRefused` says whether it may run.
 */
export function makePlan(desired: readonly DesiredResource[], snapshot: Snapshot, options: PlanOptions): Plan {
  const planning = makePlanning(desired, snapshot, options);
  const known = knownLive(planning);

  const declared = [...planning.desired.values()].map((resource) => draftDeclared(resource, planning));
  const drafted = byId([...declared, ...draftUndeclared(known, planning)]);
  const { drafts: closed, bystanders } = closeOverContainers(drafted, known, planning);

  const holders: Holders = [...closed.values()].some(deletes) ? findHolders(known, planning) : new Map();
  const settled = takeDependents(closed, holders, planning);
  const drafts = noteDangling(refuseDrafts(settled, bystanders, holders, planning), planning);

  const edges = findEdges(drafts, holders, planning);
  const changes = awaitKept(orderChanges(drafts, edges), edges).map(settleAction);
  return {
    formatVersion: 1,
    org: planning.org,
    stack: options.owner,
    changes,
    refusals: refuseWhole(drafts, [...bystanders.values()].flat().length, planning),
    notes: [],
    requests: { snapshot: snapshot.requests, apply: countApplyRequests(changes, snapshot.preconditions) },
    ...(snapshot.preconditions === undefined ? {} : { preconditions: snapshot.preconditions }),
  };
}

/** May this plan not run? */
export function isRefused(plan: Plan): boolean {
  return plan.refusals.length > 0 || plan.changes.some((change) => change.action === 'refuse');
}

/** Is there nothing to do? A refused plan is not empty. */
export function isEmptyPlan(plan: Plan): boolean {
  return plan.refusals.length === 0 && plan.changes.every((change) => change.action === 'keep');
}

function byId(drafts: readonly Draft[]): ReadonlyMap<ResourceId, Draft> {
  return new Map([...drafts].sort((a, b) => compareText(a.id, b.id)).map((draft) => [draft.id, draft]));
}

function settleAction(change: Change): Change {
  return change.refusals.length === 0 ? change : { ...change, action: 'refuse', intended: change.action };
}

/** Refusals that no single resource is to blame for. */
function refuseWhole(
  drafts: ReadonlyMap<ResourceId, Draft>,
  bystanders: number,
  { options, desired }: Planning,
): readonly Refusal[] {
  const deleted = [...drafts.values()].filter((draft) => draft.action === 'delete').length + bystanders;
  const { maxDeletes } = options;
  const removed = [...drafts.values()].filter((draft) => draft.action === 'delete' || draft.action === 'forget').length;
  return [
    ...(desired.size === 0 && removed > 0 && !options.allowEmpty ? [refuse.emptyStack(removed)] : []),
    ...(maxDeletes !== undefined && deleted > maxDeletes ? [refuse.tooMany(deleted, maxDeletes)] : []),
  ];
}
