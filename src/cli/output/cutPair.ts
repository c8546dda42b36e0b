import type { DiffLine } from '../../report/lineDiff.ts';
import { cutLong, longest } from '../../terminal/printable.ts';

/** Characters of equal text shown before the first difference. */
const charactersBefore = 80;
/** Characters shown of the beginning, if the difference is far behind it. */
const openingLength = 40;

/** Two texts of one line each. Long ones are cut to the part where they begin to differ. */
export function cutPair(old: string, next: string): { readonly old: string; readonly next: string } {
  const at = firstDifference(old, next);
  return { old: cutAround(old, at), next: cutAround(next, at) };
}

/** The same for the lines of a diff: a removed line and its replacement are a pair. */
export function cutPairs(lines: readonly DiffLine[]): readonly DiffLine[] {
  const cut: DiffLine[] = [];
  while (cut.length < lines.length) {
    const removed = linesWithSign(lines, cut.length, '-');
    const added = linesWithSign(lines, cut.length + removed.length, '+');
    const next = lines[cut.length];
    if (removed.length + added.length === 0 && next !== undefined) cut.push(cutDiffLine(next, undefined));
    cut.push(...removed.map((line, index) => cutDiffLine(line, added[index])));
    cut.push(...added.map((line, index) => cutDiffLine(line, removed[index])));
  }
  return cut;
}

/** The uninterrupted lines of this sign that begin there. */
function linesWithSign(lines: readonly DiffLine[], from: number, sign: DiffLine['sign']): readonly DiffLine[] {
  const rest = lines.slice(from);
  const end = rest.findIndex((line) => line.sign !== sign);
  return end === -1 ? rest : rest.slice(0, end);
}

function cutDiffLine(line: DiffLine, other: DiffLine | undefined): DiffLine {
  return { ...line, text: other === undefined ? cutLong(line.text) : cutPair(line.text, other.text).old };
}

function firstDifference(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  for (let at = 0; at < end; at += 1) if (one[at] !== other[at]) return at;
  return end;
}

function cutAround(text: string, at: number): string {
  if (text.length <= longest || at <= longest - charactersBefore) return cutLong(text);
  const start = Math.max(openingLength, Math.min(at - charactersBefore, text.length - longest + openingLength));
  const end = start + longest - openingLength;
  const more = end < text.length ? '…' : '';
  return `${text.slice(0, openingLength)}…${text.slice(start, end)}${more} (${text.length} characters)`;
}
