import { ToolError } from '../base/toolError.ts';
import { type Interruptible, uninterrupted } from '../project/session/interruptible.ts';

/** Interrupts work by an `AbortSignal`. */
export function interruptByAbort(signal: AbortSignal | undefined): Interruptible {
  if (signal === undefined) return uninterrupted;
  return (stop) => {
    if (signal.aborted) throw interrupted();
    signal.addEventListener('abort', stop, { once: true });
    return {
      isInterrupted: () => signal.aborted,
      async end() {
        signal.removeEventListener('abort', stop);
        if (signal.aborted) throw interrupted();
      },
    };
  };
}

/** The result, or an error as soon as the signal is aborted; `stop` is called then. */
export async function unlessAborted<T>(
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
  stop: () => void = () => {},
): Promise<T> {
  if (signal === undefined) return work();
  if (signal.aborted) throw interrupted();
  const aborted = Promise.withResolvers<never>();
  function abort(): void {
    stop();
    aborted.reject(interrupted());
  }
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work(), aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function interrupted(): ToolError {
  return new ToolError({ code: 'automation.interrupted', message: 'the signal was aborted; nothing was written' });
}
