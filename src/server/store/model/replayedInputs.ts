/** The random values and times of a transaction, by source, so that it receives the same ones when it runs again. */
export class ReplayedInputs {
  readonly #texts = new Map<object, string[]>();
  readonly #taken = new Map<object, number>();
  readonly #times = new Map<object, number>();

  /** Restarts with the first value. */
  rewind(): void {
    this.#taken.clear();
  }

  /** The next text of this source. */
  text(source: object, make: () => string): string {
    const texts = this.#texts.get(source) ?? [];
    const at = this.#taken.get(source) ?? 0;
    const text = texts[at] ?? make();
    texts[at] = text;
    this.#texts.set(source, texts);
    this.#taken.set(source, at + 1);
    return text;
  }

  /** The time of this clock; it does not change within a transaction. */
  time(clock: object, now: () => number): number {
    const time = this.#times.get(clock) ?? now();
    this.#times.set(clock, time);
    return time;
  }
}

let current: ReplayedInputs | undefined;

/** Runs synchronous work with recorded inputs. */
export function withReplayedInputs<T>(inputs: ReplayedInputs, work: () => T): T {
  const before = current;
  current = inputs;
  inputs.rewind();
  try {
    return work();
  } finally {
    current = before;
  }
}

/** A source of unguessable texts that returns the same ones when a store runs a transaction again. */
export function replayedText<A extends readonly unknown[]>(make: (...args: A) => string): (...args: A) => string {
  const source = {};
  return (...args) => (current === undefined ? make(...args) : current.text(source, () => make(...args)));
}

/** A clock that returns one time in each transaction, however often the transaction runs. */
export function replayedTime(now: () => number): () => number {
  const clock = {};
  return () => (current === undefined ? now() : current.time(clock, now));
}
