import { compact } from '../base/json/present.ts';
import { counted } from '../base/text/counted.ts';
import type { DriftDocument } from '../change/documents/driftDocument.ts';
import type { ChangeDocument } from '../change/documents/planDocument.ts';
import { signatureWords } from '../change/documents/signatureWords.ts';
import { actionWords, outcomeWords } from '../change/words.ts';
import type { StorageUse } from '../plan/model/storageUse.ts';
import { type Risk, worse } from '../schema/facts/risk.ts';
import { type Finding, findingsOf } from './findings.ts';
import type { Report, ReportedCommand, ReportedPlan } from './report.ts';
import { changeItem, weightOf } from './tree/change.ts';
import { driftTree } from './tree/drift.ts';
import { fieldItem, headGroup } from './tree/explanation.ts';
import { rehearsalGroup } from './tree/rehearsal.ts';
import { resultTree } from './tree/result.ts';
import type { Item, Section } from './tree/tree.ts';
import { blocksOf, code, codes, details, type Foldable, fold, itemLevels, lineMarkdown } from './treeMarkdown.ts';

/**
 * The invisible first line of a comment: the same for each report of a stack (or of the same stacks) in an environment,
 * for any command. Parts are percent-encoded, so nothing ends the comment early; `*` replaces unknown parts.
 */
function marker({ subject: { stack = '', stacks = [stack], environment = '' } }: Pick<Report, 'subject'>): string {
  return `<!-- gantry report stack=${part(stacks.toSorted().join('+'))} env=${part(environment)} -->`;
}

function part(text: string): string {
  return text === '' ? '*' : encodeURIComponent(text.toWellFormed());
}

/** GitHub's limit for the text of a comment, in characters; GitLab's is higher. */
export const mostCharacters = 65_536;
/** The limit for all findings together, so that changes are also shown. */
const roomForFindings = 24_000;
/** Reserved for the note on shortened sections. */
const roomForFolded = 500;

/**
 * A comment on a change, for GitHub and GitLab: objections and the risk first, details in folded blocks. It begins with
 * a hidden marker, so that a pipeline finds its own comment. It is never longer than `mostCharacters`: the least
 * important parts are shortened, with a note.
 */
export function renderMarkdown(report: Report): string {
  const before = [marker(report), title(report), ...headline(report), ...findingsText(report, roomForFindings)];
  const after = footer(report);
  const sections = sectionsOf(report);
  const fixed = [...before, ...sections.flatMap((section) => section.before), after];
  const used = fixed.join('\n\n').length + roomForFolded;
  const levels = tellItems(sections, Math.max(0, mostCharacters - used));
  const texts = sections.flatMap((section) => [...section.before, ...textsOf(section.items, levels)]);
  return `${[...before, ...texts, ...foldedText(sections, levels), after].join('\n\n')}\n`;
}

/** The level of detail for each item. The most important of all sections keep most. */
function tellItems(sections: readonly DetailSection[], room: number): ReadonlyMap<DetailItem, number> {
  const items = sections.flatMap((section) => section.items).toSorted((a, b) => b.weight - a.weight);
  const levels = fold(
    items.map((item) => item.levels),
    room,
  );
  return new Map(items.map((item, index) => [item, levels[index] ?? 0]));
}

type Told = ReturnType<typeof tellItems>;

/** First the items with details, then a list of those in one line. */
function textsOf(items: readonly DetailItem[], told: Told): readonly string[] {
  const texts = items.map((item) => {
    const level = told.get(item) ?? 0;
    return { level, text: item.levels[level] ?? '' };
  });
  const listed = texts.filter(({ level }) => level === 1).map(({ text }) => text);
  // A block of HTML ends with a blank line; text directly after it would be HTML too.
  const opened = texts.filter(({ level }) => level > 1).map(({ text }) => text);
  return compact([...opened, listed.length === 0 ? undefined : listed.join('\n')]);
}

/** A note on shortened sections, so that the rest is not taken for everything. */
function foldedText(sections: readonly DetailSection[], told: Told): readonly string[] {
  const missing = sections.reduce((sum, section) => sum + section.missing, 0);
  const at = Map.groupBy(told, ([{ levels }, level]) => {
    if (level <= 1) return level === 0 ? 'left' : 'short';
    return level < levels.length - 1 ? 'cut' : 'whole';
  });
  const [left = [], short = [], cut = []] = [at.get('left'), at.get('short'), at.get('cut')];
  const parts = compact([
    left.length === 0 ? undefined : `${left.length} more are not listed (${byKind(left.map(([item]) => item))})`,
    short.length === 0 ? undefined : `${counted(short.length, 'is', 'are')} shown in one line`,
    cut.length === 0 ? undefined : `${counted(cut.length, 'patch', 'patches')} left out`,
    missing === 0 ? undefined : `${counted(missing, 'note on a whole stack', 'notes on whole stacks')} left out`,
  ]);
  if (parts.length === 0) return [];
  return [`**Folded to fit into 65,536 characters:** ${parts.join('; ')}.`];
}

