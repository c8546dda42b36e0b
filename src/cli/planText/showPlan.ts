import type { Plan } from '../../plan/model/plan.ts';
import type { CommandContext } from '../../terminal/line/context.ts';
import type { OutputOptions, PlanTextOptions } from '../../terminal/line/options.ts';
import { makePalette } from '../../terminal/palette.ts';
import { renderShortSummary } from './planSummary.ts';
import { comparesLines, renderPlan } from './planText.ts';

type PlanTextContext = CommandContext<OutputOptions & PlanTextOptions>;

/** The plan for people, with line diffs loaded only where there is text to compare. */
export async function planText(plan: Plan, { options, terminal }: PlanTextContext): Promise<string> {
  const lineDiff = comparesLines(plan) ? (await import('../../report/model/lineDiff.ts')).lineDiff : undefined;
  const forPeople = options.output === 'text';
  const palette = forPeople ? terminal.palette : makePalette(false);
  const detail = options.compact ? 'compact' : options.full ? 'full' : 'normal';
  return renderPlan(plan, {
    palette,
    lineDiff,
    bodies: options.patch,
    detail,
    width: forPeople ? terminal.resultColumns() : Number.POSITIVE_INFINITY,
  });
}

/** In short, for the question whether to go on: a long plan has scrolled away by then. */
export function planInShort(plan: Plan, { terminal }: PlanTextContext): string {
  return renderShortSummary(plan, terminal.messagePalette, terminal.size().columns);
}
