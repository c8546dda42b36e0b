import { refusedPlan } from '../../apply/run/applyErrors.ts';
import { planToJson } from '../../change/documents/planToJson.ts';
import { refuseSaved } from '../../change/saved/savedLimits.ts';
import type { SavedPlan } from '../../change/saved/savedPlan.ts';
import { continueSaved } from '../../gantry/savedPlan/continueSaved.ts';
import type { OpenedPlan } from '../../gantry/savedPlan/file.ts';
import { judgeSaved } from '../../gantry/savedPlan/judgeSaved.ts';
import { openSavedProject } from '../../gantry/savedPlan/savedProject.ts';
import { flagOf, permitNames, permits } from '../../plan/model/permits.ts';
import type { Plan } from '../../plan/model/plan.ts';
import { openPolicies } from '../../policies/sandbox/openPolicies.ts';
import { openPlatform } from '../../project/platform/platform.ts';
import { phase } from '../../project/session/tracing.ts';
import { limitsInForce } from '../../project/settings/inForce.ts';
import { verifySignatures } from '../../signing/verifySignatures.ts';
import type { Ending } from '../../terminal/answer/ending.ts';
import { show } from '../../terminal/answer/show.ts';
import type { CommandContext } from '../../terminal/line/context.ts';
import type { ApplyCommandOptions } from '../../terminal/line/options.ts';
import { UsageError } from '../../terminal/line/usageError.ts';
import { exitCode } from '../../terminal/process/exitCode.ts';
import { carryOut } from '../applying/planAndApply.ts';
import { planNote } from '../notifying/planNote.ts';
import { planText } from '../planText/showPlan.ts';
import { proveSaved } from './proveSaved.ts';

/** Runs a saved plan, as it was approved. */
export async function applySavedPlan(
  given: CommandContext<ApplyCommandOptions>,
  path: string,
  { saved, bytes }: OpenedPlan,
): Promise<Ending> {
  refusePlanFlags(given.options);
  const { cwd, project } = await openSavedProject(given, path, saved);
  const { settings } = project;
  await verifySignatures({ path, saved, bytes, settings }, given.options, given);
  const context = { ...given, cwd, options: { ...given.options, org: saved.plan.org } };
  const judged = await judgeSaved(saved, await openPolicies(context, project));
  const refused = refusedPlan(judged);
  if (refused !== undefined) {
    context.onStack?.(planNote(judged));
    await showSaved(judged, saved, context);
    return refused;
  }
  const platform = await openPlatform(context, settings);
  const limits = limitsInForce(settings);
  const refusedNow = async () => {
    await verifySignatures({ path, saved, bytes, settings }, given.options, given);
    return refuseSaved(saved, limits, { nowMs: Date.now(), isSigned: true });
  };
  try {
    await proveSaved(saved, context);
    const { left, runnable } = await phase(context, 'check', () =>
      continueSaved(saved, platform, {
        session: context,
        limits,
        isSigned: true,
      }),
    );
    if (runnable !== undefined) return await carryOut({ ...runnable, refusedNow }, platform, context);
    await show(context, {
      text: () => 'Everything in this plan is done: nothing is left.',
      document: () => planToJson(left, saved.declared),
    });
    return exitCode.ok;
  } finally {
    await platform.close();
  }
}

function showSaved(plan: Plan, { declared }: SavedPlan, context: CommandContext<ApplyCommandOptions>): Promise<void> {
  return show(context, { text: () => planText(plan, context), document: () => planToJson(plan, declared) });
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
