import { present } from '../base/json/present.ts';
import { ToolError } from '../base/toolError.ts';
import type { DesiredResource } from '../manifest/model/manifest.ts';
import type { Platform } from '../project/platform/platform.ts';
import { phase, type Session } from '../project/session/session.ts';
import { effectiveLimits } from '../project/settings/effectiveLimits.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import type { NewPlan, Rehearse, StoredPlan, UndoOptions } from './gantry.ts';
import { type RehearsalConditions, Rehearsals } from './plan.ts';
import { storedPlan } from './saved.ts';
import { toSavedPlan } from './savedPlan/file.ts';
import { planUndo } from './savedPlan/planUndo.ts';

interface UndoPlanOptions {
  readonly permits?: Omit<UndoOptions, 'signal' | 'rehearse'>;
  readonly rehearse?: Rehearse | undefined;
  /** Whether it is saved in a signed file. */
  readonly isSigned?: boolean;
  /** The positions of the plan's changes; absent: those in its declarations. */
  readonly places?: readonly DesiredResource[];
  /** Resources that the undos of later stacks delete before. */
  readonly deletedBefore?: ReadonlySet<ResourceId>;
  /** The rehearsals, also of the undos of later stacks. */
  readonly rehearsals?: Rehearsals;
}

/**
 * The plans that undo the plans of one file, the last one first: records of later stacks that use a stack's resources
 * are deleted before these. If a run stopped early, changes that were not begun are omitted. Errors: as `undoPlan`.
 */
export async function undoAll(
  session: Session,
  platform: Platform,
  plans: readonly StoredPlan[],
  how: Omit<UndoPlanOptions, 'deletedBefore' | 'rehearsals'>,
): Promise<readonly StoredPlan[]> {
  const deletedBefore = new Set<ResourceId>();
  const rehearsals = new Rehearsals();
  const undone: StoredPlan[] = [];
  const skipped: ToolError[] = [];
  let hasChanged = false;
  for (const plan of plans.toReversed()) {
    const undo = await undoPlan(session, platform, plan, { ...how, deletedBefore, rehearsals }).catch(nothingToUndo);
    if (undo instanceof ToolError) {
      skipped.push(undo);
      if (plans.length > 1) await session.tell({ type: 'note', text: `${plan.plan.stack}: ${undo.message}` });
      continue;
    }
    for (const { id, action } of undo.plan.changes) if (action === 'delete') deletedBefore.add(id);
    undone.push(undo);
    hasChanged ||= !plan.isEmpty;
  }
  const [first] = skipped;
  if (!hasChanged && first !== undefined) throw first;
  return undone;
}

/** The error if this plan has nothing to undo, which does not stop the others. */
function nothingToUndo(error: unknown): ToolError {
  if (error instanceof ToolError && (error.code === 'undo.not-applied' || error.code === 'undo.done')) return error;
  throw error;
}

/**
 * The plan that undoes an applied one. If nothing can be undone it is empty, and its notes say why. Errors:
 * `undo.done`, `undo.not-applied`, `undo.unfinished`, `plan.stale`.
 */
export async function undoPlan(
  session: Session,
  platform: Platform,
  plan: NewPlan | StoredPlan,
  {
    permits = {},
    rehearse = false,
    isSigned = false,
    places,
    deletedBefore,
    rehearsals = new Rehearsals(),
  }: UndoPlanOptions = {},
): Promise<StoredPlan> {
  const unsavedPlan = { ...plan, folder: session.cwd, policies: () => Promise.resolve(undefined) };
  const { folder, settings, policies } = 'saved' in plan ? plan : unsavedPlan;
  const saved = 'saved' in plan ? plan.saved : await toSavedPlan(plan, plan.inputs, session);
  const limits = effectiveLimits(settings);
  const how = { permits, limits, isSigned, isRehearsed: rehearse !== false, ...present({ deletedBefore }) };
  const undo = await phase(session, 'plan', () => planUndo(saved, platform, how));
  await session.tell({ type: 'plan', plan: undo.plan, from: undo });
  const run = async (as: RehearsalConditions) => {
    const { rehearse: start } = await import('../rehearsal/rehearse.ts');
    const { desired, snapshot, options, request } = undo;
    return start({ ...as, plan: undo.plan, desired, snapshot, options, request, resume: 'remainder' });
  };
  const rehearsal = await rehearsals.rehearseIfRequested(session, undo.plan, rehearse, run);
  const back = await toSavedPlan(undo, saved.inputs, session);
  const origin = { folder, settings, policies, verify: undefined };
  return storedPlan(back, origin, { rehearsal, ...present({ places }) });
}