/** Such as `12 to create, 3 to change`. */
function byKind(items: readonly DetailItem[]): string {
  const counts = Map.groupBy(items, ({ as }) => as);
  return [...counts].map(([as, of]) => `${of.length} ${as}`).join(', ');
}

function footer({ tool, command, exitCode }: Report): string {
  return `<sub>${tool.name} ${tool.version}, ${code(`gantry ${command}`)}, exit code ${exitCode}</sub>`;
}

/** Headings, in their order. The error is in the headline. */
const headings = [
  ['refusal', 'Refusals'],
  ['problem', 'Problems'],
  ['failure', 'Not carried out'],
  ['difference', 'Not as planned'],
] as const satisfies readonly (readonly [Finding['what'], string])[];

/** The findings, within a total number of characters. Drift is shown with its fields instead. */
function findingsText(report: Report, room: number): readonly string[] {
  const findings = findingsOf(report);
  const named = report.plans.length > 1;
  let left = room;
  return headings.flatMap(([what, heading]) => {
    const of = findings.filter((finding) => finding.what === what).map((finding) => line(finding, named));
    if (of.length === 0) return [];
    const shown: string[] = [];
    for (const text of of) {
      if (text.length + 1 > left) break;
      left -= text.length + 1;
      shown.push(text);
    }
    const more = of.length - shown.length;
    return [
      `#### ${heading}`,
      compact([...shown, more === 0 ? undefined : `- and ${counted(more, 'more')}`]).join('\n'),
    ];
  });
}

/** `named`: with its stack. */
function line({ code: id, severity, stack, resource, path, place, message, hint }: Finding, named: boolean): string {
  const at = place === undefined ? undefined : compact([place.file, place.line]).join(':');
  const subject = compact([named ? stack : undefined, resource, path, at]).map((text) => code(text));
  const head = [`${severity === 'warning' ? 'warning ' : ''}${code(id)}`, ...subject].join(' ');
  return `- ${head}: ${hint === undefined ? code(message) : `${code(message.replace(/\.$/, ''))}. ${code(hint)}`}`;
}

const titles: Readonly<Record<ReportedCommand, string>> = {
  plan: 'Gantry plan',
  show: 'Gantry plan',
  apply: 'Gantry apply',
  destroy: 'Gantry destroy',
  undo: 'Gantry undo',
  drift: 'Gantry drift',
  validate: 'Gantry validation',
  explain: 'Gantry explanation',
};

/** Such as `### Gantry plan: shop in acme, environment prod`. */
function title({ command, subject: { stack, stacks = compact([stack]), org, environment } }: Report): string {
  const of = compact([
    stacks.length === 0 ? undefined : codes(stacks, mostInTitle, 100),
    org === undefined ? undefined : `in ${code(org, 100)}`,
    environment === undefined ? undefined : `environment ${code(environment, 100)}`,
  ]);
  return `### ${titles[command]}${of.length === 0 ? '' : `: ${of.join(' ')}`}`;
}

/** The outcome, and for each plan its counts and its worst risk. */
function headline(report: Report): readonly string[] {
  const { outcome, plans, error } = report;
  const isSaidBelow = findingsOf(report).some(({ what, hint }) => what !== 'error' && hint === error?.hint);
  const shown = planLines(plans);
  const more = plans.length - shown.length;
  return compact([
    `**${outcomeWords[outcome].words}**${error === undefined ? '' : ` ${code(error.code)}: ${code(error.message)}`}`,
    shown.length === 0 ? undefined : [...shown, ...(more > 0 ? [`- and ${more} more stacks`] : [])].join('\n'),
    error?.hint === undefined || isSaidBelow ? undefined : `What to do: ${code(error.hint)}`,
  ]);
}

const mostInTitle = 5;
/** In characters. */
const roomForPlans = 12_000;
const mostNamed = 3;

/** As many as there is room for. */
function planLines(plans: readonly ReportedPlan[]): readonly string[] {
  let left = roomForPlans;
  const lines = plans.slice(0, mostStacks).map((plan) => planLine(plan, plans.length > 1));
  return lines.filter(({ length }) => {
    left -= length;
    return left >= 0;
  });
}

