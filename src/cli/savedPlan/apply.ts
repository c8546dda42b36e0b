import { openPlatform } from '../../automation/platform/platform.ts';
import { continueSaved, openSavedProject } from '../../automation/savedPlan/continueSaved.ts';
import { planToJson } from '../../plan/documents/planToJson.ts';
import type { SavedPlan } from '../../plan/saved/savedPlan.ts';
import type { Ending } from '../answer/ending.ts';
import { show } from '../answer/show.ts';
import { carryOut } from '../applying/planAndApply.ts';
import type { CommandContext } from '../line/context.ts';
import type { ApplyCommandOptions } from '../line/options.ts';
import { exitCode } from '../process/exitCode.ts';
import { refusePlanFlags } from './flags.ts';

/** Runs a saved plan, as it was approved. */
export async function applySavedPlan(
  given: CommandContext<ApplyCommandOptions>,
  path: string,
  saved: SavedPlan,
): Promise<Ending> {
  refusePlanFlags(given.options);
  const { cwd, project } = await openSavedProject(given, path, saved);
  const context = { ...given, cwd, options: { ...given.options, org: saved.plan.org } };
  const platform = await openPlatform(context, project.settings);
  try {
    const { left, runnable } = await continueSaved(saved, platform, context);
    if (runnable !== undefined) return await carryOut(runnable, platform, context);
    await show(context, {
      text: () => 'Everything in this plan is done: nothing is left.',
      document: () => planToJson(left, saved.declared),
    });
    return exitCode.ok;
  } finally {
    await platform.close();
  }
}
