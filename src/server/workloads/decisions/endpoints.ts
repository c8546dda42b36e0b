import { isObject, type JsonObject, listAt, objectAt, own } from '../../../base/json/json.ts';
import { internalDomain, publicDomain } from '../../../schema/facts/hostNames.ts';

/** The parts of the host names of a workload. */
export interface Naming {
  readonly workload: string;
  readonly gvc: string;
  readonly alias: string;
  /** `status.endpointPrefix` of the org. */
  readonly prefix: string;
  /** `spec.endpointNamingFormat` of the GVC. */
  readonly format: string | undefined;
}

/** Does a workload have a network endpoint (platform/workload.types)? It does if one of its containers has a port. */
export function isExposed(workload: JsonObject): boolean {
  return listAt(objectAt(workload, 'spec'), 'containers').some(
    (container) =>
      isObject(container) && (own(container, 'port') !== undefined || listAt(container, 'ports').length > 0),
  );
}

/**
 * `org` contains the prefix of the org; `default` is deprecated and equals `legacy` (platform/concepts.filled).
 * Decisions `endpointNames`.
 */
function zoneOf({ format, prefix }: Naming): string {
  return format === 'legacy' || format === 'default' ? publicDomain : `${prefix}.${publicDomain}`;
}

export function canonicalEndpoint(naming: Naming): string {
  return `https://${naming.workload}-${naming.alias}.${zoneOf(naming)}`;
}

/** The GVC's own host name, which leads to the workload of its `aliasWorkloadLink`. */
export function aliasEndpoint(naming: Naming): string {
  return `https://${naming.alias}.${zoneOf(naming)}`;
}

export function locationEndpoint(naming: Naming, location: string): string {
  return `https://${naming.workload}-${naming.alias}.${location}.${zoneOf(naming)}`;
}

/** The host name of one replica, for `loadBalancer.replicaDirect` (platform/workload). */
export function replicaEndpoint(naming: Naming, location: string, index: number): string {
  return `https://${naming.workload}-${index}-${naming.alias}.${location}.${zoneOf(naming)}`;
}

/** The host name for other workloads (platform/workload.status). */
export function internalName({ workload, gvc }: Naming): string {
  return `${workload}.${gvc}.${internalDomain}`;
}
