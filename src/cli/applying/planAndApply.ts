import { wroteSome } from '../../apply/events.ts';
import { ToolError } from '../../base/toolError.ts';
import { planToJson } from '../../change/documents/planDocument.ts';
import { carryOut, type Turn } from '../../gantry/apply.ts';
import { resultToJson } from '../../gantry/applying/resultJson.ts';
import type { RunnablePlan } from '../../gantry/applying/runPlanned.ts';
import type { LoadedStack } from '../../gantry/loading/loadStack.ts';
import { planStack } from '../../gantry/plan.ts';
import type { Plan } from '../../plan/model/plan.ts';
import type { Platform } from '../../project/platform/platform.ts';
import { show } from '../../terminal/answer/show.ts';
import { ask, noTerminal } from '../../terminal/ask.ts';
import type { CommandContext } from '../../terminal/line/context.ts';
import type { ApplyCommandOptions } from '../../terminal/line/options.ts';
import { exitCode } from '../../terminal/process/exitCode.ts';
import { wrapLines } from '../../terminal/wrapText.ts';
import { planInShort, planText } from '../planText/showPlan.ts';
import { afterWrites, type Turned } from './inTurn.ts';
import { displayOfRun } from './progressDisplay.ts';
import { resultText } from './resultText.ts';

/** Of a run that only deletes nothing is waited for. */
type ApplyContext = CommandContext<Omit<ApplyCommandOptions, 'wait'>>;

/** Plans a stack, and then as `showAndRun`. `turn`: of a run of several. */
export async function planAndApply(
  stack: LoadedStack,
  platform: Platform,
  context: ApplyContext,
  turn?: Turn,
): Promise<Turned> {
  const how = turn?.planning(platform) ?? { isApplied: true };
  const made = await planStack(context, platform, stack, { ...how, permits: context.options });
  const isAgreed = turn?.isAgreed(made.plan) === true;
  turn?.ran(made);
  return showAndRun(made, platform, context, { isAgreed });
}

/**
 * Shows a plan, asks, runs it, sums up. For programs there is one document: the plan, and then its `result`. `shown`: as
 * it was approved, where it is what is left of that. `isAgreed`: nobody need be asked.
 */
export async function showAndRun(
  runnable: RunnablePlan,
  platform: Platform,
  context: ApplyContext,
  { shown = runnable.plan, isAgreed = false }: { readonly shown?: Plan; readonly isAgreed?: boolean },
): Promise<Turned> {
  const { options, terminal, answer } = context;
  const { plan, desired } = runnable;
  const document = () => planToJson(shown, desired);
  await show(context, { text: () => planText(shown, context), document, goesOn: true });
  const { signal, tell } = displayOfRun(context, platform);
  const { run, error } = await carryOut({ ...context, tell }, platform, runnable, {
    signal,
    confirm: options.yes || isAgreed ? undefined : () => confirmed(shown, context),
    parallelism: options.parallelism,
    waitTimeoutMs: options.waitTimeout,
    consistencyTimeoutMs: options.consistencyTimeout,
    verify: options.verify,
  });
  if (run !== undefined) {
    if (options.output === 'text') {
      const summary = resultText(plan, run, terminal.palette);
      terminal.result(`\n${wrapLines(summary, terminal.resultColumns())}`);
    }
    answer.add({ result: resultToJson(run) });
  }
  const wrote = run !== undefined && wroteSome(run.result);
  if (error !== undefined) return { ending: error, wrote };
  await showOutputs(runnable, platform, context).catch((failure: unknown) => {
    throw wrote && failure instanceof ToolError ? afterWrites(failure) : failure;
  });
  return { ending: exitCode.ok, wrote };
}

/** The outputs of the stack after the run, sensitive values masked. */
async function showOutputs({ plan, outputs = [] }: RunnablePlan, platform: Platform, context: ApplyContext) {
  if (outputs.length === 0) return;
  const [{ outputsOf }, { outputLines }, { outputsToJson }] = await Promise.all([
    import('../../gantry/read.ts'),
    import('../planText/outputText.ts'),
    import('../../change/outputs.ts'),
  ]);
  const read = await outputsOf(context, platform, { owner: plan.stack, outputs });
  const { palette } = context.terminal;
  if (context.options.output === 'text') {
    context.terminal.result(
      ['\nOutputs:', ...outputLines(read.outputs, { palette }).map((line) => `  ${line}`)].join('\n'),
    );
  }
  context.answer.add({ outputs: outputsToJson(read.outputs) });
}

/** Asks where a person can answer; elsewhere nothing may be written without `--yes`. */
async function confirmed(plan: Plan, context: ApplyContext): Promise<boolean> {
  const { options, terminal } = context;
  if (!terminal.canAsk) {
    throw new ToolError({
      code: 'apply.not-confirmed',
      message: `${noTerminal}; nothing was changed`,
      hint: 'Review the plan, then add --yes.',
    });
  }
  if (options.output !== 'text') terminal.message(await planText(plan, context));
  if (await ask(`\n${planInShort(plan, context)}\nMake these changes? (yes/no) `)) return true;
  terminal.message('Nothing was changed.');
  return false;
}
