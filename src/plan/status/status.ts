import type { ResourceId } from '../../schema/record/ref.ts';

/** `not-ready`: time, or somebody, may still make it ready. `failed`: it will not become ready by itself. */
export const resourceStates = ['ready', 'not-ready', 'failed'] as const;
export type ResourceState = (typeof resourceStates)[number];

/** The health of what is declared and not there. */
export const absent = 'absent';
/** Of what is declared, and may not be viewed. */
export const hidden = 'hidden';

/** How many of so many. */
export interface Share {
  readonly ready: number;
  readonly total: number;
}

/** One resource of a stack, as the platform shows it now. */
export interface ResourceStatus {
  readonly id: ResourceId;
  readonly state: ResourceState;
  /** The platform's own word (`partial`, `pendingDnsConfig`); `exists` where it has none, `absent`, `hidden`. */
  readonly health: string;
  /** Why it is not ready, and what the platform warns of; for people. */
  readonly reasons: readonly string[];
  /** Is it in the manifests? Absent: none were read. */
  readonly declared?: boolean;
  readonly version?: number;
  /** Of a workload: the version that every location has processed; absent where nobody says. */
  readonly processedVersion?: number;
  readonly locations?: Share;
  readonly replicas?: Share;
  readonly endpoints?: readonly string[];
  /** Of a workload that is not ready by its own word. */
  readonly deployments?: readonly DeploymentStatus[];
  /** Of a domain, by location. */
  readonly certificates?: readonly { readonly location: string; readonly status: string }[];
  /** Of a domain that waits for them: the records that somebody has to make. */
  readonly dnsRecords?: readonly DnsRecord[];
  /** Of a volume set. */
  readonly volumes?: VolumeUse;
}

/** What of it is said by its kind. */
export type KindStatus = Omit<ResourceStatus, 'id' | 'declared' | 'version'>;

export interface DeploymentStatus {
  readonly location: string;
  readonly ready: boolean;
  readonly processedVersion?: number;
  readonly message?: string;
}

export interface DnsRecord {
  readonly type: string;
  readonly host: string;
  readonly value: string;
}

export interface VolumeUse {
  readonly count: number;
  readonly capacityGb: number;
  readonly usedGb: number;
}

/** A whole stack. */
export interface StackStatus {
  readonly org: string;
  /** The owner. */
  readonly stack: string;
  /** False: no manifests were read, so that what is absent is not known. */
  readonly declarationsKnown: boolean;
  /** Ordered by id. */
  readonly resources: readonly ResourceStatus[];
  readonly requests: number;
}

/**
 * The worst of all: one that failed before one that is not ready. A name that nothing belongs to is no ready stack, unless
 * its manifests declare nothing.
 */
export function stateOf({ resources, declarationsKnown }: StackStatus): ResourceState {
  if (resources.length === 0) return declarationsKnown ? 'ready' : 'failed';
  if (resources.some(({ state }) => state === 'failed')) return 'failed';
  return resources.some(({ state }) => state === 'not-ready') ? 'not-ready' : 'ready';
}
