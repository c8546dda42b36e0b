import type { Interruptible } from '../project/session/interruptible.ts';
import { exitCode } from './exitCode.ts';

export interface Interrupt {
  readonly signal: AbortSignal;
  /** Afterwards, Ctrl-C ends the process as usual. */
  release(): void;
}

/** Signals by which a user, a service manager or a closed terminal ends a process. */
export const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * The first Ctrl-C (or SIGTERM, or SIGHUP) aborts the signal, so that running work is finished. The second ends the
 * process immediately, after `onSecond`.
 */
export function listenForInterrupt(onFirst: () => void, onSecond?: () => void): Interrupt {
  const controller = new AbortController();
  function interrupted(): void {
    if (controller.signal.aborted) {
      onSecond?.();
      process.exit(exitCode.interrupted);
    }
    controller.abort();
    onFirst();
  }
  for (const signal of signals) process.on(signal, interrupted);
  return {
    signal: controller.signal,
    release() {
      for (const signal of signals) process.off(signal, interrupted);
    },
  };
}

/** While another program has the terminal, only that program handles Ctrl-C. */
export async function leavingInterrupts<Result>(work: () => Promise<Result>): Promise<Result> {
  const ignored = () => {};
  process.on('SIGINT', ignored);
  try {
    return await work();
  } finally {
    process.off('SIGINT', ignored);
  }
}

/** For work that runs until interrupted: resolves at the first signal. The second ends the process immediately. */
export function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    const { release } = listenForInterrupt(() => {
      release();
      resolve();
    });
  });
}

/** If there is no other listener, a signal ends the process immediately, with the exit code of all interruptions. */
export function leaveOnInterrupt(): void {
  for (const signal of signals) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(exitCode.interrupted);
    });
  }
}

/** Interrupts work by Ctrl-C, or another signal to this process; the process ends once the work has ended. */
export const interruptBySignal: Interruptible = (stop) => {
  let received: NodeJS.Signals | undefined;
  function asked(signal: NodeJS.Signals): void {
    received ??= signal;
    stop();
  }
  for (const signal of signals) process.on(signal, asked);
  return {
    isInterrupted: () => received !== undefined,
    async end() {
      for (const signal of signals) process.off(signal, asked);
      if (received === undefined) return;
      setInterval(() => undefined, 1_000); // keeps the process running until the signal arrives
      process.kill(process.pid, received); // the delayed effect of the signal on this process
      await new Promise(() => undefined);
    },
  };
};
