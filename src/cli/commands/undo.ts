import { ToolError } from '../../base/toolError.ts';
import type { UndoPermits } from '../../change/makeUndo.ts';
import { openSaved, sessionOf } from '../../gantry/saved.ts';
import { readPlanBytes } from '../../gantry/savedPlan/file.ts';
import { undoAll } from '../../gantry/undo.ts';
import { openPlatform } from '../../project/platform/platform.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import type {
  GlobalOptions,
  NotifyOptions,
  PlanTextOptions,
  RehearseOption,
  SignOptions,
} from '../../terminal/options.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { eachStack } from '../steps/eachStack.ts';
import { findSavedPlan } from '../steps/findSavedPlan.ts';
import { withTraceAndNotices } from '../steps/observed.ts';
import { rehearseOf, showPlan } from '../steps/rehearsalText.ts';
import { saveIfAsked } from '../steps/saveIfAsked.ts';
import { openSigning } from '../steps/signing.ts';

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

/** The plan that undoes an applied plan. Writes nothing to the platform. */
export function runUndo(context: UndoContext, file: string): Promise<Ending> {
  return withTraceAndNotices(context, 'undo', (each) => planUndo(each, file));
}

async function planUndo(given: UndoContext, file: string): Promise<Ending> {
  if ((await findSavedPlan([file], given)) === undefined) {
    await readPlanBytes(file, given); // a missing file is not a usage error
    throw new UsageError(`${file} is not a saved plan`, 'Save plans with gantry plan --out FILE.');
  }
  const signing = await openSigning(given);
  const plans = await openSaved(given, file);
  const [first] = plans;
  if (first === undefined) return exitCode.ok;
  const context = sessionOf(first, given);
  const platform = await openPlatform(context, first.settings);
  try {
    const undone = await undoAll(context, platform, plans, {
      permits: context.options,
      rehearse: rehearseOf(given.options),
      isSigned: signing !== undefined,
      places: [],
    });
    const ending = await eachStack(undone, context, { count: undone.length }, async (undo, each) => {
      await showPlan(undo, each);
      return undo.refused ?? exitCode.ok;
    });
    if (undone.every(({ isEmpty }) => isEmpty) && !plans.every(({ isEmpty }) => isEmpty)) throw nothingToUndo(given);
    await saveIfAsked(undone, given, { from: first.folder, signing });
    return ending;
  } finally {
    await platform.close();
  }
}

/** All changed records would stay, which is not a success. The notes give the reasons. */
function nothingToUndo({ options }: UndoContext): ToolError {
  const notSaved = options.out === undefined ? '' : `, so nothing was saved to ${options.out}`;
  return new ToolError({
    code: 'undo.impossible',
    message: `nothing of this plan can be undone${notSaved}`,
    hint: 'The notes of the plan above say why, for each resource.',
  });
}
