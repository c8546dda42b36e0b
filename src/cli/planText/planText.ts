import type { Change } from '../../plan/model/change.ts';
import type { Plan } from '../../plan/model/plan.ts';
import { sendsPatch } from '../../plan/order/applyRequests.ts';
import { versionProbe } from '../../plan/order/versionProbe.ts';
import { formatRef } from '../../schema/record/ref.ts';
import { printable } from '../../terminal/printable.ts';
import { wrapText } from '../../terminal/wrapText.ts';
import { type ChangeLook, renderRefusal } from './changeText.ts';
import { needsLineDiff } from './fieldText.ts';
import { renderChanges } from './foldChanges.ts';
import { renderSummary } from './planSummary.ts';

/** True if showing this plan needs `lineDiff`. */
export function comparesLines(plan: Plan): boolean {
  return plan.changes.some(({ fields }) => fields.some(needsLineDiff));
}

/** A plan with more blocks than this does not fit a screen: its summary stands first too. */
const mostBlocks = 8;

/** The one PATCH of an apply that belongs to no change. */
function probeBlock(plan: Plan): readonly (readonly string[])[] {
  const probe = versionProbe(plan);
  if (probe === undefined || !plan.changes.some(sendsPatch)) return [];
  return [
    [
      'Before the first PATCH, one that changes nothing asks whether versions are honoured:',
      `  PATCH ${printable(formatRef(probe.ref))} ${printable(JSON.stringify(probe.body))}`,
    ],
  ];
}

/** The whole plan for people. What is kept as it is counts only, unless there is something to say about it. */
export function renderPlan(plan: Plan, given: ChangeLook): string {
  const look = { ...given, org: plan.org };
  const { palette, width } = look;
  const moving = plan.changes.filter(({ action }) => action !== 'keep');
  const noted = plan.changes.filter(({ action, notes }) => action === 'keep' && notes.length > 0);
  const changes = renderChanges(moving, look);
  const summary = renderSummary(plan, look);
  const blocks: readonly (readonly string[])[] = [
    [`${palette.strong('Stack')} ${printable(plan.stack)} ${palette.faint(`in org ${printable(plan.org)}`)}`],
    ...(changes.length > mostBlocks ? [summary] : []),
    ...changes,
    ...(look.bodies ? probeBlock(plan) : []),
    ...(noted.length === 0 ? [] : [noted.flatMap(keepNotes)]),
    ...(plan.notes.length === 0
      ? []
      : [plan.notes.flatMap((note) => wrapText(`note: ${printable(note)}`, width, '', '  '))]),
    ...(plan.refusals.length === 0 ? [] : [plan.refusals.flatMap((refusal) => renderRefusal(refusal, look))]),
    summary,
  ];
  return blocks.map((lines) => lines.join('\n')).join('\n\n');

  function keepNotes({ id, notes }: Change): readonly string[] {
    return notes.flatMap((note) =>
      wrapText(`${printable(id)}: ${printable(note)}`, width, '  ', '    ').map(palette.faint),
    );
  }
}
