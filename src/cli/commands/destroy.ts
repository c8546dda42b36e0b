import { openDestroyed } from '../../gantry/loading/openStacks.ts';
import type { Ending } from '../../terminal/answer/ending.ts';
import type { CommandContext } from '../../terminal/line/context.ts';
import type { AllOption, ApplyCommandOptions } from '../../terminal/line/options.ts';
import { inTurn } from '../applying/inTurn.ts';
import { planAndApply } from '../applying/planAndApply.ts';
import { observed } from '../notifying/observed.ts';

/** Nothing of a run that only deletes is waited for. */
export type DestroyOptions = Omit<ApplyCommandOptions, 'wait' | 'waitTimeout'> & AllOption;

/** Apply with nothing desired: the same path, without a limit of deletions unless one is given. */
export function runDestroy(context: CommandContext<DestroyOptions>, paths: readonly string[]): Promise<Ending> {
  return observed(context, 'destroy', async (each) => {
    await using opened = await openDestroyed(each, paths, each.options.all);
    const { stacks, platform } = opened;
    return await inTurn(stacks, each, stacks.length, (stack, of) => planAndApply(stack, platform, of));
  });
}
