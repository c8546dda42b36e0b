import { listAt } from '../../base/json/json.ts';
import { isOrg } from '../../schema/record/kinds.ts';
import { superusers } from '../access/decisions/ownMembership.ts';
import { modifiedNow } from '../core/clock.ts';
import type { Platform } from '../core/platform.ts';
import { referencesOf } from '../core/referencesOf.ts';
import { bootstrapUser } from '../http/limits.ts';
import { type Row, refOfRow, type Transaction } from '../store/model/row.ts';
import { builtInRecords, orgSeed, type Seed, userSeed } from './decisions/builtInRecords.ts';

/**
 * Creates the built-in records of a new org and the requested users; existing records stay. `record`: the org's own
 * record. `also`: further work of the creation in the same transaction. False: the org existed before.
 */
export async function createOrg(
  platform: Platform,
  record: Seed['record'],
  users: readonly string[],
  also: (tx: Transaction, org: Row) => void = () => {},
): Promise<boolean> {
  // One time for all of them, so that lists show them by name.
  const nowMs = platform.now();
  return platform.store.write((tx) => {
    const isNew = tx.fact('created') === undefined;
    if (isNew) {
      tx.setFact('orgId', platform.newId());
      tx.setFact('created', new Date(platform.now()).toISOString());
    }
    for (const seed of [orgSeed(record), ...users.map(userSeed), ...builtInRecords(platform.org)]) {
      if (tx.get({ kind: seed.kind, name: seed.record.name }) === undefined) plant(platform, tx, seed, nowMs);
    }
    admitBootstrapUser(platform, tx);
    const org = tx.get({ kind: 'org', name: platform.org });
    if (isNew && org !== undefined) also(tx, org);
    return isNew;
  });
}

/**
 * Makes an org accessible again if its last superuser was deleted, or if it is older than the first member of this
 * group.
 */
function admitBootstrapUser(platform: Platform, tx: Transaction): void {
  const group = tx.get({ kind: 'group', name: superusers });
  if (group === undefined || listAt(group.record, 'memberLinks').length > 0) return;
  const record = { ...group.record, memberLinks: [`/org/${platform.org}/user/${bootstrapUser}`] };
  const changed = { ...group, record, version: group.version + 1, modifiedMs: modifiedNow(group, platform) };
  tx.update(changed, referencesOf(refOfRow(group), record, platform.org));
}

function plant(platform: Platform, tx: Transaction, { kind, record, shown }: Seed, nowMs: number): void {
  const { name } = record;
  const times = { createdMs: nowMs, modifiedMs: nowMs };
  // The id of an org is also stored as a fact: it proves the ownership of domains (platform/domain.ownership).
  const uid = (isOrg(kind) ? tx.fact('orgId') : undefined) ?? platform.newId();
  tx.insert(
    { kind, gvc: '', name, uid, version: 1, ...times, record, hidden: {}, state: { shown } },
    referencesOf({ kind, name }, record, platform.org),
  );
}
