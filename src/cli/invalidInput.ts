import { type ErrorCause, ToolError } from '../errors.ts';
import type { LocatedProblem } from '../manifest/locatedProblem.ts';

/** `1 problem`, `7 problems`. */
export function countProblems(count: number): string {
  return `${count} ${count === 1 ? 'problem' : 'problems'}`;
}

/** The error for manifests with problems, with a cause for each; `consequence` goes on with the message. */
export function invalidInput(problems: readonly LocatedProblem[], consequence: string): ToolError | undefined {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return undefined;
  return new ToolError({
    code: 'input.invalid',
    message: `${countProblems(errors.length)}${consequence}`,
    hint: 'Correct them; gantry validate checks without a platform.',
    causes: errors.map(causeOf),
  });
}

function causeOf({
  rule,
  path,
  message,
  hint,
  resource,
  position: { file, line, column },
}: LocatedProblem): ErrorCause {
  return {
    code: rule,
    message: path === '' ? message : `${path}: ${message}`,
    hint,
    resource,
    place: { file, line, column },
  };
}
