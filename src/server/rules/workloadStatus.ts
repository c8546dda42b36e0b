import { internalDomain, publicDomain } from '../../schema/decisions.ts';
import { type JsonObject, objectAt, own, stringAt } from '../../schema/json.ts';
import { isSuspendedIn, replicasIn, type Rollout } from './deployments.ts';

/** `health` and `status` of a workload (protocol 8.1). */
export function workloadShown(rollout: Rollout, parentId: string): JsonObject {
  const ready = rollout.locations.filter(
    ({ sinceMs }) => rollout.nowMs >= Math.max(sinceMs, rollout.sinceMs) + rollout.readyAfterMs,
  );
  const replicas = sum(rollout.locations.map(({ name }) => replicasIn(rollout.workload, name)));
  const readyReplicas = sum(ready.map(({ name }) => replicasIn(rollout.workload, name)));
  const spec = objectAt(rollout.workload, 'spec');
  const canonicalEndpoint = `https://${rollout.name}-${rollout.alias}.${publicDomain}`;
  const suspended = suspendedStatus(rollout);
  const stateful = stringAt(spec, 'type') === 'stateful';
  return {
    health: {
      readiness: readiness(suspended === 'suspended', ready.length, rollout.locations.length),
      syncFailed: false,
      readyLocations: ready.length,
      totalLocations: rollout.locations.length,
      readyReplicas,
      totalReplicas: replicas,
    },
    status: {
      parentId,
      endpoint: canonicalEndpoint,
      canonicalEndpoint,
      internalName: `${rollout.name}.${rollout.gvcName}.${internalDomain}`,
      ...(stateful ? { replicaInternalNames: replicaNames(rollout) } : {}),
      currentReplicaCount: readyReplicas,
      loadBalancer: loadBalancers(rollout, spec),
      suspendedStatus: suspended,
    },
  };
}

function readiness(suspended: boolean, ready: number, total: number): string {
  if (suspended) return 'suspended';
  if (total === 0) return 'unknown';
  if (ready === total) return 'ready';
  return ready === 0 ? 'notReady' : 'partial';
}

/** `<workload>-<index>`, reachable as `<replica>.<workload>` in its location (specification 3). */
function replicaNames({ name, workload, locations }: Rollout): readonly string[] {
  const most = Math.max(0, ...locations.map((location) => replicasIn(workload, location.name)));
  return Array.from({ length: most }, (_, index) => `${name}-${index}.${name}`);
}

/** One address for each replica, where that is asked for (specification 2.4). */
function loadBalancers(rollout: Rollout, spec: JsonObject): readonly JsonObject[] {
  if (own(objectAt(spec, 'loadBalancer'), 'replicaDirect') !== true) return [];
  return rollout.locations.flatMap(({ name: location }) =>
    Array.from({ length: replicasIn(rollout.workload, location) }, (_, index) => ({
      origin: `${rollout.name}-${index}`,
      url: `https://${rollout.name}-${index}-${rollout.alias}.${location}.${publicDomain}`,
    })),
  );
}

function suspendedStatus({ workload, locations }: Rollout): string {
  // With no location the default options still say what is meant.
  const places = locations.length === 0 ? [''] : locations.map(({ name }) => name);
  const suspended = places.filter((place) => isSuspendedIn(workload, place)).length;
  if (suspended === 0) return 'notSuspended';
  return suspended === places.length ? 'suspended' : 'partiallySuspended';
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
