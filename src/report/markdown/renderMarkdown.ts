import { counted } from '../../base/text/counted.ts';
import { actionWords, outcomeWords } from '../../change/words.ts';
import { type Risk, worse } from '../../schema/facts/risk.ts';
import type { Finding } from '../model/finding.ts';
import { findingsOf } from '../model/findings.ts';
import type { Report, ReportedCommand, ReportedPlan } from '../model/report.ts';
import type { DetailItem } from './detailItems.ts';
import { fold } from './fold.ts';
import { code, codes } from './inline.ts';
import { mostStacks, type Section, sectionsOf } from './sections.ts';

/**
 * The first line of a comment, which nobody sees: the same for each report of a stack (or of the same stacks) in an
 * environment, whatever the command. Parts are percent-encoded, so nothing ends the comment early; `*` stands for what is not known.
 */
function marker({ subject: { stack = '', stacks = [stack], environment = '' } }: Pick<Report, 'subject'>): string {
  return `<!-- gantry report stack=${part(stacks.toSorted().join('+'))} env=${part(environment)} -->`;
}

function part(text: string): string {
  return text === '' ? '*' : encodeURIComponent(text.toWellFormed());
}

/** The limit of GitHub for the text of a comment, in characters; that of GitLab is higher. */
export const mostCharacters = 65_536;
/** Of all findings together, so that changes are told too. */
const roomForFindings = 24_000;
/** Of what is said when something is folded. */
const roomForFolded = 500;

/**
 * A comment on a change, for GitHub and GitLab: what stands against it and its risk first, details to be opened. It
 * begins with a hidden marker, so that a pipeline finds its own comment. It is never longer than `mostCharacters`: what
 * matters least is folded, and that is said.
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

/** At which level each thing is told. The most important of all sections keep most. */
function tellItems(sections: readonly Section[], room: number): ReadonlyMap<DetailItem, number> {
  const items = sections.flatMap((section) => section.items).toSorted((a, b) => b.weight - a.weight);
  const levels = fold(
    items.map((item) => item.levels),
    room,
  );
  return new Map(items.map((item, index) => [item, levels[index] ?? 0]));
}

type Told = ReturnType<typeof tellItems>;

/** Those that can be opened, then a list of those that are told in one line. */
function textsOf(items: readonly DetailItem[], told: Told): readonly string[] {
  const texts = items.map((item) => {
    const level = told.get(item) ?? 0;
    return { level, text: item.levels[level] ?? '' };
  });
  const listed = texts.filter(({ level }) => level === 1).map(({ text }) => text);
  // A block of HTML ends with a blank line: what follows without one would be HTML too.
  const opened = texts.filter(({ level }) => level > 1).map(({ text }) => text);
  return [...opened, ...(listed.length === 0 ? [] : [listed.join('\n')])];
}

/** A note on the sections that are not told in full, so that nobody takes the rest for everything. */
function foldedText(sections: readonly Section[], told: Told): readonly string[] {
  const missing = sections.reduce((sum, section) => sum + section.missing, 0);
  const at = Map.groupBy(told, ([{ levels }, level]) => {
    if (level <= 1) return level === 0 ? 'left' : 'short';
    return level < levels.length - 1 ? 'cut' : 'whole';
  });
  const [left = [], short = [], cut = []] = [at.get('left'), at.get('short'), at.get('cut')];
  const parts = [
    ...(left.length === 0 ? [] : [`${left.length} more are not listed (${byKind(left.map(([item]) => item))})`]),
    ...(short.length === 0 ? [] : [`${counted(short.length, 'is', 'are')} told in one line`]),
    ...(cut.length === 0 ? [] : [`${counted(cut.length, 'patch', 'patches')} left out`]),
    ...(missing === 0 ? [] : [`${counted(missing, 'note on a whole stack', 'notes on whole stacks')} left out`]),
  ];
  if (parts.length === 0) return [];
  return [`**Folded to fit into 65,536 characters:** ${parts.join('; ')}.`];
}

/** `12 to create, 3 to change`. */
function byKind(items: readonly DetailItem[]): string {
  const counts = Map.groupBy(items, ({ as }) => as);
  return [...counts].map(([as, of]) => `${of.length} ${as}`).join(', ');
}

function footer({ tool, command, exitCode }: Report): string {
  return `<sub>${tool.name} ${tool.version}, ${code(`gantry ${command}`)}, exit code ${exitCode}</sub>`;
}

/** Headings, in the order in which they stand. The error stands in the headline. */
const headings = [
  ['refusal', 'Refusals'],
  ['problem', 'Problems'],
  ['failure', 'Not carried out'],
  ['difference', 'Not as planned'],
] as const satisfies readonly (readonly [Finding['what'], string])[];

/** The findings, in at most so many characters together. Drift is told with its fields instead. */
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
    return [`#### ${heading}`, [...shown, ...(more === 0 ? [] : [`- and ${counted(more, 'more')}`])].join('\n')];
  });
}

/** `named`: with its stack. */
function line({ code: id, severity, stack, resource, path, place, message, hint }: Finding, named: boolean): string {
  const subject = [...(named ? [stack] : []), resource, path]
    .filter((text) => text !== undefined)
    .map((text) => code(text));
  const at = place === undefined ? [] : [code([place.file, place.line].filter((part) => part !== undefined).join(':'))];
  const head = [`${severity === 'warning' ? 'warning ' : ''}${code(id)}`, ...subject, ...at].join(' ');
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

/** `### Gantry plan: shop in acme, environment prod`. */
function title({
  command,
  subject: { stack, stacks = stack === undefined ? [] : [stack], org, environment },
}: Report): string {
  const of = [
    ...(stacks.length === 0 ? [] : [codes(stacks, mostInTitle, 100)]),
    ...(org === undefined ? [] : [`in ${code(org, 100)}`]),
    ...(environment === undefined ? [] : [`environment ${code(environment, 100)}`]),
  ];
  return `### ${titles[command]}${of.length === 0 ? '' : `: ${of.join(' ')}`}`;
}

/** The outcome, and for each plan its counts and its worst risk. */
function headline(report: Report): readonly string[] {
  const { outcome, plans, error } = report;
  const isSaidBelow = findingsOf(report).some(({ what, hint }) => what !== 'error' && hint === error?.hint);
  const shown = planLines(plans);
  const more = plans.length - shown.length;
  return [
    `**${outcomeWords[outcome].words}**${error === undefined ? '' : ` ${code(error.code)}: ${code(error.message)}`}`,
    ...(shown.length === 0 ? [] : [[...shown, ...(more > 0 ? [`- and ${more} more stacks`] : [])].join('\n')]),
    ...(error?.hint === undefined || isSaidBelow ? [] : [`What to do: ${code(error.hint)}`]),
  ];
}

const mostInTitle = 5;
/** In characters. */
const roomForPlans = 12_000;
const mostNamed = 3;

/** Of as many as there is room for. */
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
  const counts = Object.entries(actionWords).flatMap(([action, { todo }]) => {
    const count = changes.filter((change) => change.action === action).length;
    return count === 0 ? [] : [`${count} ${todo}`];
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
