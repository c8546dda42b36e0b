import { structuredPatch } from 'diff';
import { compact } from '../base/json/present.ts';
import { counted } from '../base/text/counted.ts';

/** One line of a text's change, with its sign; a `@@` line replaces omitted equal lines. */
export interface DiffLine {
  readonly sign: '+' | '-' | ' ' | '@';
  readonly text: string;
}

/** The difference between two texts, line by line, with two equal lines around each change. */
export type LineDiff = (before: string, after: string) => readonly DiffLine[];

/** The time of the search is quadratic in the differing lines; larger differences are unreadable anyway. */
const mostEdits = 2000;

export const lineDiff: LineDiff = (before, after) => {
  const patch = structuredPatch('', '', before, after, '', '', { context: 2, maxEditLength: mostEdits });
  if (patch === undefined) return [{ sign: '@', text: `@ ${countLines(before)} become ${countLines(after)} @@` }];
  return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }, index) =>
    compact([
      index === 0 && oldStart <= 1
        ? undefined
        : { sign: '@' as const, text: `@ -${oldStart},${oldLines} +${newStart},${newLines} @@` },
      ...lines.filter((line) => !line.startsWith('\\')).map((line) => ({ sign: signOf(line), text: line.slice(1) })),
    ]),
  );
};

function countLines(text: string): string {
  return counted(text.split('\n').length, 'line');
}

function signOf(line: string): DiffLine['sign'] {
  return line.startsWith('+') ? '+' : line.startsWith('-') ? '-' : ' ';
}
