import { stripVTControlCharacters } from 'node:util';
import { eastAsianWidth } from 'get-east-asian-width';
import { once } from '../base/once.ts';

const plain = /^[\x20-\x7e]*$/;

// Created on demand, because it takes 17 ms and most texts do not need it.
const segmenter = once(() => new Intl.Segmenter());
const emoji = once(() => /^\p{RGI_Emoji}$/v);
const unseen = once(() => /^[\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}\p{Mark}\p{Surrogate}]+$/u);

/** Characters as perceived by a reader. */
function charactersOf(text: string): readonly string[] {
  return Array.from(segmenter().segment(text), ({ segment }) => segment);
}

function widthOf(character: string): number {
  if (unseen().test(character)) return 0;
  return emoji().test(character) ? 2 : eastAsianWidth(character.codePointAt(0) ?? 0);
}

/** The terminal columns of a one-line text: two for each East Asian character and emoji. */
export function textWidth(text: string): number {
  if (plain.test(text)) return text.length;
  return charactersOf(text).reduce((sum, character) => sum + widthOf(character), 0);
}

/** Pads a text with blanks to this number of columns. */
export function padText(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

/** As much of the beginning as fits into this number of columns. */
export function startOf(text: string, width: number): string {
  if (plain.test(text)) return text.slice(0, Math.max(0, width));
  return taken(charactersOf(text), width).join('');
}

/** As much of the end as fits into this number of columns. */
export function endOf(text: string, width: number): string {
  if (plain.test(text)) return text.slice(text.length - Math.min(text.length, Math.max(0, width)));
  return taken(charactersOf(text).toReversed(), width).toReversed().join('');
}

function taken(characters: readonly string[], width: number): readonly string[] {
  let room = width;
  const first = characters.findIndex((character) => {
    room -= widthOf(character);
    return room < 0;
  });
  return first < 0 ? characters : characters.slice(0, first);
}

/**
 * A text as lines of at most `width` columns, broken only at spaces: a longer word stays whole, so that it can be
 * searched and copied. The first line begins with `first`, the others with `rest`.
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

/** Wraps text of several lines, with colours: each line that is too long continues below, with more indentation. */
export function wrapLines(text: string, width: number): string {
  const wrapped = text.split('\n').flatMap((line) => {
    if (columnsOf(line) <= width) return [line];
    const margin = /^ */.exec(line)?.[0] ?? '';
    return wrapText(line.slice(margin.length), width, margin, `${margin}  `);
  });
  return wrapped.join('\n');
}

/** The number of rows of a line on a screen, without colours. */
export function rowsOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(columnsOf(line) / columns));
}

function columnsOf(text: string): number {
  return textWidth(stripVTControlCharacters(text));
}

/** As much of a text as fits into `width` columns, ending at a space if possible. */
export function cutText(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  const [first = ''] = wrapText(text, width - 1);
  return `${startOf(first, width - 1)}…`;
}
