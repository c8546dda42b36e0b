import type { CommandContext } from '../context.ts';
import { exitCode } from '../exitCode.ts';
import { loadStack } from '../loadStack.ts';
import type { ApplyCommandOptions } from '../options.ts';
import { openPlatform } from '../platform.ts';
import { planAndApply } from '../planAndApply.ts';

export async function runApplyCommand(
  context: CommandContext<ApplyCommandOptions>,
  paths: readonly string[],
): Promise<number> {
  const stack = await loadStack(context, paths);
  if (stack === undefined) return exitCode.failed;

  const platform = await openPlatform(context, stack.settings);
  try {
    return await planAndApply(platform, stack, context);
  } finally {
    await platform.close();
  }
}
