/** Limits and fixed values that the embedded platform sets itself. Rulings without a value are in `docs/platform/`. */

/**
 * The status of every DELETE (platform/wire.operations): clients accept 200 and 202, and cannot rely on a finished
 * deletion.
 */
export const deletionStatus = 202;

/** The default and the maximum page size of a list (platform/wire.lists). */
export const usualPage = 50;
export const largestPage = 1000;

/**
 * Each piece of a body costs about a microsecond, however short: a megabyte in chunks of one byte would block all
 * clients for a second. This many pieces may have any length, others this many bytes on average.
 */
export const mostShortPieces = 10_000;
export const usualPiece = 64;

/** The maximum number of problems in one response: finding 300,000 of them would take seconds. */
export const mostProblems = 100;

/** Less than the longest string in Node. */
export const maxSnapshotBytes = 400 * 1024 * 1024;

/** The number of letters and digits in the alias of a GVC (platform/gvc.alias). */
export const aliasLength = 13;

/** A block reserved for benchmarks, so that no internet host has an address of an IP set (platform/ipset.addresses). */
export const addressBlock = '198.18';

/** The addresses of an apex (platform/domain.status), in the same block, never allocated to an IP set. */
export const anycastAddresses = ['198.19.255.1', '198.19.255.2'];

/** In seconds (platform/domain.ownership). */
export const dnsRecordTtl = 600;

/** The maximum length of a pattern of `=~`, in characters (platform/query.terms). */
export const longestQueryPattern = 256;

/**
 * The number of characters of a value that `=~` searches: a pattern of 256 characters took nine seconds over half a
 * megabyte.
 */
export const longestMatchedText = 1_000;

/** Every record is compared with every term in the server's only thread (platform/concepts.limits). */
export const mostQueryTerms = 1000;
export const mostQueryPatterns = 10;
export const longestQueryPath = 1000;

/** The maximum number of concurrent long requests of one caller; further ones are refused with 429. */
export const mostLongRequests = 50;

/** The number of characters that sorting compares, which bounds the position of a page. */
export const longestSortText = 1000;

/** The user of the first token, a superuser of every org (platform/access.tokens), in a reserved domain. */
export const bootstrapUser = 'admin@example.com';

/**
 * The pause before a failed run is first retried, in seconds, which then doubles; and the number of retries
 * (platform/cron.end).
 */
export const cronBackOffSeconds = 10;
export const cronRetries = 6;

/** A scheduled time is skipped as missed if it is this late because the server was down (platform/cron.end). */
export const cronMissedAfterMs = 60_000;

/** The type of the tasks that the platform creates (platform/task.answers). */
export const invitationTask = 'invitation';

/** The permission for the access report of a record; that of an org needs another one (platform/access.report). */
export const accessReportPermission = 'view';

/** The duration of a requested cancellation, so that its stage can be observed (platform/commands.stages). */
export const cancellationMs = 100;

/** How long a run-now is pending, unless the run takes less than twice as long (platform/commands.run-now). */
export const pendingMs = 100;

/** The only billing account, which has every org (platform/org.life). */
export const localAccount = 'local';

/** The longest single step of a virtual clock: a year. */
export const longestStepMs = 366 * 86_400_000;

/** The retention of a new org, in days (platform/org.life). */
export const firstRetention = { logsRetentionDays: 30, metricsRetentionDays: 30, tracesRetentionDays: 30 };

/** The request limit of each token: this many per second, and this many at once after a pause. */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

const mostTokens = 10_000;

/** Keeps a token bucket for each token. */
export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #buckets = new Map<string, { left: number; atMs: number }>();

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /** Returns undefined if the request may pass, otherwise the seconds to wait. `token`: a digest, never the token. */
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
