const firstMs = 1_000;
const longestMs = 30_000;
/** After such a silence it is another matter. */
const silenceMs = 10_000;

/**
 * Of what many have to say at once, or one over and over, one line is told, and how many more there were: after a
 * second, then after two, four, and so on up to half a minute.
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

  /** The line as it may be told now; undefined: not now. */
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
