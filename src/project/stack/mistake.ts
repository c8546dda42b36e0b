import type { Position } from '../../manifest/model/manifest.ts';

/** Node's error for code that it cannot load or run. */
export interface Failure {
  readonly name: string;
  /** The first line. */
  readonly message: string;
  readonly stack: string;
  readonly code: string | undefined;
}

/** A usual mistake in a stack file, with its fix. */
export interface Mistake {
  /** Where it is known better than from the frames of the error. */
  readonly position?: Position;
  /** In place of what Node says. */
  readonly message?: string;
  readonly hint: string;
}