function planLine({ document }: ReportedPlan, named: boolean): string {
  const { stack, summary, changes, risk, requests } = document;
  const counts = compact(Object.entries(actionWords), ([action, { todo }]) => {
    const count = changes.filter((change) => change.action === action).length;
    return count === 0 ? undefined : `${count} ${todo}`;
  });
  const said = counts.length === 0 ? 'nothing is declared' : counts.join(', ');
  const worst = worstText(changes, risk);
  const sent = summary.keep === changes.length ? '' : ` ${counted(requests.apply, 'request')} to apply.`;
  return `- ${named ? `${code(stack)}: ` : ''}${said}.${worst}${sent}`;
}

function worstText(changes: ReportedPlan['document']['changes'], risk: Risk): string {
  if (worse(risk, 'metadata') === 'metadata') return '';
  const ids = changes.filter((change) => change.risk === risk).map(({ id }) => id);
  return ` Worst risk: **${risk}** (${codes(ids, mostNamed)}).`;
}

/** One of several stacks, or the whole report. */
interface DetailSection {
  /** Its heading, if it has one, and its general facts. */
  readonly before: readonly string[];
  /** The number of these facts that did not fit. */
  readonly missing: number;
  readonly items: readonly DetailItem[];
}

/** More stacks are only counted, in the headline too. */
const mostStacks = 40;
/** For general facts about plans, in characters. */
const roomForFacts = 16_000;

function sectionsOf(report: Report): readonly DetailSection[] {
  const { plans, drifts, explanation } = report;
  if (plans.length > 1)
    return [...plans.slice(0, mostStacks).map(ofStack), ofOthers({ plans: plans.slice(mostStacks) })];
  if (drifts.length > 1)
    return [...drifts.slice(0, mostStacks).map(ofDrift), ofOthers({ drifts: drifts.slice(mostStacks) })];
  const { before, missing } = fitting(plans.flatMap(planFacts), roomForFacts);
  const explained = explanation === undefined ? undefined : explanationFacts(explanation);
  const compared = drifts.map((drift) => lineMarkdown(driftTree(drift).summary));
  return [{ before: compact([...before, explained, ...compared]), missing, items: detailItems(report) }];
}

function ofStack(plan: ReportedPlan, _: number, { length }: readonly ReportedPlan[]): DetailSection {
  const { before, missing } = fitting(planFacts(plan), Math.floor(roomForFacts / length));
  const heading = `#### Stack ${code(plan.document.stack, 100)}`;
  const items = detailItems({ plans: [plan], drifts: [] });
  const isSilent = before.length + missing + items.length === 0;
  return { before: [heading, ...(isSilent ? ['No changes.'] : before)], missing, items };
}

function ofDrift(drift: DriftDocument): DetailSection {
  const before = [`#### Stack ${code(drift.stack, 100)}`, lineMarkdown(driftTree(drift).summary)];
  return { before, missing: 0, items: detailItems({ plans: [], drifts: [drift] }) };
}

function ofOthers({ plans = [], drifts = [] }: Partial<Pick<Report, 'plans' | 'drifts'>>): DetailSection {
  const items = detailItems({ plans, drifts }).map((item) => ({ ...item, levels: [''] }));
  return { before: [], missing: plans.flatMap(planFacts).length, items };
}

function fitting(facts: readonly string[], room: number): Pick<DetailSection, 'before' | 'missing'> {
  let left = room;
  const before = facts.filter(({ length }) => {
    if (length > left) return false;
    left -= length;
    return true;
  });
  return { before, missing: facts.length - before.length };
}

const mostLines = 20;

/** The planned action for the resource, and the reason. */
function explanationFacts(explanation: NonNullable<Report['explanation']>): string {
  const refusals = explanation.refusals.slice(0, mostLines);
  return [
    ...blocksOf([headGroup(explanation)]),
    ...refusals.map(({ code: id, message }) => `- refused: ${code(id)} ${code(message)}`),
  ].join('\n');
}

