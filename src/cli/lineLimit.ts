const apartMs = 1_000;

/** One line a second: of what many have to say at once, one is told, and how many more there were. */
export class LineLimit {
  readonly #now: () => number;
  #toldMs = Number.NEGATIVE_INFINITY;
  #held = 0;

  /** `now`: milliseconds, only for differences. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The line as it may be told now; undefined: not now. */
  pass(line: string): string | undefined {
    if (this.#now() - this.#toldMs < apartMs) {
      this.#held += 1;
      return undefined;
    }
    const more = this.#held === 0 ? '' : ` (and ${this.#held} more like it)`;
    this.#toldMs = this.#now();
    this.#held = 0;
    return `${line}${more}`;
  }
}
