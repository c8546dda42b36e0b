/** The time of the platform, in milliseconds since 1970. */
export interface Clock {
  now(): number;
  /** Only for a stepped clock, which does not advance by itself. Never backwards. */
  readonly step?: (toMs: number) => void;
}

export function realClock(now: () => number): Clock {
  return { now };
}

/** Starts at `startMs`, and advances only by `step`. */
export function virtualClock(startMs: number): Clock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    step(toMs) {
      nowMs = Math.max(nowMs, toMs);
    },
  };
}

/**
 * The time of a change of this row. It never runs backwards within a record, although a clock was set back or another
 * server of the database is ahead.
 */
export function modifiedNow(
  { createdMs, modifiedMs }: { readonly createdMs: number; readonly modifiedMs: number },
  clock: Pick<Clock, 'now'>,
): number {
  return Math.max(clock.now(), createdMs, modifiedMs);
}
