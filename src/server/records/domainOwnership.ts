import { isArray, isObject, type JsonObject, type JsonValue, stringAt } from '../../base/json/json.ts';
import { compact } from '../../base/json/present.ts';
import { isApex, parentsOf } from '../../kinds/domain/domainView.ts';
import type { Platform } from '../core/platform.ts';
import { ApiFailure } from '../http/apiFailure.ts';
import { dnsRecordTtl } from '../http/limits.ts';
import type { Transaction } from '../store/model/row.ts';

/** The TXT records known to this platform: a fact of the org. */
const recordsFact = 'dnsTxt';

/**
 * Refuses a new domain that belongs to another owner: 409 `apex_owned_by_other_org` if another org has it or a parent
 * of it; and, if the platform requires proof, 400 `must_prove_ownership` with the DNS record to create
 * (platform/domain.ownership).
 */
export function requireDomainOwnership(platform: Platform, tx: Transaction, name: string): void {
  const foreignDomain = [name, ...parentsOf(name)].find(
    (above) => tx.elsewhere({ kind: 'domain', name: above }) !== undefined,
  );
  if (foreignDomain !== undefined) {
    throw new ApiFailure('apex_owned_by_other_org', `the domain ${foreignDomain} belongs to another org`);
  }
  // Names below .internal are not in public DNS (rule D17).
  if (!platform.settings.proveOwnership || name.endsWith('.internal')) return;
  const orgId = tx.fact('orgId') ?? '';
  const hasDomain = (above: string): boolean => tx.get({ kind: 'domain', name: above }) !== undefined;
  if (isOwnershipProven({ name, org: platform.org, orgId, records: textRecords(tx), hasDomain })) return;
  throw new ApiFailure(
    'must_prove_ownership',
    `the ownership of ${name} is not proven: create the TXT record, then try again`,
    {
      details: ownershipDetails(name, orgId),
    },
  );
}

function textRecords(tx: Transaction): readonly TextRecord[] {
  const stored: JsonValue = JSON.parse(tx.fact(recordsFact) ?? '[]');
  return isArray(stored) ? compact(stored, textRecordOf) : [];
}

export function setTextRecords(tx: Transaction, records: readonly TextRecord[]): void {
  tx.setFact(recordsFact, JSON.stringify(records));
}

/** Returns undefined for a value that is not a TXT record. */
export function textRecordOf(value: JsonValue): TextRecord | undefined {
  const record: JsonObject = isObject(value) ? value : {};
  const [host, text] = [stringAt(record, 'host'), stringAt(record, 'value')];
  return host === undefined || text === undefined ? undefined : { host, value: text };
}

/** A TXT record in DNS. */
interface TextRecord {
  readonly host: string;
  readonly value: string;
}

interface OwnershipFacts {
  readonly name: string;
  readonly org: string;
  readonly orgId: string;
  readonly records: readonly TextRecord[];
  /** Whether the org already owns this domain. A parent domain was proven before. */
  readonly hasDomain: (name: string) => boolean;
}

/** `_scheme.{apex}` for an apex, `_scheme-{label}.{parent}` for a subdomain (platform/domain.ownership). */
export function ownershipHost(name: string): string {
  if (isApex(name)) return `_scheme.${name}`;
  const dot = name.indexOf('.');
  return `_scheme-${name.slice(0, dot)}${name.slice(dot)}`;
}

/** `details` of the refusal `must_prove_ownership`: the record to create before the POST is retried. */
export function ownershipDetails(name: string, orgId: string): JsonObject {
  return { ownershipConfig: [{ type: 'TXT', host: ownershipHost(name), ttl: dnsRecordTtl, value: orgId }] };
}

/**
 * Whether ownership is proven by a TXT record of the name or of a parent, with the id or the name of the org, or by a
 * parent domain of the org (platform/domain.ownership).
 */
export function isOwnershipProven({ name, org, orgId, records, hasDomain }: OwnershipFacts): boolean {
  const parents = parentsOf(name);
  if (parents.some(hasDomain)) return true;
  const hosts = new Set([name, ...parents].map(ownershipHost));
  return records.some(({ host, value }) => hosts.has(withoutDot(host)) && (value === orgId || value === org));
}

/** Normalizes a host name, because comparison ignores case and a trailing dot. */
function withoutDot(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}
