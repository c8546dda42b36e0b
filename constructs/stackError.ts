import { ToolError } from '../src/errors.ts';
import type { LocatedProblem } from '../src/manifest/locatedProblem.ts';
import { renderProblem } from '../src/manifest/renderProblem.ts';

/** Mistakes in a tree of constructs, each at the line of user code that it belongs to. */
export class StackError extends ToolError {
  readonly problems: readonly LocatedProblem[];

  constructor(problems: readonly LocatedProblem[]) {
    super({ code: problems[0]?.rule ?? 'stack.invalid', message: problems.map(renderProblem).join('\n') });
    this.problems = problems;
  }
}
