/**
 * Begins work that can be interrupted: by Ctrl-C in the command line, by an `AbortSignal` elsewhere. Then `stop` is
 * called and must end the work immediately. Throws if interrupted before it began.
 */
export type Interruptible = (stop: () => void) => Interruption;

export interface Interruption {
  readonly isInterrupted: () => boolean;
  /**
   * Call when the work has ended. After an interruption this does not return: the process ends, or an error is thrown.
   */
  readonly end: () => Promise<void>;
}

/** For work that is never interrupted. */
export const uninterrupted: Interruptible = () => ({ isInterrupted: () => false, end: () => Promise.resolve() });
