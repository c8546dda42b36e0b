import type { GlobalOptions } from '../../terminal/options.ts';

export interface DevOptions extends GlobalOptions {
  /** Applies every plan that is not refused. */
  readonly apply: boolean;
}
