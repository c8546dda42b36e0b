import { present } from '../base/json/present.ts';
import { compareText } from '../base/text/compareText.ts';
import { storesData } from '../kinds/kindFacts.ts';
import type { Snapshot } from '../manifest/live/snapshot.ts';
import type { DesiredResource } from '../manifest/model/manifest.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import { refuseBeyondLimits, refuseNow } from './checks/limitChecks.ts';
import { refuseChanges } from './checks/refuseChanges.ts';
import { refusePlan } from './checks/refusePlan.ts';
import { noteSecrets } from './checks/secretNotes.ts';
import { cascadeGvcDeletions, type GvcCascades } from './consequences/gvcCascade.ts';
import { replaceDependents } from './consequences/replaceDependents.ts';
import {
  noteSelection,
  partialDrafts,
  type Selection,
  selectChanges,
  selectionNote,
} from './consequences/selection.ts';
import { afterOthers, refusedInAdvance, type Turns, takeTurns, withoutWaiting } from './consequences/turns.ts';
import { findVictims } from './consequences/victims.ts';
import { draftDeclared } from './draft/declared.ts';
import { draftUndeclared } from './draft/undeclared.ts';
import { recordsAround, withAccess } from './impact/access.ts';
import { assessRisk } from './impact/risk.ts';
import { storageUse } from './impact/storage.ts';
import { readVolumes } from './impact/volumes.ts';
import type { Change, Refusal } from './model/change.ts';
import { withDataLoss } from './model/dataLoss.ts';
import { deletedBefore, unreadFields } from './model/deletedBefore.ts';
import { type Draft, deletes, withRefusals } from './model/draft.ts';
import type { Plan } from './model/plan.ts';
import { makePlanContext, type PlanContext } from './model/planContext.ts';
import type { PlanOptions } from './model/planOptions.ts';
import { refuse, unlisted } from './model/refusal.ts';
import { countApplyRequests } from './order/applyRequests.ts';
import { findEdges } from './order/edges.ts';
import { orderChanges } from './order/orderChanges.ts';
import { learnDefaults } from './record/platformValues.ts';
import { noteDangling, noteMissing } from './references/danglingNotes.ts';
import { danglingReferences } from './references/danglingReferences.ts';
import { findReferrers, type Referrers } from './references/referrers.ts';
import { stateNotes } from './rename/handOver.ts';
import { awaitUnchanged } from './rename/renameEdges.ts';
import { noteOldNames } from './rename/renameNotes.ts';

const path = 'spec.initialCapacity';
const note = `${path} applies to new volumes only: existing volumes keep their size`;

/** Notes for what is set larger or smaller and stays as large as it is (platform/volumeset.shared). */
function noteCapacity(drafts: ReadonlyMap<ResourceId, Draft>): ReadonlyMap<ResourceId, Draft> {
  return new Map(
    [...drafts].map(([id, draft]) => [id, isFelt(draft) ? draft : { ...draft, notes: [...draft.notes, note] }]),
  );
}

/** Is there nothing that the new capacity does not reach? Where no volumes are shown, some may be there. */
function isFelt({ kind, action, live, fields }: Draft): boolean {
  if (!storesData(kind) || action === 'replace' || live === undefined) return true;
  if (!fields.some((field) => field.path === path)) return true;
  const volumes = readVolumes(live.record);
  return volumes !== undefined && [...volumes.values()].every(({ size }) => size === 0);
}

/**
 * The changes and their order: context -> drafts -> consequences -> checks -> order. Pure: equal input gives a
 * byte-equal plan, in whatever order the input is.
 *
 * Errors: DependencyCycleError (`plan.cycle`) if resources wait for each other and nothing can be postponed. Refused
 * changes are part of the plan; `isRefused` tells whether it may run.
 */
