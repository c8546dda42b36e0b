import type { DesiredResource } from '../manifest/model/manifest.ts';
import type { LiveResource, Snapshot } from '../manifest/live/snapshot.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import { noteCapacity } from './checks/capacityNotes.ts';
import { refuseDrafts } from './checks/refuseChanges.ts';
import { noteDangling } from './references/danglingNotes.ts';
import { draftDeclared } from './draft/declared.ts';
import { refuseLostValues } from './checks/lostValues.ts';
import { type Closures, closeOverContainers } from './consequences/gvcCascade.ts';
import { type Draft, deletes } from './model/draft.ts';
import { findEdges } from './order/edges.ts';
import { findHolders, type Holders, knownLive } from './references/referrers.ts';
import { orderChanges } from './order/orderChanges.ts';
import type { Change, Plan } from './model/plan.ts';
import type { PlanOptions } from './model/planOptions.ts';
import { leftReferences } from './references/danglingReferences.ts';
import { withLostData } from './model/dataLoss.ts';
import { makePlanning, type Planning } from './model/planContext.ts';
import { compareText } from './model/refusal.ts';
import { draftUndeclared } from './draft/undeclared.ts';
import { awaitKept } from './rename/renameEdges.ts';
import { noteOldNames } from './rename/renameNotes.ts';
import { takeDependents } from './consequences/replaceDependents.ts';
import { countApplyRequests } from './order/applyRequests.ts';
import { assessRisk } from './impact/risk.ts';
import { noteSecrets } from './checks/secretNotes.ts';
import {
  type Selection,
  partialDrafts,
  selectChanges,
  selectionNote,
  tellSelection,
} from './consequences/selection.ts';
import { storageUse } from './impact/storage.ts';
import { findVictims } from './consequences/victims.ts';
import { refuseWhole } from './checks/refusePlan.ts';

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
  const whole = settle(drafted, known, planning);
  const selection = selectChanges(whole.drafts, whole.holders, planning);
  const settled = selection === undefined ? whole : settle(partialDrafts(drafted, selection), known, planning);
  const { holders, bystanders } = settled;
  const drafts = finish(settled, known, selection, planning);

  const edges = findEdges(drafts, holders, planning);
  const ordered = awaitKept(orderChanges(drafts, edges), edges).map(settleAction);
  const left = new Set(selection?.leftOut.map(({ id }) => id));
  const changes = ordered.filter(({ id }) => !left.has(id));
  const storage = storageUse(drafts, known, planning);
  return {
    formatVersion: 1,
    org: planning.org,
    stack: options.owner,
    changes,
    refusals: refuseWhole(drafts, [...bystanders.values()].flat().length, planning),
    notes: [
      ...(selection === undefined ? [] : [selectionNote(selection, options)]),
      ...trailNotes(changes, snapshot),
      ...(options.destroys === true && drafts.size === 0 ? [nothingOwned(planning.org, options)] : []),
    ],
    requests: { snapshot: snapshot.requests, apply: countApplyRequests(changes, snapshot) },
    ...(snapshot.preconditions === undefined ? {} : { preconditions: snapshot.preconditions }),
    ...(snapshot.dryRun === undefined ? {} : { dryRun: snapshot.dryRun }),
    ...(storage === undefined ? {} : { storage }),
    ...(selection === undefined ? {} : { leftOut: selection.leftOut }),
  };
}

/** A wrong name looks like a stack that is gone. */
function nothingOwned(org: string, { owner }: PlanOptions): string {
  return `nothing in the org ${org} belongs to a stack ${owner}; if you expected something, check --stack, --org and the endpoint`;
}

/** Said where it matters: something is created that may have been there before. */
function trailNotes(changes: readonly Change[], { trailUnread }: Snapshot): readonly string[] {
  if (trailUnread !== true || !changes.some(({ action }) => action === 'create')) return [];
  return [
    'the audit trail cannot be read: what an unfinished replacement deleted is created from the code alone, without tags of others and values of lifecycle.ignore',
  ];
}

interface Settled {
  readonly drafts: ReadonlyMap<ResourceId, Draft>;
  readonly holders: Holders;
  readonly bystanders: Closures['bystanders'];
}

/** What goes along with what is deleted or replaced. */
function settle(
  drafted: ReadonlyMap<ResourceId, Draft>,
  known: ReadonlyMap<ResourceId, LiveResource>,
  planning: Planning,
): Settled {
  const { drafts: closed, bystanders } = closeOverContainers(drafted, known, planning);
  const holders: Holders = [...closed.values()].some(deletes) ? findHolders(known, planning) : new Map();
  return { drafts: takeDependents(closed, holders, planning), holders, bystanders };
}

/** What the changes do to others, what speaks against them, and how bad they can be. */
function finish(
  { drafts, holders, bystanders }: Settled,
  known: ReadonlyMap<ResourceId, LiveResource>,
  selection: Selection | undefined,
  planning: Planning,
): ReadonlyMap<ResourceId, Draft> {
  const along = new Set([...bystanders.values()].flat().map(({ id }) => id));
  const left = leftReferences(drafts, known, along, planning);
  const whole = refuseLostValues(findVictims(drafts, planning), planning);
  const checked = refuseDrafts(whole, bystanders, holders, left, planning);
  const told = selection === undefined ? checked : tellSelection(checked, selection);
  const capacity = noteCapacity(noteOldNames(noteDangling(told, left, planning), holders, planning));
  const noted = noteSecrets(capacity, known, planning);
  return new Map(
    [...noted].map(([id, draft]) => [id, assessRisk(withLostData(draft, bystanders.get(id) ?? []), planning.org)]),
  );
}

function byId(drafts: readonly Draft[]): ReadonlyMap<ResourceId, Draft> {
  return new Map([...drafts].sort((a, b) => compareText(a.id, b.id)).map((draft) => [draft.id, draft]));
}

function settleAction(change: Change): Change {
  return change.refusals.length === 0 ? change : { ...change, action: 'refuse', intended: change.action };
}
