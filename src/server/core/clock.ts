/** The time of the platform, in milliseconds since 1970. */
export interface Clock {
  now(): number;
  /** Only for a stepped clock, which does not advance by itself. Never backwards. */
  readonly step?: (toMs: number) => void;
  /** Something happened at this time: a real clock never shows an earlier time again. */
  readonly observe: (ms: number) => void;
  /** The database shows this time: a real clock follows it from now on, instead of the clock of its machine. */
  readonly follow: (ms: number) => void;
}

/**
 * The time of the machine, which never runs backwards: if its clock is set back, the time advances by `elapsed` (in
 * milliseconds since any moment), so that schedules and rollouts do not stop. With `follow`, all servers of a database
 * share one time, regardless of the clocks of their machines.
 */
export function realClock(wall: () => number, elapsed: () => number): Clock {
  let [anchorMs, sinceMs] = [wall(), elapsed()];
  let isFollowing = false;
  const steady = () => Math.floor(anchorMs + elapsed() - sinceMs);
  function observe(ms: number): void {
    if (ms > steady()) [anchorMs, sinceMs] = [ms, elapsed()];
  }
  return {
    observe,
    follow(ms) {
      // The first time may be earlier than this clock: nothing has happened here yet.
      if (isFollowing) observe(ms);
      else [anchorMs, sinceMs, isFollowing] = [ms, elapsed(), true];
    },
    now() {
      if (!isFollowing) observe(wall());
      return steady();
    },
  };
}

/** The time that a test supplies. */
export function suppliedClock(now: () => number): Clock {
  return { now, observe: () => {}, follow: () => {} };
}

/** Starts at `startMs` and advances only by `step`. */
export function virtualClock(startMs: number): Clock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    observe: () => {},
    follow: () => {},
    step(toMs) {
      nowMs = Math.max(nowMs, toMs);
    },
  };
}

/**
 * The time of a change of this row. It never runs backwards within a record, even if a clock was set back or another
 * server of the database is ahead.
 */
export function modifiedNow(
  { createdMs, modifiedMs }: { readonly createdMs: number; readonly modifiedMs: number },
  clock: Pick<Clock, 'now'>,
): number {
  return Math.max(clock.now(), createdMs, modifiedMs);
}
