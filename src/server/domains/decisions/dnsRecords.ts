import { type JsonObject, objectAt, own, stringAt } from '../../../base/json/json.ts';
import { isApex } from '../../../kinds/domain/hostNames.ts';
import { publicDomain } from '../../../schema/facts/hostNames.ts';
import { anycastAddresses, dnsRecordTtl } from '../../http/limits.ts';

export interface DnsFacts {
  readonly name: string;
  readonly record: JsonObject;
  /** The alias of the served GVC, if any. */
  readonly alias: string | undefined;
  /** The DNS records of a dns01 challenge. */
  readonly challenge: string;
}

/**
 * `status.dnsConfig`: the records that the user must create (platform/domain.status). The mode `ns` delegates the zone.
 * In the mode `cname` the name points to the platform: an apex by addresses, as it cannot have a CNAME. Served names
 * below it need the same, and a dns01 challenge a TXT record.
 */
export function dnsRecords({ name, record, alias, challenge }: DnsFacts): readonly JsonObject[] {
  const spec = objectAt(record, 'spec');
  const line = (type: string, host: string, value: string): JsonObject => ({ type, ttl: dnsRecordTtl, host, value });
  if (stringAt(spec, 'dnsMode') === 'ns') {
    return ['ns1', 'ns2'].map((server) => line('NS', name, `${server}.${publicDomain}`));
  }
  const target = `${alias ?? 'edge'}.${publicDomain}`;
  const main = isApex(name)
    ? anycastAddresses.map((address) => line('A', name, address))
    : [line('CNAME', name, target)];
  const below = servesNamesBelow(spec) ? [line('CNAME', `*.${name}`, target)] : [];
  const proof =
    stringAt(spec, 'certChallengeType') === 'dns01' ? [line('TXT', `_acme-challenge.${name}`, challenge)] : [];
  return [...main, ...below, ...proof];
}

/** Does it serve a host for each workload (`gvcLink`), for each replica (`workloadLink`), or any host? */
function servesNamesBelow(spec: JsonObject): boolean {
  return (
    stringAt(spec, 'gvcLink') !== undefined ||
    stringAt(spec, 'workloadLink') !== undefined ||
    own(spec, 'acceptAllSubdomains') === true
  );
}
