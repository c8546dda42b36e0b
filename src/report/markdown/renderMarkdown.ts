import { counted } from '../../base/text/counted.ts';
import type { Report } from '../model/report.ts';
import type { DetailItem } from './detailItems.ts';
import { findingsText } from './findingsText.ts';
import { fold } from './fold.ts';
import { headline, title } from './headline.ts';
import { code } from './inline.ts';
import { type Section, sectionsOf } from './sections.ts';

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

/** What GitHub takes as the text of a comment, in characters; GitLab takes more. */
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

/** What is not told in full, so that nobody takes the rest for everything. */
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