/** The general facts about a plan. */
function planFacts({
  document: { changes, storage, notes, leftOut, rehearsal, result, signatures },
}: ReportedPlan): readonly string[] {
  return compact([
    storage === undefined || !storage.sets.some(({ concerned }) => concerned) ? undefined : storageText(storage),
    rehearsal === undefined ? undefined : lineMarkdown(rehearsalGroup(rehearsal).title),
    signatures === undefined || signatures.length === 0 ? undefined : signaturesText(signatures),
    leftOut === undefined || leftOut.length === 0
      ? undefined
      : `Left for later by --target or --exclude: ${codes(
          leftOut.map(({ id }) => id),
          mostLines,
        )}.`,
    notes.length === 0
      ? undefined
      : listed(
          'Notes',
          notes.map((note) => code(note)),
        ),
    ...(result === undefined ? [] : [resultText(result, changes), ...timeline(result)]),
  ]);
}

function storageText({ before, after, ceiling, currency, atLeast }: StorageUse): string {
  const rows = [
    ['now', before],
    ['after', after],
    ['if everything grows', ceiling],
  ] as const;
  const isPriced = currency !== undefined && rows.every(([, { cost }]) => cost !== undefined);
  const cells = rows.map(([title, { gb, cost = 0 }]) => {
    const least = atLeast === true && title !== 'now' ? 'at least ' : '';
    return `| ${title} | ${least}${Math.round(gb * 100) / 100} |${isPriced ? ` ${cost.toFixed(2)} |` : ''}`;
  });
  const head = isPriced
    ? ['| Storage | GB | a month |', '| --- | ---: | ---: |']
    : ['| Storage | GB |', '| --- | ---: |'];
  return [...head, ...cells, ...(isPriced ? ['', `Prices are in ${code(currency)}.`] : [])].join('\n');
}

/** Such as `Signatures: 1 valid, 1 not verified.` */
function signaturesText(signatures: NonNullable<ReportedPlan['document']['signatures']>): string {
  const states = Map.groupBy(signatures, ({ state }) => state);
  const said = [...states].map(([state, of]) => `${of.length} ${signatureWords[state]}`);
  return `Signatures: ${said.join(', ')}.`;
}

type Result = NonNullable<ReportedPlan['document']['result']>;

/** The outcome; the differences that verification found are among the findings, above everything else. */
function resultText(result: Result, changes: ReportedPlan['document']['changes']): string {
  return blocksOf(resultTree({ ...result, differences: [] }, changes).told).join('\n');
}

/** The steps of the run, in the order in which they ended. */
function timeline({ changes = [], requests, elapsedMs }: Result): readonly string[] {
  if (changes.length === 0) return [];
  const lines = changes.map(({ id, outcome, startedAt, elapsedMs: took }) => {
    const at = startedAt === undefined ? '' : ` from ${startedAt.slice(11, 23)}`;
    return `${code(id)} ${outcome}${at}${took === undefined ? '' : `, ${seconds(took)}`}`;
  });
  const time = elapsedMs === undefined ? '' : ` in ${seconds(elapsedMs)}`;
  return [listed(`${counted(requests, 'request')}${time}`, lines)];
}

/** A folded list. `title` is our own text. */
function listed(title: string, lines: readonly string[]): string {
  const more = lines.length - mostLines;
  const shown = [...lines.slice(0, mostLines), ...(more > 0 ? [`and ${more} more`] : [])];
  return details(title, shown.map((line) => `- ${line}`).join('\n'));
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** An item that is shown in as much detail as there is room for. */
interface DetailItem {
  readonly levels: Foldable;
  /** The words used to count it if it is not shown, such as `to create`. */
  readonly as: string;
  /** Heavier sections get more detail. */
  readonly weight: number;
}

type DetailedReport = Pick<Report, 'plans' | 'drifts' | 'explanation'>;

/** Everything with details, the most important of each plan first. */
function detailItems({ plans, drifts, explanation }: DetailedReport): readonly DetailItem[] {
  return [
    ...plans.flatMap(({ document, proofs }) =>
      changesOf(document.changes).map((change) => detailOf(changeItem(change, { proof: proofs.get(change.id) }))),
    ),
    ...drifts.flatMap((drift) => itemsOf(driftTree(drift))),
    ...(explanation?.fields.map((field) => detailOf(fieldItem(field))) ?? []),
  ];
}

function itemsOf(section: Section): readonly DetailItem[] {
  return section.children().flatMap((node) => (node.node === 'item' ? [detailOf(node)] : []));
}

function detailOf(item: Item): DetailItem {
  return { levels: itemLevels(item), as: item.as, weight: item.weight };
}

/** Refused changes, then the others by risk; unchanged resources only if they have notes. */
function changesOf(changes: readonly ChangeDocument[]): readonly ChangeDocument[] {
  return changes
    .filter(({ action, notes }) => action !== 'keep' || notes.length > 0)
    .toSorted((a, b) => weightOf(b) - weightOf(a));
}
