import type { ApplyClock } from '../base/clock.ts';
import type { StackStatus } from '../change/status.ts';

export interface Watching {
  /** Reads everything once more. */
  readonly read: () => Promise<StackStatus>;
  /** Called with each status, including the last one. */
  readonly show: (status: StackStatus) => void;
  readonly clock: ApplyClock;
  /** When aborted, reading stops. */
  readonly signal: AbortSignal;
  /** In milliseconds; undefined: without limit. */
  readonly timeoutMs: number | undefined;
}

/** Rare enough not to load the platform, and frequent enough for users. */
const roundMs = 2_000;

/** Reads until no resource can still become ready, and returns the last status. */
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
