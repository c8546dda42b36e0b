import { ApiFailure } from '../../http/apiFailure.ts';

/** The failure needs an intervention: an immediate retry cannot help. */
const retryAfterSeconds = 5;
const soonSeconds = 1;

function retryAfter(seconds: number) {
  return { headers: { 'retry-after': String(seconds) } };
}

/** The error if the disk has no space for a write; reads still work. */
export function storageFull(): ApiFailure {
  const message = 'the disk of the platform is full: free some space; writes then resume by themselves';
  return new ApiFailure('storage_full', message, retryAfter(retryAfterSeconds));
}

/** The error for damaged data. `reason`: the message of the database. */
export function storageDamaged(reason: string): ApiFailure {
  const message =
    `the database of the platform is damaged (${reason}): stop the server, restore a backup of the database, ` +
    'and start it again';
  return new ApiFailure('storage_damaged', message, retryAfter(retryAfterSeconds));
}

/** The error if the database is unavailable for another reason, possibly for a short time. */
export function storageUnavailable(reason: string): ApiFailure {
  const message = `the database cannot be used at present (${reason}); try again`;
  return new ApiFailure('unavailable', message, retryAfter(soonSeconds));
}

const unusable: ReadonlySet<unknown> = new Set(['storage_damaged', 'storage_full', 'unavailable']);

/** Whether the store itself failed, so that it cannot record the failure either. */
export function isStorageFailure(error: unknown): error is ApiFailure {
  return error instanceof ApiFailure && unusable.has(error.code);
}
