import { counted } from '../../base/text/counted.ts';
import { type ErrorCause, ToolError } from '../../base/toolError.ts';
import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';

/** The error for manifests with problems, with a cause for each; `consequence` goes on with the message. */
export function invalidInput(problems: readonly LocatedProblem[], consequence: string): ToolError | undefined {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return undefined;
  return new ToolError({
    code: 'input.invalid',
    message: `${counted(errors.length, 'problem')}${consequence}`,
    hint: hintFor(errors),
    causes: errors.map(causeOf),
  });
}

/** Values from outside and paths are the command's own: there `gantry validate` would find nothing. */
function hintFor(errors: readonly LocatedProblem[]): string {
  const correct = errors.length === 1 ? 'Correct it.' : 'Correct them.';
  const isOffline = errors.some(({ rule }) => !/^(value|input)\./.test(rule));
  return isOffline ? `${correct} gantry validate checks manifests without a platform.` : correct;
}

function causeOf({
  rule,
  path,
  message,
  hint,
  resource,
  construct,
  callers,
  position: { file, line, column },
}: LocatedProblem): ErrorCause {
  return {
    code: rule,
    message: path === '' ? message : `${path}: ${message}`,
    hint,
    resource,
    place: { file, line, column },
    construct,
    callers,
  };
}
