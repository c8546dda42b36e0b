import { refusedPlan } from '../../apply/run/applyErrors.ts';
import { planToJson } from '../../change/documents/planToJson.ts';
import { checkSaved, openSaved, resumeSaved, sessionOf } from '../../gantry/saved.ts';
import { flagOf, permitNames, permits } from '../../plan/model/permits.ts';
import { openPlatform } from '../../project/platform/platform.ts';
import type { Ending } from '../../terminal/answer/ending.ts';
import { show } from '../../terminal/answer/show.ts';
import type { CommandContext } from '../../terminal/line/context.ts';
import type { ApplyCommandOptions } from '../../terminal/line/options.ts';
import { UsageError } from '../../terminal/line/usageError.ts';
import { exitCode } from '../../terminal/process/exitCode.ts';
import { showAndRun } from '../applying/planAndApply.ts';
import { planText } from '../planText/showPlan.ts';

/** Runs a saved plan, as it was approved. */
export async function applySavedPlan(given: CommandContext<ApplyCommandOptions>, file: string): Promise<Ending> {
  const stored = await openSaved(given, file);
  refusePlanFlags(given.options);
  const context = sessionOf(stored, given);
  const { declared } = stored.saved;
  const judged = await checkSaved(stored, context.options);
  const refused = refusedPlan(judged);
  if (refused !== undefined) {
    await context.tell({ type: 'plan', plan: judged });
    await show(context, { text: () => planText(judged, context), document: () => planToJson(judged, declared) });
    return refused;
  }
  const platform = await openPlatform(context, stored.settings);
  try {
    const { left, runnable } = await resumeSaved(context, platform, stored, context.options);
    if (runnable !== undefined) return await showAndRun(runnable, platform, context, runnable);
    await show(context, {
      text: () => 'Everything in this plan is done: nothing is left.',
      document: () => planToJson(left, declared),
    });
    return exitCode.ok;
  } finally {
    await platform.close();
  }
}

/** A saved plan runs as it is: flags that would change it are refused. Errors: `cli.usage`. */
function refusePlanFlags(options: ApplyCommandOptions): void {
  const choices: readonly (readonly [string, boolean])[] = [
    ['--gvc', options.gvc !== undefined],
    ['--wait', options.wait],
    ...permitNames.map((name) => [flagOf(name), options[name] !== permits[name].default] as const),
    ['--target', options.target.length > 0],
    ['--exclude', options.exclude.length > 0],
  ];
  const flags = choices.filter(([, is]) => is).map(([name]) => name);
  if (flags.length === 0) return;
  throw new UsageError(
    `${flags.join(', ')} would change the plan, but a saved plan runs as it was approved`,
    'Give these flags to gantry plan --out.',
  );
}
