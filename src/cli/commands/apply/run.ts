import { loadStackOnPlatform } from '../../../automation/loading/stackOnPlatform.ts';
import type { Ending } from '../../answer/ending.ts';
import { planAndApply } from '../../applying/planAndApply.ts';
import type { CommandContext } from '../../line/context.ts';
import type { ApplyCommandOptions } from '../../line/options.ts';
import { savedPlanAmong } from '../../savedPlan/among.ts';

export async function runApplyCommand(
  context: CommandContext<ApplyCommandOptions>,
  paths: readonly string[],
): Promise<Ending> {
  const file = await savedPlanAmong(paths, context);
  if (file !== undefined) return applyFile(context, file);
  const { stack, platform } = await loadStackOnPlatform(context, paths);
  try {
    return await planAndApply(platform, stack, context);
  } finally {
    await platform.close();
  }
}

/** Its reader is loaded only when there is one. */
async function applyFile(context: CommandContext<ApplyCommandOptions>, file: string): Promise<Ending> {
  const [{ openSavedPlan }, { applySavedPlan }] = await Promise.all([
    import('../../../automation/savedPlan/file.ts'),
    import('../../savedPlan/apply.ts'),
  ]);
  return applySavedPlan(context, file, await openSavedPlan(file, context));
}
