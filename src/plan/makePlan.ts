import { present } from '../base/json/present.ts';
import { onceFor } from '../base/once.ts';
import { compareText } from '../base/text/compareText.ts';
import type { LiveResource, Snapshot } from '../manifest/live/snapshot.ts';
import type { DesiredResource } from '../manifest/model/manifest.ts';
import { ownerOf } from '../manifest/model/ownTags.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import { noteChanges, noteMissing } from './checks/notes.ts';
import { refuseChanges } from './checks/refuseChanges.ts';
import { refuseBeyondLimits, refuseNow, refusePlan } from './checks/refusePlan.ts';
import { recordsAround, withAccess } from './consequences/access.ts';
import { addConsequences, type Consequences, findVictims } from './consequences/cascade.ts';
import { assessRisk } from './consequences/risk.ts';
import {
  mayBeLeftOut,
  noteSelection,
  partialDrafts,
  type Selection,
  selectChanges,
  selectionNote,
  withoutExcluded,
} from './consequences/selection.ts';
import { storageUse } from './consequences/storage.ts';
import { draftDeclared, draftUndeclared } from './draft/declared.ts';
import type { Change, Refusal } from './model/change.ts';
import { type Draft, makeDraft } from './model/draft.ts';
import type { Plan, Waiting } from './model/plan.ts';
import { makePlanContext, type PlanContext } from './model/planContext.ts';
import type { PlanOptions } from './model/planOptions.ts';
import { unlisted } from './model/refusal.ts';
import { countApplyRequests } from './order/applyRequests.ts';
import { findEdges } from './order/edges.ts';
import { orderChanges } from './order/orderChanges.ts';
import { ownershipOf } from './record/ownership.ts';
import { learnDefaults } from './record/platformValues.ts';
import { declaredIn, stateNotes } from './references/handOver.ts';
import { type Need, needs } from './references/needs.ts';
import { danglingReferences } from './references/referrers.ts';
import { renamingsOf } from './references/rename.ts';

/**
 * The changes and their order: context -> drafts -> consequences -> checks -> order. Pure: equal input gives a
 * byte-equal plan, in any input order.
 *
 * Errors: DependencyCycleError (`plan.cycle`) if resources wait for each other and nothing can be postponed. Refused
 * changes are part of the plan; `isRefused` returns whether it may run.
 */
