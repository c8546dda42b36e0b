import type { Interruptible } from '../../project/session/interruptible.ts';
import { signals } from './interrupt.ts';

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
