/** The time of the platform, in milliseconds since 1970. */
export interface Clock {
  now(): number;
  /** Only of a clock that is stepped: it stands still in between. Never backwards. */
  readonly step?: (toMs: number) => void;
}

export function realClock(now: () => number): Clock {
  return { now };
}

/** Stands at `startMs` until it is stepped. */
export function virtualClock(startMs: number): Clock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    step(toMs) {
      nowMs = Math.max(nowMs, toMs);
    },
  };
}
