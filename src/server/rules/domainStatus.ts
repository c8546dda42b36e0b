import { publicDomain } from '../../schema/decisions.ts';
import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../../schema/json.ts';

export interface DomainFacts {
  readonly name: string;
  readonly record: JsonObject;
  /** Links of the record whose targets do not exist. */
  readonly missing: readonly string[];
  /** Warnings of the rules, in words. */
  readonly warnings: readonly string[];
  readonly locations: readonly string[];
  /** A GVC names it as its own. */
  readonly usedByGvc: boolean;
  /** A digest of the configuration. */
  readonly fingerprint: string;
}

/** `status` of a domain (protocol 8.3). DNS and certificates are taken as settled: nothing is looked up. */
export function domainStatus(facts: DomainFacts): JsonObject {
  const { name, record, missing, warnings, locations, fingerprint } = facts;
  const spec = objectAt(record, 'spec');
  const said = [...missing.map((link) => `${link} does not exist`), ...warnings];
  const usedByGvc = facts.usedByGvc || stringAt(spec, 'gvcLink') !== undefined;
  const ns = stringAt(spec, 'dnsMode') === 'ns';
  return {
    status: said.length > 0 ? 'warning' : usedByGvc ? 'usedByGvc' : 'ready',
    ...(said.length > 0 ? { warning: said.join('; ') } : {}),
    endpoints: endpoints(name, spec),
    locations: locations.map((location) => ({ name: location, certificateStatus: 'ready' })),
    fingerprint,
    dnsConfig: [{ type: ns ? 'NS' : 'CNAME', ttl: 600, host: name, value: `${ns ? 'ns1' : 'edge'}.${publicDomain}` }],
  };
}

function endpoints(name: string, spec: JsonObject): readonly JsonObject[] {
  const links = new Set<string>();
  const direct = stringAt(spec, 'workloadLink');
  if (direct !== undefined) links.add(direct);
  for (const port of listAt(spec, 'ports')) {
    for (const route of isObject(port) ? listAt(port, 'routes') : []) {
      const link = isObject(route) ? own(route, 'workloadLink') : undefined;
      if (typeof link === 'string') links.add(link);
    }
  }
  return [...links].map((workloadLink) => ({ url: `https://${name}`, workloadLink }));
}
