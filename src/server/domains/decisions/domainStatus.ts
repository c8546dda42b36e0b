import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../../../base/json/json.ts';
import { isApex } from '../../../kinds/domain/domainView.ts';
import { publicDomain } from '../../../schema/facts/hostNames.ts';
import { lastSegment } from '../../../schema/record/ref.ts';
import { anycastAddresses, dnsRecordTtl } from '../../http/limits.ts';
import {
  certificateStatusAt,
  type DomainProcess,
  needsCertificate,
  needsDns,
  type SimulatedWorld,
  stageAt,
} from './domainStage.ts';

export interface DomainFacts {
  readonly name: string;
  readonly record: JsonObject;
  /** Links of the record to missing targets. */
  readonly missing: readonly string[];
  /** The messages of rule warnings. */
  readonly warnings: readonly string[];
  /** The locations of the served GVC, and when each was added; ms since 1970. */
  readonly locations: readonly { readonly name: string; readonly sinceMs: number }[];
  /** The alias of the served GVC. */
  readonly alias: string | undefined;
  /** The links of the workloads of the GVC that `gvcLink` names. */
  readonly workloadLinks: readonly string[];
  /** The number of replicas of the linked workload. */
  readonly replicas: number;
  /** Whether a GVC has it as its own domain, or it refers to a GVC. */
  readonly usedByGvc: boolean;
  /** The start of the process (`processKey`). */
  readonly sinceMs: number;
  readonly nowMs: number;
  readonly readyAfterMs: number;
  readonly world: SimulatedWorld;
  readonly digest: (text: string) => string;
}

/** `status` of a domain (platform/domain.status). No DNS request is made: the stage depends on the elapsed time. */
export function domainStatus(facts: DomainFacts): JsonObject {
  const { name, record, missing, warnings, locations, sinceMs, nowMs, readyAfterMs, world, digest } = facts;
  const domainProcess: DomainProcess = {
    sinceMs,
    nowMs,
    readyAfterMs,
    world,
    needsDns: needsDns(record),
    needsCertificate: needsCertificate(record),
  };
  const problems = [...missing.map((link) => `${link} does not exist`), ...warnings];
  const dnsConfig = dnsRecords({ name, record, alias: facts.alias, challenge: digest(`dns01 ${name}`).slice(0, 43) });
  const endpoints = domainEndpoints(facts);
  return {
    status: statusWord(facts, domainProcess, problems.length > 0),
    ...(problems.length > 0 ? { warning: problems.join('; ') } : {}),
    endpoints,
    locations: locations.map((location) => ({
      name: location.name,
      certificateStatus: certificateStatusAt({ ...domainProcess, sinceMs: Math.max(sinceMs, location.sinceMs) }),
    })),
    fingerprint: digest(JSON.stringify([record['spec'] ?? {}, dnsConfig])),
    dnsConfig,
  };
}

/** Problems that need an action precede stages that only need time. */
function statusWord(facts: DomainFacts, domainProcess: DomainProcess, hasWarnings: boolean): string {
  const stage = stageAt(domainProcess);
  if (stage === 'errored') return stage;
  if (hasWarnings) return 'warning';
  if (stage !== 'ready') return stage;
  return facts.usedByGvc ? 'usedByGvc' : 'ready';
}

interface DnsFacts {
  readonly name: string;
  readonly record: JsonObject;
  /** The alias of the served GVC, if any. */
  readonly alias: string | undefined;
  /** The DNS records of a dns01 challenge. */
  readonly challenge: string;
}

/**
 * `status.dnsConfig`: the records that the user must create (platform/domain.status). The mode `ns` delegates the zone.
 * In the mode `cname` the name points to the platform: an apex by addresses, because it cannot have a CNAME. Served
 * names below it need the same records, and a dns01 challenge needs a TXT record.
 */
export function dnsRecords({ name, record, alias, challenge }: DnsFacts): readonly JsonObject[] {
  const spec = objectAt(record, 'spec');
  const dnsRecord = (type: string, host: string, value: string): JsonObject => ({
    type,
    ttl: dnsRecordTtl,
    host,
    value,
  });
  if (stringAt(spec, 'dnsMode') === 'ns') {
    return ['ns1', 'ns2'].map((server) => dnsRecord('NS', name, `${server}.${publicDomain}`));
  }
  const target = `${alias ?? 'edge'}.${publicDomain}`;
  const main = isApex(name)
    ? anycastAddresses.map((address) => dnsRecord('A', name, address))
    : [dnsRecord('CNAME', name, target)];
  const below = servesNamesBelow(spec) ? [dnsRecord('CNAME', `*.${name}`, target)] : [];
  const proof =
    stringAt(spec, 'certChallengeType') === 'dns01' ? [dnsRecord('TXT', `_acme-challenge.${name}`, challenge)] : [];
  return [...main, ...below, ...proof];
}

/** Whether it serves a host for each workload (`gvcLink`), for each replica (`workloadLink`), or any host. */
function servesNamesBelow(spec: JsonObject): boolean {
  return (
    stringAt(spec, 'gvcLink') !== undefined ||
    stringAt(spec, 'workloadLink') !== undefined ||
    own(spec, 'acceptAllSubdomains') === true
  );
}

interface EndpointFacts {
  readonly name: string;
  readonly record: JsonObject;
  /** The links of the workloads of the GVC that `gvcLink` names. */
  readonly workloadLinks: readonly string[];
  /** The number of replicas of the linked workload. */
  readonly replicas: number;
}

/**
 * `status.endpoints` (platform/domain): an address for each port and each route, or with `gvcLink` for each workload
 * (`{workload}.{domain}`), or with `workloadLink` for each replica (`{workload}-{index}.{domain}`).
 */
export function domainEndpoints({ name, record, workloadLinks, replicas }: EndpointFacts): readonly JsonObject[] {
  const spec = objectAt(record, 'spec');
  const direct = stringAt(spec, 'workloadLink');
  const found = new Map<string, JsonObject>();
  const add = (url: string, workloadLink: string): void => {
    found.set(`${url} ${workloadLink}`, { url, workloadLink });
  };
  for (const port of listAt(spec, 'ports').filter(isObject)) {
    if (stringAt(spec, 'gvcLink') !== undefined) {
      for (const link of workloadLinks) add(base(port, `${lastSegment(link)}.${name}`), link);
      continue;
    }
    if (direct !== undefined) {
      for (let index = 0; index < replicas; index += 1) {
        add(base(port, `${lastSegment(direct)}-${index}.${name}`), direct);
      }
      continue;
    }
    for (const route of listAt(port, 'routes').filter(isObject)) {
      const link = stringAt(route, 'workloadLink');
      const prefix = stringAt(route, 'prefix') ?? '/';
      if (link !== undefined) add(`${base(port, name)}${prefix === '/' ? '' : prefix}`, link);
    }
  }
  return [...found.values()];
}

/** The address without the default port of the scheme. */
function base(port: JsonObject, host: string): string {
  const number = own(port, 'number') ?? 443;
  if (stringAt(port, 'protocol') === 'tcp') return `tcp://${host}:${String(number)}`;
  const tls = isObject(own(port, 'tls'));
  const defaultPort = tls ? 443 : 80;
  return `${tls ? 'https' : 'http'}://${host}${number === defaultPort ? '' : `:${String(number)}`}`;
}
