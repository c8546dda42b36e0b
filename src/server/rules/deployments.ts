import { publicDomain } from '../../schema/decisions.ts';
import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../../schema/json.ts';
import { lastSegment } from '../../schema/links.ts';
import { executionShown } from './cron/executionShown.ts';
import { readPlace } from './cron/place.ts';

/** What is simulated of a workload: how long a version takes until it runs, and what ran before. */
export interface Rollout {
  readonly workload: JsonObject;
  readonly name: string;
  readonly gvcName: string;
  readonly alias: string;
  readonly version: number;
  readonly gvcVersion: number;
  readonly sinceMs: number;
  /** The last version that was ready before this one. */
  readonly readyVersion: number | undefined;
  readonly locations: readonly { readonly name: string; readonly sinceMs: number }[];
  readonly nowMs: number;
  readonly readyAfterMs: number;
  readonly self: string;
  /** What is kept of a cron workload, by location. */
  readonly cron: JsonObject;
}

/** One deployment for each location (protocol 8.2). */
export function deployments(rollout: Rollout): readonly JsonObject[] {
  return rollout.locations.map((location) => deployment(rollout, location));
}

function deployment(rollout: Rollout, { name, sinceMs }: Rollout['locations'][number]): JsonObject {
  const startMs = Math.max(sinceMs, rollout.sinceMs);
  const latest = rollout.nowMs >= startMs + rollout.readyAfterMs;
  // A location that came after the last version never ran an older one.
  const older = !latest && sinceMs <= rollout.sinceMs ? rollout.readyVersion : undefined;
  const replicas = replicasIn(rollout.workload, name);
  const versions = [versionEntry(rollout, rollout.version, latest, replicas, startMs)];
  if (older !== undefined) versions.push(versionEntry(rollout, older, true, replicas, startMs));
  return {
    kind: 'deployment',
    name,
    lastModified: new Date(latest ? startMs + rollout.readyAfterMs : startMs).toISOString(),
    links: [{ rel: 'self', href: `${rollout.self}/deployment/${name}` }],
    status: {
      endpoint: `https://${rollout.name}-${rollout.alias}.${name}.${publicDomain}`,
      lastProcessedVersion: rollout.version,
      expectedDeploymentVersion: rollout.version,
      ready: latest || older !== undefined,
      deploying: !latest,
      message: latest ? '' : 'the new version is starting',
      desiredScale: replicas,
      internal: { syncFailed: false },
      versions,
      jobExecutions: readPlace(own(rollout.cron, name)).executions.map(executionShown),
    },
  };
}

function versionEntry(
  { workload, name, gvcVersion }: Rollout,
  version: number,
  ready: boolean,
  replicas: number,
  startMs: number,
): JsonObject {
  const containers: Record<string, JsonObject> = {};
  for (const container of listAt(objectAt(workload, 'spec'), 'containers')) {
    const containerName = isObject(container) ? stringAt(container, 'name') : undefined;
    if (!isObject(container) || containerName === undefined) continue;
    containers[containerName] = {
      name: containerName,
      image: own(container, 'image') ?? '',
      ready,
      message: '',
      resources: {
        replicas,
        replicasReady: ready ? replicas : 0,
        cpu: own(container, 'cpu') ?? '',
        memory: own(container, 'memory') ?? '',
      },
    };
  }
  const created = new Date(startMs).toISOString();
  return {
    name: `${name}-${version}`,
    created,
    workload: version,
    gvc: gvcVersion,
    ready,
    message: '',
    desiredScale: replicas,
    containers,
  };
}

/** How many replicas run in a location: none while suspended, else the least that is allowed, and one by default. */
export function replicasIn(workload: JsonObject, location: string): number {
  if (stringAt(objectAt(workload, 'spec'), 'type') === 'cron' || isSuspendedIn(workload, location)) return 0;
  const least = own(objectAt(optionsIn(workload, location), 'autoscaling'), 'minScale');
  return typeof least === 'number' ? least : 1;
}

export function isSuspendedIn(workload: JsonObject, location: string): boolean {
  return own(optionsIn(workload, location), 'suspend') === true;
}

/** The local options of a location stand in place of the default ones (specification 2.4). */
function optionsIn(workload: JsonObject, location: string): JsonObject {
  const spec = objectAt(workload, 'spec');
  const local = listAt(spec, 'localOptions').find(
    (options) => isObject(options) && lastSegment(stringAt(options, 'location') ?? '') === location,
  );
  return isObject(local) ? local : objectAt(spec, 'defaultOptions');
}
