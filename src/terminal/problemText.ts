import { formatPosition, type LocatedProblem, renderProblem } from '../manifest/model/locatedProblem.ts';
import type { Palette } from './palette.ts';
import { printable } from './printable.ts';
import { padText, textWidth, wrapText } from './textWidth.ts';

export interface ProblemLook {
  readonly palette: Palette;
  /** Columns of the terminal; infinite elsewhere, where each problem is one line. */
  readonly width: number;
}

/** Further places of equal problems are only counted. */
const mostPlaces = 5;
/** Places are padded to the widest, but not beyond this. */
const widestPlace = 32;

/**
 * The problems for users, in their order. The same problem of several resources is shown once, at the first place, with
 * its count and the other places.
 */
export function renderProblems(problems: readonly LocatedProblem[], look: ProblemLook): readonly string[] {
  const alike = Map.groupBy(problems, keyOf);
  const groups = [...alike.values()];
  const padding = Math.min(widestPlace, Math.max(0, ...groups.map(([first]) => textWidth(placeOf(first)))));
  return groups.flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    return look.width === Number.POSITIVE_INFINITY ? [inOneLine(first, others)] : block(first, others, padding, look);
  });
}

/** A faulty component repeats its problem at each use, with other names in the message. */
function keyOf({ rule, path, message, hint = '', severity, position, callers }: LocatedProblem): string {
  if (callers !== undefined && path !== '') return [formatPosition(position), rule, path, severity].join('\n');
  return [rule, path, message, hint, severity].join('\n');
}

function inOneLine(problem: LocatedProblem, others: readonly LocatedProblem[]): string {
  const where = problem.resource === undefined ? '' : `  in ${printable(problem.resource)}`;
  const more = others.length === 0 ? '' : `  ${moreText(problem, others)}`;
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
  const head = `${padText(placeOf(problem), padding)}  ${paint(severity)}${named}  ${palette.faint(rule)}`;
  return [
    ...wrapText(head, width, '', '  '),
    ...lines(said),
    ...(hint === undefined ? [] : lines(hint).map(palette.faint)),
    ...lines(wayText(problem))
      .filter((line) => line !== '')
      .map(palette.faint),
    ...(others.length === 0 ? [] : lines(moreText(problem, others)).map(palette.faint)),
  ];
}

/** The construct, and the call sites that led to it. */
function wayText({ construct, callers = [] }: LocatedProblem): string {
  const way = callers.map(formatPosition).join(', from ');
  const at = construct === undefined ? '' : `at ${construct}`;
  if (way === '') return at;
  return at === '' ? `called from ${way}` : `${at}, called from ${way}`;
}

function moreText(first: LocatedProblem, others: readonly LocatedProblem[]): string {
  const own = formatPosition(first.position);
  const isComponent = first.callers !== undefined && others.every(({ position }) => formatPosition(position) === own);
  const places = others
    .slice(0, mostPlaces)
    .map((problem) => `${isComponent ? callerOf(problem) : placeOf(problem)}${resourceOf(problem)}`)
    .join(', ');
  const rest = others.length - mostPlaces;
  const what = isComponent ? 'more from this line, called from' : 'more like it:';
  return `and ${others.length} ${what} ${places}${rest > 0 ? ` and ${rest} others` : ''}`;
}

function resourceOf({ resource }: LocatedProblem): string {
  return resource === undefined ? '' : ` (${printable(resource)})`;
}

function callerOf(problem: LocatedProblem): string {
  const [caller] = problem.callers ?? [];
  return caller === undefined ? placeOf(problem) : printable(formatPosition(caller));
}

function placeOf(problem: LocatedProblem | undefined): string {
  return problem === undefined ? '' : printable(formatPosition(problem.position));
}
