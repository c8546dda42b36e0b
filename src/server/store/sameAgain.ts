/** What chance and time gave to a work, by who gave it: the work gets the same when it is run again. */
export class Given {
  readonly #values = new Map<object, unknown[]>();
  readonly #taken = new Map<object, number>();

  /** From the beginning. */
  rewind(): void {
    this.#taken.clear();
  }

  take<T>(maker: object, make: () => T, isMade: (value: unknown) => value is T): T {
    const values = this.#values.get(maker) ?? [];
    const at = this.#taken.get(maker) ?? 0;
    this.#values.set(maker, values);
    this.#taken.set(maker, at + 1);
    const known = values[at];
    if (at < values.length && isMade(known)) return known;
    const made = make();
    values[at] = made;
    return made;
  }
}

let current: Given | undefined;

/** Runs the work, which is synchronous, with what it was given before. */
export function withGiven<T>(given: Given, work: () => T): T {
  const before = current;
  current = given;
  given.rewind();
  try {
    return work();
  } finally {
    current = before;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';

/** A source of texts that nobody can guess: a work that a store runs again gets the same ones. */
export function sameTextAgain<A extends readonly unknown[]>(make: (...args: A) => string): (...args: A) => string {
  const maker = {};
  return (...args) => (current === undefined ? make(...args) : current.take(maker, () => make(...args), isText));
}

/** The same for a clock: a work happens at one moment, however often it is run. */
export function sameTimeAgain(now: () => number): () => number {
  const maker = {};
  return () => (current === undefined ? now() : current.take(maker, now, isNumber));
}
