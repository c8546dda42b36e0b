import type { LiveResource, Snapshot } from '../manifest/live/snapshot.ts';
import { type Change, checkedChange, type Edge } from '../plan/model/change.ts';
import type { Plan } from '../plan/model/plan.ts';
import { isMarkedToReplace } from '../plan/record/replacementMark.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import { hasLanded, isPastThen, notCreatedBy } from './reply/lostReply.ts';
import { movedFields } from './reply/movedFields.ts';
import { isSameWrite } from './reply/sameWrite.ts';
import { movement } from './run/applyErrors.ts';
import type { Replan } from './run/run.ts';
import { unapprovedData } from './steps/unapprovedData.ts';

/** How far a change of an approved plan has come, judged by the live record. */
export type Progress =
  /** To be carried out as it was approved. */
  | { readonly as: 'open' }
  /** Other fields of its record were written since: the same write, with the pin of the record as it is. */
  | { readonly as: 'repinned'; readonly change: Change }
  /** Its first write was carried out, and the second one was not. */
  | { readonly as: 'half'; readonly live: LiveResource }
  | { readonly as: 'done' }
  /** The record is not what was approved. `moved`: in words, without values. */
  | { readonly as: 'stale'; readonly moved: string; readonly live: LiveResource | undefined };

const open = { as: 'open' } as const;
const done = { as: 'done' } as const;

/** How far each change of an approved plan has come. `replan`: see `progressOf`. */
export function progressOfAll(
  { changes, org }: Plan,
  { resources }: Snapshot,
  replan: Replan,
): ReadonlyMap<ResourceId, Progress> {
  const made = changes.filter(({ action }) => action !== 'keep');
  return new Map(made.map((change) => [change.id, progressOf(change, resources.get(change.id), replan, org)]));
}

/** Compares the approved change with the live record; `replan` decides if only the version differs. */
export function progressOf(change: Change, live: LiveResource | undefined, replan: Replan, org: string): Progress {
  switch (change.action) {
    case 'create':
      return live === undefined ? open : createdAlready(change, live, org);
    case 'replace':
      if (live === undefined) return open; // its deletion may have been carried out
      if (isPinned(change, live) || isMarked(change, live)) return deletable(change, live);
      return live.uid === change.liveUid ? stale(change, live) : createdAlready(change, live, org);
    case 'delete':
      if (live === undefined || live.uid !== change.liveUid) return done;
      return isPinned(change, live) || isMarked(change, live) ? deletable(change, live) : stale(change, live);
    case 'patch':
    case 'adopt':
    case 'forget':
      return patchedAlready(change, live, replan, org);
    case 'keep':
    case 'refuse':
      return done;
  }
}

function isPinned({ liveUid, liveVersion }: Change, live: LiveResource): boolean {
  return live.uid === liveUid && live.version === liveVersion;
}

/** Has the interrupted run only marked the record for replacement? */
function isMarked({ liveUid, liveVersion = 0 }: Change, { uid, version, record }: LiveResource): boolean {
  return uid === liveUid && version === liveVersion + 1 && isMarkedToReplace(record);
}

/** What is not of its record may have come since, too. */
function deletable(change: Change, live: LiveResource): Progress {
  const data = unapprovedData([live], change.losesData);
  return data === undefined ? open : { as: 'stale', moved: data, live };
}

function stale(change: Change, live: LiveResource | undefined): Progress {
  return { as: 'stale', moved: movement(live, change.liveUid, change.liveVersion), live };
}

function createdAlready(change: Change, live: LiveResource, org: string): Progress {
  if (isPastThen(change, live)) return done;
  const moved = notCreatedBy(change, live, org);
  if (moved !== undefined) return { as: 'stale', moved, live };
  return change.then === undefined ? done : { as: 'half', live };
}

