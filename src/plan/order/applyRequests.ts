import { becomesReady, isNamedByHost } from '../../kinds/kindFacts.ts';
import { isContainer } from '../../schema/record/kinds.ts';
import type { Ref, ResourceId } from '../../schema/record/ref.ts';
import { type Action, type Change, type Edge, plannedAction } from '../model/change.ts';
import { isKeptAsDeclared, type Plan, waitsUnchanged } from '../model/plan.ts';
import { firstVersion, versionAfter, versionBefore } from '../record/version.ts';

/** Maximum number of records read one by one if one query could read all that the stack owns. */
export const readsOneByOne = 10;

/** Reading a record, deleting it, and confirming the deletion. */
const deletionRequests = 3;
/** Marking a record before its replacement. */
const markingRequests = 1;
/** Lists of the content of a GVC before it is deleted or loses something: one for each GVC-scoped kind. */
const closureRequests = 3;

/**
 * The number of requests that the plan needs without repetitions: those of each step; to verify, one query for each
 * changed or declared kind, while one page is enough; one for each value that is known only then; one for each
 * unchanged resource that is waited for; one for each creation tried by a dry run; and, if it is unknown whether the
 * platform honours versions, one PATCH to test it. If it does not, each PATCH needs one more read, which is not counted
 * here: the result reports it.
 */
export function countApplyRequests(
  changes: readonly Change[],
  { preconditions, dryRun }: Pick<Plan, 'preconditions' | 'dryRun'> = {},
): number {
  const verified = changes.some(isTouched)
    ? changes.filter((change) => isTouched(change) || isKeptAsDeclared(change))
    : [];
  const kinds = new Set(verified.map(({ kind }) => kind));
  const unchanged = changes.filter(waitsUnchanged).length;
  const reading = unchanged > readsOneByOne ? 1 : unchanged;
  const asking = preconditions === 'unsaid' && changes.some(sendsPatch) ? 1 : 0;
  const marking = successionsIn(changes).size * markingRequests;
  const trying = dryRun === 'honoured' ? triedCreations(changes).size : 0;
  const steps = changes.reduce((sum, change) => sum + requestsOf(change), 0);
  const awaited = changes.reduce(
    (sum, { awaits = [], action }) => sum + awaits.length + (awaits.length > 0 && patching.has(action) ? 1 : 0),
    0,
  );
  return steps + marking + trying + kinds.size + asking + reading + awaited;
}

const patching: ReadonlySet<Action> = new Set<Action>(['patch', 'adopt', 'forget']);

/** Whether applying it sends a PATCH. */
export function sendsPatch(change: Change): boolean {
  return patching.has(plannedAction(change)) || change.then !== undefined;
}

function isTouched(change: Change): boolean {
  return plannedAction(change) !== 'keep';
}

function requestsOf(change: Change): number {
  const then = change.then === undefined ? 0 : 1;
  const ready = change.wait && becomesReady(change.kind) ? 1 : 0;
  switch (plannedAction(change)) {
    case 'keep':
      return ready;
    case 'create':
    case 'patch':
    case 'adopt':
    case 'forget':
      return (change.takes === undefined ? 0 : closureRequests) + 1 + then + ready;
    case 'replace':
      return deletionRequests + 1 + then + ready;
    case 'delete':
      if (change.via !== undefined) return 0;
      return deletionRequests + (isContainer(change.kind) ? closureRequests : 0);
  }
}

/**
 * Maps the id of the record deleted first to the id of the one created instead: the same id for a replacement, the new
 * name for a renaming whose old name must be deleted first.
 */
export function successionsIn(changes: readonly Change[]): ReadonlyMap<ResourceId, ResourceId> {
  const pairs = changes.flatMap((change): readonly (readonly [ResourceId, ResourceId])[] => {
    const action = plannedAction(change);
    if (action === 'replace') return [[change.id, change.id]];
    const old = action === 'create' ? change.renamedFrom : undefined;
    return old !== undefined && waitsFor(change, old) ? [[old, change.id]] : [];
  });
  return new Map(pairs);
}

function waitsFor({ requires }: Change, on: ResourceId): boolean {
  return requires.some((edge) => edge.on === on && !edge.soft);
}

/**
 * By the id of the record deleted first: the creations that replace it and can be tried before the deletion, if the
 * platform offers dry runs.
 *
 * Not tried: creations that wait for something after the deletion, because the platform would refuse them; children
 * that are deleted with their GVC, because they have no request of their own; and domains, because the dry run uses
 * another name.
 */
export function triedCreations(changes: readonly Change[]): ReadonlyMap<ResourceId, Change> {
  const byId = new Map(changes.map((change) => [change.id, change]));
  const tried = new Map<ResourceId, Change>();
  for (const [id, next] of successionsIn(changes)) {
    const [deleted, created] = [byId.get(id), byId.get(next)];
    if (deleted === undefined || created?.create === undefined) continue;
    if (deleted.via !== undefined || isNamedByHost(created.kind)) continue;
    if (isComplete(created, deleted)) tried.set(id, created);
  }
  return tried;
}

/** Whether everything that the creation waits for exists before the deletion. */
function isComplete({ id, requires }: Change, deleted: Change): boolean {
  const before = deleted.id === id ? (deleted.deleteRequires ?? []) : deleted.requires;
  return requires.every((edge) => edge.on === deleted.id || before.some((other) => isSame(edge, other)));
}

function isSame(edge: Edge, other: Edge): boolean {
  return edge.on === other.on && edge.step === other.step;
}

/** An empty PATCH, pinned to a version that the record does not have. */
export interface VersionProbe {
  readonly ref: Ref;
  readonly version: number;
  readonly body: { readonly id: string; readonly version: number };
}

export function probeOf(ref: Ref, uid: string, version: number): VersionProbe {
  return {
    ref,
    version,
    body: { id: uid, version: version > firstVersion ? versionBefore(version) : versionAfter(version) },
  };
}

/**
 * The PATCH with which an apply tests whether the platform honours versions; undefined if the test is unnecessary, or
 * no record for it exists yet. Sent to a record that the plan writes anyway, so that an installation which counts every
 * PATCH as a change restarts nothing else; to the smallest one, because the response may contain it. Adopted records
 * are not ours yet.
 */
export function versionProbe({ changes, preconditions }: Pick<Plan, 'changes' | 'preconditions'>) {
  if (preconditions !== 'unsaid') return undefined;
  for (const action of ['patch', 'forget', 'keep'] as const) {
    const sized = changes
      .filter((change) => change.action === action)
      .map((change) => ({ change, size: sizeOf(change) }));
    sized.sort((a, b) => a.size - b.size); // stable: plans are ordered
    for (const { change } of sized) {
      const { ref, liveUid: uid, liveVersion: version } = change;
      if (uid !== undefined && version !== undefined && change.part !== true) return probeOf(ref, uid, version);
    }
  }
  return undefined;
}

/** The same for readers of the plan; undefined if the apply sends no PATCH. */
export function announcedProbe(plan: Plan): VersionProbe | undefined {
  return plan.changes.some(sendsPatch) ? versionProbe(plan) : undefined;
}

function sizeOf({ expected }: Change): number {
  return expected === undefined ? 0 : JSON.stringify(expected.masked).length;
}
