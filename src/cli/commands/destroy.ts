import { openDestroyed } from '../../gantry/loading/openStacks.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import type { AllOption, ApplyCommandOptions } from '../../terminal/options.ts';
import { withTraceAndNotices } from '../steps/observed.ts';
import { applyInTurn, planAndApply } from '../steps/planAndApply.ts';

/** Without waiting options: a run that only deletes waits for no readiness. */
export type DestroyOptions = Omit<ApplyCommandOptions, 'wait' | 'waitTimeout'> & AllOption;

/** Applies with nothing desired, by the same code; without a limit of deletions unless one is given. */
export function runDestroy(context: CommandContext<DestroyOptions>, paths: readonly string[]): Promise<Ending> {
  return withTraceAndNotices(context, 'destroy', async (each) => {
    await using opened = await openDestroyed(each, paths, each.options.all);
    const { stacks, platform } = opened;
    return await applyInTurn(stacks, each, stacks.length, (stack, of) => planAndApply(stack, platform, of));
  });
}
