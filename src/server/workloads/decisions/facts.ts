import { isObject, type JsonObject, listAt, numberAt, objectAt, own, stringAt } from '../../../base/json/json.ts';
import { compact } from '../../../base/json/present.ts';
import { isSuspendedIn } from '../../../kinds/workload/replicaBounds.ts';
import { internalDomain, publicDomain } from '../../../schema/facts/hostNames.ts';
import { workloadTypeOf } from '../../../schema/facts/workloadTypes.ts';
import { readCronState } from '../../cron/decisions/cronState.ts';
import { isActive, replicaOf } from '../../cron/decisions/execution.ts';
import { executionShown } from '../../cron/decisions/job.ts';
import { type Generation, type History, type Progress, progressIn, rolloutStrategyOf } from './rollout.ts';
import { desiredScale, readDemand } from './scale.ts';

/** The inputs for showing a workload. Times in milliseconds since 1970. */
export interface WorkloadFacts {
  readonly record: JsonObject;
  readonly naming: Naming;
  readonly history: History;
  /** The locations of the GVC, each with the time when it was added. */
  readonly locations: readonly { readonly name: string; readonly sinceMs: number }[];
  /** The platform's part of the record. */
  readonly state: JsonObject;
  readonly nowMs: number;
  /** The time until a new replica runs. */
  readonly readyAfterMs: number;
}

/** The facts of one location. */
export interface LocationFacts {
  readonly location: string;
  readonly suspended: boolean;
  readonly desired: number;
  readonly progress: Progress;
  readonly replicas: readonly string[];
  readonly restarts: ReadonlyMap<string, Restart>;
  /** The number of running replicas of the newest version. */
  readonly running: number;
  /** Whether the newest version is rolled out and runs. */
  readonly ready: boolean;
  /** Whether any version runs. */
  readonly serving: boolean;
  readonly changedMs: number;
}

export function locationFacts(facts: WorkloadFacts): readonly LocationFacts[] {
  return facts.locations.map(({ name, sinceMs }) => factsOfLocation(facts, name, sinceMs));
}

function factsOfLocation(facts: WorkloadFacts, location: string, sinceMs: number): LocationFacts {
  const { record, history, state, nowMs, readyAfterMs } = facts;
  const demand = readDemand(state, location);
  const desired = desiredScale(record, location, demand, nowMs);
  const progress = progressIn(
    history,
    { sinceMs, strategy: rolloutStrategyOf(record), replicas: desired, readyAfterMs },
    nowMs,
  );
  const replicas = replicaNames(record, facts.naming.workload, history.version, desired);
  const restarts = readRestarts(state, location, replicas);
  const restarting = [...restarts.values()].filter(({ atMs }) => nowMs < atMs + readyAfterMs).length;
  const added =
    demand === undefined || nowMs >= demand.sinceMs + readyAfterMs ? 0 : Math.max(0, desired - demand.before);
  const isAnyRunning = desired === 0 || restarting < desired;
  return {
    location,
    suspended: isSuspendedIn(record, location),
    desired,
    progress,
    replicas,
    restarts,
    running: Math.max(0, Math.min(progress.latestReady, desired - added) - restarting),
    ready: progress.done && isAnyRunning,
    serving: (progress.done || progress.older !== undefined) && isAnyRunning,
    changedMs: Math.max(
      progress.done ? progress.doneMs : progress.latest.startMs,
      demand?.sinceMs ?? 0,
      ...[...restarts.values()].map(({ atMs }) => atMs),
    ),
  };
}

/** The number of running replicas in a location, of all versions. */
export function runningIn({ running, progress }: LocationFacts): number {
  return running + (progress.older?.ready ?? 0);
}

/**
 * The names of running and starting replicas in a location (platform/lifecycle.replicas), or the executions of a cron
 * workload.
 */
