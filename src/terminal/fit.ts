import { endOf, startOf, textWidth } from './textWidth.ts';

/** Shortens a text to this number of columns, in its middle. */
export function cutMiddle(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  const room = Math.max(0, width - 1);
  const head = Math.ceil(room / 2);
  return `${startOf(text, head)}…${endOf(text, room - head)}`;
}

/** Distributes pieces over lines of at most this number of columns. Each stays whole, including blanks. */
export function wrapPieces(pieces: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    if (last === undefined || textWidth(last) + 1 + textWidth(piece) > width) lines.push(piece);
    else lines[lines.length - 1] = `${last} ${piece}`;
  }
  return lines;
}
