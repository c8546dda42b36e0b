/** The time of the platform, in milliseconds since 1970. */
export interface Clock {
  now(): number;
  /** Only for a stepped clock, which does not advance by itself. Never backwards. */
  readonly step?: (toMs: number) => void;
  /** Something happened at this time: a real clock does not stand before it any more. */
  readonly observe: (ms: number) => void;
}

/**
 * The time of the machine, which never runs backwards: where its clock was set back, the time goes on by `elapsed` (in
 * milliseconds since any moment), so that schedules and rollouts do not stand still.
 */
export function realClock(wall: () => number, elapsed: () => number): Clock {
  let [anchorMs, sinceMs] = [wall(), elapsed()];
  const steady = () => Math.floor(anchorMs + elapsed() - sinceMs);
  function observe(ms: number): void {
    if (ms > steady()) [anchorMs, sinceMs] = [ms, elapsed()];
  }
  return {
    observe,
    now() {
      observe(wall());
      return steady();
    },
  };
}

/** The time of a test, which stands where the test says. */
export function givenClock(now: () => number): Clock {
  return { now, observe: () => {} };
}

/** Starts at `startMs`, and advances only by `step`. */
export function virtualClock(startMs: number): Clock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    observe: () => {},
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
