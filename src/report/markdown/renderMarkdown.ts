import { counted } from '../../schema/text/counted.ts';
import type { Report } from '../model/report.ts';
import { detailItems } from './detailItems.ts';
import { explanationFacts } from './explanationText.ts';
import { findingsText } from './findingsText.ts';
import { fold } from './fold.ts';
import { headline, title } from './headline.ts';
import { code } from './inline.ts';
import { marker } from './marker.ts';
import { planFacts } from './planFacts.ts';

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
  const before = [
    marker(report),
    title(report),
    ...headline(report),
    ...findingsText(report, roomForFindings),
    ...report.plans.flatMap(planFacts),
    ...(report.explanation === undefined ? [] : [explanationFacts(report.explanation)]),
  ];
  const after = footer(report);
  const items = detailItems(report);
  const used = [...before, after].join('\n\n').length + roomForFolded;
  const levels = fold(
    items.map((item) => item.levels),

    Math.max(0, mostCharacters - used),
  );
  const texts = items.map(({ levels: all }, index) => ({
    level: levels[index] ?? 0,
    text: all[levels[index] ?? 0] ?? '',
  }));
  // A block of HTML ends with a blank line: what follows without one would be HTML too.
  const opened = texts.filter(({ level }) => level > 1).map(({ text }) => text);
  const listed = texts.filter(({ level }) => level === 1).map(({ text }) => text);
  const folded = foldedText(items, levels);
  const told = [...opened, ...(listed.length === 0 ? [] : [listed.join('\n')])];
  return `${[...before, ...told, ...folded, after].join('\n\n')}\n`;
}

/** What is not told in full, so that nobody takes the rest for everything. */
function foldedText(items: ReturnType<typeof detailItems>, levels: readonly number[]): readonly string[] {
  const cut = items.filter(
    ({ levels: all }, index) => (levels[index] ?? 0) > 1 && (levels[index] ?? 0) < all.length - 1,
  );
  const short = items.filter((_, index) => levels[index] === 1);
  const left = items.filter((_, index) => levels[index] === 0);
  const parts = [
    ...(left.length === 0 ? [] : [`${left.length} more are not listed (${byKind(left)})`]),
    ...(short.length === 0 ? [] : [`${counted(short.length, 'is', 'are')} told in one line`]),
    ...(cut.length === 0 ? [] : [`${counted(cut.length, 'patch')} left out`.replace('patchs', 'patches')]),
  ];
  if (parts.length === 0) return [];
  return [`**Folded to fit into 65,536 characters:** ${parts.join('; ')}.`];
}

/** `12 to create, 3 to change`. */
function byKind(items: ReturnType<typeof detailItems>): string {
  const counts = Map.groupBy(items, ({ as }) => as);
  return [...counts].map(([as, of]) => `${of.length} ${as}`).join(', ');
}

function footer({ tool, command, exitCode }: Report): string {
  return `<sub>${tool.name} ${tool.version}, ${code(`gantry ${command}`)}, exit code ${exitCode}</sub>`;
}
