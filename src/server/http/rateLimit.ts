/** The requests of each token: this many a second, and this many at once after a pause. */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

const mostTokens = 10_000;

/** A token bucket for each token. */
export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #buckets = new Map<string, { left: number; atMs: number }>();

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /**
   * Undefined: the request may pass. Otherwise the seconds until the next one may. `token`: a digest, never the token.
   */
  secondsToWait(token: string, nowMs: number): number | undefined {
    const { perSecond, burst } = this.#limit;
    const bucket = this.#buckets.get(token) ?? { left: burst, atMs: nowMs };
    const left = Math.min(burst, bucket.left + ((nowMs - bucket.atMs) / 1000) * perSecond);
    this.#buckets.delete(token);
    this.#buckets.set(token, { left: left < 1 ? left : left - 1, atMs: nowMs });
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > mostTokens && oldest !== undefined) this.#buckets.delete(oldest);
    return left < 1 ? Math.max(1, Math.ceil((1 - left) / perSecond)) : undefined;
  }
}
