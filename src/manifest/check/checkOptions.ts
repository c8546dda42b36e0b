import type { Validators } from '../../schema/validation/validators.ts';

export interface CheckOptions {
  readonly org: string;
  /** Of `--gvc`. */
  readonly gvc?: string;
  /** For at least the kinds that the documents name (`kindsOf`). */
  readonly validators: Validators;
}
