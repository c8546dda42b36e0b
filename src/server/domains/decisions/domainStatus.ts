import type { JsonObject } from '../../../base/json/json.ts';
import { dnsRecords } from './dnsRecords.ts';
import { domainEndpoints } from './domainEndpoints.ts';
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
  /** The locations of the served GVC, and since when; ms since 1970. */
  readonly locations: readonly { readonly name: string; readonly sinceMs: number }[];
  /** The alias of that GVC. */
  readonly alias: string | undefined;
  /** The links of the workloads of the GVC that `gvcLink` names. */
  readonly workloadLinks: readonly string[];
  /** The number of replicas of the workload of `workloadLink`. */
  readonly replicas: number;
  /** A GVC has it as its own domain, or it refers to a GVC. */
  readonly usedByGvc: boolean;
  /** The start of the process (`processKey`). */
  readonly sinceMs: number;
  readonly nowMs: number;
  readonly readyAfterMs: number;
  readonly world: SimulatedWorld;
  readonly digest: (text: string) => string;
}

/** `status` of a domain (platform/domain.status). No DNS request is made: the stage follows from the elapsed time. */
export function domainStatus(facts: DomainFacts): JsonObject {
  const { name, record, missing, warnings, locations, sinceMs, nowMs, readyAfterMs, world, digest } = facts;
  const way: DomainProcess = {
    sinceMs,
    nowMs,
    readyAfterMs,
    world,
    needsDns: needsDns(record),
    needsCertificate: needsCertificate(record),
  };
  const said = [...missing.map((link) => `${link} does not exist`), ...warnings];
  const dnsConfig = dnsRecords({ name, record, alias: facts.alias, challenge: digest(`dns01 ${name}`).slice(0, 43) });
  const endpoints = domainEndpoints(facts);
  return {
    status: statusWord(facts, way, said.length > 0),
    ...(said.length > 0 ? { warning: said.join('; ') } : {}),
    endpoints,
    locations: locations.map((location) => ({
      name: location.name,
      certificateStatus: certificateStatusAt({ ...way, sinceMs: Math.max(sinceMs, location.sinceMs) }),
    })),
    fingerprint: digest(JSON.stringify([record['spec'] ?? {}, dnsConfig])),
    dnsConfig,
  };
}

/** Problems that need an action precede those that only need time. */
function statusWord(facts: DomainFacts, way: DomainProcess, hasWarnings: boolean): string {
  const stage = stageAt(way);
  if (stage === 'errored') return stage;
  if (hasWarnings) return 'warning';
  if (stage !== 'ready') return stage;
  return facts.usedByGvc ? 'usedByGvc' : 'ready';
}
