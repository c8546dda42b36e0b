import { isEmptyPlan, isRefused } from '../../plan/makePlan.ts';
import { planToJson } from '../../plan/planToJson.ts';
import type { CommandContext } from '../context.ts';
import { exitCode } from '../exitCode.ts';
import { formatted } from '../formatted.ts';
import { loadStack } from '../loadStack.ts';
import type { PlanCommandOptions } from '../options.ts';
import { planText } from '../planOutput.ts';
import { planOn } from '../planning.ts';
import { openPlatform } from '../platform.ts';

export async function runPlan(context: CommandContext<PlanCommandOptions>, paths: readonly string[]): Promise<number> {
  const { options, terminal } = context;
  const stack = await loadStack(context, paths);
  if (stack === undefined) return exitCode.failed;

  const platform = await openPlatform(context, stack.settings);
  try {
    const { plan } = await planOn(platform, stack, context);
    const text =
      options.output === 'text' ? await planText(plan, context) : await formatted(planToJson(plan), options.output);
    terminal.result(text);
    if (isRefused(plan)) return exitCode.failed;
    return options.detailedExitcode && !isEmptyPlan(plan) ? exitCode.changes : exitCode.ok;
  } finally {
    await platform.close();
  }
}
