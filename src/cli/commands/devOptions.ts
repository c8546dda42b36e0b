import type { GlobalOptions } from '../../terminal/options.ts';

export interface DevOptions extends GlobalOptions {
  /** Every plan that is not refused is applied. */
  readonly apply: boolean;
}
