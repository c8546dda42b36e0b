import { inOneRun } from '../../../gantry/loading/chooseStacks.ts';
import type { LoadedStack } from '../../../gantry/loading/loadStack.ts';
import { loadStacksOnPlatform } from '../../../gantry/loading/stackOnPlatform.ts';
import type { PlanInput } from '../../../gantry/planning/planFromPlatform.ts';
import type { OtherStack } from '../../../plan/model/otherStacks.ts';
import type { Plan } from '../../../plan/model/plan.ts';
import { isEmptyPlan } from '../../../plan/model/planState.ts';
import type { Platform } from '../../../project/platform/platform.ts';
import { phase } from '../../../project/session/tracing.ts';
import type { ResourceId } from '../../../schema/record/ref.ts';
import type { Ending } from '../../../terminal/answer/ending.ts';
import type { CommandContext } from '../../../terminal/line/context.ts';
import type { AllOption, ApplyCommandOptions } from '../../../terminal/line/options.ts';
import { planAndApply } from '../../applying/planAndApply.ts';
import { eachStack } from '../../line/eachStack.ts';
import { observed } from '../../notifying/observed.ts';
import { savedPlanAmong } from '../../savedPlan/among.ts';

type ApplyContext = CommandContext<ApplyCommandOptions & AllOption>;

export function runApplyCommand(context: ApplyContext, paths: readonly string[]): Promise<Ending> {
  return observed(context, 'apply', (each) => applyStacks(each, paths));
}

async function applyStacks(context: ApplyContext, paths: readonly string[]): Promise<Ending> {
  const file = await savedPlanAmong(paths, context);
  if (file !== undefined) return applyFile(context, file);
  const { stacks, platform } = await phase(context, 'load', () =>
    loadStacksOnPlatform(context, paths, context.options.all),
  );
  try {
    return await applyInTurn(inOneRun(stacks), platform, context);
  } finally {
    await platform.close();
  }
}

/**
 * What a stack needs of the ones before it is there when it is planned. What it deletes and another one still needs
 * waits: when all stacks are applied the run goes back, by plans that are made then, until nothing waits any more.
 */
async function applyInTurn(stacks: readonly LoadedStack[], platform: Platform, context: ApplyContext): Promise<Ending> {
  const turns = stacks.map(({ promised: _, ...stack }): Turn => ({ stack, waiting: new Set(), agreed: new Set() }));
  let before = Number.POSITIVE_INFINITY;
  let isSelectionChecked = false;
  const run = async (turn: Turn, each: ApplyContext): Promise<Ending> => {
    let plan: Plan | undefined;
    const ending = await planAndApply(platform, { ...turn.stack, isSelectionChecked }, each, {
      agreed: turn.agreed,
      onPlan(made) {
        plan = made;
      },
    });
    isSelectionChecked = true;
    turn.waiting = new Set(plan?.waiting?.map(({ id }) => id));
    // Who was asked has seen what waits.
    if (plan !== undefined && !isEmptyPlan(plan)) turn.agreed = new Set([...turn.agreed, ...turn.waiting]);
    return ending;
  };
  return eachStack(turns, context, true, run, () => {
    const open = turns.filter(({ waiting }) => waiting.size > 0).toReversed();
    const count = open.reduce((sum, { waiting }) => sum + waiting.size, 0);
    if (count >= before) for (const turn of open) turn.stack = { ...turn.stack, others: turn.stack.others?.map(apart) };
    before = count;
    return open;
  });
}

/** It was waited for in vain: the plan says what needs it still. */
function apart(other: OtherStack): OtherStack {
  return { ...other, inRun: false };
}

interface Turn {
  stack: PlanInput;
  waiting: ReadonlySet<ResourceId>;
  /** The deletions that somebody has seen and said yes to. */
  agreed: ReadonlySet<ResourceId>;
}

/** Its reader is loaded only when there is one. */
async function applyFile(context: CommandContext<ApplyCommandOptions>, file: string): Promise<Ending> {
  const [{ openPlanFile }, { applySavedPlan }] = await Promise.all([
    import('../../../gantry/savedPlan/file.ts'),
    import('../../savedPlan/apply.ts'),
  ]);
  return applySavedPlan(context, file, await openPlanFile(file, context));
}
