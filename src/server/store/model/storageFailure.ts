import { ApiFailure } from '../../http/apiFailure.ts';

/** The failure needs an intervention: an immediate retry does not help. */
const retryAfterSeconds = 5;
const soonSeconds = 1;

function retryAfter(seconds: number) {
  return { headers: { 'retry-after': String(seconds) } };
}

/** There is no space for a write; reads still work. */
export function storageFull(): ApiFailure {
  const message = 'the disk of the platform is full: free some space; writes then resume by themselves';
  return new ApiFailure('storage_full', message, retryAfter(retryAfterSeconds));
}

/** The stored data is damaged. `reason`: the message of the database. */
export function storageDamaged(reason: string): ApiFailure {
  const message =
    `the database of the platform is damaged (${reason}): stop the server, restore a backup of the database, ` +
    'and start it again';
  return new ApiFailure('storage_damaged', message, retryAfter(retryAfterSeconds));
}

/** The database is unavailable for another reason, possibly for a short time. */
export function storageAway(reason: string): ApiFailure {
  const message = `the database cannot be used at present (${reason}); try again`;
  return new ApiFailure('unavailable', message, retryAfter(soonSeconds));
}

const unusable: ReadonlySet<unknown> = new Set(['storage_damaged', 'storage_full', 'unavailable']);

/** Did the store itself fail? Then the failure cannot be recorded in it either. */
export function isStorageFailure(error: unknown): error is ApiFailure {
  return error instanceof ApiFailure && unusable.has(error.code);
}
