import type { JsonValue } from '../base/json/json.ts';
import { present } from '../base/json/present.ts';
import type { Capabilities } from '../capabilities/capabilities.ts';
import { type LiveValues, liveReferences, liveValue } from '../manifest/live/liveReference.ts';
import type { LiveResource, Snapshot } from '../manifest/live/snapshot.ts';
import type { Body } from '../manifest/model/body.ts';
import { type Change, checkedChange, type Edge } from '../plan/model/change.ts';
import type { Plan } from '../plan/model/plan.ts';
import { isMarkedToReplace } from '../plan/record/replacementMark.ts';
import { isUnmoved, isUnwritten } from '../plan/record/savedRecord.ts';
import { versionAfter } from '../plan/record/version.ts';
import type { Replan } from '../plan/replan.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import { movement } from './applyErrors.ts';
import { filledChange } from './awaited.ts';
import { hasLanded, isPastThen, notCreatedBy } from './lostReply.ts';
import { unapprovedData } from './remove.ts';
import { isSameWrite, movedFields } from './sameWrite.ts';
import type { Creation, Deletion, Update } from './tasks.ts';

/** How far a change of an approved plan has come, judged by the live record. */
export type Progress =
  /** Not carried out yet; to be carried out as approved. */
  | { readonly as: 'open' }
  /** Other fields of its record were written since: the same write is pinned to the record as it is. */
  | { readonly as: 'repinned'; readonly change: Change }
  /** Its first write was carried out, and the second one was not. */
  | { readonly as: 'half'; readonly live: LiveResource; readonly then: Body; readonly expectedThen: Body }
  | { readonly as: 'done' }
  /** The record is not the approved one. `moved`: in words, without values. */
  | { readonly as: 'stale'; readonly moved: string; readonly live: LiveResource | undefined };

type Half = Extract<Progress, { readonly as: 'half' }>;

const open = { as: 'open' } as const;
const done = { as: 'done' } as const;

export interface Comparing {
  /** Decides if only the version differs. */
  readonly replan: Replan;
  readonly org: string;
  /** The records that the plan was made from; a changed version alone does not make a record stale. */
  readonly planned?: ReadonlyMap<ResourceId, LiveResource>;
  readonly capabilities?: Capabilities | undefined;
}

/** How far each change of an approved plan has come. */
export function progressOfAll(
  { changes }: Plan,
  { resources }: Snapshot,
  comparing: Comparing,
): ReadonlyMap<ResourceId, Progress> {
  const progress = new Map<ResourceId, Progress>();
  const isDone = (id: ResourceId): boolean => (progress.get(id) ?? done).as === 'done';
  for (const change of changes) {
    if (change.action === 'keep') continue;
    const values = awaitedNow(change, resources, isDone);
    if (values !== undefined) comparing.replan.learn?.(change.id, values);
    const known = values === undefined ? change : filledChange(change, values);
    progress.set(change.id, progressOf(known, resources.get(change.id), comparing));
  }
  return progress;
}

/**
 * The values that an earlier run may have written into the change; undefined if there are none, or if they are not
 * known yet. `isDone`: whether the record that they are read from is as the plan makes it.
 */
export function awaitedNow(
  { awaits }: Change,
  resources: Snapshot['resources'],
  isDone: (id: ResourceId) => boolean = () => true,
): LiveValues | undefined {
  if (awaits === undefined) return undefined;
  const values = new Map<string, JsonValue>();
  for (const reference of liveReferences([...awaits])) {
    const live = isDone(reference.id) ? resources.get(reference.id) : undefined;
    const value = live === undefined ? undefined : liveValue(live.record, reference);
    if (value === undefined) return undefined;
    values.set(reference.text, value);
  }
  return values;
}

/** Compares the approved change with the live record. */
export function progressOf(change: Change, live: LiveResource | undefined, comparing: Comparing): Progress {
  const { org } = comparing;
  switch (change.action) {
    case 'create':
      return live === undefined ? open : createdAlready(change, live, org);
    case 'replace':
      if (live === undefined) return open; // its deletion may have been carried out
      return live.uid === change.liveUid ? deletable(change, live, comparing) : createdAlready(change, live, org);
    case 'delete':
      return live?.uid === change.liveUid ? deletable(change, live, comparing) : done;
    case 'patch':
    case 'adopt':
    case 'forget':
      return patchedAlready(change, live, comparing);
    case 'keep':
    case 'refuse':
      return done;
  }
}

/** The record to delete exists. Data outside the record may have been added since, too. */
function deletable(change: Deletion, live: LiveResource, comparing: Comparing): Progress {
  const { liveVersion, losesData } = change;
  // The interrupted run may have marked it for replacement, but done no more.
  const isMarked = live.version === versionAfter(liveVersion) && isMarkedToReplace(live.record);
  if (!isAtVersion(comparing, live, liveVersion) && !isMarked && !isUnmovedIn(comparing, live))
    return stale(change, live);
  const data = unapprovedData([live], losesData);
  return data === undefined ? open : { as: 'stale', moved: data, live };
}

function isAtVersion(comparing: Comparing, live: LiveResource, version: number): boolean {
  return isUnwritten({ version, live: comparing.planned?.get(live.id) }, live, comparing);
}