function patchedAlready(change: Change, live: LiveResource | undefined, replan: Replan, org: string): Progress {
  const { patch, expected, then, expectedThen, liveUid } = change;
  if (live === undefined) return change.action === 'forget' ? done : stale(change, live);
  if (live.uid !== liveUid) return stale(change, live);
  if (isPinned(change, live)) return open;
  if (then !== undefined && hasLanded({ body: then.expose(), expected: expectedThen }, live, org)) return done;
  if (patch !== undefined && hasLanded({ body: patch.expose(), expected }, live, org)) {
    return then === undefined ? done : { as: 'half', live };
  }
  const again = replan(change.id, live);
  if (again === undefined) return done;
  const moved = movedFields(change, again);
  if (moved.length > 0 || patch === undefined || !isSameWrite(change, patch.expose(), again)) {
    return { as: 'stale', moved: [movement(live, liveUid, change.liveVersion), ...moved].join('; '), live };
  }
  return { as: 'repinned', change: repinned(change, again) };
}

/** The approved change with the bodies of the record as it is now; its place among the others stays. */
function repinned(change: Change, again: Change): Change {
  const { patch, expected, then, expectedThen, liveVersion } = again;
  return checkedChange({
    ...change,
    ...(patch === undefined ? {} : { patch }),
    ...(expected === undefined ? {} : { expected }),
    ...(then === undefined ? {} : { then }),
    ...(expectedThen === undefined ? {} : { expectedThen }),
    ...(liveVersion === undefined ? {} : { liveVersion }),
  });
}

/** The rest of an approved plan. Changes that are done count as kept; nothing waits for them. */
export function remainingPlan(plan: Plan, standings: ReadonlyMap<ResourceId, Progress>): Plan {
  const half = new Set([...standings].filter(([, { as }]) => as === 'half').map(([id]) => id));
  return { ...plan, changes: plan.changes.map((change) => changeLeft(change, standings.get(change.id) ?? open, half)) };
}

function changeLeft(change: Change, standing: Progress, half: ReadonlySet<ResourceId>): Change {
  switch (standing.as) {
    case 'done':
      return kept(change);
    case 'half':
      return secondStep(change, standing.live, half);
    case 'repinned':
      return waiting(standing.change, half);
    case 'open':
    case 'stale':
      return waiting(change, half);
  }
}

/** What is done may still have to become ready. */
function kept({ id, ref, kind, name, gvc, wait, waitTimeoutMs }: Change): Change {
  return {
    id,
    ref,
    kind,
    name,
    ...(gvc === undefined ? {} : { gvc }),
    action: 'keep',
    reason: '',
    fields: [],
    requires: [],
    cascadesTo: [],
    wait,
    ...(waitTimeoutMs === undefined ? {} : { waitTimeoutMs }),
    refusals: [],
    notes: [],
  };
}

/** The second PATCH of a change as the only one. */
function secondStep(change: Change, live: LiveResource, half: ReadonlySet<ResourceId>): Change {
  const { then, thenRequires = [], expectedThen, create: _create, deleteRequires: _requires, ...others } = change;
  if (then === undefined || expectedThen === undefined) return change;
  const { renamedFrom: _from, losesData: _data, ...rest } = others;
  return checkedChange({
    ...rest,
    action: 'patch',
    requires: stillWaiting(thenRequires, half),
    liveUid: live.uid,
    liveVersion: live.version,
    patch: then.with((body) => ({ ...body, id: live.uid, version: live.version })),
    expected: expectedThen,
  });
}

function waiting(change: Change, half: ReadonlySet<ResourceId>): Change {
  const { requires, thenRequires, deleteRequires } = change;
  return checkedChange({
    ...change,
    requires: stillWaiting(requires, half),
    ...(thenRequires === undefined ? {} : { thenRequires: stillWaiting(thenRequires, half) }),
    ...(deleteRequires === undefined ? {} : { deleteRequires: stillWaiting(deleteRequires, half) }),
  });
}

/** If the first step of a change is done, only its second step can be waited for. */
function stillWaiting(edges: readonly Edge[], half: ReadonlySet<ResourceId>): readonly Edge[] {
  return edges.filter(({ on, step }) => !half.has(on) || step === 'then');
}
