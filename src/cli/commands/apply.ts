import { turnsOf } from '../../gantry/apply.ts';
import { openStacks } from '../../gantry/loading/openStacks.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import type { AllOption, ApplyCommandOptions } from '../../terminal/options.ts';
import { findSavedPlan } from '../steps/findSavedPlan.ts';
import { withTraceAndNotices } from '../steps/observed.ts';
import { applyInTurn, planAndApply } from '../steps/planAndApply.ts';

type ApplyContext = CommandContext<ApplyCommandOptions & AllOption>;

export function runApplyCommand(context: ApplyContext, paths: readonly string[]): Promise<Ending> {
  return withTraceAndNotices(context, 'apply', (each) => applyStacks(each, paths));
}

async function applyStacks(context: ApplyContext, paths: readonly string[]): Promise<Ending> {
  const file = await findSavedPlan(paths, context);
  if (file !== undefined) return (await import('../steps/applySaved.ts')).applySavedPlan(context, file);
  await using opened = await openStacks(context, paths, context.options);
  const { stacks, platform } = opened;
  return await applyInTurn(turnsOf(stacks), context, stacks.length, (turn, each) =>
    planAndApply(turn.stack, platform, each, turn),
  );
}
