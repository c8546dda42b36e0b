import { storageDamaged, storageFull, storageUnavailable } from '../model/storageFailure.ts';

/** A conflict with another transaction; a retry may succeed. */
const conflictCodes: ReadonlySet<string> = new Set(['40001', '40P01']);

/**
 * The codes of a database that is unavailable or has no space: it refuses connections (08, 53, 57P), a lock (55P03) or
 * a statement (57014) timed out, or the connection was closed while idle in a transaction (25P03).
 */
const unavailableCodes = /^(?:08...|53...|57P0[1-5]|55P03|57014|25P0[34])$/;

const connectionErrorCodes: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND'],
  'EAI_AGAIN',
]);

const unavailableMessages =
  /connection terminated|connection timeout|timeout exceeded|not queryable|connection error|client was closed/i;

/** Accepts plain objects, because the job queue passes copies of errors. */
function textIn(error: unknown, field: 'code' | 'message'): string {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, field) : undefined;
  return typeof value === 'string' ? value : '';
}

export function isConflict(error: unknown): boolean {
  return conflictCodes.has(textIn(error, 'code'));
}

export function isUnavailable(error: unknown): boolean {
  const code = textIn(error, 'code');
  if (unavailableCodes.test(code) || connectionErrorCodes.has(code)) return true;
  return unavailableMessages.test(textIn(error, 'message'));
}

const damagedCodes: ReadonlySet<string> = new Set(['XX001', 'XX002']);
const fullDisk = '53100';
/** The codes of a failing disk and of a read-only database, such as a standby. */
const unusableCodes: ReadonlySet<string> = new Set(['58030', '25006']);

/** The error for a request: 503 if the database is unavailable, otherwise the original error. */
export function failureOf(error: unknown): unknown {
  const code = textIn(error, 'code');
  if (code === fullDisk) return storageFull();
  if (damagedCodes.has(code)) return storageDamaged(textIn(error, 'message'));
  return isUnavailable(error) || isConflict(error) || unusableCodes.has(code)
    ? storageUnavailable('PostgreSQL')
    : error;
}
