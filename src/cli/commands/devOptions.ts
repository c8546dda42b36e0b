import type { GlobalOptions } from '../../terminal/options.ts';

export interface DevOptions extends GlobalOptions {
  /** Whether to apply every plan that is not refused. */
  readonly apply: boolean;
}
