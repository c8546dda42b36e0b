/** The text in at most so many characters; what is left out of a longer one is in its middle. */
export function cutMiddle(text: string, width: number): string {
  if (text.length <= width) return text;
  const kept = Math.max(0, width - 1);
  const head = Math.ceil(kept / 2);
  return `${text.slice(0, head)}…${text.slice(text.length - (kept - head))}`;
}

/** Pieces on lines of at most so many characters. Each stays whole, blanks in it included. */
export function wrapPieces(pieces: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + piece.length > width) lines.push(piece);
    else lines[lines.length - 1] = `${last} ${piece}`;
  }
  return lines;
}
