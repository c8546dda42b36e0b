/**
 * Bounds and fixed values that the embedded platform sets for itself. Rulings without a value are in `docs/platform/`.
 */

/**
 * The status of every DELETE (platform/wire.operations): clients take 200 and 202, and none can count on a finished
 * deletion.
 */
export const deletionStatus = 202;

/** The page of a list, and the most that `?limit=` gets (platform/wire.lists). */
export const usualPage = 50;
export const largestPage = 1000;

/** A megabyte of a secret in any encoding (platform/concepts.limits). */
export const maxSecretBytes = 2 * 1024 * 1024;

/** Problems of one body that are looked for: to find 300,000 of them takes seconds. */
export const mostProblems = 100;

/** Below the longest text that Node supports. */
export const maxSnapshotBytes = 400 * 1024 * 1024;

/** Letters and digits of the alias of a GVC (platform/gvc.alias). */
export const aliasLength = 13;

/** Addresses lie below reserved names: no request to them leaves the machine (platform/lifecycle.endpoints). */
export const publicDomain = 'apps.example';
export const internalDomain = 'internal.example';

/**
 * The block that is set aside for benchmarks: no host on the internet has an address of an IP set
 * (platform/ipset.addresses).
 */
export const addressBlock = '198.18';

/** Addresses of an apex (platform/domain.status), of the same block; no IP set gets them. */
export const anycastAddresses = ['198.19.255.1', '198.19.255.2'];

/** Seconds (platform/domain.ownership). */
export const dnsRecordTtl = 600;

/** Characters of a pattern of `=~` (platform/query.terms). */
export const longestQueryPattern = 256;

/** The characters of a value that `=~` matches: 256 characters of a pattern over half a megabyte took nine seconds. */
export const longestMatchedText = 1_000;

/** Every record is compared with every term in the one thread that answers everybody (platform/concepts.limits). */
export const mostQueryTerms = 1000;
export const mostQueryPatterns = 10;
export const longestQueryPath = 1000;

/** Requests of one caller that take longer than a slice and run at once; one more is refused with 429. */
export const mostLongRequests = 50;

/** The characters of a value that sorting compares, so that the position of a page is bounded. */
export const longestSortText = 1000;

/**
 * The user behind the first token, a member of the superusers of every org (platform/access.tokens). Below a reserved
 * domain.
 */
export const bootstrapUser = 'admin@example.com';

/**
 * The pause before a failed run is repeated, in seconds, which doubles each time; and the number of repetitions
 * (platform/cron.end).
 */
export const cronBackOffSeconds = 10;
export const cronRetries = 6;

/** A time of a schedule that is this late is missed: the server was down (platform/cron.end). */
export const cronMissedAfterMs = 60_000;

/** The type of the only task that the platform makes (platform/task.answers). */
export const invitationTask = 'invitation';

/** The permission for the access report of a record; the org has one of its own (platform/access.report). */
export const accessReportPermission = 'view';

/** A requested cancellation takes this long, so that its stage can be seen (platform/commands.stages). */
export const cancellationMs = 100;

/** A run-now is pending for this long, or for half of a shorter run (platform/commands.run-now). */
export const pendingMs = 100;

/** The one account that has every org (platform/org.life). */
export const localAccount = 'local';

/** A virtual clock advances by a year at once at most. */
export const longestStepMs = 366 * 86_400_000;

/** The days for which a new org keeps its logs, metrics and traces (platform/org.life). */
export const firstRetention = { logsRetentionDays: 30, metricsRetentionDays: 30, tracesRetentionDays: 30 };
