import type { Interruptible } from '../project/session/interruptible.ts';
import { exitCode } from './exitCode.ts';

export interface Interrupt {
  readonly signal: AbortSignal;
  /** From here on a Ctrl-C ends the process as usual. */
  release(): void;
}

/** Signals that end a process which a person, a service manager or a closed terminal no longer wants. */
export const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * The first Ctrl-C (or SIGTERM, or SIGHUP) aborts the signal: finish what is in flight. The second leaves at once,
 * after `onSecond`.
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

/** While another program has the terminal, Ctrl-C is for that one alone. */
export async function leavingInterrupts<Result>(work: () => Promise<Result>): Promise<Result> {
  const ignored = () => {};
  process.on('SIGINT', ignored);
  try {
    return await work();
  } finally {
    process.off('SIGINT', ignored);
  }
}

/** For what runs until it is interrupted: the first signal. The second leaves at once. */
export function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    const { release } = listenForInterrupt(() => {
      release();
      resolve();
    });
  });
}

/** Where nobody else listens, a signal leaves at once, with the exit code of all interruptions. */
export function leaveOnInterrupt(): void {
  for (const signal of signals) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(exitCode.interrupted);
    });
  }
}

/** Interrupts work by Ctrl-C, and by what else asks this process to end; the process ends once the work has ended. */
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
      setInterval(() => undefined, 1_000); // with nothing to wait for the process would end before the signal arrives
      process.kill(process.pid, received); // what the signal does to this process, only later
      await new Promise(() => undefined);
    },
  };
};
