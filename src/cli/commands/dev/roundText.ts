import { runError } from '../../../gantry/applying/runError.ts';
import { renderToolError } from '../../../terminal/answer/errorText.ts';
import { renderProblems } from '../../../terminal/answer/problemText.ts';
import type { CommandContext } from '../../../terminal/line/context.ts';
import { printable } from '../../../terminal/printable.ts';
import { wrapLines } from '../../../terminal/wrapText.ts';
import { resultText } from '../../applying/resultText.ts';
import { planText } from '../../planText/showPlan.ts';
import type { DevOptions } from './options.ts';
import type { Round } from './round.ts';

/** A round, and what is told of it besides. */
export interface Shown {
  readonly round: Round;
  /** From 1. */
  readonly number: number;
  /** The saved files, as people see their names; empty for the first round. */
  readonly changed: readonly string[];
  readonly elapsedMs: number;
  /** The time of day. */
  readonly at: Date;
  readonly watched: number;
}

/** The first line of a round for people. */
export function headOf(
  { round, changed, elapsedMs, at }: Shown,
  { terminal: { palette } }: CommandContext<DevOptions>,
): string {
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
  const what = changed.length === 0 ? 'started' : `${changed.map(printable).join(', ')} changed`;
  const done = round.plans.length === 0 ? 'not planned' : 'planned';
  return `${palette.strong('gantry dev')}  ${time}  ${what}; ${done} in ${(elapsedMs / 1000).toFixed(2)} s`;
}

/** The lines below it, wrapped to the width of the results. */
export async function bodyOf(
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
    lines.push('', ...wrapLines(resultText(planned.plan, applied, palette), width).split('\n'));
  }
  if (
    error !== undefined &&
    !plans.some(({ applied }) => applied !== undefined && runError(applied.result) === error)
  ) {
    lines.push(...renderToolError(error, palette).split('\n'));
  }
  return lines;
}
