import { exitCode } from './exitCode.ts';

export interface Interrupt {
  readonly signal: AbortSignal;
  /** From here on a Ctrl-C ends the process as usual. */
  release(): void;
}

/** The first Ctrl-C (or SIGTERM) aborts the signal: finish what is in flight. The second leaves at once. */
export function listenForInterrupt(onFirst: () => void): Interrupt {
  const controller = new AbortController();
  function interrupted(): void {
    if (controller.signal.aborted) process.exit(exitCode.interrupted);
    controller.abort();
    onFirst();
  }
  process.on('SIGINT', interrupted);
  process.on('SIGTERM', interrupted);
  return {
    signal: controller.signal,
    release() {
      process.off('SIGINT', interrupted);
      process.off('SIGTERM', interrupted);
    },
  };
}
