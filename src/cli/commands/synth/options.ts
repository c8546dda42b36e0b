import type { GlobalOptions } from '../../line/options.ts';

export interface SynthOptions extends GlobalOptions {
  /** Secret values are printed. */
  readonly reveal: boolean;
  readonly as: 'manifests' | 'terraform';
}
