import { loadStacksOnPlatform } from '../../../automation/loading/stackOnPlatform.ts';
import { phase } from '../../../automation/session/tracing.ts';
import type { Ending } from '../../answer/ending.ts';
import { planAndApply } from '../../applying/planAndApply.ts';
import type { CommandContext } from '../../line/context.ts';
import { eachStack } from '../../line/eachStack.ts';
import type { AllOption, ApplyCommandOptions } from '../../line/options.ts';
import { observed } from '../../observing/observed.ts';
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
    // What a stack needs of the ones before it is there when it is planned.
    return await eachStack(stacks, context, true, ({ promised: _, ...stack }, each) =>
      planAndApply(platform, stack, each),
    );
  } finally {
    await platform.close();
  }
}

/** Its reader is loaded only when there is one. */
async function applyFile(context: CommandContext<ApplyCommandOptions>, file: string): Promise<Ending> {
  const [{ openPlanFile }, { applySavedPlan }] = await Promise.all([
    import('../../../automation/savedPlan/file.ts'),
    import('../../savedPlan/apply.ts'),
  ]);
  return applySavedPlan(context, file, await openPlanFile(file, context));
}
