import { isRefused } from '../../plan/makePlan.ts';
import { planRisk } from '../../plan/impact/risk.ts';
import type { Change, Plan } from '../../plan/plan.ts';
import { renderChange, renderRefusal, type ChangeLook } from './changeText.ts';
import { isTextChange } from './fieldText.ts';
import { printable } from './printable.ts';
import { renderRisk } from './riskText.ts';
import { renderStorage } from './storageText.ts';
import { renderCounts } from './symbols.ts';
import { renderWaits } from './waitText.ts';

/** True if showing this plan needs `lineDiff`. */
export function hasTextChanges(plan: Plan): boolean {
  return plan.changes.some(({ fields }) => fields.some(isTextChange));
}

/** The whole plan for people. What is kept as it is counts only, unless there is something to say about it. */
export function renderPlan(plan: Plan, given: ChangeLook): string {
  const look = { ...given, org: plan.org };
  const { palette } = look;
  const moving = plan.changes.filter(({ action }) => action !== 'keep');
  const noted = plan.changes.filter(({ action, notes }) => action === 'keep' && notes.length > 0);
  const blocks: readonly (readonly string[])[] = [
    [`${palette.strong('Stack')} ${printable(plan.stack)} ${palette.faint(`in org ${printable(plan.org)}`)}`],
    ...moving.map((change) => renderChange(change, look)),
    ...(noted.length === 0 ? [] : [noted.flatMap((change) => keepNotes(change))]),
    ...(plan.notes.length === 0 ? [] : [plan.notes.map((note) => `note: ${printable(note)}`)]),
    ...(plan.refusals.length === 0 ? [] : [plan.refusals.flatMap((refusal) => renderRefusal(refusal, look))]),
    summary(plan),
  ];
  return blocks.map((lines) => lines.join('\n')).join('\n\n');

  function keepNotes({ id, notes }: Change): readonly string[] {
    return notes.map((note) => `  ${palette.faint(`${printable(id)}: ${printable(note)}`)}`);
  }

  function consequences({ changes, storage }: Plan): readonly string[] {
    const risk = renderRisk(planRisk(changes), palette);
    const stored = storage === undefined ? undefined : renderStorage(storage);
    return [
      ...(risk === undefined ? [] : [`Worst that it can do: ${risk}.`]),
      ...(stored === undefined ? [] : [stored]),
    ];
  }

  function summary({ changes, requests }: Plan): readonly string[] {
    const counts = countsOf(changes);
    const sent = `Requests: ${requests.snapshot} to read, ${requests.apply} to apply.`;
    if (isRefused(plan)) {
      return [
        `${palette.strong('Plan:')} ${counts}. ${sent}`,
        ...consequences(plan),
        palette.refuse('The plan is refused: nothing will be written.'),
      ];
    }
    const waits = renderWaits(changes);
    if (moving.length > 0) return [`${palette.strong('Plan:')} ${counts}. ${sent}`, ...consequences(plan), ...waits];
    return [
      `${palette.strong('Nothing has to be done')}${changes.length === 0 ? '' : `: ${counts}`}. Requests: ${requests.snapshot} to read.`,
      ...waits,
    ];
  }
}

/** What others cloned, or took the record from, is not unchanged: it is not of this stack. */
function countsOf(changes: readonly Change[]): string {
  const owned = changes.filter(({ unowned }) => unowned !== true);
  const counts = renderCounts(
    owned.map(({ action }) => action),
    'todo',
  );
  const others = changes.length - owned.length;
  return [...(counts === '' ? [] : [counts]), ...(others === 0 ? [] : [`${others} not owned`])].join(', ');
}
