import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../../../base/json/json.ts';
import { tagIsTrue } from '../../../schema/rules/reading.ts';

/** The values of `status.status` until a domain works (platform/domain.status). */
export const domainStages = ['initializing', 'pendingDnsConfig', 'pendingCertificate', 'ready', 'errored'] as const;
export type DomainStage = (typeof domainStages)[number];

/** Simulated conditions: whether the records of `dnsConfig` resolve, and whether certificates are issued. */
export interface SimulatedWorld {
  readonly dns: 'resolved' | 'unresolved';
  readonly certificate: 'issued' | 'refused';
}

export const friendlyWorld: SimulatedWorld = { dns: 'resolved', certificate: 'issued' };

export interface DomainProcess {
  /** When DNS or certificates were last affected by a change; ms since 1970. */
  readonly sinceMs: number;
  readonly nowMs: number;
  /** The time from the start until `ready`. */
  readonly readyAfterMs: number;
  readonly needsDns: boolean;
  readonly needsCertificate: boolean;
  readonly world: SimulatedWorld;
}

export interface StageStart {
  readonly stage: DomainStage;
  readonly atMs: number;
}

/**
 * The stages in order, each with its start. The stages before `ready` share the time equally; unneeded ones are
 * omitted. The process ends before `ready` if a simulated condition fails.
 */
export function stagesOf(domainProcess: Omit<DomainProcess, 'nowMs'>): readonly StageStart[] {
  const { sinceMs, readyAfterMs, needsDns, needsCertificate, world } = domainProcess;
  const before: DomainStage[] = ['initializing'];
  if (needsDns) before.push('pendingDnsConfig');
  if (needsCertificate) before.push('pendingCertificate');
  const all: readonly DomainStage[] = [
    ...before,
    needsCertificate && world.certificate === 'refused' ? 'errored' : 'ready',
  ];
  const starts = all.map((stage, index) => ({ stage, atMs: sinceMs + (readyAfterMs * index) / before.length }));
  const blockedIndex = starts.findIndex(({ stage }) => stage === 'pendingDnsConfig' && world.dns === 'unresolved');
  return blockedIndex < 0 ? starts : starts.slice(0, blockedIndex + 1);
}

/**
 * The stage at the current time: initializing → pendingDnsConfig → pendingCertificate → ready (platform/domain.status).
 */
export function stageAt(domainProcess: DomainProcess): DomainStage {
  return stagesOf(domainProcess).findLast(({ atMs }) => atMs <= domainProcess.nowMs)?.stage ?? 'initializing';
}

/** `status.locations[].certificateStatus` of one location, which has no value for a refused certificate. */
export function certificateStatusAt(domainProcess: DomainProcess): string {
  if (!domainProcess.needsCertificate) return 'ignored';
  const stage = stageAt(domainProcess);
  return stage === 'errored' ? 'pendingCertificate' : stage;
}

/** Whether a certificate is needed: not if no port terminates TLS, or if each port has its own certificate. */
export function needsCertificate(record: JsonObject): boolean {
  return portsOf(record).some((port) => {
    const tls = own(port, 'tls');
    return isObject(tls) && stringAt(objectAt(tls, 'serverCertificate'), 'secretLink') === undefined;
  });
}

/** Whether DNS records are checked; a tag disables the check (platform/concepts.tags). */
export function needsDns(record: JsonObject): boolean {
  return !tagIsTrue(record, 'scheme/skipDNSCheck');
}

/** Equal for two records if their differences do not affect DNS and certificates: the process then continues. */
export function processKey(record: JsonObject): string {
  const spec = objectAt(record, 'spec');
  const names = ['dnsMode', 'gvcLink', 'workloadLink', 'certChallengeType', 'acceptAllHosts', 'acceptAllSubdomains'];
  const ports = portsOf(record).map((port) => [own(port, 'number') ?? null, own(port, 'protocol') ?? null]);
  return JSON.stringify([names.map((name) => own(spec, name) ?? null), ports, needsCertificate(record)]);
}

function portsOf(record: JsonObject): readonly JsonObject[] {
  return listAt(objectAt(record, 'spec'), 'ports').filter(isObject);
}
