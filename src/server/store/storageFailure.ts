import { ApiFailure } from '../http/apiFailure.ts';

/** Somebody has to do something first: it does not help to ask at once again. */
const retryAfterSeconds = 5;
const soonSeconds = 1;

function retryAfter(seconds: number) {
  return { headers: { 'retry-after': String(seconds) } };
}

/** There is no room for a write; what is stored can still be read. */
export function storageFull(): ApiFailure {
  const message = 'the disk of the platform is full: make room on it; writes then go on by themselves';
  return new ApiFailure('storage_full', message, retryAfter(retryAfterSeconds));
}

/** What is stored is not what was written. `reason`: in the words of the database. */
export function storageDamaged(reason: string): ApiFailure {
  const message =
    `the database of the platform is damaged (${reason}): stop the server, put a copy of the database back, ` +
    'and start it again';
  return new ApiFailure('storage_damaged', message, retryAfter(retryAfterSeconds));
}

/** It cannot be used for another reason, which may pass by itself. */
export function storageAway(reason: string): ApiFailure {
  const message = `the database cannot be used at present (${reason}); try again`;
  return new ApiFailure('unavailable', message, retryAfter(soonSeconds));
}

const unusable: ReadonlySet<unknown> = new Set(['storage_damaged', 'storage_full', 'unavailable']);

/** Whether the store itself is what a request failed by: nothing about it can be written down then either. */
export function isStorageFailure(error: unknown): error is ApiFailure {
  return error instanceof ApiFailure && unusable.has(error.code);
}
