import { compact } from '../../base/json/present.ts';
import { counted } from '../../base/text/counted.ts';
import { changeDocument } from '../../change/documents/planDocument.ts';
import { actionOrder, actionWords, countActions } from '../../change/words.ts';
import { planRisk } from '../../plan/consequences/risk.ts';
import type { Action, Change } from '../../plan/model/change.ts';
import { isRefused, type Plan } from '../../plan/model/plan.ts';
import type { StorageAmount, StorageUse } from '../../plan/model/storageUse.ts';
import { announcedProbe } from '../../plan/order/applyRequests.ts';
import { changeItem } from '../../report/tree/change.ts';
import { type Item, refusalNode } from '../../report/tree/tree.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import { formatRef } from '../../schema/record/ref.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { OutputOptions, PlanTextOptions } from '../../terminal/options.ts';
import { makePalette, type Palette } from '../../terminal/palette.ts';
import { printable } from '../../terminal/printable.ts';
import { wrapLines, wrapText } from '../../terminal/textWidth.ts';
import { needsLineDiff } from './fieldText.ts';
import { joinBlocks, renderBody, renderHead, renderProblem, renderRisk, type TreeStyle } from './treeText.ts';

export interface ChangeStyle extends TreeStyle {
  /** `compact`: one line per change. `full`: nothing is folded or cut. */
  readonly detail: 'compact' | 'normal' | 'full';
}

type PlanTextContext = CommandContext<OutputOptions & PlanTextOptions>;

/** The plan as text; loads line diffs only if there is text to compare. */
export async function planText(plan: Plan, { options, terminal }: PlanTextContext): Promise<string> {
  const lineDiff = comparesLines(plan) ? (await import('../../report/lineDiff.ts')).lineDiff : undefined;
  const isText = options.output === 'text';
  const palette = isText ? terminal.palette : makePalette(false);
  const detail = options.compact ? 'compact' : options.full ? 'full' : 'normal';
  return renderPlan(plan, {
    palette,
    lineDiff,
    bodies: options.patch,
    detail,
    width: isText ? terminal.resultColumns() : Number.POSITIVE_INFINITY,
  });
}

/** A summary for the confirmation: a long plan has scrolled away by then. */
export function shortPlanText(plan: Plan, { terminal }: PlanTextContext): string {
  return renderShortSummary(plan, terminal.messagePalette, terminal.size().columns);
}

/** True if showing this plan needs `lineDiff`. */
export function comparesLines(plan: Plan): boolean {
  return plan.changes.some(({ fields }) => fields.some(needsLineDiff));
}

/** A plan with more blocks does not fit a screen: its summary is also shown first. */
const maxBlocks = 8;

/** The only PATCH of an apply that belongs to no change. */
function probeBlock(plan: Plan): readonly (readonly string[])[] {
  const probe = announcedProbe(plan);
  if (probe === undefined) return [];
  return [
    [
      'Before the first PATCH, one that changes nothing tests whether versions are honoured:',
      `  PATCH ${printable(formatRef(probe.ref))} ${printable(JSON.stringify(probe.body))}`,
    ],
  ];
}

/** The whole plan as text. Kept resources are only counted, unless they have notes. */
export function renderPlan(plan: Plan, options: ChangeStyle): string {
  const style = { ...options, whole: options.detail === 'full' };
  const { palette, width } = style;
  const activeChanges = plan.changes.filter(({ action }) => action !== 'keep');
  const keptWithNotes = plan.changes.filter(({ action, notes }) => action === 'keep' && notes.length > 0);
  const changes = renderChanges(activeChanges, style);
  const summary = renderSummary(plan, style);
  const blocks: readonly (readonly string[])[] = compact([
    [`${palette.strong('Stack')} ${printable(plan.stack)} ${palette.faint(`in org ${printable(plan.org)}`)}`],
    changes.length > maxBlocks ? summary : undefined,
    ...changes,
    ...(style.bodies === true ? probeBlock(plan) : []),
    keptWithNotes.length === 0 ? undefined : keptWithNotes.flatMap(keepNotes),
    plan.notes.length === 0
      ? undefined
      : plan.notes.flatMap((note) => wrapText(`note: ${printable(note)}`, width, '', '  ')),
    plan.refusals.length === 0
      ? undefined
      : plan.refusals.flatMap((refusal) => renderProblem(refusalNode(refusal), style)),
    summary,
  ]);
  return joinBlocks(blocks, style);

  function keepNotes({ id, notes }: Change): readonly string[] {
    return notes.flatMap((note) =>
      wrapText(`${printable(id)}: ${printable(note)}`, width, '  ', '    ').map(palette.faint),
    );
  }
}

