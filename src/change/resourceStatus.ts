import { isObject, type JsonObject, listAt, numberAt, objectAt, own, stringAt } from '../base/json/json.ts';
import { compact, nonEmpty, present } from '../base/json/present.ts';
import { compareText } from '../base/text/compareText.ts';
import { addressesOf } from '../kinds/addresses.ts';
import { becomesReady, holdsAddresses, isNamedByHost, runs, storesData } from '../kinds/kindFacts.ts';
import { isNeeded, mayDangle } from '../kinds/referenceStrength.ts';
import { type Reference, references } from '../kinds/references.ts';
import { isSuspended } from '../kinds/workload/readiness.ts';
import type { LiveResource, Snapshot } from '../manifest/live/snapshot.ts';
import type { DesiredResource } from '../manifest/model/manifest.ts';
import { type Hash, isOwned, type Ownership, ownershipOf } from '../plan/record/ownership.ts';
import { bytesPerGb } from '../schema/facts/limits.ts';
import { isRead, type Kind } from '../schema/record/kinds.ts';
import { contextOf, formatRef, lastSegment, type Ref, type ResourceId } from '../schema/record/ref.ts';
import { absent, type DnsRecord, hidden, type KindStatus, type ResourceState, type ResourceStatus } from './status.ts';
import { isReportedReady, workloadStatus } from './workloadStatus.ts';

/** Whether its readiness can only be told from its deployments. */
export function needsDeployments({ live, foreign }: Member): boolean {
  return (
    live !== undefined && becomesReady(live.ref.kind) && !foreign && !isSuspended(live.record) && !isReportedReady(live)
  );
}

/** `deployments`: for a workload that needs them; `gvc`: its GVC, if read. */
export function resourceStatus(
  member: Member,
  deployments: readonly JsonObject[] | undefined,
  gvc?: JsonObject,
): ResourceStatus {
  const { id, live, foreign, declared } = member;
  const known = { id, ...present({ declared }) };
  if (live === undefined) {
    if (member.hidden === undefined) {
      return { ...known, state: 'failed', health: absent, reasons: ['it is declared, but does not exist'] };
    }
    const reasons = [`this token cannot view it (it lacks ${member.hidden})`];
    return { ...known, state: 'failed', health: hidden, reasons };
  }
  const { version } = live;
  const status = kindStatus(live, deployments, gvc);
  if (!foreign) return { ...known, version, ...status };
  const reasons = ['it is declared, but belongs to another stack or to nobody', ...status.reasons];
  return { ...known, version, ...status, state: 'failed', reasons };
}

function kindStatus(
  live: LiveResource,
  deployments: readonly JsonObject[] | undefined,
  gvc: JsonObject | undefined,
): KindStatus {
  const { ref, record } = live;
  if (runs(ref.kind)) return workloadStatus(live, deployments, gvc);
  if (isNamedByHost(ref.kind)) return domainStatus(record);
  return storesData(ref.kind) ? volumeStatus(record) : plainStatus(ref.kind, record);
}

/**
 * Other words are intermediate states (platform/domain.status). `warning` is listed because only a change of the record
 * ends it.
 */
const stateOfHealth: ReadonlyMap<string, ResourceState> = new Map([
  ['ready', 'ready'],
  ['usedByGvc', 'ready'],
  ['errored', 'failed'],
  ['warning', 'failed'],
]);

/** `ignored`: the platform needs no certificate there. */
const certificateDone: ReadonlySet<string> = new Set(['ready', 'ignored']);

