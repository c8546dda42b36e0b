import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import { renderProblem } from '../../manifest/model/renderProblem.ts';
import { formatPosition } from '../../plan/model/refusal.ts';
import type { Palette } from '../terminal/palette.ts';
import { printable } from '../terminal/printable.ts';
import { wrapText } from '../terminal/wrapText.ts';

export interface ProblemLook {
  readonly palette: Palette;
  /** Columns of the terminal; infinite elsewhere: there each problem is one line. */
  readonly width: number;
}

/** Places of equal problems beyond this are counted only. */
const mostPlaces = 5;
/** Places are padded to the widest, but not beyond this. */
const widestPlace = 32;

/**
 * The problems for people, in their order. What is wrong with many resources in the same way is told once, where it is
 * first, with its count and the other places.
 */
export function renderProblems(problems: readonly LocatedProblem[], look: ProblemLook): readonly string[] {
  const alike = Map.groupBy(problems, ({ rule, path, message, hint = '', severity }) =>
    [rule, path, message, hint, severity].join('\n'),
  );
  const groups = [...alike.values()];
  const padding = Math.min(widestPlace, Math.max(0, ...groups.map(([first]) => placeOf(first).length)));
  return groups.flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    return look.width === Number.POSITIVE_INFINITY ? [inOneLine(first, others)] : block(first, others, padding, look);
  });
}

function inOneLine(problem: LocatedProblem, others: readonly LocatedProblem[]): string {
  const where = problem.resource === undefined ? '' : `  in ${printable(problem.resource)}`;
  const more = others.length === 0 ? '' : `  ${moreText(others)}`;
  return `${renderProblem(problem)}${where}${more}`;
}

function block(
  problem: LocatedProblem,
  others: readonly LocatedProblem[],
  padding: number,
  { palette, width }: ProblemLook,
): readonly string[] {
  const { resource, rule, path, message, hint, severity } = problem;
  const paint = severity === 'warning' ? palette.change : palette.refuse;
  const named = resource === undefined ? '' : `  ${palette.strong(printable(resource))}`;
  const said = path === '' ? message : `${path}: ${message}`;
  const lines = (text: string) => wrapText(printable(text), width, '  ');
  return [
    `${placeOf(problem).padEnd(padding)}  ${paint(severity)}${named}  ${palette.faint(rule)}`,
    ...lines(said),
    ...(hint === undefined ? [] : lines(hint).map(palette.faint)),
    ...(others.length === 0 ? [] : lines(moreText(others)).map(palette.faint)),
  ];
}

function moreText(others: readonly LocatedProblem[]): string {
  const places = others.slice(0, mostPlaces).map(placeOf).join(', ');
  const rest = others.length - mostPlaces;
  return `and ${others.length} more like it: ${places}${rest > 0 ? ` and ${rest} others` : ''}`;
}

function placeOf(problem: LocatedProblem | undefined): string {
  return problem === undefined ? '' : printable(formatPosition(problem.position));
}