/** Limit below which equal changes are shown one by one. */
const minFolded = 3;
/** Further names are only counted. */
const maxNames = 60;
/** Names are wrapped even if lines may have any length. */
const widestNames = 120;
const indent = '      ';

/**
 * The blocks of a plan, in its order. Changes that differ only in their names share a block with all names, at the
 * place of the first.
 */
function renderChanges(changes: readonly Change[], style: ChangeStyle): readonly (readonly string[])[] {
  if (changes.length === 0) return [];
  if (style.detail === 'compact') return [changes.flatMap((change) => renderCompact(itemOf(change, style), style))];
  const rendered = changes.map((change) => {
    const item = itemOf(change, style);
    const body = renderBody(item, style);
    return { change, item, body, key: [change.kind, change.action, change.intended, change.risk, ...body].join('\n') };
  });
  const groups = Map.groupBy(rendered, ({ key }) => key);
  return rendered.flatMap(({ change, item, body, key }) => {
    const group = groups.get(key) ?? [];
    if (style.detail === 'full' || group.length < minFolded) return [[...renderHead(item, style), ...body]];
    if (group[0]?.change !== change) return [];
    const ids = group.map((each) => each.change.id);
    return [[...renderNames(change, ids, style), ...body]];
  });
}

/** Omits the name of a new resource, which the head shows. */
function itemOf(change: Change, { detail }: ChangeStyle): Item {
  const document = changeDocument(change);
  if (change.action !== 'create' || detail === 'full') return changeItem(document);
  const fields = document.fields.filter(({ path, new: value }) => path !== 'name' || value !== change.name);
  return changeItem({ ...document, fields });
}

/** Includes the reasons of a refusal, so the user knows what to do. */
function renderCompact(item: Item, style: ChangeStyle): readonly string[] {
  const why = item.children().filter((node) => node.node === 'problem');
  return [...renderHead(item, style), ...renderBody({ ...item, words: [], children: () => why }, style)];
}

function renderNames(first: Change, ids: readonly string[], style: ChangeStyle): readonly string[] {
  const named = ids.slice(0, maxNames).map(printable).join(', ');
  const more = ids.length <= maxNames ? '' : ` and ${ids.length - maxNames} more (--full shows each)`;
  const { liveVersion: _, ...unversioned } = changeDocument(first);
  const id = `${counted(ids.length, first.kind)} ${actionWords[first.action].todo}`;
  return [
    ...renderHead({ ...changeItem(unversioned), id }, style),
    ...wrapText(`${named}${more}`, Math.min(style.width, widestNames), indent),
  ];
}

interface SummaryStyle {
  readonly palette: Palette;
  readonly width: number;
}

/**
 * The summary of a plan: counts by action, then by kind, refusals with their reasons, the worst risk and where it is.
 * It comes last, also first in a long plan, and in short before the confirmation.
 */
function renderSummary(plan: Plan, { palette, width }: SummaryStyle): readonly string[] {
  const activeChanges = plan.changes.filter(({ action }) => action !== 'keep');
  const { requests, storage } = plan;
  const counts = countsOf(plan.changes);
  if (activeChanges.length === 0 && !isRefused(plan)) {
    const unchanged = plan.changes.length === 0 ? '' : `: ${counts}`;
    const word = plan.waiting === undefined ? 'No changes' : 'No changes yet';
    const headline = emphasisedSentence(word, `${unchanged}. Requests: ${requests.snapshot} to read.`, {
      palette,
      width,
    });
    return [...headline, ...renderLaterDeletions(plan, width), ...renderReadinessWaits(plan.changes)];
  }
  const stored = storage === undefined ? undefined : renderStorage(storage);
  return [
    ...emphasisedSentence('Plan:', ` ${counts}. Requests: ${requests.snapshot} to read, ${requests.apply} to apply.`, {
      palette,
      width,
    }),
    ...renderLaterDeletions(plan, width),
    ...(activeChanges.length < 2 ? [] : byKind(activeChanges, { palette, width })),
    ...renderWorst(activeChanges, { palette, width }),
    ...(stored === undefined ? [] : wrapText(stored, width, '', '  ')),
    ...(isRefused(plan) ? [] : renderReadinessWaits(plan.changes)),
    ...(isRefused(plan) ? wrapText(refusedText(plan), width, '', '  ').map(palette.refuse) : []),
  ];
}