function isUnmovedIn({ planned, org }: Comparing, live: LiveResource): boolean {
  const before = planned?.get(live.id);
  return before !== undefined && isUnmoved(before, live, org);
}

function stale(change: Change, live: LiveResource | undefined): Progress {
  return { as: 'stale', moved: movement(live, change.liveUid, change.liveVersion), live };
}

function createdAlready(change: Creation, live: LiveResource, org: string): Progress {
  if (isPastThen(change, live, org)) return done;
  const moved = notCreatedBy(change, live, org);
  return moved === undefined ? afterFirst(change, live) : { as: 'stale', moved, live };
}

function patchedAlready(change: Update, live: LiveResource | undefined, comparing: Comparing): Progress {
  const { replan, org } = comparing;
  const { patch, expected, then, expectedThen, liveUid, liveVersion } = change;
  if (live === undefined) return change.action === 'forget' ? done : stale(change, live);
  if (live.uid !== liveUid) return stale(change, live);
  if (isAtVersion(comparing, live, liveVersion)) return open;
  if (then !== undefined && hasLanded({ body: then.expose(), expected: expectedThen }, live, org, replan)) return done;
  if (hasLanded({ body: patch.expose(), expected }, live, org, replan)) return afterFirst(change, live);
  const again = replan(change.id, live);
  if (again === undefined) return done;
  const moved = movedFields(change, again);
  if (moved.length === 0 && isSameWrite(change, patch.expose(), again)) {
    return { as: 'repinned', change: repinned(change, again) };
  }
  return { as: 'stale', moved: [movement(live, liveUid, liveVersion), ...moved].join('; '), live };
}

/** The first step was carried out, and must not be repeated. */
function afterFirst({ then, expectedThen }: Change, live: LiveResource): Progress {
  return then === undefined || expectedThen === undefined ? done : { as: 'half', live, then, expectedThen };
}

/** The approved change with the bodies for the current record; its position in the order does not change. */
function repinned({ then: _then, expectedThen: _expected, ...change }: Update, again: Update): Change {
  const { patch, expected, liveVersion, then, expectedThen } = again;
  const second = then === undefined || expectedThen === undefined ? {} : { then, expectedThen };
  return checkedChange({ ...change, patch, expected, liveVersion, ...second });
}

/** The rest of an approved plan. Completed changes count as kept, and nothing waits for them. */
export function remainingPlan(
  plan: Plan,
  progress: ReadonlyMap<ResourceId, Progress>,
  { resources }: Pick<Snapshot, 'resources'>,
): Plan {
  const half = new Set([...progress].filter(([, { as }]) => as === 'half').map(([id]) => id));
  const left = (change: Change): Change =>
    remainingChange(change, progress.get(change.id) ?? open, half, resources.get(change.id));
  return { ...plan, changes: plan.changes.map(left) };
}

function remainingChange(
  change: Change,
  progress: Progress,
  half: ReadonlySet<ResourceId>,
  live: LiveResource | undefined,
): Change {
  switch (progress.as) {
    case 'done':
      return keptChange(change, live);
    case 'half':
      return secondStep(change, progress, half);
    case 'repinned':
      return waiting(progress.change, half);
    case 'open':
    case 'stale':
      return waiting(change, half);
  }
}

/** A completed change may still have to become ready. `live` is the record that counts as completed. */
function keptChange(
  { action, id, ref, kind, name, gvc, wait, waitTimeoutMs }: Change,
  live: LiveResource | undefined,
): Change {
  const isGone = action === 'delete' || action === 'forget';
  return {
    id,
    ref,
    kind,
    name,
    ...present({ gvc }),
    action: 'keep',
    reason: '',
    fields: [],
    requires: [],
    cascadesTo: [],
    wait,
    ...present({ waitTimeoutMs }),
    ...(isGone ? { unchecked: true } : live && { liveUid: live.uid, liveVersion: live.version }),
    refusals: [],
    notes: [],
  };
}

/** The change with its second PATCH as the only one. */
function secondStep(
  change: Change,
  { live: { uid, version }, then, expectedThen }: Half,
  half: ReadonlySet<ResourceId>,
): Change {
  const { thenRequires = [], then: _then, expectedThen: _expected, create: _create, ...others } = change;
  const { deleteRequires: _requires, renamedFrom: _from, losesData: _data, ...kept } = others;
  const { carries: _carries, unmarked: _unmarked, ...rest } = kept;
  return checkedChange({
    ...rest,
    action: 'patch',
    requires: stillWaiting(thenRequires, half),
    liveUid: uid,
    liveVersion: version,
    patch: then.with((body) => ({ ...body, id: uid, version })),
    expected: expectedThen,
  });
}

function waiting(change: Change, half: ReadonlySet<ResourceId>): Change {
  const { requires, thenRequires, deleteRequires } = change;
  return checkedChange({
    ...change,
    requires: stillWaiting(requires, half),
    ...present({ thenRequires: thenRequires === undefined ? undefined : stillWaiting(thenRequires, half) }),
    ...present({ deleteRequires: deleteRequires === undefined ? undefined : stillWaiting(deleteRequires, half) }),
  });
}

/** If the first step of a change is done, only its second step can be waited for. */
function stillWaiting(edges: readonly Edge[], half: ReadonlySet<ResourceId>): readonly Edge[] {
  return edges.filter(({ on, step }) => !half.has(on) || step === 'then');
}
