import { ToolError } from '../src/errors/toolError.ts';
import type { ManifestDocument } from '../src/manifest/model/document.ts';
import type { LocatedProblem } from '../src/manifest/model/locatedProblem.ts';
import { renderProblem } from '../src/manifest/model/renderProblem.ts';

/** Mistakes in a tree of constructs, each at the line of user code that it belongs to. */
export class StackError extends ToolError {
  readonly problems: readonly LocatedProblem[];
  /** What could be synthesized all the same, so that the rest of what is wrong can be told too. */
  readonly documents: readonly ManifestDocument[];

  constructor(problems: readonly LocatedProblem[], documents: readonly ManifestDocument[] = []) {
    super({ code: problems[0]?.rule ?? 'stack.invalid', message: problems.map(renderProblem).join('\n') });
    this.problems = problems;
    this.documents = documents;
  }
}
