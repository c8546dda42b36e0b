import { bootstrapUser } from '../schema/decisions.ts';
import type { JsonObject } from '../schema/json.ts';
import type { Kind } from '../schema/kinds.ts';
import type { Platform } from './routes/platform.ts';
import { targetsOf } from './routes/targets.ts';
import type { Transaction } from './store/row.ts';

type Place = readonly [
  provider: string,
  region: string,
  description: string,
  country: string,
  lat: number,
  lon: number,
];

/** The locations that every org has (resources B11, design 7). */
const places: readonly Place[] = [
  ['aws', 'eu-central-1', 'Frankfurt, Germany', 'DE', 50.11, 8.68],
  ['aws', 'eu-west-1', 'Dublin, Ireland', 'IE', 53.35, -6.26],
  ['aws', 'us-east-1', 'N. Virginia, United States', 'US', 38.95, -77.45],
  ['aws', 'us-east-2', 'Ohio, United States', 'US', 40.0, -83.0],
  ['aws', 'us-west-2', 'Oregon, United States', 'US', 45.84, -119.7],
  ['aws', 'ap-southeast-2', 'Sydney, Australia', 'AU', -33.87, 151.21],
  ['azure', 'eastus2', 'Virginia, United States', 'US', 36.67, -78.39],
  ['azure', 'northeurope', 'Ireland', 'IE', 53.35, -6.26],
  ['azure', 'westus2', 'Washington, United States', 'US', 47.23, -119.85],
  ['gcp', 'europe-west4', 'Eemshaven, Netherlands', 'NL', 53.43, 6.83],
  ['gcp', 'us-central1', 'Iowa, United States', 'US', 41.26, -95.86],
  ['gcp', 'us-east1', 'South Carolina, United States', 'US', 33.2, -80.01],
  ['gcp', 'us-west1', 'Oregon, United States', 'US', 45.6, -121.18],
];

interface Seed {
  readonly kind: Kind;
  readonly record: JsonObject & { readonly name: string };
  readonly shown: JsonObject;
}

const builtin: JsonObject = { origin: 'builtin' };

function seeds(org: string): readonly Seed[] {
  const locations = places.map(([provider, region, description, country, lat, lon]): Seed => {
    const record = { name: `${provider}-${region}`, description, tags: {}, provider, spec: { enabled: true } };
    return {
      kind: 'location',
      record,
      shown: { ...builtin, region, status: { geo: { lat, lon, country }, ipRanges: [] } },
    };
  });
  const groups = ['superusers', 'viewers'].map((name): Seed => {
    const memberLinks = name === 'superusers' ? [`/org/${org}/user/${bootstrapUser}`] : [];
    return { kind: 'group', record: { name, description: name, tags: {}, memberLinks }, shown: builtin };
  });
  const policies = [
    ['superusers', 'manage'],
    ['viewers', 'view'],
  ].map(([group = '', permission = '']): Seed => {
    const bindings = [{ permissions: [permission], principalLinks: [`/org/${org}/group/${group}`] }];
    const name = `${group}-gvc`;
    return {
      kind: 'policy',
      record: { name, description: name, tags: {}, targetKind: 'gvc', target: 'all', bindings },
      shown: builtin,
    };
  });
  const plain = (['serviceaccount', 'auditctx'] as const).map((kind): Seed => {
    const name = kind === 'auditctx' ? 'scheme' : 'platform';
    return { kind, record: { name, description: name, tags: {} }, shown: builtin };
  });
  return [userSeed(bootstrapUser), ...locations, ...groups, ...policies, ...plain];
}

/** Puts into a new org what every org has, and the users that are asked for. What is there stays. */
export async function foundOrg(platform: Platform, description: string, users: readonly string[]): Promise<void> {
  await platform.store.write((tx) => {
    if (tx.fact('created') === undefined) {
      tx.setFact('orgId', platform.newId());
      tx.setFact('description', description);
      tx.setFact('created', new Date(platform.now()).toISOString());
    }
    for (const seed of [...users.map(userSeed), ...seeds(platform.org)]) {
      if (tx.get({ kind: seed.kind, name: seed.record.name }) === undefined) plant(platform, tx, seed);
    }
  });
}

function userSeed(text: string): Seed {
  const email = text.toLowerCase();
  return { kind: 'user', record: { name: email, description: email, tags: {}, email, idp: 'local' }, shown: {} };
}

function plant(platform: Platform, tx: Transaction, { kind, record, shown }: Seed): void {
  const nowMs = platform.now();
  const { name } = record;
  const times = { createdMs: nowMs, modifiedMs: nowMs };
  tx.insert(
    { kind, gvc: '', name, uid: platform.newId(), version: 1, ...times, record, hidden: {}, state: { shown } },
    targetsOf({ kind, name }, record, platform.org),
  );
}
