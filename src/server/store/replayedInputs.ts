/** What chance and time gave to a work, by who gave it: the work gets the same when it is run again. */
export class ReplayedInputs {
  readonly #texts = new Map<object, string[]>();
  readonly #taken = new Map<object, number>();
  readonly #times = new Map<object, number>();

  /** From the beginning. */
  rewind(): void {
    this.#taken.clear();
  }

  /** The next text of this maker. */
  text(maker: object, make: () => string): string {
    const texts = this.#texts.get(maker) ?? [];
    const at = this.#taken.get(maker) ?? 0;
    const text = texts[at] ?? make();
    texts[at] = text;
    this.#texts.set(maker, texts);
    this.#taken.set(maker, at + 1);
    return text;
  }

  /** The one time of this clock. */
  time(clock: object, now: () => number): number {
    const time = this.#times.get(clock) ?? now();
    this.#times.set(clock, time);
    return time;
  }
}

let current: ReplayedInputs | undefined;

/** Runs the work, which is synchronous, with what it was given before. */
export function withReplayedInputs<T>(given: ReplayedInputs, work: () => T): T {
  const before = current;
  current = given;
  given.rewind();
  try {
    return work();
  } finally {
    current = before;
  }
}

/** A source of texts that nobody can guess: a work that a store runs again gets the same ones. */
export function replayedText<A extends readonly unknown[]>(make: (...args: A) => string): (...args: A) => string {
  const maker = {};
  return (...args) => (current === undefined ? make(...args) : current.text(maker, () => make(...args)));
}

/** The same for a clock: a work happens at one moment, however often it is run. */
export function replayedTime(now: () => number): () => number {
  const clock = {};
  return () => (current === undefined ? now() : current.time(clock, now));
}
