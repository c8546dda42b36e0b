import type { LocatedProblem } from './locatedProblem.ts';

const longestMessage = 600;

/** One line: control characters are escaped, very long text is cut. */
function oneLine(text: string): string {
  const escaped = text.replaceAll(/\s*\n\s*/g, ' ').replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return escaped.length <= longestMessage ? escaped : `${escaped.slice(0, longestMessage)}...`;
}

/** `file:line:column rule-id path message hint`; `-` is the record, or the file, as a whole. */
export function renderProblem(problem: LocatedProblem): string {
  const { file, line, column } = problem.position;
  const parts = [`${file}:${line}:${column}`, problem.rule, problem.path === '' ? '-' : problem.path];
  const message = problem.severity === 'warning' ? `warning: ${problem.message}` : problem.message;
  return [...parts, message, ...(problem.hint === undefined ? [] : [problem.hint])].map(oneLine).join('  ');
}
