import { type JsonObject, numberAt, objectAt } from '../../../base/json/json.ts';
import type { Sheet } from '../../../kinds/common/sheet.ts';
import { permissions } from '../../../kinds/kindFacts.ts';
import { sheets } from '../../../kinds/list.ts';
import { type Kind, knownKind } from '../../../schema/record/kinds.ts';
import { superusers } from '../../access/decisions/membership.ts';
import { bootstrapUser, firstRetention, localAccount } from '../../http/limits.ts';

/** A location that every org has (platform/location). */
interface BuiltInLocation {
  readonly provider: 'aws' | 'azure' | 'gcp';
  readonly region: string;
  /** In the form `Provider, region (place)`. */
  readonly description: string;
  /** `status.geo` (platform/location.fields). */
  readonly geo: JsonObject;
}

type LocationRow = readonly [
  provider: BuiltInLocation['provider'],
  region: string,
  description: string,
  city: string,
  state: string,
  country: string,
  continent: string,
  lat: number,
  lon: number,
];

const rows: readonly LocationRow[] = [
  ['aws', 'eu-central-1', 'AWS, Europe (Frankfurt)', 'Frankfurt', 'Hesse', 'DE', 'Europe', 50.11, 8.68],
  ['aws', 'eu-west-1', 'AWS, Europe (Dublin)', 'Dublin', 'Leinster', 'IE', 'Europe', 53.35, -6.26],
  ['aws', 'us-east-1', 'AWS, US East (N. Virginia)', 'Ashburn', 'Virginia', 'US', 'North America', 38.95, -77.45],
  ['aws', 'us-east-2', 'AWS, US East (Ohio)', 'Columbus', 'Ohio', 'US', 'North America', 40.0, -83.0],
  ['aws', 'us-west-2', 'AWS, US West (Oregon)', 'Boardman', 'Oregon', 'US', 'North America', 45.84, -119.7],
  ['aws', 'ap-southeast-2', 'AWS, Asia Pacific (Sydney)', 'Sydney', 'New South Wales', 'AU', 'Oceania', -33.87, 151.21],
  ['azure', 'eastus2', 'Azure, US East (Virginia)', 'Boydton', 'Virginia', 'US', 'North America', 36.67, -78.39],
  ['azure', 'northeurope', 'Azure, Europe (Dublin)', 'Dublin', 'Leinster', 'IE', 'Europe', 53.35, -6.26],
  ['azure', 'westus2', 'Azure, US West (Washington)', 'Quincy', 'Washington', 'US', 'North America', 47.23, -119.85],
  ['gcp', 'europe-west4', 'GCP, Europe (Eemshaven)', 'Eemshaven', 'Groningen', 'NL', 'Europe', 53.43, 6.83],
  ['gcp', 'us-central1', 'GCP, US Central (Iowa)', 'Council Bluffs', 'Iowa', 'US', 'North America', 41.26, -95.86],
  [
    'gcp',
    'us-east1',
    'GCP, US East (South Carolina)',
    'Moncks Corner',
    'South Carolina',
    'US',
    'North America',
    33.2,
    -80.01,
  ],
  ['gcp', 'us-west1', 'GCP, US West (Oregon)', 'The Dalles', 'Oregon', 'US', 'North America', 45.6, -121.18],
];

const builtInLocations: readonly BuiltInLocation[] = rows.map(
  ([provider, region, description, city, state, country, continent, lat, lon]) => {
    return { provider, region, description, geo: { lat, lon, country, state, city, continent } };
  },
);

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

/**
 * The policy of a group for one kind. A policy has one kind, so access to all kinds needs one for each
 * (platform/policy).
 */
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

/** A built-in quota: a limit on the number of records of a kind, or on the storage of all volumes. */
export interface QuotaFacts {
  readonly name: string;
  readonly description: string;
  readonly unit: 'count' | 'GB';
  /** The kind whose records, or storage, it limits. */
  readonly kind: Kind;
}

/** The quotas of every org (platform/quota.limits). None has a limit until one is set. */
export const quotas: readonly QuotaFacts[] = [
  ...Object.entries<Sheet>(sheets).flatMap(([name, sheet]): readonly QuotaFacts[] => {
    const kind = knownKind(name);
    if (kind === undefined || sheet.hasQuota !== true) return [];
    return [{ name: nameOf(sheet), kind, unit: 'count', description: `Records of the kind ${kind}` }];
  }),
  { name: 'storage', kind: 'volumeset', unit: 'GB', description: 'Capacity that is reserved by all volumes' },
];

/** The quota of the `GVCs` is `gvcs`. */
function nameOf({ plural }: Sheet): string {
  return plural.toLowerCase().replaceAll(' ', '');
}

export function quotaNamed(name: string): QuotaFacts | undefined {
  return quotas.find((quota) => quota.name === name);
}

/** The quotas that a new record of a kind counts towards. */
export function quotasOf(kind: Kind): readonly QuotaFacts[] {
  return quotas.filter((quota) => quota.kind === kind);
}

/** Returns undefined if there is no limit. */
export function quotaLimit(quota: JsonObject): number | undefined {
  return numberAt(quota, 'max');
}

/** The message if `more` exceeds the quota. Its word `quota` makes clients not retry (platform/wire.retries). */
export function quotaProblem({ name, unit }: QuotaFacts, max: number, used: number, more: number): string | undefined {
  if (used + more <= max) return undefined;
  const amount = (value: number): string => (unit === 'GB' ? `${value} GB` : String(value));
  return `the quota ${name} allows ${amount(max)}: ${amount(used)} are in use, and ${amount(more)} more are requested`;
}
