import type { GlobalOptions } from '../../terminal/options.ts';

export interface SynthOptions extends GlobalOptions {
  /** Secret values are printed. */
  readonly reveal: boolean;
  /** Whose words the manifests are in. */
  readonly words: 'neutral' | 'platform';
  readonly as: 'manifests' | 'terraform';
}
