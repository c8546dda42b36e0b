import { ToolError } from '../src/base/toolError.ts';
import { type LocatedProblem, renderProblem } from '../src/manifest/model/locatedProblem.ts';
import type { ManifestDocument } from '../src/manifest/model/manifest.ts';

/** Shared by all copies of this package, because `gantry/testing` has its own. */
const brand: unique symbol = Symbol.for('gantry.stackError');

/** Mistakes in a tree of constructs, each at its line of user code. */
export class StackError extends ToolError {
  readonly [brand] = true;
  readonly problems: readonly LocatedProblem[];
  /** The documents that could still be synthesized, so that further problems can be reported. */
  readonly documents: readonly ManifestDocument[];

  constructor(problems: readonly LocatedProblem[], documents: readonly ManifestDocument[] = []) {
    super({ code: problems[0]?.rule ?? 'stack.invalid', message: problems.map(renderProblem).join('\n') });
    this.problems = problems;
    this.documents = documents;
  }
}

export function isStackError(error: unknown): error is StackError {
  return error instanceof Error && brand in error;
}
