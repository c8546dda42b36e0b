import { storageAway, storageDamaged, storageFull } from '../../storageFailure.ts';

/** Another transaction was in the way; the same once more may succeed. */
const conflicts: ReadonlySet<string> = new Set(['40001', '40P01']);

/**
 * The database is away, or has no room: it refuses connections (08, 53, 57P), a lock was not given in time (55P03), a
 * statement took too long (57014), or the connection was ended while it waited for us (25P03).
 */
const absences = /^(?:08...|53...|57P0[1-5]|55P03|57014|25P0[34])$/;

const brokenConnections: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND'],
  'EAI_AGAIN',
]);

const clientMessages =
  /connection terminated|connection timeout|timeout exceeded|not queryable|connection error|client was closed/i;

/** Also of a plain object: the job queue hands copies of errors on. */
function textIn(error: unknown, field: 'code' | 'message'): string {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, field) : undefined;
  return typeof value === 'string' ? value : '';
}

export function isConflict(error: unknown): boolean {
  return conflicts.has(textIn(error, 'code'));
}

export function isAbsence(error: unknown): boolean {
  const code = textIn(error, 'code');
  if (absences.test(code) || brokenConnections.has(code)) return true;
  return clientMessages.test(textIn(error, 'message'));
}

const damaged: ReadonlySet<string> = new Set(['XX001', 'XX002']);
const fullDisk = '53100';
/** The disk of the database fails, or it takes no writes, as a standby does. */
const unusable: ReadonlySet<string> = new Set(['58030', '25006']);

/** What a request is told: 503 where only the database is missing, else the error as it is. */
export function failureOf(error: unknown): unknown {
  const code = textIn(error, 'code');
  if (code === fullDisk) return storageFull();
  if (damaged.has(code)) return storageDamaged(textIn(error, 'message'));
  return isAbsence(error) || isConflict(error) || unusable.has(code) ? storageAway('PostgreSQL') : error;
}
