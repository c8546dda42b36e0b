import { ToolError } from '../base/toolError.ts';
import { isEmptyPlan } from '../plan/model/planState.ts';
import type { Platform } from '../project/platform/platform.ts';
import type { Session } from '../project/session/session.ts';
import { limitsInForce } from '../project/settings/inForce.ts';
import type { NewPlan, StoredPlan, UndoOptions } from './gantry.ts';
import { rehearseIfAsked, storedPlan } from './plans.ts';
import { toSavedPlan } from './savedPlan/file.ts';
import { planUndo } from './savedPlan/planUndo.ts';
import { rehearseUndo } from './savedPlan/rehearseUndo.ts';

/** The plan that takes an applied one back. Errors: those of `planUndo`, and `undo.impossible`. */
export async function undoPlan(
  plan: NewPlan | StoredPlan,
  { rehearse = false, ...permits }: Omit<UndoOptions, 'signal'>,
  platform: Platform,
  { cwd, environment }: Session,
): Promise<StoredPlan> {
  const { folder, settings, policies } = 'saved' in plan ? plan : { ...plan, folder: cwd, policies: undefined };
  const saved = 'saved' in plan ? plan.saved : await toSavedPlan(plan, plan.inputs, environment);
  const undo = await planUndo(saved, platform, {
    permits,
    limits: limitsInForce(settings),
    isRehearsed: rehearse !== false,
  });
  if (isEmptyPlan(undo.plan) && !isEmptyPlan(saved.plan)) throw nothingToTakeBack(undo.plan.notes);
  const rehearsal = await rehearseIfAsked(undo.plan, rehearse, (crash) => rehearseUndo(undo, { crash }));
  return storedPlan(
    await toSavedPlan(undo, saved.inputs, environment),
    { folder, settings, policies, verify: undefined },
    rehearsal,
  );
}

function nothingToTakeBack(notes: readonly string[]): ToolError {
  return new ToolError({
    code: 'undo.impossible',
    message: ['nothing of this plan can be undone', ...notes].join('\n  '),
    hint: 'The message lists the reason for each resource.',
  });
}
