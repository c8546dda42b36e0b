/** An indication of the platform's load, from one request. */
export type Sign =
  /** A normal answer, including justified refusals. */
  | 'well'
  /** 429 without quota, 5xx, or no answer. */
  | 'strained';

/** The permission for one running request; returned with its outcome. */
export interface Place {
  /** How often the limit had been lowered when the request started. */
  readonly lowered: number;
  readonly sinceMs: number;
  readonly waitedMs: number;
}

export interface AdaptiveLimitOptions {
  /** The initial and maximum number of concurrent requests. */
  readonly most: number;
  /** @default 1 */
  readonly least?: number;
  /** Milliseconds, only for differences. */
  readonly now: () => number;
}

/** The factor by which an overload lowers the limit. */
const decrease = 0.5;
/** The limit grows by one per round trip, but at most by one in this time, so short round trips do not speed it up. */
const growthMs = 100;

/**
 * Limits the number of concurrent requests by additive increase and multiplicative decrease (Chiu and Jain 1989; as TCP
 * does for segments and Netflix' concurrency-limits for requests).
 *
 * - It starts at the highest value, because nearly every platform bears 64 requests, and a slow start would cost each
 *   run some round trips for the few that do not.
 * - One decrease for each round trip, not for each failing request: a request that began before the last decrease does
 *   not show the load after it.
 * - It grows only while at least half of it is used; it is never below 1, so that one request can always measure.
 * - After a 429 all wait, until the time that the platform names (`Retry-After`) or as long as the refused request:
 *   others would be refused too. Even one request after another can be too many per second.
 *
 * A gradient of round-trip times (Vegas, Gradient2) was rejected: the times of this platform differ by two orders of
 * magnitude between a read and a page of a query, which does not depend on its load.
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

  /** The current limit; a whole number from 1. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** Waits for a slot. `isRetry`: a retry, which precedes new requests. */
  async enter(isRetry: boolean): Promise<Place> {
    const askedMs = this.#now();
    if (this.#closed || this.#under >= this.limit || this.#first.length > 0) {
      await new Promise<void>((resolve) => (isRetry ? this.#first : this.#others).push(resolve));
    } else {
      this.#under += 1;
    }
    const sinceMs = this.#now();
    return { lowered: this.#lowered, sinceMs, waitedMs: sinceMs - askedMs };
  }

  /** Returns a slot for which nothing was sent. */
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
    // Deferred, because the outcome of this request may pause all others.
    queueMicrotask(() => this.#admit());
  }

  /**
   * Pauses all requests until `wait` is over. Only one pause at a time: a request that is refused during a pause adds
   * no information, and gets false. Requests that wait for the same pause precede those that were not refused.
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
