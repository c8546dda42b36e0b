const firstMs = 1_000;
const longestMs = 30_000;
/** A burst ends with a silence of this length. */
const silenceMs = 10_000;

/**
 * Limits bursts of lines: passes the first, then one after 1 s, 2 s, 4 s and so on up to 30 s, with the number of
 * suppressed lines. Starts over after 10 s of silence.
 */
export class LineLimit {
  readonly #now: () => number;
  #toldMs = Number.NEGATIVE_INFINITY;
  #heardMs = Number.NEGATIVE_INFINITY;
  #apartMs = firstMs;
  #held = 0;

  /** `now`: milliseconds, only for differences. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The line to print now; undefined if it is suppressed. */
  pass(line: string): string | undefined {
    const nowMs = this.#now();
    if (nowMs - this.#heardMs >= silenceMs) this.#begin();
    this.#heardMs = nowMs;
    if (nowMs - this.#toldMs < this.#apartMs) {
      this.#held += 1;
      return undefined;
    }
    const more = this.#held === 0 ? '' : ` (and ${this.#held} more like it)`;
    this.#apartMs = this.#toldMs === Number.NEGATIVE_INFINITY ? firstMs : Math.min(longestMs, 2 * this.#apartMs);
    this.#toldMs = nowMs;
    this.#held = 0;
    return `${line}${more}`;
  }

  #begin(): void {
    this.#toldMs = Number.NEGATIVE_INFINITY;
    this.#apartMs = firstMs;
  }
}
