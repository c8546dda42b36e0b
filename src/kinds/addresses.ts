import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../base/json/json.ts';
import { compact } from '../base/json/present.ts';
import type { Kind } from '../schema/record/kinds.ts';

/** The addresses that outside clients can use; none if the workload admits no outside traffic. */
export function reachableAddresses(kind: Kind, record: JsonObject): readonly string[] {
  return kind === 'workload' && !isOpen(objectAt(record, 'spec')) ? [] : addressesOf(kind, record);
}

/** Without blocks of addresses no outside traffic is admitted (platform/workload.firewall). */
function isOpen(spec: JsonObject): boolean {
  return listAt(objectAt(objectAt(spec, 'firewallConfig'), 'external'), 'inboundAllowCIDR').length > 0;
}

/**
 * The addresses in the status of a workload (platform/workload.status) or a domain (platform/domain); other kinds have
 * none.
 */
export function addressesOf(kind: Kind, record: JsonObject): readonly string[] {
  const status = objectAt(record, 'status');
  if (kind === 'workload') {
    const address = stringAt(status, 'endpoint') ?? stringAt(status, 'canonicalEndpoint');
    return compact([address === '' ? undefined : address]);
  }
  if (kind !== 'domain') return [];
  return [...new Set(compact(listAt(status, 'endpoints').filter(isObject), (endpoint) => stringAt(endpoint, 'url')))];
}
