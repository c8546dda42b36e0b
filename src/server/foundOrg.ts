import { bootstrapUser, firstRetention, localAccount } from './decisions.ts';
import { type JsonObject, listAt, objectAt } from '../schema/json/json.ts';
import type { Kind } from '../schema/record/kinds.ts';
import { permissions } from '../schema/rules/access/permissions.ts';
import type { Platform } from './routes/platform.ts';
import { targetsOf } from './routes/targets.ts';
import { superusers } from './rules/access/ownMembership.ts';
import { builtInLocations } from './rules/locations/builtInLocations.ts';
import { quotas } from './rules/quotas/quotas.ts';
import { refOfRow, type Row, type Transaction } from './store/row.ts';

interface Seed {
  readonly kind: Kind;
  readonly record: JsonObject & { readonly name: string };
  readonly shown: JsonObject;
}

const builtin: JsonObject = { origin: 'builtin' };

function seeds(org: string): readonly Seed[] {
  const locations = builtInLocations.map(({ provider, region, description, geo }): Seed => {
    const record = { name: `${provider}-${region}`, description, tags: {}, provider, spec: { enabled: true } };
    return {
      kind: 'location',
      record,
      shown: { ...builtin, region, status: { geo, ipRanges: [] } },
    };
  });
  const groups = [superusers, 'viewers'].map((name): Seed => {
    const memberLinks = name === superusers ? [`/org/${org}/user/${bootstrapUser}`] : [];
    return { kind: 'group', record: { name, description: name, tags: {}, memberLinks }, shown: builtin };
  });
  const policies = [...permissions.keys()].flatMap((targetKind) => [
    policySeed(org, superusers, targetKind, 'manage'),
    policySeed(org, 'viewers', targetKind, 'view'),
  ]);
  const plain = (['serviceaccount', 'auditctx'] as const).map((kind): Seed => {
    const name = kind === 'auditctx' ? 'scheme' : 'platform';
    return { kind, record: { name, description: name, tags: {} }, shown: builtin };
  });
  const limits = quotas.map(({ name, description, unit }): Seed => {
    return { kind: 'quota', record: { name, description, tags: {} }, shown: { ...builtin, unit, dimensions: [] } };
  });
  return [userSeed(bootstrapUser), ...locations, ...groups, ...policies, ...plain, ...limits];
}

/** What the records of a kind are called that every org has by itself. */
export function builtInNames(kind: Kind): readonly string[] {
  return seeds('').flatMap((seed) => (seed.kind === kind ? [seed.record.name] : []));
}

/** One policy is about one kind, so a group that is about all of them has one for each (platform/policy). */
function policySeed(org: string, group: string, targetKind: string, permission: string): Seed {
  const bindings = [{ permissions: [permission], principalLinks: [`/org/${org}/group/${group}`] }];
  const name = `${group}-${targetKind}`;
  const record = { name, description: name, tags: {}, targetKind, target: 'all', bindings };
  return { kind: 'policy', record, shown: builtin };
}

/**
 * Puts into a new org what every org has, and the users that are asked for. What is there stays. `record`: the org's own
 * record. `also`: what belongs to the making of the org, in the same transaction. False: it was there before.
 */
export async function foundOrg(
  platform: Platform,
  record: Seed['record'],
  users: readonly string[],
  also: (tx: Transaction, org: Row) => void = () => {},
): Promise<boolean> {
  // One time for all: lists show them by name, whatever the clock does meanwhile.
  const nowMs = platform.now();
  return platform.store.write((tx) => {
    const isNew = tx.fact('created') === undefined;
    if (isNew) {
      tx.setFact('orgId', platform.newId());
      tx.setFact('created', new Date(platform.now()).toISOString());
    }
    for (const seed of [orgSeed(record), ...users.map(userSeed), ...seeds(platform.org)]) {
      if (tx.get({ kind: seed.kind, name: seed.record.name }) === undefined) plant(platform, tx, seed, nowMs);
    }
    admitBootstrapUser(platform, tx);
    const org = tx.get({ kind: 'org', name: platform.org });
    if (isNew && org !== undefined) also(tx, org);
    return isNew;
  });
}

/** An org whose last superuser was deleted, or that is older than this group's first member, is not out of reach for ever. */
function admitBootstrapUser(platform: Platform, tx: Transaction): void {
  const group = tx.get({ kind: 'group', name: superusers });
  if (group === undefined || listAt(group.record, 'memberLinks').length > 0) return;
  const record = { ...group.record, memberLinks: [`/org/${platform.org}/user/${bootstrapUser}`] };
  const changed = { ...group, record, version: group.version + 1, modifiedMs: platform.now() };
  tx.update(changed, targetsOf(refOfRow(group), record, platform.org));
}

function orgSeed(record: Seed['record']): Seed {
  const status = { accountLink: `/account/${localAccount}`, active: true, endpointPrefix: record.name };
  const spec = objectAt(record, 'spec');
  const observability = { ...firstRetention, ...objectAt(spec, 'observability') };
  return { kind: 'org', record: { ...record, spec: { ...spec, observability } }, shown: { status } };
}

function userSeed(text: string): Seed {
  const email = text.toLowerCase();
  return { kind: 'user', record: { name: email, description: email, tags: {}, email, idp: 'local' }, shown: {} };
}

function plant(platform: Platform, tx: Transaction, { kind, record, shown }: Seed, nowMs: number): void {
  const { name } = record;
  const times = { createdMs: nowMs, modifiedMs: nowMs };
  // The id of an org is known by itself too: who owns a domain proves it with that (platform/domain.ownership).
  const uid = (kind === 'org' ? tx.fact('orgId') : undefined) ?? platform.newId();
  tx.insert(
    { kind, gvc: '', name, uid, version: 1, ...times, record, hidden: {}, state: { shown } },
    targetsOf({ kind, name }, record, platform.org),
  );
}