export function makePlan(desired: readonly DesiredResource[], snapshot: Snapshot, options: PlanOptions): Plan {
  const planning = makePlanContext(desired, snapshot, options);

  const declared = [...planning.desired.values()].map((resource) => draftDeclared(resource, planning));
  const all = byId([...declared, ...draftUndeclared(planning.known, planning)]);
  const turns = takeTurns(all, planning);
  const drafted = withoutWaiting(all, turns);

  // A plan that was drafted before it was known that there are other defaults than the documented ones leaves those out.
  const { capabilities } = snapshot;
  const before = capabilities?.isOtherwise('value.defaults');
  const learnt = learnDefaults(planning);
  if (capabilities?.isOtherwise('value.defaults') !== before) {
    const again = makePlan(desired, snapshot, options);
    return { ...again, notes: [...again.notes, ...learnt] };
  }

  const whole = addConsequences(drafted, planning);
  const later = turns.waiting.size === 0 ? undefined : planLater(desired, turns, planning);
  const selection = withoutLater(selectChanges(whole.drafts, whole.referrers, planning), later, turns);
  const affected = selection === undefined ? whole : addConsequences(partialDrafts(drafted, selection), planning);

  const checked = check(affected, selection, planning);
  const drafts = later === undefined ? checked : refusedInAdvance(checked, turns, all, later);

  const edges = findEdges(drafts, affected.referrers, planning);
  const ordered = awaitUnchanged(orderChanges(drafts, edges), edges);
  const leftOut = new Set(selection?.leftOut.map(({ id }) => id));
  const changes = ordered.filter(({ id }) => !leftOut.has(id));
  const waiting = [...turns.waiting.values()].filter(({ id }) => drafts.get(id)?.action === 'keep' && !leftOut.has(id));
  const storage = storageUse(drafts, planning);
  const isApplied = options.moment?.isApplied === true;
  const objections = refuseAtMoment(changes, options);
  // With the deletions that come later: what it deletes is counted once.
  const refusals = later?.refusals ?? [
    ...refusePlan(drafts, [...affected.bystanders.values()].flat().length, planning),
    ...refuseBeyondLimits({ changes }, options.limits ?? []),
    ...(isApplied ? objections : []),
  ];
  return {
    formatVersion: 1,
    org: planning.org,
    stack: options.owner,
    changes,
    refusals,
    notes: [
      ...(isApplied ? [] : objections.map(laterNote)),
      ...(selection === undefined ? [] : [selectionNote(selection, options)]),
      ...trailNotes(changes, snapshot),
      ...gapNotes(snapshot, options),
      ...stateNotes(drafts.values()),
      ...learnt,
      ...(options.destroys === true && drafts.size === 0 ? [nothingOwned(planning.org, options)] : []),
    ],
    requests: { snapshot: snapshot.requests, apply: countApplyRequests(changes, snapshot) },
    ...present({
      preconditions: snapshot.preconditions,
      dryRun: snapshot.dryRun,
      storage,
      leftOut: selection?.leftOut,
    }),
    ...(waiting.length === 0 ? {} : { waiting }),
    ...doubts(drafts),
  };
}

function doubts(drafts: ReadonlyMap<ResourceId, Draft>): Pick<Plan, 'inDoubt'> {
  const inDoubt = [...drafts.values()].flatMap(({ inDoubt, live, from = live }) =>
    inDoubt === true && from !== undefined ? [from.uid] : [],
  );
  return inDoubt.length === 0 ? {} : { inDoubt };
}

/** The plan that is made when the other stacks are applied, as far as it is known now. */
function planLater(
  desired: readonly DesiredResource[],
  turns: Turns,
  { snapshot, options: { others = [], ...options } }: PlanContext,
): Plan {
  const apart = others.map((other) => ({ ...other, inRun: false }));
  return makePlan(desired, afterOthers(snapshot, turns), { ...options, others: apart });
}

/** A deletion that comes later is left out now if it is left out then. */
function withoutLater(selection: Selection | undefined, later: Plan | undefined, turns: Turns): Selection | undefined {
  if (selection === undefined || later === undefined) return selection;
  const leftOut = [...selection.leftOut, ...(later.leftOut ?? []).filter(({ id }) => turns.waiting.has(id))];
  return { ...selection, leftOut: leftOut.sort((a, b) => compareText(a.id, b.id)) };
}

/** The refusals at the moment of planning; none where nothing is written. */
function refuseAtMoment(changes: readonly Change[], { limits, rehearsed, moment }: PlanOptions): readonly Refusal[] {
  if (moment === undefined || changes.every(({ action }) => action === 'keep')) return [];
  const { nowMs, isSigned = false } = moment;
  return refuseNow(limits ?? [], { nowMs, isRehearsed: rehearsed === true, isSigned, isApproved: false });
}

const laterWords = 'at the time of planning, an apply would be refused: ';

function laterNote({ message }: Refusal): string {
  return `${laterWords}${message}`;
}

/** The notes of a saved plan without what stood against it when it was made: an apply decides that anew. */
export function lastingNotes(notes: readonly string[]): readonly string[] {
  return notes.filter((note) => !note.startsWith(laterWords));
}

