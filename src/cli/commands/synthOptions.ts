import type { GlobalOptions } from '../../terminal/options.ts';

export interface SynthOptions extends GlobalOptions {
  /** Whether to print secret values. */
  readonly reveal: boolean;
  /** The vocabulary of the manifests. */
  readonly words: 'neutral' | 'platform';
  readonly as: 'manifests' | 'terraform';
}
