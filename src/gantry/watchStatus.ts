import type { ApplyClock } from '../base/clock.ts';
import type { StackStatus } from '../change/status.ts';

export interface Watching {
  /** Reads everything once more. */
  readonly read: () => Promise<StackStatus>;
  /** Called with each reading, the last one included. */
  readonly show: (status: StackStatus) => void;
  readonly clock: ApplyClock;
  /** Aborted: nothing more is read. */
  readonly signal: AbortSignal;
  /** In milliseconds; undefined: as long as it takes. */
  readonly timeoutMs: number | undefined;
}

/** So that a platform is not asked without need; a person sees a change soon enough. */
const roundMs = 2_000;

/** Reads until nothing is left that may still become ready, and returns the last reading. */
export async function watchStatus({
  read,
  show,
  clock,
  signal,
  timeoutMs = Number.POSITIVE_INFINITY,
}: Watching): Promise<StackStatus> {
  const since = clock.now();
  for (;;) {
    const status = await read();
    show(status);
    const leftMs = since + timeoutMs - clock.now();
    const pending = status.resources.some(({ state }) => state === 'not-ready');
    if (!pending || leftMs <= 0 || signal.aborted) return status;
    await clock.sleep(Math.min(roundMs, leftMs), signal);
    if (signal.aborted) return status;
  }
}
