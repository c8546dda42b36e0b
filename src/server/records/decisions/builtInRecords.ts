import { type JsonObject, objectAt } from '../../../base/json/json.ts';
import { permissions } from '../../../schema/facts/kindFacts.ts';
import type { Kind } from '../../../schema/record/kinds.ts';
import { superusers } from '../../access/decisions/ownMembership.ts';
import { bootstrapUser, firstRetention, localAccount } from '../../http/limits.ts';
import { builtInLocations } from './builtInLocations.ts';
import { quotas } from './quotas.ts';

/** A built-in record. */
export interface Seed {
  readonly kind: Kind;
  readonly record: JsonObject & { readonly name: string };
  readonly shown: JsonObject;
}

const builtin: JsonObject = { origin: 'builtin' };

/** The built-in records of every org, except its own record. */
export function builtInRecords(org: string): readonly Seed[] {
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

/** The names of the built-in records of a kind. */
export function builtInNames(kind: Kind): readonly string[] {
  return builtInRecords('').flatMap((seed) => (seed.kind === kind ? [seed.record.name] : []));
}

/** A policy targets one kind, so a group with access to all kinds has one policy for each (platform/policy). */
function policySeed(org: string, group: string, targetKind: string, permission: string): Seed {
  const bindings = [{ permissions: [permission], principalLinks: [`/org/${org}/group/${group}`] }];
  const name = `${group}-${targetKind}`;
  const record = { name, description: name, tags: {}, targetKind, target: 'all', bindings };
  return { kind: 'policy', record, shown: builtin };
}

export function orgSeed(record: Seed['record']): Seed {
  const status = { accountLink: `/account/${localAccount}`, active: true, endpointPrefix: record.name };
  const spec = objectAt(record, 'spec');
  const observability = { ...firstRetention, ...objectAt(spec, 'observability') };
  return { kind: 'org', record: { ...record, spec: { ...spec, observability } }, shown: { status } };
}

export function userSeed(text: string): Seed {
  const email = text.toLowerCase();
  return { kind: 'user', record: { name: email, description: email, tags: {}, email, idp: 'local' }, shown: {} };
}
