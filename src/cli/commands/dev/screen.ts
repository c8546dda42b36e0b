import { runError } from '../../../automation/applying/runError.ts';
import { planToJson } from '../../../plan/documents/planToJson.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { counted } from '../../../schema/text/counted.ts';
import { errorToJson } from '../../answer/errorDocument.ts';
import { renderToolError } from '../../answer/errorText.ts';
import { problemToJson } from '../../answer/problemJson.ts';
import { renderProblems } from '../../answer/problemText.ts';
import { toText } from '../../answer/toText.ts';
import { renderResult } from '../../applying/resultText.ts';
import type { CommandContext } from '../../line/context.ts';
import { planText } from '../../planText/showPlan.ts';
import { exitCodeOf } from '../../process/exitCode.ts';
import { printable } from '../../terminal/printable.ts';
import { wrapLines } from '../../terminal/wrapText.ts';
import type { DevOptions } from './options.ts';
import type { Round } from './round.ts';

/** A round, and what is told of it besides. */
export interface Shown {
  readonly round: Round;
  /** From 1. */
  readonly number: number;
  /** What was saved, as people see it; empty for the first round. */
  readonly changed: readonly string[];
  readonly elapsedMs: number;
  /** The time of day. */
  readonly at: Date;
  readonly watched: number;
}

/** Shows the rounds: on a terminal in place of what was there, elsewhere one after the other. */
export async function showRound(shown: Shown, context: CommandContext<DevOptions>): Promise<void> {
  const { options, terminal } = context;
  if (options.output === 'json') return terminal.result(JSON.stringify(roundToJson(shown)));
  if (options.output === 'yaml') return terminal.result(`---\n${(await toText(roundToJson(shown), 'yaml')).trimEnd()}`);
  const isScreen = terminal.resultColumns() !== Number.POSITIVE_INFINITY;
  const head = headOf(shown, context);
  const body = await bodyOf(shown.round, context, false);
  if (!isScreen) return terminal.result([head, ...body, ''].join('\n'));
  const { rows } = terminal.size();
  const room = Math.max(4, rows - 4);
  const fitting = body.length <= room ? body : await bodyOf(shown.round, context, true);
  const rest = fitting.length - room;
  const lines = rest > 0 ? [...fitting.slice(0, room - 1), `… and ${counted(rest + 1, 'more line')}`] : fitting;
  const foot = `Watching ${counted(shown.watched, 'file')}. Ctrl-C ends.`;
  terminal.result(
    ['\u001b[2J\u001b[3J\u001b[H'.concat(head), '', ...lines, '', terminal.palette.faint(foot)].join('\n'),
  );
}

function headOf(
  { round, changed, elapsedMs, at }: Shown,
  { terminal: { palette } }: CommandContext<DevOptions>,
): string {
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
  const what = changed.length === 0 ? 'started' : `${changed.map(printable).join(', ')} changed`;
  const done = round.plans.length === 0 ? 'not planned' : 'planned';
  return `${palette.strong('gantry dev')}  ${time}  ${what}; ${done} in ${(elapsedMs / 1000).toFixed(2)} s`;
}

async function bodyOf(
  { problems, plans, error, output }: Round,
  context: CommandContext<DevOptions>,
  compact: boolean,
): Promise<readonly string[]> {
  const { terminal } = context;
  const { palette } = terminal;
  const width = terminal.resultColumns();
  const look = { ...context, options: { ...context.options, patch: false, full: false, compact } };
  const lines = [...output.map(printable), ...renderProblems(problems, { palette, width })];
  for (const { planned, applied } of plans) {
    lines.push(...(await planText(planned.plan, look)).split('\n'));
    if (applied === undefined) continue;
    const { result, elapsedMs } = applied;
    lines.push('', ...wrapLines(renderResult(planned.plan, result, elapsedMs, palette), width).split('\n'));
  }
  if (
    error !== undefined &&
    !plans.some(({ applied }) => applied !== undefined && runError(applied.result) === error)
  ) {
    lines.push(...renderToolError(error, palette).split('\n'));
  }
  return lines;
}

function roundToJson({ round, number, changed, elapsedMs }: Shown): JsonObject {
  const { problems, plans, error, output } = round;
  return {
    round: number,
    changed,
    milliseconds: Math.round(elapsedMs),
    problems: problems.map(problemToJson),
    plans: plans.map(({ planned, applied }) => ({
      ...planToJson(planned.plan, planned.desired),
      ...(applied === undefined ? {} : { result: applied.json }),
    })),
    output,
    ...(error === undefined ? {} : { error: errorToJson(error, exitCodeOf(error.code)) }),
  };
}
