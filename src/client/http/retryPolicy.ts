/** The result of one attempt, as needed to decide on a retry. */
export type Attempt =
  | { readonly answered: true; readonly status: number; readonly quota: boolean; readonly retryAfterMs?: number }
  | {
      readonly answered: false;
      /** False if there was no connection, so the request cannot have been carried out. */
      readonly sent: boolean;
      /** No retry can help (such as with an untrusted certificate). */
      readonly permanent: boolean;
      /** There was no answer in time. */
      readonly silent: boolean;
    };

/** `lost`: the request may have been carried out, so the caller must check. */
export type Verdict = 'accept' | 'refuse' | 'repeat' | 'lost';

/**
 * Decides whether a request is sent again (platform/wire.retries).
 *
 * `safe` requests (GET, queries, DELETE) are retried after every transient failure; others only if they were certainly
 * not carried out: no connection, 429 without quota, 503 with `Retry-After`. After any other 5xx or a lost connection
 * it is not known.
 */
export function judge(safe: boolean, attempt: Attempt): Verdict {
  if (!attempt.answered) {
    if (!safe && attempt.sent) return 'lost';
    return attempt.permanent ? 'refuse' : 'repeat';
  }
  const { status } = attempt;
  if (status >= 200 && status < 300) return 'accept';
  if (status === 429) return attempt.quota ? 'refuse' : 'repeat';
  if (status === 503 && attempt.retryAfterMs !== undefined) return 'repeat';
  if (status === 501) return 'refuse'; // the platform does not know the request, and carries out nothing
  if (status === 408 || status === 425 || status >= 500) return safe ? 'repeat' : 'lost';
  return 'refuse';
}

/** Whether it is a sign of overload: 429 without quota, 408, 425, 5xx, or no answer. */
export function strains(attempt: Attempt): boolean {
  if (!attempt.answered) return !attempt.permanent;
  const { status } = attempt;
  return isTooMany(attempt) || status === 408 || status === 425 || (status >= 500 && status !== 501);
}

/** Whether it was rate limited: 429 without quota. */
export function isTooMany(attempt: Attempt): boolean {
  return attempt.answered && attempt.status === 429 && !attempt.quota;
}

const firstDelayMs = 100;
const longestDelayMs = 20_000;
/** A server that asks for a longer wait counts as unavailable. */
export const longestRetryAfterMs = 60_000;

/** The maximum added to a time that the platform named itself. */
const longestBeyondMs = 1_000;

/**
 * Exponential, capped at 20 s, half of it jitter; if the platform names a time, that time and at most one second more.
 * `retry` counts from 1; `random` is in [0, 1).
 */
export function backOffMs(retry: number, random: number, retryAfterMs?: number): number {
  const ceiling = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(retry, 16));
  const delay = ceiling / 2 + (ceiling / 2) * random;
  if (retryAfterMs === undefined) return Math.round(delay);
  return Math.round(Math.max(retryAfterMs, Math.min(delay, retryAfterMs + longestBeyondMs)));
}

/**
 * The maximum total of consecutive pauses without a successful request; after it, the platform counts as unavailable.
 */
const longestInVainMs = 120_000;
/** This number of consecutive failures means an outage, not a problem of single requests. */
const failuresOfOutage = 16;

/**
 * Retries that a whole run may use, so that thousands of requests do not each load a failing platform. A retry costs
 * one; every success returns a tenth, up to the start value. A common pause of all requests costs nothing if some
 * succeed in between.
 */
export class RetryBudget {
  readonly #limit: number;
  #left: number;
  #pausedMs = 0;
  #failures = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#left = limit;
  }

  spend(): boolean {
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  pause(ms: number): void {
    this.#pausedMs += ms;
  }

  /** Notes whether one attempt showed the platform to be strained. */
  note(strained: boolean): void {
    this.#failures = strained ? this.#failures + 1 : 0;
    if (!strained) this.#pausedMs = 0;
  }

  /** Whether requests fail continuously. */
  get isOutage(): boolean {
    return this.#failures >= failuresOfOutage;
  }

  get isInVain(): boolean {
    return this.#pausedMs >= longestInVainMs;
  }

  /** Called after a success. */
  refill(): void {
    this.#left = Math.min(this.#limit, this.#left + 0.1);
  }
}

/** Seconds or an HTTP date; a date is relative to the server's own `Date`, so no local clock is needed. */
export function retryAfterMs(header: string | undefined, date: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1000;
  const from = Date.parse(date ?? '');
  const until = Date.parse(header);
  return Number.isNaN(until) || Number.isNaN(from) ? undefined : Math.max(0, until - from);
}
