import { wroteSome } from '../../apply/events.ts';
import { ToolError } from '../../base/toolError.ts';
import { planToJson } from '../../change/documents/planDocument.ts';
import { confirmAndRun, type Turn } from '../../gantry/apply.ts';
import type { RunnablePlan } from '../../gantry/applying/runPlanned.ts';
import { correct, resultToJson } from '../../gantry/applying/runResult.ts';
import type { LoadedStack } from '../../gantry/loading/loadStack.ts';
import { planStack } from '../../gantry/plan.ts';
import type { Plan } from '../../plan/model/plan.ts';
import type { Platform } from '../../project/platform/platform.ts';
import { ask, noTerminal } from '../../terminal/ask.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import type { ApplyCommandOptions, OutputOptions } from '../../terminal/options.ts';
import { show } from '../../terminal/show.ts';
import { wrapLines } from '../../terminal/textWidth.ts';
import { planText, shortPlanText } from '../output/showPlan.ts';
import { eachStack } from './eachStack.ts';
import { displayRun } from './progressDisplay.ts';
import { resultText } from './resultText.ts';

/** A run that only deletes has no `wait`. */
type ApplyContext = CommandContext<Omit<ApplyCommandOptions, 'wait'>>;

/** Plans a stack, then continues like `showAndRun`. `turn`: in a run of several stacks. */
export async function planAndApply(
  stack: LoadedStack,
  platform: Platform,
  context: ApplyContext,
  turn?: Turn,
): Promise<TurnResult> {
  const how = turn?.planOptions(platform) ?? { isApplied: true };
  const made = await planStack(context, platform, stack, { ...how, permits: context.options });
  const isAgreed = turn?.isConfirmed(made.plan) === true;
  turn?.recordApplied(made);
  return showAndRun(made, platform, context, { isAgreed });
}

/**
 * Shows a plan, asks, runs it, sums up. Outputs one document: the plan, then its `result`. `shown`: the plan as
 * approved, if only its rest runs. `isAgreed`: no confirmation is needed.
 */
export async function showAndRun(
  runnable: RunnablePlan,
  platform: Platform,
  context: ApplyContext,
  { shown = runnable.plan, isAgreed = false }: { readonly shown?: Plan; readonly isAgreed?: boolean },
): Promise<TurnResult> {
  const { options, terminal, answer } = context;
  const { plan, desired } = runnable;
  const document = () => planToJson(shown, desired);
  await show(context, { text: () => planText(shown, context), document, goesOn: true });
  const { signal, tell } = displayRun(context, platform);
  const { run, error } = await confirmAndRun({ ...context, tell }, platform, runnable, {
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

/** Shows the outputs of the stack after the run; sensitive values are masked. */
async function showOutputs({ plan, outputs = [] }: RunnablePlan, platform: Platform, context: ApplyContext) {
  if (outputs.length === 0) return;
  const [{ outputsOf }, { outputLines }, { outputsToJson }] = await Promise.all([
    import('../../gantry/read.ts'),
    import('../output/outputText.ts'),
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

/** Asks if a user can answer; otherwise `--yes` is required. */
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
  if (await ask(`\n${shortPlanText(plan, context)}\nMake these changes? (yes/no) `)) return true;
  terminal.message('Nothing was changed.');
  return false;
}

export interface TurnResult {
  readonly ending: Ending;
  /** Whether something was written or deleted. */
  readonly wrote: boolean;
}

/**
 * Writes the stacks in their order, up to the first failed one, because later ones may need it. Its error says so if
 * earlier stacks, or its own earlier turn, were written.
 */
export function applyInTurn<Stack, Options extends OutputOptions>(
  stacks: Iterable<Stack>,
  context: CommandContext<Options>,
  count: number,
  run: (stack: Stack, context: CommandContext<Options>) => Promise<TurnResult>,
): Promise<Ending> {
  let wrote = false;
  return eachStack(stacks, context, { count, stop: true }, async (stack, each) => {
    try {
      const turned = await run(stack, each);
      if (turned.ending instanceof ToolError) return wrote ? afterWrites(turned.ending) : turned.ending;
      wrote ||= turned.wrote;
      return turned.ending;
    } catch (error) {
      throw wrote && error instanceof ToolError ? afterWrites(error) : error;
    }
  });
}

/** Their messages already say that something may be written. */
const codesAfterWrites: ReadonlySet<string> = new Set([
  'apply.partly',
  'apply.not-ready',
  'apply.interrupted',
  'cli.interrupted',
]);

/** The error of a command that has written before: its own code may say that nothing was changed. */
function afterWrites(error: ToolError): ToolError {
  if (codesAfterWrites.has(error.code)) return error;
  const { code, message, hint = correct, causes } = error;
  return new ToolError({
    code: 'apply.partly',
    message: `what came before is written, and then: ${code}: ${message}`,
    hint,
    causes: [error, ...causes],
    cause: error,
  });
}
