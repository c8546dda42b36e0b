import { escapeControls } from '../../base/text/escapeControls.ts';
import type { LocatedProblem } from './locatedProblem.ts';
import type { Position } from './manifest.ts';

const longestMessage = 600;

/** One line: control characters are escaped, very long text is cut. */
function oneLine(text: string): string {
  const escaped = escapeControls(text.replaceAll(/\s*\n\s*/g, ' '));
  return escaped.length <= longestMessage ? escaped : `${escaped.slice(0, longestMessage)}...`;
}

/**
 * `file:line:column rule-id path message hint`; `-` is the record, or the file, as a whole. Of what code made, the
 * construct and the lines that led there follow.
 */
export function renderProblem(problem: LocatedProblem): string {
  const parts = [formatPosition(problem.position), problem.rule, problem.path === '' ? '-' : problem.path];
  const message = problem.severity === 'warning' ? `warning: ${problem.message}` : problem.message;
  const hint = problem.hint === undefined ? [] : [problem.hint];
  return [...parts, message, ...hint, ...wayText(problem)].map(oneLine).join('  ');
}

/** The construct, and the lines of code that called the one of the problem. */
function wayText({ construct, callers = [] }: LocatedProblem): readonly string[] {
  return [
    ...(construct === undefined ? [] : [`at ${construct}`]),
    ...callers.map((caller) => `from ${formatPosition(caller)}`),
  ];
}

export function formatPosition({ file, line, column }: Position): string {
  return `${file}:${line}:${column}`;
}
