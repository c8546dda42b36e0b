import type { Readable } from 'node:stream';

/** Characters of a line that code of others writes; a longer one is passed on in pieces. */
export const longestLine = 8_192;

/** At least one, so that an empty line stays a line. */
export function piecesOf(line: string): readonly string[] {
  const pieces = [line.slice(0, longestLine)];
  for (let at = longestLine; at < line.length; at += longestLine) pieces.push(line.slice(at, at + longestLine));
  return pieces;
}

/**
 * Passes on what comes, line by line; a line that is longer than `longest`, in pieces. The function returned passes on
 * what has no end of line yet.
 */
export function eachLine(stream: Readable, longest: number, pass: (line: string) => void): () => void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const [first = '', ...others] = text.split('\n'); // not of all that is there: each chunk is looked through once
    const lines = [rest + first, ...others];
    rest = lines.pop() ?? '';
    for (const line of lines) pass(line);
    for (; rest.length > longest; rest = rest.slice(longest)) pass(rest.slice(0, longest));
  });
  return () => {
    if (rest !== '') pass(rest);
    rest = '';
  };
}
