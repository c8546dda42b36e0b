import { refusedPlan } from '../../../apply/run/applyErrors.ts';
import { refusedByRehearsal } from '../../../automation/planning/refusedByRehearsal.ts';
import { openPlatform } from '../../../automation/platform/platform.ts';
import { openSavedPlan, readPlanBytes } from '../../../automation/savedPlan/file.ts';
import { planUndo } from '../../../automation/savedPlan/planUndo.ts';
import { rehearseUndo } from '../../../automation/savedPlan/rehearseUndo.ts';
import { openSavedProject } from '../../../automation/savedPlan/savedProject.ts';
import { phase } from '../../../automation/session/tracing.ts';
import { limitsInForce } from '../../../automation/settings/inForce.ts';
import { ToolError } from '../../../errors/toolError.ts';
import { isEmptyPlan } from '../../../plan/model/planState.ts';
import type { UndoPermits } from '../../../plan/undo/makeUndo.ts';
import type { Ending } from '../../answer/ending.ts';
import type { CommandContext } from '../../line/context.ts';
import type { GlobalOptions, NotifyOptions, PlanTextOptions, RehearseOption, SignOptions } from '../../line/options.ts';
import { UsageError } from '../../line/usageError.ts';
import { planNote } from '../../notifying/planNote.ts';
import { observed } from '../../observing/observed.ts';
import { exitCode } from '../../process/exitCode.ts';
import { rehearseIfAsked } from '../../rehearsing/rehearseIfAsked.ts';
import { showRehearsed } from '../../rehearsing/showRehearsed.ts';
import { savedPlanAmong } from '../../savedPlan/among.ts';
import { saveIfAsked } from '../../savedPlan/saveIfAsked.ts';
import { openSigning } from '../../savedPlan/signing.ts';

export interface UndoOptions
  extends GlobalOptions,
    PlanTextOptions,
    RehearseOption,
    SignOptions,
    NotifyOptions,
    UndoPermits {
  readonly out?: string;
}

type UndoContext = CommandContext<UndoOptions>;

/** The plan that takes an applied plan back. Nothing is written to the platform. */
export function runUndo(context: UndoContext, file: string): Promise<Ending> {
  return observed(context, 'undo', (each) => planBack(each, file));
}

async function planBack(given: UndoContext, file: string): Promise<Ending> {
  if ((await savedPlanAmong([file], given)) === undefined) {
    await readPlanBytes(file, given); // a file that is not there is no wrong command line
    throw new UsageError(`${file} is not a saved plan`, 'Save plans with gantry plan --out FILE.');
  }
  const signing = await openSigning(given);
  const saved = await openSavedPlan(file, given);
  const { cwd, project } = await openSavedProject(given, file, saved);
  const context = { ...given, cwd, options: { ...given.options, org: saved.plan.org } };
  const platform = await openPlatform(context, project.settings);
  try {
    const limits = limitsInForce(project.settings);
    const isRehearsed = given.options.rehearse !== undefined;
    const how = { permits: context.options, limits, isRehearsed };
    const undo = await phase(context, 'plan', () => planUndo(saved, platform, how));
    context.onStack?.(planNote(undo.plan));
    const rehearsal = isRehearsed
      ? await phase(context, 'rehearse', () => rehearseIfAsked(undo.plan, context, (as) => rehearseUndo(undo, as)))
      : undefined;
    await showRehearsed({ plan: undo.plan }, rehearsal, context);
    await context.reports?.prove(undo);
    if (isEmptyPlan(undo.plan) && !isEmptyPlan(saved.plan)) throw nothingToTakeBack(given);
    const refused = refusedPlan(undo.plan) ?? refusedByRehearsal(rehearsal);
    await saveIfAsked(undo, given, {
      inputs: saved.inputs,
      from: cwd,
      refused: refused !== undefined,
      settings: project.settings,
      signing,
    });
    return refused ?? exitCode.ok;
  } finally {
    await platform.close();
  }
}

/** What was changed stays as it is, which is no success. The notes say why. */
function nothingToTakeBack({ options }: UndoContext): ToolError {
  const notSaved = options.out === undefined ? '' : `, so nothing was saved to ${options.out}`;
  return new ToolError({
    code: 'undo.impossible',
    message: `nothing of this plan can be undone${notSaved}`,
    hint: 'The notes of the plan above say why, for each resource.',
  });
}