/** A domain: its progress, its certificates, and the DNS records that it waits for. */
function domainStatus(record: JsonObject): KindStatus {
  const status = objectAt(record, 'status');
  const health = stringAt(status, 'status') ?? 'unknown';
  const reportedState = stateOfHealth.get(health) ?? 'not-ready';
  const certificates = listAt(status, 'locations')
    .filter(isObject)
    .map((place) => ({
      location: lastSegment(stringAt(place, 'name') ?? ''),
      status: stringAt(place, 'certificateStatus') ?? 'unknown',
    }));
  const missing = certificates.filter((each) => !certificateDone.has(each.status));
  const warning = stringAt(status, 'warning');
  const dnsRecords = health === 'pendingDnsConfig' ? listAt(status, 'dnsConfig').flatMap(dnsRecord) : [];
  const endpoints = addressesOf('domain', record);
  return {
    state: reportedState === 'ready' && missing.length > 0 ? 'not-ready' : reportedState,
    health,
    reasons: compact([
      warning === undefined || warning === '' ? undefined : warning,
      ...(reportedState === 'ready'
        ? missing.map(({ location, status: word }) => `certificate in ${location}: ${word}`)
        : []),
    ]),
    ...nonEmpty({ endpoints, certificates, dnsRecords }),
  };
}

function dnsRecord(entry: unknown): readonly DnsRecord[] {
  if (!isObject(entry)) return [];
  const [type = '', host = '', value = ''] = ['type', 'host', 'value'].map((key) => stringAt(entry, key));
  return [{ type, host, value }];
}

/** Kinds whose status says whether the platform can use them: as a whole, or for each cloud */
const kindsWithUsability: ReadonlySet<Kind> = new Set<Kind>(['cloudaccount', 'identity']);

/** The status of a resource that is ready as soon as it exists, unless its status contains an error. */
function plainStatus(kind: Kind, record: JsonObject): KindStatus {
  const status = objectAt(record, 'status');
  if (kindsWithUsability.has(kind)) return usableStatus(status);
  if (!holdsAddresses(kind)) return { state: 'ready', health: 'exists', reasons: [] };

  const [error, warning] = [textAt(status, 'error'), textAt(status, 'warning')];
  const reasons = compact([error, warning]);
  if (error !== undefined) return { state: 'failed', health: 'error', reasons };
  return { state: 'ready', health: warning === undefined ? 'exists' : 'warning', reasons };
}

function usableStatus(status: JsonObject): KindStatus {
  const parts: readonly (readonly [string, JsonObject])[] = [
    ['', status],
    ...Object.entries(status).flatMap(([name, part]) => (isObject(part) ? [[`${name}: `, part] as const] : [])),
  ];
  const reasons = parts
    .filter(([, part]) => own(part, 'usable') === false)
    .map(([where, part]) => `${where}${textAt(part, 'lastError') ?? 'the platform cannot use it'}`);
  return reasons.length === 0
    ? { state: 'ready', health: 'exists', reasons }
    : { state: 'failed', health: 'unusable', reasons };
}

function textAt(object: JsonObject, key: string): string | undefined {
  const text = stringAt(object, key);
  return text === '' ? undefined : text;
}

/**
 * Most important first (platform/volumeset.status): the replica of a volume does not run during creation and repair.
 */
const lifecycles = ['repairing', 'creating', 'bound', 'unbound', 'unused'] as const;
const transientLifecycles: ReadonlySet<string> = new Set(['repairing', 'creating']);

/** A volume set: the states of its volumes, and how full they are. */
function volumeStatus(record: JsonObject): KindStatus {
  const places = listAt(objectAt(record, 'status'), 'locations').filter(isObject);
  const volumes = places
    .flatMap((place) => listAt(place, 'volumes'))
    .filter(isObject)
    .filter((volume) => stringAt(volume, 'lifecycle') !== 'deleted');
  const health = lifecycles.find((word) => volumes.some((volume) => stringAt(volume, 'lifecycle') === word));
  const sum = (key: string): number => volumes.reduce((total, volume) => total + (numberAt(volume, key) ?? 0), 0);
  const count = volumes.filter((volume) => transientLifecycles.has(stringAt(volume, 'lifecycle') ?? '')).length;
  return {
    state: count > 0 ? 'not-ready' : 'ready',
    health: health ?? (volumes.length === 0 ? 'empty' : 'unknown'),
    reasons: count === 0 ? [] : [`${count} of ${volumes.length} volumes are not usable yet`],
    volumes: { count: volumes.length, capacityGb: sum('currentSize'), usedGb: sum('currentBytesUsed') / bytesPerGb },
  };
}

