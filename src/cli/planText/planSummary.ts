import { counted } from '../../base/text/counted.ts';
import { actionOrder, actionWords, countActions } from '../../change/words.ts';
import { planRisk } from '../../plan/impact/risk.ts';
import type { Action, Change } from '../../plan/model/change.ts';
import type { Plan } from '../../plan/model/plan.ts';
import { isRefused } from '../../plan/model/planState.ts';
import type { StorageAmount, StorageUse } from '../../plan/model/storageUse.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import type { Palette } from '../../terminal/palette.ts';
import { printable } from '../../terminal/printable.ts';
import { wrapLines, wrapText } from '../../terminal/wrapText.ts';
import { renderRisk } from './treeText.ts';

interface SummaryLook {
  readonly palette: Palette;
  readonly width: number;
}

/**
 * The summary of a plan: counts by action, then by kind, refusals with their reasons, the worst that can happen and
 * where. It stands last, in a long plan first too, and in short above the question whether to go on.
 */
export function renderSummary(plan: Plan, { palette, width }: SummaryLook): readonly string[] {
  const moving = plan.changes.filter(({ action }) => action !== 'keep');
  const { requests, storage } = plan;
  const counts = countsOf(plan.changes);
  if (moving.length === 0 && !isRefused(plan)) {
    const unchanged = plan.changes.length === 0 ? '' : `: ${counts}`;
    const word = plan.waiting === undefined ? 'No changes' : 'No changes yet';
    const said = opened(word, `${unchanged}. Requests: ${requests.snapshot} to read.`, { palette, width });
    return [...said, ...renderWaiting(plan, width), ...renderWaits(plan.changes)];
  }
  const stored = storage === undefined ? undefined : renderStorage(storage);
  return [
    ...opened('Plan:', ` ${counts}. Requests: ${requests.snapshot} to read, ${requests.apply} to apply.`, {
      palette,
      width,
    }),
    ...renderWaiting(plan, width),
    ...(moving.length < 2 ? [] : byKind(moving, { palette, width })),
    ...renderWorst(moving, { palette, width }),
    ...(stored === undefined ? [] : wrapText(stored, width, '', '  ')),
    ...(isRefused(plan) ? [] : renderWaits(plan.changes)),
    ...(isRefused(plan) ? wrapText(refusedText(plan), width, '', '  ').map(palette.refuse) : []),
  ];
}

/** In a run of several stacks. */
function renderWaiting({ waiting = [] }: Plan, width: number): readonly string[] {
  if (waiting.length === 0) return [];
  const after = [...new Set(waiting.map((each) => each.after))].join(', ');
  return wrapText(`Later: ${waiting.length} to delete, after ${after}.`, width, '', '  ');
}

/** A sentence that begins with a strong word. */
function opened(word: string, text: string, { palette, width }: SummaryLook): readonly string[] {
  const [first = '', ...rest] = wrapText(`${word}${text}`, width, '', '  ');
  return [`${palette.strong(word)}${first.slice(word.length)}`, ...rest];
}

/** The same in short, for the question whether to go on. */
export function renderShortSummary(plan: Plan, palette: Palette, width: number): string {
  const worst = renderRisk(planRisk(plan.changes), palette);
  const moving = plan.changes.filter(({ action }) => action !== 'keep');
  const text = `${palette.strong('Plan:')} ${countsOf(moving)}.${worst === undefined ? '' : ` Worst risk: ${worst}.`}`;
  return wrapLines(text, width);
}

/** Records that others cloned, or took over, are not unchanged: they are not of this stack. */
function countsOf(changes: readonly Change[]): string {
  const owned = changes.filter(({ unowned }) => unowned !== true);
  const counts = countActions(
    owned.map(({ action }) => action),
    'todo',
  );
  const others = changes.length - owned.length;
  return [...(counts === '' ? [] : [counts]), ...(others === 0 ? [] : [`${others} not owned`])].join(', ');
}

