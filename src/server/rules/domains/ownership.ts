import type { JsonObject } from '../../../schema/json/json.ts';
import { isApex, parentsOf } from '../../../schema/rules/domain/hostNames.ts';
import { dnsRecordTtl } from '../limits.ts';

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
 * Proven by the TXT record of the name or of one above it, holding the id or the name of the org, or by a domain above
 * it that the org has (platform/domain.ownership).
 */
export function isOwnershipProven({ name, org, orgId, records, hasDomain }: OwnershipFacts): boolean {
  const parents = parentsOf(name);
  if (parents.some(hasDomain)) return true;
  const hosts = new Set([name, ...parents].map(ownershipHost));
  return records.some(({ host, value }) => hosts.has(withoutDot(host)) && (value === orgId || value === org));
}

/** Host names are the same in any case, and with the dot of the root behind them. */
function withoutDot(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}
