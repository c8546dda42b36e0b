import { fetchSnapshot, withClosures } from '../../client/fetchSnapshot.ts';
import { ToolError } from '../../errors/toolError.ts';
import type { Snapshot, SnapshotRequest } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import type { Limits } from '../../plan/model/limits.ts';
import { permitsOf } from '../../plan/model/permits.ts';
import { gvcsToList } from '../../plan/reading/gvcsToList.ts';
import type { SavedPlan } from '../../plan/saved/savedPlan.ts';
import type { PlanToSave } from '../../plan/saved/savedPlanOf.ts';
import { makeUndo, type UndoOptions, type UndoPermits, undoDeclarations } from '../../plan/undo/makeUndo.ts';
import { hiddenField } from '../../schema/facts/kindFacts.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { shortHash } from '../planning/hash.ts';
import { snapshotRequest } from '../planning/snapshotRequest.ts';
import type { Platform } from '../platform/platform.ts';
import { withoutHidden } from './hidden.ts';
import { producedBy } from './produced.ts';
import { staleError } from './stale.ts';
import { isTakenBack } from './takenBack.ts';

/** How a plan is taken back. */
export interface Undoing {
  readonly permits: UndoPermits;
  /** Of its environment, as they are now. */
  readonly limits: readonly Limits[];
  /** It is run on a copy of the platform before it is kept, which refuses it if anything is wrong. */
  readonly isRehearsed?: boolean;
}

/** The plan that takes another one back, with what was asked for it. */
export interface PlannedUndo extends PlanToSave {
  readonly request: SnapshotRequest;
}

/**
 * The plan that takes an applied plan back. Errors: `undo.done`, `undo.not-applied`; `plan.stale` where something was
 * written since.
 */
export async function planUndo(
  saved: SavedPlan,
  platform: Platform,
  { permits, limits, isRehearsed = false }: Undoing,
): Promise<PlannedUndo> {
  const desired = undoDeclarations(saved, shortHash);
  const request = undoRequest(saved, desired, platform.org);
  const read = await withoutHidden(await fetchSnapshot(platform.client, request), saved, platform);
  const snapshot = { ...read, directives: saved.directives };

  const { notApplied, moved } = producedBy(saved.plan, snapshot);
  if (notApplied.length + moved.length > 0 && isTakenBack(saved, snapshot, shortHash)) throw takenBackAlready();
  if (notApplied.length > 0) throw notAppliedYet(notApplied);
  if (moved.length > 0) throw await staleError(moved, platform, 'Plan from your code instead: it shows what differs.');
  const options: UndoOptions = {
    ...permitsOf(permits),
    limits,
    moment: { nowMs: Date.now(), isApplied: false },
    ...(isRehearsed ? { rehearsed: true } : {}),
  };
  const make = (state: Snapshot) => makeUndo(saved, state, options, shortHash);
  const undo = make(snapshot);
  const listed = await withClosures(platform.client, snapshot, gvcsToList(undo.plan, snapshot));
  return { ...(listed === snapshot ? undo : make(listed)), request };
}

/** Secrets are named only, so that their values are not read: they are not in the file either. */
function undoRequest({ plan, facts }: SavedPlan, desired: readonly DesiredResource[], org: string): SnapshotRequest {
  const visible = desired.filter(({ ref }) => hiddenField(ref.kind) === undefined);
  const request = snapshotRequest(visible, org, plan.stack);
  const changed = plan.changes.filter(({ action }) => action !== 'keep');
  return {
    ...request,
    referenced: [...request.referenced, ...changed.map(({ ref }) => ref), ...facts.map(({ ref }) => ref)],
  };
}

function notAppliedYet(ids: readonly ResourceId[]): ToolError {
  return new ToolError({
    code: 'undo.not-applied',
    message: `this plan was not applied, or not completely: ${ids.join(', ')}`,
    hint: 'Apply it completely first. Or what it created has been undone already.',
  });
}

function takenBackAlready(): ToolError {
  return new ToolError({
    code: 'undo.done',
    message: 'this plan has been undone already: everything is as it was before',
    hint: 'Nothing is left to undo. To make its changes again, plan from your code.',
  });
}
