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