export function makePlan(desired: readonly DesiredResource[], snapshot: Snapshot, options: PlanOptions): Plan {
  const planning = makePlanContext(desired, snapshot, options);

  const declared = [...planning.desired.values()].map((resource) => draftDeclared(resource, planning));
  const all = byId([...declared, ...draftUndeclared(planning.known, planning)]);
  const turns = findWaiting(all, planning);
  const drafted = withoutWaiting(all, turns);

  // The drafts ignore defaults that were learnt only now, so they are made again.
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
  const affected =
    selection === undefined
      ? whole
      : withoutExcluded(addConsequences(partialDrafts(drafted, selection), planning), selection);

  const checked = check(affected, selection, planning);
  const drafts = later === undefined ? checked : refusedInAdvance(checked, turns, all, later);

  const edges = findEdges(drafts, affected.referrers, planning);
  const ordered = orderChanges(drafts, edges);
  const leftOut = new Set(selection?.leftOut.map(({ id }) => id));
  const changes = ordered.filter(({ id }) => !leftOut.has(id));
  const waiting = [...turns.waiting.values()].filter(({ id }) => drafts.get(id)?.action === 'keep' && !leftOut.has(id));
  const storage = storageUse(drafts, planning);
  const isApplied = options.moment?.isApplied === true;
  const objections = refuseAtMoment(changes, options);
  // The later deletions are included, so deletions are counted once.
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

/** The plan after the other stacks are applied, as far as it is known now. */
function planLater(
  desired: readonly DesiredResource[],
  turns: Turns,
  { snapshot, options: { others = [], ...options } }: PlanContext,
): Plan {
  const apart = others.map((other) => ({ ...other, inRun: false }));
  return makePlan(desired, afterOthers(snapshot, turns), { ...options, others: apart });
}

/** A later deletion that will be excluded is excluded now. */
function withoutLater(selection: Selection | undefined, later: Plan | undefined, turns: Turns): Selection | undefined {
  if (selection === undefined || later === undefined) return selection;
  const leftOut = [...selection.leftOut, ...(later.leftOut ?? []).filter(({ id }) => turns.waiting.has(id))];
  return { ...selection, leftOut: leftOut.sort((a, b) => compareText(a.id, b.id)) };
}

/** The refusals at the time of planning; none if nothing is written. */
function refuseAtMoment(changes: readonly Change[], options: PlanOptions): readonly Refusal[] {
  const { limits, rehearsed, moment, destroys } = options;
  if (moment === undefined || changes.every(({ action }) => action === 'keep')) return [];
  const { nowMs, isSigned = false } = moment;
  return refuseNow(limits ?? [], { nowMs, isRehearsed: rehearsed === true, isSigned, isApproved: false, destroys });
}

const laterWords = 'at the time of planning, an apply would be refused: ';

function laterNote({ message }: Refusal): string {
  return `${laterWords}${message}`;
}

/** The notes of a saved plan, without the objections from its planning: an apply decides those anew. */
export function lastingNotes(notes: readonly string[]): readonly string[] {
  return notes.filter((note) => !note.startsWith(laterWords));
}

/** A wrong name looks like a deleted stack. */
function nothingOwned(org: string, { owner }: PlanOptions): string {
  return (
    `no resource in the org ${org} belongs to the stack ${owner}; if you ` +
    'expected one, check --stack, --org and the endpoint'
  );
}

/** Added only if something is created that may have existed before. */
function trailNotes(changes: readonly Change[], { trailUnread }: Snapshot): readonly string[] {
  if (trailUnread !== true || !changes.some(({ action }) => action === 'create')) return [];
  return [
    'the audit trail cannot be read: resources that an unfinished replacement deleted are created from the ' +
      'manifests alone, without tags of other writers and without values under lifecycle.ignore',
  ];
}

/** Notes on deletions that a plan omits because the platform does not list everything. */
function gapNotes({ gaps }: Snapshot, { scope, destroys }: PlanOptions): readonly string[] {
  if (gaps === undefined || (scope === 'partial' && destroys !== true)) return [];
  return [
    destroys === true
      ? `${unlisted(gaps)}: resources of this stack that it does not show stay as they are`
      : `${unlisted(gaps)}: nothing is deleted because it is no longer declared`,
  ];
}

/** Adds effects on others, refusals, notes, risk and access changes. */
function check(
  { drafts, referrers, bystanders }: Consequences,
  selection: Selection | undefined,
  planning: PlanContext,
): ReadonlyMap<ResourceId, Draft> {
  // The usual plan: nothing below applies to it.
  if (selection === undefined && [...drafts.values()].every(({ action }) => action === 'keep')) {
    return noteMissing(drafts, planning);
  }
  const bystanderIds = new Set([...bystanders.values()].flat().map(({ id }) => id));
  const dangling = danglingReferences(drafts, bystanderIds, planning);
  let checked = refuseChanges(findVictims(drafts, planning), { bystanders, referrers, dangling }, planning);
  if (selection !== undefined) checked = noteSelection(checked, selection);
  checked = noteChanges(checked, { dangling, referrers }, planning);
  const records = recordsAround(checked, planning.known);
  const assessed = (draft: Draft): Draft =>
    withAccess(assessRisk(draft, planning.org, bystanders.get(draft.id)), records);
  return new Map([...checked].map(([id, draft]) => [id, assessed(draft)]));
}

function byId(drafts: readonly Draft[]): ReadonlyMap<ResourceId, Draft> {
  return new Map([...drafts].sort((a, b) => compareText(a.id, b.id)).map((draft) => [draft.id, draft]));
}

type Drafts = ReadonlyMap<ResourceId, Draft>;

/** The changes that come after other stacks of the run. */
interface Turns {
  readonly waiting: ReadonlyMap<ResourceId, Waiting>;
  /** The records of these stacks that will be changed or deleted before and then need nothing of it. */
  readonly released: ReadonlySet<ResourceId>;
}

const none: Turns = { waiting: new Map(), released: new Set() };

/**
 * The deletions that wait for other stacks of the same run: one of their records needs the resource now, and will have
 * released it once they are applied. A resource that waits for itself by way of another stack is refused.
 */
function findWaiting(drafts: Drafts, planning: PlanContext): Turns {
  const { options, org } = planning;
  const running = new Map((options.others ?? []).filter(({ inRun }) => inRun).map((each) => [each.owner, each]));
  const deleted = [...drafts.values()].filter(({ action }) => action === 'delete');
  if (running.size === 0 || deleted.length === 0) return none;

  const needsOf = onceFor((live: LiveResource): readonly Need[] => needs(live.ref, live.record, org));
  const going = new Map(deleted.flatMap(({ id, live }) => (live === undefined ? [] : [[id, live] as const])));
  const users: LiveResource[] = [];
  for (const live of planning.known.values()) {
    const other = running.get(ownerOf(live.record) ?? '');
    if (other === undefined || drafts.has(live.id)) continue;
    const ownership = ownershipOf(live, other.owner, org, options.hash);
    if (ownership.state !== 'ours') continue;
    const isDeclared = declaredIn(other.desired).has(live.id);
    if (!isDeclared && ownership.applied.retain) continue; // it is not deleted
    if (mayBeLeftOut(live.id, options)) continue;
    if (!isDeclared) going.set(live.id, live);
    users.push(live);
  }
  const free = withoutCycles(going, needsOf);

  const waiting = new Map<ResourceId, Waiting>();
  const wait = (live: LiveResource, after: string, kept: ReadonlySet<ResourceId>): void => {
    for (const { on, path } of needsOf(live)) {
      if (drafts.get(on)?.action !== 'delete' || !free.has(on) || kept.has(on) || waiting.has(on)) continue;
      // A new name that mounts the same volumes starts only after the old one is deleted.
      if (renamingsOf(planning).byOld.get(on)?.contested !== undefined) continue;
      waiting.set(on, { id: on, after, by: live.id, path });
    }
  };
  for (const live of users) {
    const after = ownerOf(live.record) ?? '';
    const declared = declaredIn(running.get(after)?.desired ?? []).get(live.id);
    const kept = declared === undefined ? [] : needs(declared.ref, declared.record, org).map(({ on }) => on);
    wait(live, after, new Set(kept));
  }
  // Waiting resources still have what they need themselves.
  for (const { id, after } of waiting.values()) {
    const live = going.get(id);
    if (live !== undefined) wait(live, after, new Set());
  }
  const released = users.map(({ id }) => id).filter((id) => !going.has(id) || free.has(id));
  return { waiting, released: new Set(released) };
}

/** The deletions that wait only for deletions outside of cycles. */
function withoutCycles(
  going: ReadonlyMap<ResourceId, LiveResource>,
  needsOf: (live: LiveResource) => readonly Need[],
): ReadonlySet<ResourceId> {
  const needed = new Map<ResourceId, readonly ResourceId[]>();
  /** By id, how many deletions must come first. */
  const before = new Map<ResourceId, number>();
  for (const [id, live] of going) {
    const ids = needsOf(live).flatMap(({ on }) => (on === id ? [] : [on]));
    needed.set(id, ids);
    for (const on of ids) before.set(on, (before.get(on) ?? 0) + 1);
  }
  const free = [...going.keys()].filter((id) => !before.has(id));
  for (const id of free) {
    for (const on of needed.get(id) ?? []) {
      const left = (before.get(on) ?? 0) - 1;
      before.set(on, left);
      if (left === 0) free.push(on);
    }
  }
  return new Set(free);
}

/** The drafts of this pass: waiting deletions are kept. */
function withoutWaiting(drafts: Drafts, { waiting }: Turns): Drafts {
  if (waiting.size === 0) return drafts;
  return new Map(
    [...drafts].map(([id, draft]) => {
      const wait = waiting.get(id);
      if (wait === undefined || draft.live === undefined) return [id, draft];
      const note = `it is deleted after the stack ${wait.after}: ${wait.by} needs it at ${wait.path} until then`;
      const { ref, live } = draft;
      return [id, { ...makeDraft({ id, ref, live }, { action: 'keep', reason: '', notes: [note] }), unchecked: true }];
    }),
  );
}

/** The snapshot after the other stacks have released their records. */
function afterOthers(snapshot: Snapshot, { released: letGo }: Turns): Snapshot {
  const closures = [...snapshot.closures].map(
    ([gvc, closure]) => [gvc, { ...closure, children: closure.children.filter(({ id }) => !letGo.has(id)) }] as const,
  );
  const resources = [...snapshot.resources].filter(([id]) => !letGo.has(id));
  return { ...snapshot, resources: new Map(resources), closures: new Map(closures) };
}

/** Refuses now, before anything is written, the deletions that would be refused when their turn comes. */
function refusedInAdvance(drafts: Drafts, { waiting }: Turns, planned: Drafts, later: Plan): Drafts {
  const refused = new Map(later.changes.filter(({ action }) => action === 'refuse').map((each) => [each.id, each]));
  return new Map(
    [...drafts].map(([id, draft]) => {
      const { refusals } = refused.get(id) ?? {};
      const deletion = planned.get(id);
      if (!waiting.has(id) || refusals === undefined || deletion === undefined) return [id, draft];
      return [id, { ...deletion, notes: draft.notes, refusals }];
    }),
  );
}
