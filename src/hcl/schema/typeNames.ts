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

/** The kind of a resource or a data source, and whether it lists; undefined: not a type of this provider. */
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

/** Resources that are a part of a record, or of an operation of it, and no kind of their own. */
export const partTypes = { key: `${prefix}service_account_key`, route: `${prefix}domain_route` } as const;
export type PartTypeName = (typeof partTypes)[keyof typeof partTypes];

export function isPartType(type: string | undefined): type is PartTypeName {
  return Object.values<string | undefined>(partTypes).includes(type);
}