/** Only in a run of several stacks. */
function renderLaterDeletions({ waiting = [] }: Plan, width: number): readonly string[] {
  if (waiting.length === 0) return [];
  const after = [...new Set(waiting.map((each) => each.after))].join(', ');
  return wrapText(`Later: ${waiting.length} to delete, after ${after}.`, width, '', '  ');
}

/** A sentence that begins with an emphasised word. */
function emphasisedSentence(word: string, text: string, { palette, width }: SummaryStyle): readonly string[] {
  const [first = '', ...rest] = wrapText(`${word}${text}`, width, '', '  ');
  return [`${palette.strong(word)}${first.slice(word.length)}`, ...rest];
}

/** The short summary for the confirmation. */
export function renderShortSummary(plan: Plan, palette: Palette, width: number): string {
  const worst = renderRisk(planRisk(plan.changes), palette);
  const activeChanges = plan.changes.filter(({ action }) => action !== 'keep');
  const text = `${palette.strong('Plan:')} ${countsOf(activeChanges)}.${worst === undefined ? '' : ` Worst risk: ${worst}.`}`;
  return wrapLines(text, width);
}

/** Does not count clones and records taken over by others as unchanged: they do not belong to this stack. */
function countsOf(changes: readonly Change[]): string {
  const owned = changes.filter(({ unowned }) => unowned !== true);
  const counts = countActions(
    owned.map(({ action }) => action),
    'todo',
  );
  const others = changes.length - owned.length;
  return compact([counts === '' ? undefined : counts, others === 0 ? undefined : `${others} not owned`]).join(', ');
}

/** `+ 3 to create  1 gvc, 2 workloads`: one line per action. */
function byKind(changes: readonly Change[], { palette, width }: SummaryStyle): readonly string[] {
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

/** `2 workloads, 1 gvc`, most first; refused ones with reasons. */
function kindsOf(changes: readonly Change[]): string {
  const groups = [...Map.groupBy(changes, ({ kind }): Kind => kind)];
  const byKind = groups.toSorted(([, a], [, b]) => b.length - a.length);
  const kinds = byKind.map(([kind, of]) => counted(of.length, kind)).join(', ');
  const codes = new Set(changes.flatMap(({ refusals }) => refusals.map(({ code }) => code)));
  return codes.size === 0 ? kinds : `${kinds} (${[...codes].join(', ')})`;
}

/** `Worst risk: downtime (workload/shop/web and 2 more).` */
function renderWorst(changes: readonly Change[], { palette, width }: SummaryStyle): readonly string[] {
  const risk = planRisk(changes);
  const shown = renderRisk(risk, palette);
  if (shown === undefined) return [];
  const [first, ...others] = changes.filter((change) => change.risk === risk);
  const head = `Worst risk: ${shown}`;
  if (first === undefined) return [`${head}.`];
  const where = `(${printable(first.id)}${others.length === 0 ? '' : ` and ${others.length} more`}).`;
  const isOneLine = `Worst risk: ${risk} ${where}`.length <= width;
  return isOneLine ? [`${head} ${where}`] : [head, `  ${where}`];
}

function refusedText({ refusals, changes }: Plan): string {
  const count = refusals.length + changes.reduce((sum, change) => sum + change.refusals.length, 0);
  return `The plan is refused for ${count === 1 ? 'one reason' : `${count} reasons`}: nothing will be written.`;
}

/** How many resources an apply waits for, with unchanged ones counted separately; empty if there are none. */
function renderReadinessWaits(changes: readonly Change[]): readonly string[] {
  const waiting = changes.filter(({ wait, action }) => wait && action !== 'refuse');
  if (waiting.length === 0) return [];
  const unchanged = waiting.filter(({ action }) => action === 'keep').length;
  const which = unchanged === 0 ? '' : unchanged === waiting.length ? ' (unchanged)' : ` (${unchanged} unchanged)`;
  return [`Apply waits until ${counted(waiting.length, 'workload is', 'workloads are')} ready${which}.`];
}

/**
 * `Storage: 10 GB reserved, 20 GB after, 100 GB if everything grows (1.00, 2.00, 10.00 EUR a month).` Undefined if the
 * plan concerns no volume set.
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
