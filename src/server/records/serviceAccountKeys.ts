import { type JsonObject, stringAt } from '../../base/json/json.ts';
import { newKey } from '../access/decisions/serviceAccountKey.ts';
import { modifiedNow } from '../core/clock.ts';
import type { Platform } from '../core/platform.ts';
import { keysOf, originOf } from '../core/recordFacts.ts';
import { referencesOf } from '../core/referencesOf.ts';
import { ApiFailure } from '../http/apiFailure.ts';
import { type Row, refOfRow, type Transaction } from '../store/row.ts';

/**
 * A new key of a service account: only this answer contains its value, of which a digest is stored
 * (platform/access.tokens, platform/serviceaccount.keys).
 */
export function addServiceAccountKey(platform: Platform, tx: Transaction, row: Row, body: JsonObject): JsonObject {
  const description = stringAt(body, 'description')?.trim(); // as that of a record (platform/concepts.description)
  if (description === undefined || description === '' || description.length > 250) {
    throw new ApiFailure(400, 'description: a key needs a description of 1 to 250 characters');
  }
  if (originOf(row) === 'builtin') throw new ApiFailure('built_in', `${row.name} is built in and cannot be changed`);
  const { name, key } = newKey(platform.org, row.name, platform, platform.randomText);
  const nowMs = platform.now();
  const created = new Date(nowMs).toISOString();
  const keys = [...keysOf(row), { name, created, description, digest: platform.digest(key) }];
  const next = {
    ...row,
    version: row.version + 1,
    modifiedMs: modifiedNow(row, platform),
    state: { ...row.state, keys },
  };
  tx.update(next, referencesOf(refOfRow(row), row.record, platform.org));
  return { name, created, description, key };
}
