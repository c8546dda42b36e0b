import type { JsonObject } from '../../../base/json/json.ts';
import { isApex, parentsOf } from '../../../kinds/domain/hostNames.ts';
import { dnsRecordTtl } from '../../http/limits.ts';

/** A TXT record that somebody created. */
export interface TextRecord {
  readonly host: string;
  readonly value: string;
}

export interface OwnershipFacts {
  readonly name: string;
  readonly org: string;
  readonly orgId: string;
  readonly records: readonly TextRecord[];
  /** Does the org own this domain already? A parent domain was proven before. */
  readonly hasDomain: (name: string) => boolean;
}

/** `_scheme.{apex}` for an apex, `_scheme-{label}.{parent}` for a subdomain (platform/domain.ownership). */
export function ownershipHost(name: string): string {
  if (isApex(name)) return `_scheme.${name}`;
  const dot = name.indexOf('.');
  return `_scheme-${name.slice(0, dot)}${name.slice(dot)}`;
}

/** `details` of the refusal `must_prove_ownership`: the record to create before the POST is repeated. */
export function ownershipDetails(name: string, orgId: string): JsonObject {
  return { ownershipConfig: [{ type: 'TXT', host: ownershipHost(name), ttl: dnsRecordTtl, value: orgId }] };
}

/**
 * Ownership is proven by a TXT record of the name or of a parent, with the id or the name of the org, or by a parent
 * domain of the org (platform/domain.ownership).
 */
export function isOwnershipProven({ name, org, orgId, records, hasDomain }: OwnershipFacts): boolean {
  const parents = parentsOf(name);
  if (parents.some(hasDomain)) return true;
  const hosts = new Set([name, ...parents].map(ownershipHost));
  return records.some(({ host, value }) => hosts.has(withoutDot(host)) && (value === orgId || value === org));
}

/** Host names are compared ignoring case and a trailing dot. */
function withoutDot(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}