export function namesIn(facts: WorkloadFacts, { location, replicas, progress }: LocationFacts): readonly string[] {
  const { record, naming } = facts;
  if (workloadTypeOf(record) === 'cron') return executionsIn(facts, location).filter(isActive).map(replicaOf);
  const { older } = progress;
  if (older === undefined) return replicas;
  const before = replicaNames(record, naming.workload, older.workload, older.ready);
  return [...new Set([...replicas, ...before])];
}

function executionsIn({ state }: WorkloadFacts, location: string) {
  return readCronState(own(objectAt(state, 'cron'), location)).executions;
}

export function jobExecutionsIn(facts: WorkloadFacts, location: string): readonly JsonObject[] {
  return executionsIn(facts, location).map(executionShown);
}

/** Stateful replicas are `<workload>-<index>` (platform/lifecycle.replicas); other names contain the version. */
function replicaNames(workload: JsonObject, name: string, version: number, count: number): readonly string[] {
  const stem = workloadTypeOf(workload) === 'stateful' ? name : `${name}-${version}`;
  return Array.from({ length: count }, (_, index) => `${stem}-${index}`);
}

/** One deployment for each location (platform/lifecycle.deployment). `self`: the link of the workload. */
export function deployments(facts: WorkloadFacts, self: string): readonly JsonObject[] {
  return locationFacts(facts).map((place) => deployment(facts, place, self));
}

function deployment(facts: WorkloadFacts, place: LocationFacts, self: string): JsonObject {
  const { location, progress, desired } = place;
  const { latest, older } = progress;
  const { ready, running } = place;
  const newest = version(facts, desired, { ...latest, ready, running, restarts: restartsShown(place.restarts) });
  const before = older && version(facts, desired, { ...older, ready: true, running: older.ready, restarts: {} });
  return {
    kind: 'deployment',
    name: location,
    lastModified: new Date(place.changedMs).toISOString(),
    links: [
      { rel: 'self', href: `${self}/deployment/${location}` },
      { rel: 'workload', href: self },
    ],
    status: {
      ...(isExposed(facts.record) ? { endpoint: locationEndpoint(facts.naming, location) } : {}),
      lastProcessedVersion: facts.history.version,
      expectedDeploymentVersion: facts.history.version,
      ready: place.serving,
      deploying: !progress.done,
      message: messageOf(facts, place),
      desiredScale: desired,
      internal: { syncFailed: false },
      versions: compact([newest, before]),
      jobExecutions: jobExecutionsIn(facts, location),
    },
  };
}

function messageOf(
  { history: { waitsFor = [] } }: WorkloadFacts,
  { progress, suspended, ready }: LocationFacts,
): string {
  if (waitsFor.length > 0) return `the new version waits for ${waitsFor.join(', ')}`;
  if (!progress.done) return 'the new version is starting';
  if (suspended) return 'suspended';
  return ready ? '' : 'every replica is starting again';
}

interface RunningVersion extends Generation {
  readonly ready: boolean;
  /** The number of replicas. */
  readonly running: number;
  readonly restarts: JsonObject;
}

function version({ record, naming }: WorkloadFacts, desired: number, shown: RunningVersion): JsonObject {
  const { workload, gvc, startMs, ready, running, restarts } = shown;
  const containers = listAt(objectAt(record, 'spec'), 'containers').flatMap((container) => {
    const name = isObject(container) ? stringAt(container, 'name') : undefined;
    if (!isObject(container) || name === undefined) return [];
    const [image, cpu, memory] = ['image', 'cpu', 'memory'].map((key) => own(container, key) ?? '');
    const resources = { replicas: desired, replicasReady: running, cpu: cpu ?? '', memory: memory ?? '' };
    return [[name, { name, image: image ?? '', ready, message: '', resources, ...restarts }] as const];
  });
  return {
    name: `${naming.workload}-${workload}`,
    created: new Date(startMs).toISOString(),
    workload,
    gvc,
    ready,
    message: '',
    desiredScale: desired,
    containers: Object.fromEntries(containers),
  };
}

/** The parts of the host names of a workload. */
export interface Naming {
  readonly workload: string;
  readonly gvc: string;
  readonly alias: string;
  /** `status.endpointPrefix` of the org. */
  readonly prefix: string;
  /** `spec.endpointNamingFormat` of the GVC. */
  readonly format: string | undefined;
}

