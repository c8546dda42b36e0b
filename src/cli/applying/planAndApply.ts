import type { ApplyEvent, ApplyResult } from '../../apply/report/events.ts';
import { refusedPlan } from '../../apply/run/applyErrors.ts';
import { ToolError } from '../../base/toolError.ts';
import { planToJson } from '../../change/documents/planToJson.ts';
import { resultToJson } from '../../gantry/applying/resultJson.ts';
import { runError } from '../../gantry/applying/runError.ts';
import { type RunnablePlan, runPlanned } from '../../gantry/applying/runPlanned.ts';
import { type PlanInput, planFromPlatform, planOnceMore } from '../../gantry/planning/planFromPlatform.ts';
import { refuseNow } from '../../plan/checks/limitChecks.ts';
import type { Plan } from '../../plan/model/plan.ts';
import { isEmptyPlan, isIdlePlan } from '../../plan/model/planState.ts';
import type { Platform } from '../../project/platform/platform.ts';
import { phase } from '../../project/session/tracing.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import type { Ending } from '../../terminal/answer/ending.ts';
import { retryText } from '../../terminal/answer/notices.ts';
import { show } from '../../terminal/answer/show.ts';
import { ask } from '../../terminal/ask.ts';
import type { CommandContext } from '../../terminal/line/context.ts';
import type { ApplyCommandOptions } from '../../terminal/line/options.ts';
import { printable } from '../../terminal/printable.ts';
import { exitCode } from '../../terminal/process/exitCode.ts';
import { listenForInterrupt } from '../../terminal/process/interrupt.ts';
import { wrapLines } from '../../terminal/wrapText.ts';
import { planNote } from '../notifying/planNote.ts';
import { planInShort, planText } from '../planText/showPlan.ts';
import { openProgressDisplay } from './progressDisplay.ts';
import { renderResult } from './resultText.ts';

type ApplyContext = CommandContext<ApplyCommandOptions>;

/** What is shown: the plan, and what it was made from. */
type Told = Pick<RunnablePlan, 'plan' | 'desired'>;

/** One plan of a run of several. */
interface Passing {
  /** Deletions that were confirmed already, as ones that come later. */
  readonly agreed?: ReadonlySet<ResourceId>;
  readonly onPlan?: (plan: Plan) => void;
}

/** Plans, shows, asks, runs, verifies, sums up. For programs there is one document: the plan, and then its `result`. */
export async function planAndApply(
  platform: Platform,
  given: PlanInput,
  context: ApplyContext,
  { agreed, onPlan }: Passing = {},
): Promise<Ending> {
  // An earlier stack of the same run may have taken hours.
  const input = { ...given, isApplied: true, nowMs: Date.now() };
  const planned = await phase(context, 'plan', () => planFromPlatform(platform, input, context));
  onPlan?.(planned.plan);
  await context.reports?.prove(planned);
  const planAgain = async () => (await planOnceMore(platform, input, context)).plan;
  const refusedNow = () => refuseNow(given.limits, { nowMs: Date.now(), isRehearsed: false, isSigned: false });
  const isAgreed = planned.plan.changes.every(
    ({ id, action }) => action === 'keep' || (action === 'delete' && agreed?.has(id) === true),
  );
  const asking = isAgreed ? { ...context, options: { ...context.options, yes: true } } : context;
  return carryOut({ ...planned, planAgain, refusedNow }, platform, asking);
}

/** The same for a plan that is there already. */
export async function carryOut(planned: RunnablePlan, platform: Platform, context: ApplyContext): Promise<Ending> {
  const { options, terminal, answer } = context;
  const { plan, shown = plan, desired } = planned;
  context.onStack?.(planNote(plan));
  await show(context, { text: () => planText(shown, context), document: () => planToJson(shown, desired) });

  const refused = refusedPlan(plan);
  if (refused !== undefined) return refused;
  if (isIdlePlan(plan)) return exitCode.ok;
  if (!options.yes && !isEmptyPlan(plan)) {
    if (!(await phase(context, 'confirm', () => confirmed({ plan: shown, desired }, context)))) return declined();
  }

  const startedMs = context.now();
  const epochMs = Date.now() - startedMs;
  const result = await phase(context, 'apply', () => runWithDisplay(planned, platform, context));
  const elapsedMs = context.now() - startedMs;
  if (options.output === 'text') {
    const summary = renderResult(plan, result, elapsedMs, terminal.palette);
    terminal.result(`\n${wrapLines(summary, terminal.resultColumns())}`);
  }
  answer.add({ result: resultToJson({ result, startedMs, elapsedMs }, epochMs) });
  return runError(result) ?? exitCode.ok;
}

/** Somebody was asked, and said no. */
function declined(): ToolError {
  return new ToolError({ code: 'apply.not-confirmed', message: 'the changes were not confirmed; nothing was written' });
}

/** Asks where a person can answer; elsewhere nothing may be written without `--yes`. */
async function confirmed(told: Told, context: ApplyContext): Promise<boolean> {
  const { options, terminal } = context;
  if (!terminal.canAsk) {
    throw new ToolError({
      code: 'apply.not-confirmed',
      message:
        'the changes need a confirmation, but nobody can be asked for it here (no terminal, or --no-input); nothing was written',
      hint: 'Review the plan, then add --yes.',
    });
  }
  if (options.output !== 'text') terminal.message(await planText(told.plan, context));
  if (await ask(`\n${planInShort(told.plan, context)}\nMake these changes? (yes/no) `)) return true;
  terminal.message('Nothing was changed.');
  return false;
}

function leftOpen(ids: readonly string[]): string {
  return `Exiting during replacements. These may be deleted and not created again: ${ids.map(printable).join(', ')}. Apply again now.`;
}

async function runWithDisplay(planned: RunnablePlan, platform: Platform, context: ApplyContext): Promise<ApplyResult> {
  const { plan } = planned;
  const { terminal, options } = context;
  const { parallelism, waitTimeout, consistencyTimeout, verify } = options;
  const display = openProgressDisplay(plan, terminal, context.now);
  platform.tellRetriesTo((retry) => display.tell(retryText(retry)));
  const replacements = followReplacements(plan);
  const interrupt = listenForInterrupt(
    () => display.say('Interrupted: finishing the requests in flight. Interrupt again to exit at once.'),
    () => {
      const open = replacements.ids();
      if (open.length > 0) display.say(leftOpen(open));
    },
  );
  try {
    return await runPlanned(planned, platform, {
      signal: interrupt.signal,
      onEvent: (event) => {
        replacements.onEvent(event);
        display.onEvent(event);
      },
      parallelism,
      waitTimeoutMs: waitTimeout,
      consistencyTimeoutMs: consistencyTimeout,
      verify,
    });
  } finally {
    platform.tellRetriesTo(undefined);
    display.close();
    interrupt.release();
  }
}

/** The replacements of a run that have begun to delete and have not ended: whoever leaves now leaves them deleted. */
interface OpenReplacements {
  onEvent(event: ApplyEvent): void;
  ids(): readonly ResourceId[];
}

function followReplacements({ changes }: Plan): OpenReplacements {
  const replaced = new Set(changes.filter(({ action }) => action === 'replace').map(({ id }) => id));
  const open = new Set<ResourceId>();
  return {
    onEvent(event) {
      if (event.type === 'started' && event.step === 'delete' && replaced.has(event.id)) open.add(event.id);
      if (event.type === 'done' || event.type === 'failed' || event.type === 'skipped') open.delete(event.id);
    },
    ids: () => [...open].sort(),
  };
}
