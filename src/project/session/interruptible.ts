/**
 * Begins work that somebody may interrupt: by Ctrl-C in the command line, by an `AbortSignal` elsewhere. `stop` is called
 * then, and ends the work at once. Throws where it was interrupted before it began.
 */
export type Interruptible = (stop: () => void) => Interruption;

export interface Interruption {
  readonly isInterrupted: () => boolean;
  /** The work has ended. Where it was interrupted this does not return: the process ends, or an error is thrown. */
  readonly end: () => Promise<void>;
}

/** Where nothing interrupts. */
export const uninterrupted: Interruptible = () => ({ isInterrupted: () => false, end: () => Promise.resolve() });
