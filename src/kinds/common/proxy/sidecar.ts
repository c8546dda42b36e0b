import { fields, freeObject, keyed, optional, proposedKey, sequence } from '../../../schema/facts/define.ts';
import { volumes } from '../fields.ts';
import { accessLog } from './accessLog.ts';
import { cluster } from './cluster.ts';
import { httpFilter } from './httpFilter.ts';
import { exclusion } from './routeMatch.ts';

/**
 * Settings of the proxy beside each replica; the same for a GVC and a workload (platform/proxy.members). Its seven
 * lists are fixed; undeclared members below them pass through.
 */
export function sidecar(uris: readonly ('secret' | 'volumeset')[]) {
  const members = {
    accessLog: optional(keyed(accessLog, proposedKey('name'))),
    clusters: optional(keyed(cluster, proposedKey('name'))),
    excludedExternalAuth: optional(sequence(exclusion)),
    excludedRateLimit: optional(sequence(exclusion)),
    http: optional(keyed(httpFilter, proposedKey('name'))),
    network: optional(sequence(freeObject())),
    volumes: optional(volumes(uris)),
  };
  return fields({ proxy: optional(fields(members, { spelling: 'proxy' })) });
}
