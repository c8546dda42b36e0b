/** The result of one attempt, as far as repeating it is concerned. */
export type Attempt =
  | { readonly answered: true; readonly status: number; readonly quota: boolean; readonly retryAfterMs?: number }
  | {
      readonly answered: false;
      /** There was no connection, so the request cannot have been carried out. */
      readonly sent: boolean;
      /** No repetition can help (a certificate that is not trusted). */
      readonly permanent: boolean;
      /** It was not answered in time. */
      readonly silent: boolean;
    };

/** The answer is accepted, refused, or the request is sent again. `lost`: it may have been carried out, so who asked must look. */
export type Verdict = 'accept' | 'refuse' | 'repeat' | 'lost';

/**
 * Can a request be sent again (platform/wire.retries)?
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
  if (status === 501) return 'refuse'; // it does not know the request, and carries out nothing
  if (status === 408 || status === 425 || status >= 500) return safe ? 'repeat' : 'lost';
  return 'refuse';
}

/** Is it a sign of overload: 429 without quota, 408, 425, 5xx, or no answer? */
export function strains(attempt: Attempt): boolean {
  if (!attempt.answered) return !attempt.permanent;
  const { status } = attempt;
  return isTooMany(attempt) || status === 408 || status === 425 || (status >= 500 && status !== 501);
}

/** Whether it was refused because there were too many in a time: 429 without quota. */
export function isTooMany(attempt: Attempt): boolean {
  return attempt.answered && attempt.status === 429 && !attempt.quota;
}

const firstDelayMs = 100;
const longestDelayMs = 20_000;
/** A server that asks for a longer wait counts as unavailable. */
export const longestRetryAfterMs = 60_000;

/** The most that is added to a time that the platform named itself. */
const longestBeyondMs = 1_000;

/**
 * Exponential, capped at 20 s, half of it jitter; if the platform says how long to wait, that time and at most one
 * second more. `retry` counts from 1; `random` is in [0, 1).
 */
export function backOffMs(retry: number, random: number, retryAfterMs?: number): number {
  const ceiling = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(retry, 16));
  const delay = ceiling / 2 + (ceiling / 2) * random;
  if (retryAfterMs === undefined) return Math.round(delay);
  return Math.round(Math.max(retryAfterMs, Math.min(delay, retryAfterMs + longestBeyondMs)));
}

/**
 * The most time, in consecutive pauses, without a single successful request: then the platform counts as unavailable.
 */
const longestInVainMs = 120_000;
/** So many failures without one answer in between are no matter of single requests. */
const failuresOfOutage = 16;

/**
 * Retries that a whole run may spend, so that thousands of requests do not each hammer an ailing platform. A retry
 * costs one; every success gives a tenth back, up to the start value. Where all requests pause together it costs
 * nothing, as long as some get through in between.
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

  /** No request succeeds any more. */
  get isOutage(): boolean {
    return this.#failures >= failuresOfOutage;
  }

  get isInVain(): boolean {
    return this.#pausedMs >= longestInVainMs;
  }

  /** After a success. */
  refill(): void {
    this.#left = Math.min(this.#limit, this.#left + 0.1);
  }
}

/** Seconds or an HTTP date; a date counts from the server's own `Date`, so that no clock is needed. */
export function retryAfterMs(header: string | undefined, date: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1000;
  const from = Date.parse(date ?? '');
  const until = Date.parse(header);
  return Number.isNaN(until) || Number.isNaN(from) ? undefined : Math.max(0, until - from);
}
