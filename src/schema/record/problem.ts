import type { ReadProblem } from '../../base/form/read.ts';
import type { Pointer } from '../../base/json/pointer.ts';

/** One problem that a user can fix, at one place. */
export interface Problem {
  /** The id of the rule that found it, as in `gantry rules` (`W12`, `shape.unknown-field`, ...). */
  readonly rule: string;
  /** Dotted, list items by key (`spec.containers.main.cpu`); empty for the record as a whole. */
  readonly path: string;
  /** The same place as keys and indexes into the record, to find its line in a file. */
  readonly pointer: Pointer;
  readonly message: string;
  readonly hint?: string;
  readonly severity: 'error' | 'warning';
}

/** One problem that a platform finds in a body. The path is spelled as by the platform; empty if it names none. */
export type BodyProblem = Pick<Problem, 'path' | 'message'>;

/** The problems that the platform reports for an unreadable body. */
export function bodyProblems(problems: readonly ReadProblem[], rule = 'body'): readonly Problem[] {
  return problems.map(({ pointer, message, known }) => ({
    rule,
    path: pointer.join('.'),
    pointer,
    message: known === undefined ? message : `"${pointer.at(-1)}" is not allowed`,
    severity: 'error',
  }));
}
