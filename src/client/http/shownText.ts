import { stripVTControlCharacters } from 'node:util';

/** Characters of one line of the other side in a message. */
const longestLine = 1_000;
/** Lines of it in a message. */
const mostLines = 20;

/** Characters that are invisible, or change the direction of text; line breaks and tabs are kept. */
const invisible = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Text of the other side without what a terminal would obey. */
export function withoutControls(text: string): string {
  return stripVTControlCharacters(text).replace(invisible, '');
}

/** Cut to a length that somebody reads. What is masked in it must be masked before. */
export function shownLine(text: string): string {
  if (text.length <= longestLine) return text;
  return `${text.slice(0, longestLine).toWellFormed()}… (${text.length} characters)`;
}

/** The lines of a message, each cut, and the first of them. */
export function shownLines(texts: readonly string[]): readonly string[] {
  const lines = texts.flatMap((text) => text.split('\n', mostLines + 1));
  const more = lines.length - mostLines;
  const shown = lines.slice(0, mostLines).map(shownLine);
  return more > 0 ? [...shown, '… and more lines'] : shown;
}
