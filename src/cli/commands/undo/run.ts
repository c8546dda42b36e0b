import { refusedPlan } from '../../../apply/run/applyErrors.ts';
import { fetchSnapshot } from '../../../client/fetchSnapshot.ts';
import { ToolError } from '../../../errors/toolError.ts';
import type { Snapshot, SnapshotRequest } from '../../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../../manifest/model/manifest.ts';
import { planToJson } from '../../../plan/documents/planToJson.ts';
import { permitsOf } from '../../../plan/model/permits.ts';
import { isEmptyPlan } from '../../../plan/model/planState.ts';
import type { SavedPlan } from '../../../plan/saved/savedPlan.ts';
import type { PlanToSave } from '../../../plan/saved/savedPlanOf.ts';
import { makeUndo, type UndoPermits, undoDeclarations } from '../../../plan/undo/makeUndo.ts';
import { hiddenField } from '../../../schema/facts/kindFacts.ts';
import type { ResourceId } from '../../../schema/record/ref.ts';
import type { Ending } from '../../answer/ending.ts';
import { show } from '../../answer/show.ts';
import type { CommandContext } from '../../line/context.ts';
import type { GlobalOptions, PlanTextOptions } from '../../line/options.ts';
import { UsageError } from '../../line/usageError.ts';
import { shortHash } from '../../planning/hash.ts';
import { listVictims } from '../../planning/listVictims.ts';
import { snapshotRequest } from '../../planning/snapshotRequest.ts';
import { planText } from '../../planText/showPlan.ts';
import { openPlatform, type Platform } from '../../platform/platform.ts';
import { exitCode } from '../../process/exitCode.ts';
import { openSavedProject } from '../../savedPlan/apply.ts';
import { openSavedPlan } from '../../savedPlan/file.ts';
import { withoutHidden } from '../../savedPlan/hidden.ts';
import { savedPlanAmong } from '../../savedPlan/path.ts';
import { producedBy } from '../../savedPlan/produced.ts';
import { saveIfAsked } from '../../savedPlan/saveIfAsked.ts';
import { staleError } from '../../savedPlan/stale.ts';
import { isTakenBack } from '../../savedPlan/takenBack.ts';

export interface UndoOptions extends GlobalOptions, PlanTextOptions, UndoPermits {
  readonly out?: string;
}

type UndoContext = CommandContext<UndoOptions>;

/** The plan that takes an applied plan back. Nothing is written to the platform. */
export async function runUndo(given: UndoContext, file: string): Promise<Ending> {
  if ((await savedPlanAmong([file], given)) === undefined) {
    throw new UsageError(`${file} is not a saved plan`, 'Save plans with gantry plan --out FILE.');
  }
  const saved = await openSavedPlan(file, given);
  const { context, project } = await openSavedProject(given, file, saved);
  const platform = await openPlatform(context, project.settings);
  try {
    const undo = await planUndo(saved, platform, context);
    await showUndo(undo, context);
    if (isEmptyPlan(undo.plan) && !isEmptyPlan(saved.plan)) throw nothingToTakeBack(given);
    const refused = refusedPlan(undo.plan);
    await saveIfAsked(undo, saved.inputs, refused !== undefined, given);
    return refused ?? exitCode.ok;
  } finally {
    await platform.close();
  }
}

/** Errors: `undo.done`, `undo.not-applied`; `plan.stale` where something was written since. */
async function planUndo(saved: SavedPlan, platform: Platform, { options }: UndoContext): Promise<PlanToSave> {
  const desired = undoDeclarations(saved, shortHash);
  const request = undoRequest(saved, desired, platform.org);
  const read = await withoutHidden(await fetchSnapshot(platform.client, request), saved, platform);
  const snapshot = { ...read, directives: saved.directives };

  const { notApplied, moved } = producedBy(saved.plan, snapshot);
  if (notApplied.length + moved.length > 0 && isTakenBack(saved, snapshot, shortHash)) throw takenBackAlready();
  if (notApplied.length > 0) throw notAppliedYet(notApplied);
  if (moved.length > 0) throw await staleError(moved, platform, 'Plan from your code instead: it shows what differs.');
  const permits = permitsOf(options);
  const make = (state: Snapshot) => makeUndo(saved, state, permits, shortHash);
  const undo = make(snapshot);
  const listed = await listVictims(undo.plan, snapshot, platform.client);
  return listed === snapshot ? undo : make(listed);
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

/** What was changed stays as it is, which is no success. The notes say why. */
function nothingToTakeBack({ options }: UndoContext): ToolError {
  const kept = options.out === undefined ? '' : `, so nothing was saved to ${options.out}`;
  return new ToolError({
    code: 'undo.impossible',
    message: `nothing of this plan can be undone${kept}`,
    hint: 'The notes of the plan above say why, for each resource.',
  });
}

function showUndo({ plan }: PlanToSave, context: UndoContext): Promise<void> {
  return show(context, { text: () => planText(plan, context), document: () => planToJson(plan) });
}
