import { refusedPlan } from '../../../apply/run/applyErrors.ts';
import { ToolError } from '../../../base/toolError.ts';
import type { UndoPermits } from '../../../change/undo/makeUndo.ts';
import { refusedByRehearsal } from '../../../gantry/planning/refusedByRehearsal.ts';
import { openSavedPlan, readPlanBytes } from '../../../gantry/savedPlan/file.ts';
import { planUndo } from '../../../gantry/savedPlan/planUndo.ts';
import { rehearseUndo } from '../../../gantry/savedPlan/rehearseUndo.ts';
import { openSavedProject } from '../../../gantry/savedPlan/savedProject.ts';
import { isEmptyPlan } from '../../../plan/model/planState.ts';
import { openPlatform } from '../../../project/platform/platform.ts';
import { phase } from '../../../project/session/tracing.ts';
import { limitsInForce } from '../../../project/settings/inForce.ts';
import type { Ending } from '../../../terminal/answer/ending.ts';
import type { CommandContext } from '../../../terminal/line/context.ts';
import type {
  GlobalOptions,
  NotifyOptions,
  PlanTextOptions,
  RehearseOption,
  SignOptions,
} from '../../../terminal/line/options.ts';
import { UsageError } from '../../../terminal/line/usageError.ts';
import { exitCode } from '../../../terminal/process/exitCode.ts';
import { rehearseIfAsked } from '../../applying/rehearseIfAsked.ts';
import { showRehearsed } from '../../applying/showRehearsed.ts';
import { observed } from '../../notifying/observed.ts';
import { planNote } from '../../notifying/planNote.ts';
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
