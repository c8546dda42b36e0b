import { turnsOf } from '../../gantry/apply.ts';
import { openStacks } from '../../gantry/loading/openStacks.ts';
import type { Ending } from '../../terminal/answer/ending.ts';
import type { CommandContext } from '../../terminal/line/context.ts';
import type { AllOption, ApplyCommandOptions } from '../../terminal/line/options.ts';
import { inTurn } from '../applying/inTurn.ts';
import { planAndApply } from '../applying/planAndApply.ts';
import { observed } from '../notifying/observed.ts';
import { savedPlanAmong } from '../savedPlan/among.ts';

type ApplyContext = CommandContext<ApplyCommandOptions & AllOption>;

export function runApplyCommand(context: ApplyContext, paths: readonly string[]): Promise<Ending> {
  return observed(context, 'apply', (each) => applyStacks(each, paths));
}

async function applyStacks(context: ApplyContext, paths: readonly string[]): Promise<Ending> {
  const file = await savedPlanAmong(paths, context);
  if (file !== undefined) return (await import('../savedPlan/apply.ts')).applySavedPlan(context, file);
  await using opened = await openStacks(context, paths, context.options);
  const { stacks, platform } = opened;
  return await inTurn(turnsOf(stacks), context, stacks.length, (turn, each) =>
    planAndApply(turn.stack, platform, each, turn),
  );
}