/** `+ 3 to create  1 gvc, 2 workloads`: a line for each action. */
function byKind(changes: readonly Change[], { palette, width }: SummaryLook): readonly string[] {
  const byAction = Map.groupBy(changes, ({ action }) => action);
  const rows = actionOrder.flatMap((action): readonly Row[] => {
    const of = byAction.get(action);
    return of === undefined ? [] : [{ action, head: `${of.length} ${actionWords[action].todo}`, kinds: kindsOf(of) }];
  });
  const column = Math.max(0, ...rows.map(({ head }) => head.length));
  return rows.flatMap(({ action, head, kinds }) => {
    const { sign, tone } = actionWords[action];
    const margin = ' '.repeat(column + 6);
    const [first = '', ...rest] = wrapText(kinds, width - margin.length);
    return [`  ${palette[tone](sign)} ${head.padEnd(column)}  ${first}`, ...rest.map((line) => `${margin}${line}`)];
  });
}

interface Row {
  readonly action: Action;
  readonly head: string;
  readonly kinds: string;
}

/** `2 workloads, 1 gvc`, most first; of refused ones why. */
function kindsOf(changes: readonly Change[]): string {
  const groups = [...Map.groupBy(changes, ({ kind }): Kind => kind)];
  const byKind = groups.toSorted(([, a], [, b]) => b.length - a.length);
  const kinds = byKind.map(([kind, of]) => counted(of.length, kind)).join(', ');
  const codes = new Set(changes.flatMap(({ refusals }) => refusals.map(({ code }) => code)));
  return codes.size === 0 ? kinds : `${kinds} (${[...codes].join(', ')})`;
}

/** `Worst risk: downtime (workload/shop/web and 2 more).` */
function renderWorst(changes: readonly Change[], { palette, width }: SummaryLook): readonly string[] {
  const risk = planRisk(changes);
  const shown = renderRisk(risk, palette);
  if (shown === undefined) return [];
  const [first, ...others] = changes.filter((change) => change.risk === risk);
  const head = `Worst risk: ${shown}`;
  if (first === undefined) return [`${head}.`];
  const where = `(${printable(first.id)}${others.length === 0 ? '' : ` and ${others.length} more`}).`;
  const fits = `Worst risk: ${risk} ${where}`.length <= width;
  return fits ? [`${head} ${where}`] : [head, `  ${where}`];
}

function refusedText({ refusals, changes }: Plan): string {
  const count = refusals.length + changes.reduce((sum, change) => sum + change.refusals.length, 0);
  return `The plan is refused for ${count === 1 ? 'one reason' : `${count} reasons`}: nothing will be written.`;
}

/** How many resources an apply waits for, the unchanged ones told apart; no line where there are none. */
function renderWaits(changes: readonly Change[]): readonly string[] {
  const waiting = changes.filter(({ wait, action }) => wait && action !== 'refuse');
  if (waiting.length === 0) return [];
  const unchanged = waiting.filter(({ action }) => action === 'keep').length;
  const which = unchanged === 0 ? '' : unchanged === waiting.length ? ' (unchanged)' : ` (${unchanged} unchanged)`;
  return [`Apply waits until ${counted(waiting.length, 'workload is', 'workloads are')} ready${which}.`];
}

/**
 * `Storage: 10 GB reserved, 20 GB after, 100 GB if everything grows (1.00, 2.00, 10.00 EUR a month).` Undefined where
 * the plan concerns no volume set.
 */
function renderStorage({ before, after, ceiling, currency, atLeast, sets }: StorageUse): string | undefined {
  if (!sets.some(({ concerned }) => concerned)) return undefined;
  const least = atLeast === true ? 'at least ' : '';
  const grown = `${least}${rounded(ceiling)} GB if everything grows`;
  const gb = `${rounded(before)} GB reserved, ${least}${rounded(after)} GB after, ${grown}`;
  const costs = [before, after, ceiling].map(({ cost }) => cost?.toFixed(2));
  const known = currency !== undefined && costs.every((cost) => cost !== undefined);
  return `Storage: ${gb}${known ? ` (${costs.join(', ')} ${printable(currency)} a month)` : ''}.`;
}

function rounded({ gb }: StorageAmount): number {
  return Math.round(gb * 100) / 100;
}
