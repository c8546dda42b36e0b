import type { Place } from '../../base/toolError.ts';

/** One thing in a report that somebody has to look at, whatever it came from. */
export interface Finding {
  /**
   * `problem`: of a manifest. `refusal`: of a plan. `drift`: of a resource. `failure`: of a change that was not carried
   * out to its end. `difference`: what verification, or a rehearsal, found. `error`: that the command ended with, where nothing above says it.
   */
  readonly what: 'problem' | 'refusal' | 'drift' | 'failure' | 'difference' | 'error';
  /** The id of a rule, or a code: stable and dotted. */
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly hint?: string | undefined;
  /** The stack whose plan it is of; absent where no plan was made. */
  readonly stack?: string | undefined;
  /** `kind/[gvc/]name`. */
  readonly resource?: string | undefined;
  /** The field, dotted. */
  readonly path?: string | undefined;
  readonly place?: Place | undefined;
}

/** The message, then what can be done about it. */
export function saidOf({ message, hint = '' }: Pick<Finding, 'message' | 'hint'>): string {
  return hint === '' ? message : `${message.replace(/\.$/, '')}. ${hint}`;
}

/** `stack.ts:12:3`. */
export function placeText({ file, line, column }: Place): string {
  return [file, line, column].filter((part) => part !== undefined).join(':');
}
