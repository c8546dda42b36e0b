import { fileProblem, type LocatedProblem } from '../../manifest/model/locatedProblem.ts';

/** A problem of a file as such. */
export function inputProblem(file: string, rule: string, message: string, hint?: string): LocatedProblem {
  return fileProblem({ file, line: 1, column: 1 }, rule, message, hint);
}
