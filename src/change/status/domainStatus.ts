import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../../base/json/json.ts';
import { addressesOf } from '../../kinds/addresses.ts';
import { lastSegment } from '../../schema/record/links.ts';
import type { DnsRecord, KindStatus, ResourceState } from './status.ts';

/**
 * Any other word is a step on the way (platform/domain.status). `warning` is none: only a change of the record ends it.
 */
const states: ReadonlyMap<string, ResourceState> = new Map([
  ['ready', 'ready'],
  ['usedByGvc', 'ready'],
  ['errored', 'failed'],
  ['warning', 'failed'],
]);

/** `ignored`: the platform needs no certificate there. */
const certified: ReadonlySet<string> = new Set(['ready', 'ignored']);

/** A domain: its way to ready, its certificates, and the DNS records that it waits for. */
export function domainStatus(record: JsonObject): KindStatus {
  const status = objectAt(record, 'status');
  const health = stringAt(status, 'status') ?? 'unknown';
  const said = states.get(health) ?? 'not-ready';
  const certificates = listAt(status, 'locations')
    .filter(isObject)
    .map((place) => ({
      location: lastSegment(stringAt(place, 'name') ?? ''),
      status: stringAt(place, 'certificateStatus') ?? 'unknown',
    }));
  const missing = certificates.filter((each) => !certified.has(each.status));
  const warning = stringAt(status, 'warning');
  const dnsRecords = health === 'pendingDnsConfig' ? listAt(status, 'dnsConfig').flatMap(dnsRecord) : [];
  const endpoints = addressesOf('domain', record);
  return {
    state: said === 'ready' && missing.length > 0 ? 'not-ready' : said,
    health,
    reasons: [
      ...(warning === undefined || warning === '' ? [] : [warning]),
      ...(said === 'ready' ? missing.map(({ location, status: word }) => `certificate in ${location}: ${word}`) : []),
    ],
    ...(endpoints.length === 0 ? {} : { endpoints }),
    ...(certificates.length === 0 ? {} : { certificates }),
    ...(dnsRecords.length === 0 ? {} : { dnsRecords }),
  };
}

function dnsRecord(entry: unknown): readonly DnsRecord[] {
  if (!isObject(entry)) return [];
  const [type = '', host = '', value = ''] = ['type', 'host', 'value'].map((key) => stringAt(entry, key));
  return [{ type, host, value }];
}