/** A wrong name looks like a stack that is gone. */
function nothingOwned(org: string, { owner }: PlanOptions): string {
  return (
    `no resource in the org ${org} belongs to the stack ${owner}; if you ` +
    'expected one, check --stack, --org and the endpoint'
  );
}

/** Said where it matters: something is created that may have been there before. */
function trailNotes(changes: readonly Change[], { trailUnread }: Snapshot): readonly string[] {
  if (trailUnread !== true || !changes.some(({ action }) => action === 'create')) return [];
  return [
    'the audit trail cannot be read: resources that an unfinished replacement deleted are created from the ' +
      'manifests alone, without tags of other writers and without values under lifecycle.ignore',
  ];
}

/** Notes on what a plan leaves undone where the platform does not list everything. */
function gapNotes({ gaps }: Snapshot, { scope, destroys }: PlanOptions): readonly string[] {
  if (gaps === undefined || (scope === 'partial' && destroys !== true)) return [];
  return [
    destroys === true
      ? `${unlisted(gaps)}: resources of this stack that it does not show stay as they are`
      : `${unlisted(gaps)}: nothing is deleted because it is no longer declared`,
  ];
}

interface Consequences {
  readonly drafts: ReadonlyMap<ResourceId, Draft>;
  readonly referrers: Referrers;
  readonly bystanders: GvcCascades['bystanders'];
}

/** The drafts, with all that is deleted or replaced along with theirs. */
function addConsequences(drafted: ReadonlyMap<ResourceId, Draft>, planning: PlanContext): Consequences {
  const { drafts, bystanders } = cascadeGvcDeletions(drafted, planning);
  const referrers: Referrers = [...drafts.values()].some(deletes) ? findReferrers(planning) : new Map();
  return { drafts: replaceDependents(drafts, referrers, planning), referrers, bystanders };
}

/** Adds what the changes do to others, what refuses them, what is noted, their risk, and who gains or loses access. */
function check(
  { drafts, referrers, bystanders }: Consequences,
  selection: Selection | undefined,
  planning: PlanContext,
): ReadonlyMap<ResourceId, Draft> {
  // The usual plan, which nothing else below has anything to say about.
  if (selection === undefined && [...drafts.values()].every(({ action }) => action === 'keep')) {
    return noteMissing(drafts, planning);
  }
  const along = new Set([...bystanders.values()].flat().map(({ id }) => id));
  const dangling = danglingReferences(drafts, along, planning);
  let checked = refuseLostValues(findVictims(drafts, planning), planning);
  checked = refuseChanges(checked, { bystanders, referrers, dangling }, planning);
  if (selection !== undefined) checked = noteSelection(checked, selection);
  checked = noteDangling(checked, dangling, planning);
  checked = noteOldNames(checked, referrers, planning);
  checked = noteCapacity(checked);
  checked = noteSecrets(checked, planning);
  const records = recordsAround(checked, planning.known);
  const assessed = (draft: Draft): Draft =>
    withAccess(assessRisk(withDataLoss(draft, bystanders.get(draft.id) ?? []), planning.org), records);
  return new Map([...checked].map(([id, draft]) => [id, assessed(draft)]));
}

function byId(drafts: readonly Draft[]): ReadonlyMap<ResourceId, Draft> {
  return new Map([...drafts].sort((a, b) => compareText(a.id, b.id)).map((draft) => [draft.id, draft]));
}

/** Resources that are created anew without the values that they should keep, because these cannot be read. */
function refuseLostValues(
  drafts: ReadonlyMap<ResourceId, Draft>,
  planning: PlanContext,
): ReadonlyMap<ResourceId, Draft> {
  const lost = [...drafts.values()].flatMap((draft) => {
    const fields = lostValues(draft, planning);
    return fields.length === 0 ? [] : [{ draft, fields }];
  });
  if (lost.length === 0 || planning.options.allowLostValues === lost.length) return drafts;
  const refused = lost.map(({ draft, fields }) => {
    const refusal = refuse.lostValues(fields, draft.action === 'replace', lost.length);
    return [draft.id, withRefusals(draft, [refusal])] as const;
  });
  return new Map([...drafts, ...refused]);
}

function lostValues({ action, desired, live }: Draft, planning: PlanContext): readonly string[] {
  if (desired === undefined) return [];
  const from = action === 'replace' ? live : action === 'create' ? deletedBefore(desired, planning) : undefined;
  return from === undefined ? [] : unreadFields(desired, from);
}