/** Whether a workload has a network endpoint, because one of its containers has a port (platform/workload.types). */
export function isExposed(workload: JsonObject): boolean {
  return listAt(objectAt(workload, 'spec'), 'containers').some(
    (container) =>
      isObject(container) && (own(container, 'port') !== undefined || listAt(container, 'ports').length > 0),
  );
}

/**
 * The zone of host names. `org` includes the prefix of the org; the deprecated `default` equals `legacy`
 * (platform/concepts.filled). Decisions `endpointNames`.
 */
function zoneOf({ format, prefix }: Naming): string {
  return format === 'legacy' || format === 'default' ? publicDomain : `${prefix}.${publicDomain}`;
}

export function canonicalEndpoint(naming: Naming): string {
  return `https://${naming.workload}-${naming.alias}.${zoneOf(naming)}`;
}

/** The GVC's host name, which leads to the workload of its `aliasWorkloadLink`. */
export function aliasEndpoint(naming: Naming): string {
  return `https://${naming.alias}.${zoneOf(naming)}`;
}

export function locationEndpoint(naming: Naming, location: string): string {
  return `https://${naming.workload}-${naming.alias}.${location}.${zoneOf(naming)}`;
}

/** The host name of one replica, for `loadBalancer.replicaDirect` (platform/workload). */
export function replicaEndpoint(naming: Naming, location: string, index: number): string {
  return `https://${naming.workload}-${index}-${naming.alias}.${location}.${zoneOf(naming)}`;
}

/** The host name for other workloads (platform/workload.status). */
export function internalName({ workload, gvc }: Naming): string {
  return `${workload}.${gvc}.${internalDomain}`;
}

/** The number of restarts of a replica, and the reason of the last one. */
interface Restart {
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly exitCode: number;
  readonly reason: string;
}

const noRestarts: ReadonlyMap<string, Restart> = new Map();

/** The restarts of existing replicas in a location, by replica name. */
function readRestarts(state: JsonObject, location: string, replicas: readonly string[]): ReadonlyMap<string, Restart> {
  const stored = own(objectAt(state, 'restarts'), location);
  if (!isObject(stored)) return noRestarts;
  const found = new Map<string, Restart>();
  for (const replica of replicas) {
    const restart = own(stored, replica);
    if (isObject(restart)) found.set(replica, readRestart(restart));
  }
  return found;
}

function readRestart(kept: JsonObject): Restart {
  return {
    count: numberAt(kept, 'count') ?? 0,
    atMs: numberAt(kept, 'atMs') ?? 0,
    exitCode: numberAt(kept, 'exitCode') ?? 0,
    reason: stringAt(kept, 'reason') ?? '',
  };
}

/** The state after another restart, without deleted replicas. */
export function withRestart(
  state: JsonObject,
  { location, replicas }: { readonly location: string; readonly replicas: readonly string[] },
  replica: string,
  last: Omit<Restart, 'count'>,
): JsonObject {
  const known = readRestarts(state, location, replicas);
  const others = Object.fromEntries([...known].map(([name, restart]) => [name, { ...restart }]));
  const count = (known.get(replica)?.count ?? 0) + 1;
  const here = { ...others, [replica]: { count, ...last } };
  return { ...state, restarts: { ...objectAt(state, 'restarts'), [location]: here } };
}

/**
 * The restarts of all replicas in a location, as a container shows them (platform/lifecycle.deployment); empty if there
 * are none.
 */
function restartsShown(restarts: ReadonlyMap<string, Restart>): JsonObject {
  const [last] = [...restarts.values()].toSorted((a, b) => b.atMs - a.atMs);
  if (last === undefined) return {};
  const count = [...restarts.values()].reduce((sum, restart) => sum + restart.count, 0);
  const lastRestartTime = new Date(last.atMs).toISOString();
  return { restarts: { count, lastRestartTime, exitCode: last.exitCode, reason: last.reason } };
}
