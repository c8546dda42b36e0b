import { escapeControls } from '../../base/json/escapeControls.ts';
import { compact, nonEmpty, present } from '../../base/json/present.ts';
import { compareText } from '../../base/text/compareText.ts';
import type { Problem } from '../../schema/record/problem.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import type { MadeBy, Position } from './manifest.ts';

/** A problem with its position in a file, or in a line of user code. */
export interface LocatedProblem extends Problem {
  readonly position: Position;
  /** The resource of the problem; absent for a problem of the file itself. */
  readonly resource?: ResourceId;
  /** The path of its construct, if code made it. */
  readonly construct?: string;
  /** The lines of code that called the one at `position`, innermost first. */
  readonly callers?: readonly Position[];
}

/** The code that made a manifest, in the form of problems. */
export function codeOf(madeBy: MadeBy | undefined): Pick<LocatedProblem, 'construct' | 'callers'> {
  if (madeBy === undefined) return {};
  const { construct, callers } = madeBy;
  return { ...nonEmpty({ construct, callers }) };
}

/** A problem of a whole file or document: no path inside a record. */
export function fileProblem(position: Position, rule: string, message: string, hint?: string): LocatedProblem {
  return {
    rule,
    path: '',
    pointer: [],
    message,
    severity: 'error',
    position,
    ...present({ hint }),
  };
}

function comparePosition(a: Position, b: Position): number {
  return compareText(a.file, b.file) || a.line - b.line || a.column - b.column;
}

/** By file, line, column; then by rule, path and message, so that the order never depends on the input's. */
export function sortProblems(problems: readonly LocatedProblem[]): readonly LocatedProblem[] {
  return problems.toSorted(
    (a, b) =>
      comparePosition(a.position, b.position) ||
      compareText(a.rule, b.rule) ||
      compareText(a.path, b.path) ||
      compareText(a.message, b.message),
  );
}

const longestMessage = 600;

/** One line: control characters are escaped, very long text is cut. */
function oneLine(text: string): string {
  const escaped = escapeControls(text.replaceAll(/\s*\n\s*/g, ' '));
  return escaped.length <= longestMessage ? escaped : `${escaped.slice(0, longestMessage)}...`;
}

/**
 * `file:line:column rule-id path message hint`; `-` is the record, or the file, as a whole. For resources made by code,
 * the construct and its callers follow.
 */
export function renderProblem(problem: LocatedProblem): string {
  const parts = [formatPosition(problem.position), problem.rule, problem.path === '' ? '-' : problem.path];
  const message = problem.severity === 'warning' ? `warning: ${problem.message}` : problem.message;
  const hint = compact([problem.hint]);
  return [...parts, message, ...hint, ...originLines(problem)].map(oneLine).join('  ');
}

/** The construct, and the callers of the problem's line. */
function originLines({ construct, callers = [] }: LocatedProblem): readonly string[] {
  return compact([
    construct === undefined ? undefined : `at ${construct}`,
    ...callers.map((caller) => `from ${formatPosition(caller)}`),
  ]);
}

export function formatPosition({ file, line, column }: Position): string {
  return `${file}:${line}:${column}`;
}
