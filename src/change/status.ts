import { amount, choice, count, described, flag, list, type Of, object, optional, text } from '../base/form/form.ts';

/** `not-ready`: it may still become ready by itself or by a user. `failed`: it will not become ready by itself. */
export const resourceStates = ['ready', 'not-ready', 'failed'] as const;
export type ResourceState = (typeof resourceStates)[number];

/** The health of a declared resource that does not exist. */
export const absent = 'absent';
/** The health of a declared resource that may not be viewed. */
export const hidden = 'hidden';

export const stateForm = described(
  'not-ready: it may still become ready. failed: it will not become ready by itself.',
  choice(...resourceStates),
);

const share = object({ ready: count, total: count });
/** A count out of a total. */
export type Share = Of<typeof share>;

const deployment = object({
  location: text,
  ready: flag,
  processedVersion: optional(count),
  message: optional(text),
});
export type DeploymentStatus = Of<typeof deployment>;

const certificate = object({ location: text, status: described("The platform's own word.", text) });

const dnsRecord = object({ type: described('CNAME, NS, A, TXT', text), host: text, value: text });
export type DnsRecord = Of<typeof dnsRecord>;

const volumeUse = object({ count, capacityGb: amount, usedGb: amount });
export type VolumeUse = Of<typeof volumeUse>;

export const resourceStatusForm = object({
  id: described('kind/[gvc/]name', text),
  state: stateForm,
  health: described(
    "The platform's own word, such as partial or pendingDnsConfig; exists " +
      'where it has none; absent; hidden from this token.',
    text,
  ),
  reasons: described('Why it is not ready or runs nowhere, and what the platform warns of.', list(text)),
  declared: optional(described('Whether the manifests declare it; absent: none were read.', flag)),
  version: optional(described('Of the record.', count)),
  processedVersion: optional(
    described('Of a workload: the version that every location has processed; absent where it is not known.', count),
  ),
  locations: optional(share),
  replicas: optional(share),
  endpoints: optional(described('Addresses at which a workload or a domain answers.', list(text))),
  deployments: optional(
    described('By location, of a workload whose status does not say that it is ready.', list(deployment)),
  ),
  certificates: optional(described('Of a domain, by location.', list(certificate))),
  dnsRecords: optional(described('Records that a domain waits for.', list(dnsRecord))),
  volumes: optional(described('Of a volume set: what is there, all locations together.', volumeUse)),
});
/** One resource of a stack, as the platform shows it now. */
export type ResourceStatus = Of<typeof resourceStatusForm>;

/** The part of the status that the kind determines. */
export type KindStatus = Omit<ResourceStatus, 'id' | 'declared' | 'version'>;

export interface StackStatus {
  readonly org: string;
  /** The owner. */
  readonly stack: string;
  /** Whether manifests were read; otherwise absent resources are not known. */
  readonly declarationsKnown: boolean;
  /** Ordered by id. */
  readonly resources: readonly ResourceStatus[];
  /** The kinds that the platform does not list completely, and why: resources of the stack may be missing here. */
  readonly unlisted?: string;
  readonly requests: number;
}

/**
 * The worst state of all: failed before not ready. A stack without resources has failed, unless its manifests declare
 * nothing.
 */
export function stateOf({ resources, declarationsKnown }: StackStatus): ResourceState {
  if (resources.length === 0) return declarationsKnown ? 'ready' : 'failed';
  if (resources.some(({ state }) => state === 'failed')) return 'failed';
  return resources.some(({ state }) => state === 'not-ready') ? 'not-ready' : 'ready';
}
