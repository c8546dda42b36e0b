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
  /** Tries for one request, the first included. */
  readonly attempts: number;
  readonly random: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly onRetry: (request: string, delayMs: number, because: string) => void;
}

export interface SendOptions {
  /** Repeating it does no harm. Queries are safe although they are sent with POST. */
  readonly safe: boolean;
  /**
   * Asked before each repetition, and when there was no place for a while: what the caller has seen before it is old
   * then. False means that it is no longer needed, and `undefined` is returned.
   */
  readonly again?: (() => Promise<boolean>) | undefined;
  /** There is another way to what is asked for, so a 500, which may be meant for good, is not repeated for long. */
  readonly hasOtherWay?: true;
}

/** An endpoint that has never answered is more likely misspelt than ailing: give up after about a second. */
const attemptsBeforeContact = 4;
/** Each of these takes the whole timeout of 90 s without any feedback. */
const attemptsInSilence = 2;

/** Of a way that a platform may not have: it takes less than a second to try another one. */
const attemptsOfOneWay = 3;

/** A `Retry-After` from here on is obeyed by all requests, as 429 is. */
const toldMs = 1_000;

/** A record that was read before a request may be as old as this when it is sent: about a round trip. */
const longestUnseenMs = 1_000;
/** How often it is read again; where all do that at once, somebody has to go on. */
const mostLooks = 3;

/** The answer to a request. */
export interface Reply {
  readonly record: JsonObject;
  /** How long it was. */
  readonly bytes: number;
  /** The path of what was created. */
  readonly location?: string;
  /** The header `Link`. */
  readonly link?: string;
  /** The header `Date`: when it was answered, by the clock of the platform. */
  readonly date?: string;
  /** For requests that take text. */
  readonly text?: string;
}

/** Sends requests, repeats those that may be repeated, and turns refusals into errors. Counts what it sends. */
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

  /** From now on nothing is retried: waits end, and failures stay. Requests in progress continue. */
  stopRetrying(): void {
    this.#impatient = true;
    this.#impatience.resolve();
  }

  async send(request: Request, { safe, again, hasOtherWay }: SendOptions): Promise<Reply | undefined> {
    const { budget, limit, attempts, random, sleep, onRetry } = this.#options;
    const label = `${request.method} ${request.path}`;
    for (let retry = 1; ; retry += 1) {
      const place = await this.#enter(retry > 1, again);
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
      if (again !== undefined && !(await again())) return undefined;
    }
  }

  /** Once, whatever comes of it. */
  async ask(request: Request): Promise<Answer> {
    this.#sent += 1;
    try {
      return await this.#options.exchange.send(request);
    } catch (error) {
      throw connectionError(`${request.method} ${request.path}`, error, 'api.unavailable');
    }
  }

  /** Undefined: no longer needed. */
  async #enter(repeated: boolean, again: SendOptions['again']): Promise<Place | undefined> {
    const { limit } = this.#options;
    for (let looks = 0; ; looks += 1) {
      const place = await limit.enter(repeated || looks > 0);
      if (again === undefined || place.waitedMs <= longestUnseenMs || looks === mostLooks) return place;
      limit.giveBack();
      if (!(await again())) return undefined;
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

  /** It would go no better with the requests that have not been sent: a limit, a restart. */
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
 * Success carries a JSON object; writes may be answered with an empty body (platform/wire.operations,
 * platform/deletion.asynchronous).
 */
function replyOf({ method }: Request, label: string, answer: Answer | undefined, safe: boolean): Reply {
  const { body, unread, bytes = 0, location, link, date, text } = answer ?? {};
  const more = present({ location, link, date });
  if (text !== undefined) return { record: isObject(body) ? body : {}, bytes, text };
  if (isObject(body)) return { record: body, bytes, ...more };
  if (isArray(body) && safe) return { record: { items: body }, bytes, ...more }; // a list without anything around it
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