/** A resource of a stack: declared, owned, or both. */
export interface Member {
  readonly id: ResourceId;
  readonly ref: Ref;
  /** Undefined if the declarations are not known. */
  readonly declared: boolean | undefined;
  /** Absent if it does not exist or is hidden. */
  readonly live?: LiveResource;
  /** Set if the token may not view it: the missing permission. */
  readonly hidden?: string;
  /** Whether it exists and belongs to another owner. */
  readonly foreign: boolean;
}

interface MembersInput {
  /** Undefined if the declarations are not known. */
  readonly desired: readonly DesiredResource[] | undefined;
  /** The resources of the owner, and the declared ones. */
  readonly snapshot: Snapshot;
  readonly owner: string;
  readonly hash: Hash;
}

/** All resources of a stack, ordered by id, without copies that carry its tags and without released ones. */
export function membersOf({ desired, snapshot, owner, hash }: MembersInput): readonly Member[] {
  const ownership = (live: LiveResource): Ownership => ownershipOf(live, owner, snapshot.org, hash);
  const declared = (desired ?? []).flatMap((resource): readonly Member[] => {
    const { id, ref, lifecycle } = resource;
    const live = snapshot.resources.get(id);
    const foreign = live !== undefined && lifecycle.part !== true && !isOwned(ownership(live));
    if (lifecycle.handOver !== undefined && (live === undefined || foreign)) return [];
    const hidden = snapshot.hidden?.get(id);
    return [
      {
        id,
        ref,
        declared: true,
        foreign,
        ...present({ live, hidden }),
      },
    ];
  });
  const known = new Set(declared.map(({ id }) => id));
  const others = [...snapshot.resources.values()]
    .filter((live) => !known.has(live.id) && isOwned(ownership(live)))
    .map((live): Member => {
      const { id, ref } = live;
      return { id, ref, live, declared: desired === undefined ? undefined : false, foreign: false };
    });
  return [...declared, ...others].sort((a, b) => compareText(a.id, b.id));
}

/** The targets of declared resources that may be missing: the platform keeps all other targets of references. */
export function mayBeMissing(desired: readonly DesiredResource[], org: string): readonly Ref[] {
  const found = new Map<ResourceId, Ref>();
  for (const { ref, record } of desired) {
    for (const { target } of dangling(ref, record, org)) found.set(formatRef(target), target);
  }
  return [...found.values()];
}

function dangling(ref: Ref, record: LiveResource['record'], org: string): readonly Reference[] {
  return references(ref.kind, record, contextOf(ref, org)).filter(
    (reference) => reference.org === org && isRead(reference.target.kind) && mayDangle(ref.kind, reference),
  );
}

/** Adds the missing targets of references to the status. A resource that needs them to run is not ready. */
export function withMissingTargets(
  status: ResourceStatus,
  live: LiveResource | undefined,
  { org, unfound, resources, hidden }: Pick<Snapshot, 'org' | 'unfound' | 'resources' | 'hidden'>,
): ResourceStatus {
  if (live === undefined || unfound === undefined || unfound.size === 0) return status;
  const missing = dangling(live.ref, live.record, org).filter(({ target }) => {
    const id = formatRef(target);
    return unfound.has(id) && !resources.has(id) && hidden?.has(id) !== true;
  });
  if (missing.length === 0) return status;
  const reasons = missing.map(({ path, target }) => `${path} refers to ${formatRef(target)}, which does not exist`);
  const isStuck = status.state === 'ready' && missing.some((reference) => isNeeded(live.ref.kind, reference));
  return { ...status, ...(isStuck ? { state: 'not-ready' } : {}), reasons: [...status.reasons, ...reasons] };
}
