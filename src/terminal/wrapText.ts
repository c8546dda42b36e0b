import { stripVTControlCharacters } from 'node:util';
import { startOf, textWidth } from './textWidth.ts';

/**
 * A text as lines of at most `width` columns, broken at spaces and nowhere else: a word that is longer than that stays
 * whole, so that it can be found and copied. The first line begins with `first`, the others with `rest`.
 */
export function wrapText(text: string, width: number, first = '', rest = first): readonly string[] {
  const lines: string[] = [];
  let margin = first;
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && margin.length + columnsOf(longer) > width) {
      lines.push(`${margin}${line}`.trimEnd());
      margin = rest;
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, `${margin}${line}`.trimEnd()];
}

/** Text of several lines, colours included: each line that is too long goes on below, a little deeper than it began. */
export function wrapLines(text: string, width: number): string {
  const wrapped = text.split('\n').flatMap((line) => {
    if (columnsOf(line) <= width) return [line];
    const margin = /^ */.exec(line)?.[0] ?? '';
    return wrapText(line.slice(margin.length), width, margin, `${margin}  `);
  });
  return wrapped.join('\n');
}

/** How many rows a line takes on a screen, colours left out. */
export function rowsOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(columnsOf(line) / columns));
}

function columnsOf(text: string): number {
  return textWidth(stripVTControlCharacters(text));
}

/** As much of a text as fits into `width` columns, cut at a space where that is possible. */
export function cutText(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  const [first = ''] = wrapText(text, width - 1);
  return `${startOf(first, width - 1)}…`;
}
