/**
 * Bounds and fixed values that the embedded platform sets for itself. Rulings without a value are in `docs/platform/`.
 */

/**
 * The status of every DELETE (platform/wire.operations): clients accept 200 and 202, and cannot rely on a finished
 * deletion.
 */
export const deletionStatus = 202;

/** The default and the largest page of a list (platform/wire.lists). */
export const usualPage = 50;
export const largestPage = 1000;

/**
 * Each piece of a body costs about a microsecond, however short it is: a megabyte in chunks of one byte would take a
 * second of everybody's time. This many may have any length, others this many bytes on average.
 */
export const mostShortPieces = 10_000;
export const usualPiece = 64;

/** The most problems in one answer: finding 300,000 of them would take seconds. */
export const mostProblems = 100;

/** Less than the longest string in Node. */
export const maxSnapshotBytes = 400 * 1024 * 1024;

/** The number of letters and digits in the alias of a GVC (platform/gvc.alias). */
export const aliasLength = 13;

/**
 * The block reserved for benchmarks, so that no host on the internet has an address of an IP set
 * (platform/ipset.addresses).
 */
export const addressBlock = '198.18';

/** The addresses of an apex (platform/domain.status), in the same block; never allocated to an IP set. */
export const anycastAddresses = ['198.19.255.1', '198.19.255.2'];

/** Seconds (platform/domain.ownership). */
export const dnsRecordTtl = 600;

/** The longest pattern of `=~`, in characters (platform/query.terms). */
export const longestQueryPattern = 256;

/**
 * The number of characters of a value that `=~` searches: 256 characters of a pattern over half a megabyte took nine
 * seconds.
 */
export const longestMatchedText = 1_000;

/** Every record is compared with every term, in the one thread of the server (platform/concepts.limits). */
export const mostQueryTerms = 1000;
export const mostQueryPatterns = 10;
export const longestQueryPath = 1000;

/** The most long requests of one caller at a time; further ones are refused with 429. */
export const mostLongRequests = 50;

/** The characters of a value that sorting compares, so that the position of a page is bounded. */
export const longestSortText = 1000;

/** The user of the first token, a superuser of every org (platform/access.tokens). In a reserved domain. */
export const bootstrapUser = 'admin@example.com';

/**
 * The pause before the first repetition of a failed run, in seconds, which then doubles; and the number of repetitions
 * (platform/cron.end).
 */
export const cronBackOffSeconds = 10;
export const cronRetries = 6;

/** A scheduled time is skipped as missed if it is this late, because the server was down (platform/cron.end). */
export const cronMissedAfterMs = 60_000;

/** The type of the tasks that the platform creates (platform/task.answers). */
export const invitationTask = 'invitation';

/** The permission for the access report of a record; that of an org needs another (platform/access.report). */
export const accessReportPermission = 'view';

/** The time that a requested cancellation takes, so that its stage can be observed (platform/commands.stages). */
export const cancellationMs = 100;

/** The time for which a run-now is pending, unless the run takes less than twice of it (platform/commands.run-now). */
export const pendingMs = 100;

/** The only billing account; it has every org (platform/org.life). */
export const localAccount = 'local';

/** The most that a virtual clock advances at once: a year. */
export const longestStepMs = 366 * 86_400_000;

/** The retention of a new org, in days (platform/org.life). */
export const firstRetention = { logsRetentionDays: 30, metricsRetentionDays: 30, tracesRetentionDays: 30 };

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
