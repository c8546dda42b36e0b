import { planToJson } from '../../change/documents/planDocument.ts';
import type { StoredPlan } from '../../gantry/gantry.ts';
import { checkLaterPlan, checkSaved, openSaved, resumeSaved, sessionOf } from '../../gantry/saved.ts';
import { flagOf, permitNames, permits } from '../../plan/model/permits.ts';
import { isRefused, type Plan } from '../../plan/model/plan.ts';
import { refusedPlan } from '../../plan/model/refusal.ts';
import { openPlatform, type Platform } from '../../project/platform/platform.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import type { ApplyCommandOptions } from '../../terminal/options.ts';
import { printable } from '../../terminal/printable.ts';
import { show } from '../../terminal/show.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { planText } from '../output/showPlan.ts';
import { eachStack } from './eachStack.ts';
import { applyInTurn, showAndRun, type TurnResult } from './planAndApply.ts';

/** Runs saved plans as approved. If one is refused, no plan of the file runs. */
export async function applySavedPlan(given: CommandContext<ApplyCommandOptions>, file: string): Promise<Ending> {
  const plans = await openSaved(given, file);
  refusePlanFlags(given.options);
  const [first] = plans;
  if (first === undefined) return exitCode.ok;
  const context = sessionOf(first, given);
  const checked: Checked[] = [];
  for (const stored of plans) checked.push({ stored, currentPlan: await checkSaved(stored, context.options) });
  if (checked.some(({ currentPlan }) => isRefused(currentPlan))) return showChecked(checked, context);
  const platform = await openPlatform(context, first.settings);
  try {
    const laterChecked: Checked[] = [];
    for (const stored of plans.slice(1))
      laterChecked.push({ stored, currentPlan: await checkLaterPlan(context, platform, stored) });
    if (laterChecked.some(({ currentPlan }) => isRefused(currentPlan))) return await showChecked(laterChecked, context);
    return await runInTurn(plans, platform, context);
  } finally {
    await platform.close();
  }
}

async function runInTurn(
  plans: readonly StoredPlan[],
  platform: Platform,
  context: CommandContext<ApplyCommandOptions>,
): Promise<Ending> {
  const notBegun = plans.map(({ plan }) => plan.stack);
  try {
    return await applyInTurn(plans, context, plans.length, (stored, each) => {
      notBegun.shift();
      return run(stored, platform, each);
    });
  } finally {
    if (notBegun.length > 0) context.terminal.message(notBegunText(notBegun));
  }
}

interface Checked {
  readonly stored: StoredPlan;
  /** The plan with the reasons that refuse it now. */
  readonly currentPlan: Plan;
}

function notBegunText(stacks: readonly string[]): string {
  return `Not begun: ${stacks.map(printable).join(', ')}. Apply the same file again: what is done is recognised.`;
}

/** Shows the checked plans; none of them runs. */
function showChecked(checked: readonly Checked[], context: CommandContext<ApplyCommandOptions>): Promise<Ending> {
  const { length: count } = checked;
  return eachStack(checked, context, { count }, ({ stored, currentPlan }, each) =>
    showCurrentPlan(stored, currentPlan, each),
  );
}

async function showCurrentPlan(
  { saved: { declared } }: StoredPlan,
  currentPlan: Plan,
  context: CommandContext<ApplyCommandOptions>,
): Promise<Ending> {
  await context.tell({ type: 'plan', plan: currentPlan });
  await show(context, {
    text: () => planText(currentPlan, context),
    document: () => planToJson(currentPlan, declared),
  });
  return refusedPlan(currentPlan) ?? exitCode.ok;
}

async function run(
  stored: StoredPlan,
  platform: Platform,
  context: CommandContext<ApplyCommandOptions>,
): Promise<TurnResult> {
  const { remaining, runnable } = await resumeSaved(context, platform, stored, context.options);
  if (runnable !== undefined) return showAndRun(runnable, platform, context, runnable);
  await show(context, {
    text: () => doneText(stored),
    document: () => planToJson(remaining, stored.saved.declared),
  });
  return { ending: exitCode.ok, wrote: false };
}

function doneText({ plan: { stack, org }, isEmpty }: StoredPlan): string {
  const done = isEmpty ? 'No changes were planned.' : 'Everything in this plan is done: nothing is left.';
  return `Stack ${printable(stack)} in org ${printable(org)}\n\n${done}`;
}

/** A saved plan runs unchanged: flags that would change it are refused. Errors: `cli.usage`. */
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
