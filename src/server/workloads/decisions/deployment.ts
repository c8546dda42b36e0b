import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../../../base/json/json.ts';
import { isExposed, locationEndpoint } from './endpoints.ts';
import { jobExecutionsIn, type LocationFacts, locationFacts, type WorkloadFacts } from './facts.ts';
import { restartsShown } from './restarts.ts';
import type { Generation } from './rollout.ts';

/** One deployment for each location (platform/lifecycle.deployment). `self`: the link of the workload. */
export function deployments(facts: WorkloadFacts, self: string): readonly JsonObject[] {
  return locationFacts(facts).map((place) => deployment(facts, place, self));
}

function deployment(facts: WorkloadFacts, place: LocationFacts, self: string): JsonObject {
  const { location, progress, desired } = place;
  const { latest, older } = progress;
  const { ready, running } = place;
  const newest = version(facts, desired, { ...latest, ready, running, restarts: restartsShown(place.restarts) });
  const before =
    older === undefined ? [] : [version(facts, desired, { ...older, ready: true, running: older.ready, restarts: {} })];
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
      versions: [newest, ...before],
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
  /** The number of its replicas. */
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
