import type { GlobalOptions } from '../../terminal/line/options.ts';

export interface DevOptions extends GlobalOptions {
  /** Every plan that is not refused is applied. */
  readonly apply: boolean;
}
