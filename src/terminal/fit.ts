import { endOf, startOf, textWidth } from './textWidth.ts';

/** The text in at most so many columns; what is left out of a longer one is in its middle. */
export function cutMiddle(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  const room = Math.max(0, width - 1);
  const head = Math.ceil(room / 2);
  return `${startOf(text, head)}…${endOf(text, room - head)}`;
}

/** Pieces on lines of at most so many columns. Each stays whole, blanks in it included. */
export function wrapPieces(pieces: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    if (last === undefined || textWidth(last) + 1 + textWidth(piece) > width) lines.push(piece);
    else lines[lines.length - 1] = `${last} ${piece}`;
  }
  return lines;
}
