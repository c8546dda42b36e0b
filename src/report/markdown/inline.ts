import { visiblePart } from '../model/visible.ts';

/** Of a text that stands within a sentence. */
const longest = 400;

/**
 * Text of others within a sentence. In a code span nothing of it means anything: no link, mention, reference, image,
 * emphasis or HTML.
 */
export function code(text: string, most = longest): string {
  const shown = visiblePart(text, most);
  if (shown.trim() === '') return '`(blank)`';
  const fence = '`'.repeat(longestRun(shown) + 1);
  const padding = /^[` ]|[` ]$/.test(shown) ? ' ' : '';
  return `${fence}${padding}${shown}${padding}${fence}`;
}

/** The same where HTML stands, which takes no Markdown. */
export function htmlCode(text: string): string {
  return `<code>${visiblePart(text, longest).replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`)}</code>`;
}

/** Lines of others, each as it is. */
export function fenced(language: 'diff' | 'json', lines: readonly string[]): string {
  const fence = '`'.repeat(Math.max(3, longestRun(lines.join('\n')) + 1));
  return [`${fence}${language}`, ...lines, fence].join('\n');
}

/** `a`, `b` and 3 more. `each`: how many characters of each. */
export function codes(texts: readonly string[], most: number, each = longest): string {
  const more = texts.length - most;
  const shown = texts.slice(0, most).map((text) => code(text, each));
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

/** A block that is opened by its summary. `summary` is HTML, `body` Markdown. */
export function details(summary: string, body: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
