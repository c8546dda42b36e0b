/** A sign of the load of the platform, from one request. */
export type Sign =
  /** It answered as usual, refusals that the request deserves included. */
  | 'well'
  /** 429 without quota, 5xx, or no answer. */
  | 'strained';

/** The right to have one request under way; handed back with what came of it. */
export interface Place {
  /** How often the limit had been lowered when the request started. */
  readonly lowered: number;
  readonly sinceMs: number;
  readonly waitedMs: number;
}

export interface AdaptiveLimitOptions {
  /** Requests at the same time: the start, and never more. */
  readonly most: number;
  /** @default 1 */
  readonly least?: number;
  /** Milliseconds, only for differences. */
  readonly now: () => number;
}

/** The factor by which a sign of overload lowers the limit. */
const decrease = 0.5;
/** The limit grows by one in a round trip, but not faster than by one in so long: short round trips are no hurry. */
const growthMs = 100;

/**
 * How many requests are under way at the same time, found by additive increase and multiplicative decrease (Chiu and
 * Jain 1989; as TCP does it for segments and Netflix' concurrency-limits for requests).
 *
 * - It starts at the highest value, because nearly every platform bears 64 requests, and a slow start would cost each
 *   run some round trips for the few that do not.
 * - One decrease for each round trip, not for each failing request: a request that began before the last decrease says
 *   nothing of the load after it.
 * - It grows only while at least half of it is used; never below 1, so that there is always one to learn from.
 * - After a 429 all wait, until the time at which the platform says to come back (`Retry-After`) or as long as the one
 *   that was refused: those that were not refused yet would be. One request after the other can be too many a second.
 *
 * A gradient of round-trip times (Vegas, Gradient2) was not taken: the times of this platform differ by two orders of
 * magnitude between a read and a page of a query, which says nothing of its load.
 */
export class AdaptiveLimit {
  readonly #most: number;
  readonly #least: number;
  readonly #now: () => number;
  #limit: number;
  #under = 0;
  #lowered = 0;
  #closed = false;
  readonly #first: (() => void)[] = [];
  readonly #others: (() => void)[] = [];

  constructor({ most, least = 1, now }: AdaptiveLimitOptions) {
    this.#most = Math.max(1, most);
    this.#least = Math.max(1, least);
    this.#now = now;
    this.#limit = this.#most;
  }

  /** At the moment; a whole number from 1. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** Waits for a slot. `again`: a retry, which goes before new requests. */
  async enter(again: boolean): Promise<Place> {
    const askedMs = this.#now();
    if (this.#closed || this.#under >= this.limit || this.#first.length > 0) {
      await new Promise<void>((resolve) => (again ? this.#first : this.#others).push(resolve));
    } else {
      this.#under += 1;
    }
    const sinceMs = this.#now();
    return { lowered: this.#lowered, sinceMs, waitedMs: sinceMs - askedMs };
  }

  /** Hands a place back for which nothing was sent. */
  giveBack(): void {
    this.#under -= 1;
    queueMicrotask(() => this.#admit());
  }

  leave({ lowered, sinceMs }: Place, sign: Sign): void {
    const used = 2 * this.#under >= this.limit;
    this.#under -= 1;
    if (sign === 'strained') {
      if (lowered === this.#lowered) {
        this.#limit = Math.max(this.#least, this.#limit * decrease);
        this.#lowered += 1;
      }
    } else if (used) {
      const share = Math.min(1, (this.#now() - sinceMs) / growthMs);
      this.#limit = Math.min(this.#most, this.#limit + share / this.#limit);
    }
    // Not immediately: the outcome of this request may pause all others.
    queueMicrotask(() => this.#admit());
  }

  /**
   * Pauses all requests until `wait` is over. Only one pause at a time: a request that is refused during a pause adds
   * no information, and gets false. Requests that wait for the same pause go before those that were not refused.
   */
  pauseFor(wait: Promise<void>): boolean {
    if (this.#closed) return false;
    this.#closed = true;
    const open = () => {
      this.#closed = false;
      queueMicrotask(() => this.#admit());
    };
    wait.then(open, open);
    return true;
  }

  #admit(): void {
    while (!this.#closed && this.#under < this.limit) {
      const next = this.#first.shift() ?? this.#others.shift();
      if (next === undefined) return;
      this.#under += 1;
      next();
    }
  }
}
