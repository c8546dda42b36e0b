import { counted } from '../../base/text/counted.ts';
import { changeDocument } from '../../change/documents/planToJson.ts';
import { actionWords } from '../../change/words.ts';
import type { Change } from '../../plan/model/change.ts';
import type { Plan } from '../../plan/model/plan.ts';
import { announcedProbe } from '../../plan/order/versionProbe.ts';
import { changeItem } from '../../report/tree/change.ts';
import { type Item, refusalNode } from '../../report/tree/tree.ts';
import { formatRef } from '../../schema/record/ref.ts';
import type { CommandContext } from '../../terminal/line/context.ts';
import type { OutputOptions, PlanTextOptions } from '../../terminal/line/options.ts';
import { makePalette } from '../../terminal/palette.ts';
import { printable } from '../../terminal/printable.ts';
import { wrapText } from '../../terminal/wrapText.ts';
import { needsLineDiff } from './fieldText.ts';
import { renderShortSummary, renderSummary } from './planSummary.ts';
import { renderBody, renderHead, renderProblem, type TreeLook } from './treeText.ts';

export interface ChangeLook extends TreeLook {
  /** `compact`: a line for each change. `full`: nothing is folded or cut. */
  readonly detail: 'compact' | 'normal' | 'full';
}

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

/** True if showing this plan needs `lineDiff`. */
export function comparesLines(plan: Plan): boolean {
  return plan.changes.some(({ fields }) => fields.some(needsLineDiff));
}

/** A plan with more blocks than this does not fit a screen: its summary stands first too. */
const mostBlocks = 8;

/** The one PATCH of an apply that belongs to no change. */
function probeBlock(plan: Plan): readonly (readonly string[])[] {
  const probe = announcedProbe(plan);
  if (probe === undefined) return [];
  return [
    [
      'Before the first PATCH, one that changes nothing asks whether versions are honoured:',
      `  PATCH ${printable(formatRef(probe.ref))} ${printable(JSON.stringify(probe.body))}`,
    ],
  ];
}

/** The whole plan for people. What is kept as it is counts only, unless there is something to say about it. */
export function renderPlan(plan: Plan, given: ChangeLook): string {
  const look = { ...given, whole: given.detail === 'full' };
  const { palette, width } = look;
  const moving = plan.changes.filter(({ action }) => action !== 'keep');
  const noted = plan.changes.filter(({ action, notes }) => action === 'keep' && notes.length > 0);
  const changes = renderChanges(moving, look);
  const summary = renderSummary(plan, look);
  const blocks: readonly (readonly string[])[] = [
    [`${palette.strong('Stack')} ${printable(plan.stack)} ${palette.faint(`in org ${printable(plan.org)}`)}`],
    ...(changes.length > mostBlocks ? [summary] : []),
    ...changes,
    ...(look.bodies === true ? probeBlock(plan) : []),
    ...(noted.length === 0 ? [] : [noted.flatMap(keepNotes)]),
    ...(plan.notes.length === 0
      ? []
      : [plan.notes.flatMap((note) => wrapText(`note: ${printable(note)}`, width, '', '  '))]),
    ...(plan.refusals.length === 0
      ? []
      : [plan.refusals.flatMap((refusal) => renderProblem(refusalNode(refusal), look))]),
    summary,
  ];
  return blocks.map((lines) => lines.join('\n')).join('\n\n');

  function keepNotes({ id, notes }: Change): readonly string[] {
    return notes.flatMap((note) =>
      wrapText(`${printable(id)}: ${printable(note)}`, width, '  ', '    ').map(palette.faint),
    );
  }
}

/** Fewer equal changes than this are shown one by one. */
const fewestFolded = 3;
/** Names beyond this are counted only. */
const mostNames = 60;
/** Names are wrapped also where lines may have any length. */
const widestNames = 120;
const indent = '      ';

/**
 * The blocks of a plan, in its order. Changes that read the same but for their names are one block with all of the
 * names, where the first of them stands.
 */
function renderChanges(changes: readonly Change[], look: ChangeLook): readonly (readonly string[])[] {
  if (changes.length === 0) return [];
  if (look.detail === 'compact') return [changes.flatMap((change) => inShort(itemOf(change, look), look))];
  const shown = changes.map((change) => {
    const item = itemOf(change, look);
    const body = renderBody(item, look);
    return { change, item, body, key: [change.kind, change.action, change.intended, change.risk, ...body].join('\n') };
  });
  const alike = Map.groupBy(shown, ({ key }) => key);
  return shown.flatMap(({ change, item, body, key }) => {
    const group = alike.get(key) ?? [];
    if (look.detail === 'full' || group.length < fewestFolded) return [[...renderHead(item, look), ...body]];
    if (group[0]?.change !== change) return [];
    const ids = group.map((each) => each.change.id);
    return [[...renderNames(change, ids, look), ...body]];
  });
}

/** The head says what a new resource is called. */
function itemOf(change: Change, { detail }: ChangeLook): Item {
  const document = changeDocument(change);
  if (change.action !== 'create' || detail === 'full') return changeItem(document);
  const fields = document.fields.filter(({ path, new: value }) => path !== 'name' || value !== change.name);
  return changeItem({ ...document, fields });
}

/** A refusal gives its reason here too: otherwise nobody knows what to do about it. */
function inShort(item: Item, look: ChangeLook): readonly string[] {
  const why = item.children().filter((node) => node.node === 'problem');
  return [...renderHead(item, look), ...renderBody({ ...item, words: [], children: () => why }, look)];
}

function renderNames(first: Change, ids: readonly string[], look: ChangeLook): readonly string[] {
  const named = ids.slice(0, mostNames).map(printable).join(', ');
  const more = ids.length <= mostNames ? '' : ` and ${ids.length - mostNames} more (--full shows each)`;
  const { liveVersion: _, ...unversioned } = changeDocument(first);
  const id = `${counted(ids.length, first.kind)} ${actionWords[first.action].todo}`;
  return [
    ...renderHead({ ...changeItem(unversioned), id }, look),
    ...wrapText(`${named}${more}`, Math.min(look.width, widestNames), indent),
  ];
}
