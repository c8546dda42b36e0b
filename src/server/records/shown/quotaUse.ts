import { type JsonObject, numberAt, objectAt } from '../../../base/json/json.ts';
import type { Kind } from '../../../schema/record/kinds.ts';
import { originOf } from '../../core/rows.ts';
import { ApiFailure } from '../../http/apiFailure.ts';
import { reservedGb } from '../../store/model/countedStore.ts';
import type { Transaction } from '../../store/model/row.ts';
import {
  builtInNames,
  type QuotaFacts,
  quotaLimit,
  quotaNamed,
  quotaProblem,
  quotasOf,
} from '../decisions/builtInRecords.ts';

/** The amount in use, without built-in records. */
export function quotaUse(tx: Transaction, { kind, unit }: QuotaFacts): number {
  if (unit === 'GB') return reservedGb(tx);
  const names = builtInNames(kind);
  const builtIn = names.length === 0 ? [] : tx.select({ kind, names, limit: names.length });
  return tx.count(kind) - builtIn.filter((row) => originOf(row) === 'builtin').length;
}

/**
 * Throws 429 with the word `quota` and without `Retry-After` if a new record exceeds a quota (platform/errors.statuses,
 * platform/quota).
 */
export function requireQuota(tx: Transaction, kind: Kind, record: JsonObject): void {
  for (const quota of quotasOf(kind)) {
    requireRoom(tx, quota, quota.unit === 'GB' ? capacityOf(record) : 1);
  }
}

/**
 * The same for storage that a client requests, in GB. Automatic growth is never refused, or the volume would become
 * full.
 */
export function requireStorage(tx: Transaction, moreGb: number): void {
  const storage = quotaNamed('storage');
  if (storage !== undefined) requireRoom(tx, storage, moreGb);
}

function requireRoom(tx: Transaction, quota: QuotaFacts, more: number): void {
  const row = tx.get({ kind: 'quota', name: quota.name });
  const max = row === undefined ? undefined : quotaLimit(row.record);
  const problem = max === undefined ? undefined : quotaProblem(quota, max, quotaUse(tx, quota), more);
  if (problem !== undefined) throw new ApiFailure('quota_exceeded', problem);
}

/** The storage for one volume, in GB. A set without volumes reserves nothing, but one must fit. */
function capacityOf(volumeSet: JsonObject): number {
  return numberAt(objectAt(volumeSet, 'spec'), 'initialCapacity') ?? 0;
}
