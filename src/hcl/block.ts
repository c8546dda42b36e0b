import type { Expression } from './expression.ts';

/** `type "label" { arguments, then blocks }`. Arguments and blocks keep their order. */
export interface Block {
  readonly type: string;
  readonly labels?: readonly string[];
  readonly attributes?: readonly (readonly [name: string, value: Expression])[];
  readonly blocks?: readonly Block[];
  /** Lines above it, without their `#`; in the JSON syntax its property `//`. */
  readonly comment?: readonly string[];
}
