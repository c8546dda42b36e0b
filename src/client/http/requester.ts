import { isArray, isObject, type JsonObject, stringAt } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import type { AdaptiveLimit, Place } from './adaptiveLimit.ts';
import type { Answer } from './answer.ts';
import { ApiError, badReply, isQuota, redirected, wireError } from './apiError.ts';
import { connectionError } from './connectionError.ts';
import { type Exchange, judgeFailure, type Request } from './exchange.ts';
import {
  type Attempt,
  backOffMs,
  isTooMany,
  judge,
  longestRetryAfterMs,
  type RetryBudget,
  retryAfterMs,
  strains,
} from './retryPolicy.ts';

export interface RequesterOptions {
  readonly exchange: Exchange;
  readonly budget: RetryBudget;
  readonly limit: AdaptiveLimit;
  /** Attempts for one request, including the first. */
  readonly attempts: number;
  readonly random: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly onRetry: (request: string, delayMs: number, because: string) => void;
}

export interface SendOptions {
  /** Whether a retry is harmless. Queries are safe although they are sent with POST. */
  readonly safe: boolean;
  /**
   * Called before each retry, and after a longer wait for a slot, because what the caller has read before is then old.
   * If false, the request is no longer needed, and `undefined` is returned.
   */
  readonly isStillNeeded?: (() => Promise<boolean>) | undefined;
  /** There is another way to get the same records, so a 500, which may be permanent, is retried only briefly. */
  readonly hasOtherWay?: true;
}

/** An endpoint that has never answered is more likely misspelt than failing: give up after about a second. */
const attemptsBeforeContact = 4;
/** Each of these takes the whole timeout of 90 s without any feedback. */
const attemptsInSilence = 2;

/** For a way that a platform may not have: trying another one takes less than a second. */
const attemptsOfOneWay = 3;

/** A `Retry-After` from this value on applies to all requests, like a 429. */
const toldMs = 1_000;

/** The maximum age of a record that was read before a request is sent: about a round trip. */
const longestUnseenMs = 1_000;
/** The maximum number of such reads; if all requests repeat them, none would proceed. */
const maxRechecks = 3;

/** The answer to a request. */
export interface Reply {
  readonly record: JsonObject;
  /** The size of the answer. */
  readonly bytes: number;
  /** The path of a created record. */
  readonly location?: string;
  /** The header `Link`. */
  readonly link?: string;
  /** The header `Date`: the time of the answer, by the platform's clock. */
  readonly date?: string;
  /** For requests that take text. */
  readonly text?: string;
}

/** Sends requests, retries them where possible, and converts refusals to errors. Counts the requests. */
export class Requester {
  readonly #options: RequesterOptions;
  readonly #impatience = Promise.withResolvers<void>();
  #impatient = false;
  #sent = 0;
  #contact = false;

  constructor(options: RequesterOptions) {
    this.#options = options;
  }

  get sent(): number {
    return this.#sent;
  }

  close(): Promise<void> {
    return this.#options.exchange.close();
  }

  /** From now on nothing is retried: waits end, and failures are final. Requests in progress continue. */
  stopRetrying(): void {
    this.#impatient = true;
    this.#impatience.resolve();
  }

