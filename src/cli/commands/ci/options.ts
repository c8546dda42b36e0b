import type { OutputOptions } from '../../../terminal/options.ts';

export interface InitCiOptions extends OutputOptions {
  readonly dir?: string;
  /** The folder of the stack, from the root of the repository. */
  readonly path: string;
  /** Environments in the order in which a change passes through them; empty if the project has none. */
  readonly env: readonly string[];
  /** The branch to apply. */
  readonly branch: string;
}

export interface CommentOptions extends OutputOptions {
  readonly change?: string;
}

export interface FetchOptions extends OutputOptions {
  readonly artifact: string;
}
