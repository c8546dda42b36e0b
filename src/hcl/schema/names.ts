import { type KnownKind, knownKind } from '../../schema/record/kinds.ts';
import { providerType } from '../provider.ts';

const prefix = `${providerType}_`;

/** The type of the resource and the data source of a kind: `gantry_workload`. */
export function resourceType(kind: KnownKind): string {
  return `${prefix}${kind}`;
}

/** The type of the data source that lists a kind: `gantry_workloads`, `gantry_policies`. */
export function listType(kind: KnownKind): string {
  return `${prefix}${plural(kind)}`;
}

/** The kind of a resource or a data source, and whether it lists; undefined if it is not a type of this provider. */
export function kindOfType(type: string): { readonly kind: KnownKind; readonly lists: boolean } | undefined {
  if (!type.startsWith(prefix)) return undefined;
  const name = type.slice(prefix.length);
  const kind = knownKind(name);
  if (kind !== undefined) return { kind, lists: false };
  const listed = knownKind(name.replace(/ies$/, 'y')) ?? knownKind(name.replace(/s$/, ''));
  return listed !== undefined && listType(listed) === type ? { kind: listed, lists: true } : undefined;
}

function plural(kind: KnownKind): string {
  return kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}

/** Resources that are a part of a record, or of an operation on it, without a kind. */
export const partTypes = { key: `${prefix}service_account_key`, route: `${prefix}domain_route` } as const;
export type PartTypeName = (typeof partTypes)[keyof typeof partTypes];

export function isPartType(type: string | undefined): type is PartTypeName {
  return Object.values<string | undefined>(partTypes).includes(type);
}

/** Fields whose name the rule below would split wrongly. */
const irregular: ReadonlyMap<string, string> = new Map([['IPs', 'ips']]);

/** `inboundAllowCIDR` as `inbound_allow_cidr`: lower case, digits and underscores, as Terraform requires. */
export function attributeName(field: string): string {
  return (
    irregular.get(field) ??
    field
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
      .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '_')
      .replaceAll(/^_|_$/g, '')
  );
}

/** Names with a meaning in Terraform at the top level of a resource. */
export const reservedNames: ReadonlySet<string> = new Set([
  'count',
  'for_each',
  'depends_on',
  'provider',
  'lifecycle',
  'connection',
  'provisioner',
]);

/** The name that replaces a reserved one. */
const reservedReplacements: ReadonlyMap<string, string> = new Map([['provider', 'cloud_provider']]);

/** The name of a field at the top level of a resource. */
export function topLevelName(field: string): string {
  const name = attributeName(field);
  return reservedNames.has(name) ? (reservedReplacements.get(name) ?? `${name}_value`) : name;
}

/** The text with attribute names instead of field names: `minCpu` becomes `min_cpu`, except in `values`. */
export function inAttributeNames(text: string, values: ReadonlySet<unknown> = new Set()): string {
  return text.replaceAll(/`([A-Za-z]+(?:\.[A-Za-z]+)*)`/g, (quoted, path: string) =>
    /^[a-z]/.test(path) && /[a-z][A-Z]/.test(path) && !values.has(path)
      ? `\`${path.split('.').map(attributeName).join('.')}\``
      : quoted,
  );
}