  async send(request: Request, { safe, isStillNeeded, hasOtherWay }: SendOptions): Promise<Reply | undefined> {
    const { budget, limit, attempts, random, sleep, onRetry } = this.#options;
    const label = `${request.method} ${request.path}`;
    for (let retry = 1; ; retry += 1) {
      const place = await this.#enter(retry > 1, isStillNeeded);
      if (place === undefined) return undefined;
      const outcome = await this.#attempt(request);
      const strained = strains(outcome.attempt);
      limit.leave(place, strained ? 'strained' : 'well');
      budget.note(strained);
      const verdict = judge(safe, outcome.attempt);
      if (verdict === 'accept') {
        budget.refill();
        return replyOf(request, label, outcome.answer, safe);
      }
      const error = failure(label, outcome, verdict === 'lost');
      if (verdict !== 'repeat' || this.#impatient) throw error;
      const most =
        hasOtherWay === true && isStatus(outcome.attempt, 500) ? Math.min(attemptsOfOneWay, attempts) : attempts;
      if (retry >= this.#mostAttempts(outcome.attempt, most)) throw error;
      const wait = outcome.attempt.answered ? outcome.attempt.retryAfterMs : undefined;
      if (wait !== undefined && wait > longestRetryAfterMs) throw tooLong(error, wait);
      // During a common pause no request is sent.
      const together = this.#concernsAll(outcome.attempt, wait);
      if (together ? budget.isInVain : !budget.spend()) throw exhausted(error, outcome.attempt);

      const delayMs = backOffMs(retry, random(), wait);
      onRetry(label, delayMs, error.message);
      const waited = Promise.race([sleep(delayMs), this.#impatience.promise]);
      if (together && limit.pauseFor(waited)) budget.pause(delayMs);
      await waited;
      if (this.#impatient) throw error;
      if (isStillNeeded !== undefined && !(await isStillNeeded())) return undefined;
    }
  }

  /** Sends a request once, with any outcome. */
  async ask(request: Request): Promise<Answer> {
    this.#sent += 1;
    try {
      return await this.#options.exchange.send(request);
    } catch (error) {
      throw connectionError(`${request.method} ${request.path}`, error, 'api.unavailable');
    }
  }

  /** Undefined if the request is no longer needed. */
  async #enter(repeated: boolean, isStillNeeded: SendOptions['isStillNeeded']): Promise<Place | undefined> {
    const { limit } = this.#options;
    for (let rechecks = 0; ; rechecks += 1) {
      const place = await limit.enter(repeated || rechecks > 0);
      if (isStillNeeded === undefined || place.waitedMs <= longestUnseenMs || rechecks === maxRechecks) return place;
      limit.giveBack();
      if (!(await isStillNeeded())) return undefined;
    }
  }

  async #attempt(request: Request): Promise<Outcome> {
    this.#sent += 1;
    try {
      const answer = await this.#options.exchange.send(request);
      this.#contact = true;
      const { status, body } = answer;
      const message = isObject(body) ? (stringAt(body, 'message') ?? '') : '';
      const wait = retryAfterMs(answer.retryAfter, answer.date);
      const quota = isQuota(status, message);
      return {
        answer,
        attempt: { answered: true, status, quota, ...present({ retryAfterMs: wait }) },
      };
    } catch (error) {
      const attempt = { answered: false, ...judgeFailure(error) } as const;
      return { error, attempt };
    }
  }

  /** Whether the cause affects other requests too: a rate limit, a restart. */
  #concernsAll(attempt: Attempt, waitMs: number | undefined): boolean {
    if (isTooMany(attempt) || (waitMs !== undefined && waitMs >= toldMs)) return true;
    const isUnreachable = !attempt.answered && !attempt.sent;
    return this.#contact && (isUnreachable || this.#options.budget.isOutage);
  }

  #mostAttempts(attempt: Attempt, attempts: number): number {
    const silent = !attempt.answered && attempt.silent ? attemptsInSilence : attempts;
    return Math.min(silent, this.#contact ? attempts : attemptsBeforeContact);
  }
}

function isStatus(attempt: Attempt, status: number): boolean {
  return attempt.answered && attempt.status === status;
}

type Outcome =
  | { readonly answer: Answer; readonly attempt: Attempt; readonly error?: never }
  | { readonly error: unknown; readonly attempt: Attempt; readonly answer?: never };

function failure(label: string, outcome: Outcome, lost: boolean): ApiError {
  if (outcome.answer === undefined) {
    return connectionError(label, outcome.error, lost ? 'api.reply-lost' : 'api.unavailable');
  }
  const { status, body, unread, location } = outcome.answer;
  if (status >= 300 && status < 400) return redirected(label, status, location);
  const error = wireError(status, body, label, unread);
  return lost ? maybeDone(error.message, status, error) : error;
}

/**
 * A success contains a JSON object; writes may be answered with an empty body (platform/wire.operations,
 * platform/deletion.asynchronous).
 */
function replyOf({ method }: Request, label: string, answer: Answer | undefined, safe: boolean): Reply {
  const { body, unread, bytes = 0, location, link, date, text } = answer ?? {};
  const more = present({ location, link, date });
  if (text !== undefined) return { record: isObject(body) ? body : {}, bytes, text };
  if (isObject(body)) return { record: body, bytes, ...more };
  if (isArray(body) && safe) return { record: { items: body }, bytes, ...more }; // a bare array
  if (method === 'DELETE' || (body === undefined && unread === undefined && method !== 'GET')) {
    return { record: {}, bytes, ...more };
  }
  const empty = body === undefined ? 'the answer is empty' : 'the answer is not a JSON object';
  const error = badReply(`${label}: ${unread ?? empty}`);
  throw safe ? error : maybeDone(error.message, answer?.status, error);
}

function maybeDone(message: string, status: number | undefined, cause: ApiError): ApiError {
  return new ApiError({
    code: 'api.reply-lost',
    message: `${message}; it may have been carried out`,
    hint: 'Plan again: the new plan shows the current state.',
    ...present({ status }),
    cause,
  });
}

function exhausted(error: ApiError, attempt: Attempt): ApiError {
  return new ApiError({
    code: 'api.unavailable',
    message: `${error.message}; this run has no retries left`,
    hint: isTooMany(attempt)
      ? 'The platform rejects too many requests: try again later, or with a smaller --parallelism.'
      : !attempt.answered && !attempt.sent
        ? 'Check that the platform runs and that the endpoint is right, then try again.'
        : 'Too many requests failed: try again when the platform is well again.',
    cause: error,
  });
}

function tooLong(error: ApiError, waitMs: number): ApiError {
  return new ApiError({
    code: 'api.unavailable',
    message:
      `${error.message}; it asks to wait ${Math.ceil(waitMs / 1000)} s, but ` +
      `Gantry waits at most ${longestRetryAfterMs / 1000} s`,
    hint: 'Try again after that time.',
    cause: error,
  });
}
