import { structuredPatch } from 'diff';

/** One line of a text's change, with its sign in front; `@@` lines stand where equal lines are left out. */
export interface DiffLine {
  readonly sign: '+' | '-' | ' ' | '@';
  readonly text: string;
}

/** How two texts differ, line by line, with two equal lines around each change. */
export type LineDiff = (before: string, after: string) => readonly DiffLine[];

export const lineDiff: LineDiff = (before, after) => {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 2 });
  return hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }, index) => [
    ...(index === 0 && oldStart <= 1
      ? []
      : [{ sign: '@' as const, text: `@ -${oldStart},${oldLines} +${newStart},${newLines} @@` }]),
    ...lines.filter((line) => !line.startsWith('\\')).map((line) => ({ sign: signOf(line), text: line.slice(1) })),
  ]);
};

function signOf(line: string): DiffLine['sign'] {
  return line.startsWith('+') ? '+' : line.startsWith('-') ? '-' : ' ';
}
