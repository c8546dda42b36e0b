import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../../../base/json/json.ts';
import { isSuspendedIn } from '../../../kinds/workload/replicaBounds.ts';
import { workloadTypeOf } from '../../../schema/facts/workloadTypes.ts';
import {
  aliasEndpoint,
  canonicalEndpoint,
  internalName,
  isExposed,
  type LocationFacts,
  replicaEndpoint,
  runningIn,
  type WorkloadFacts,
} from './facts.ts';

/** The platform-owned fields of a workload besides its deployments. */
export interface Shown {
  /** The id of the GVC. */
  readonly parentId: string;
  /** Whether the GVC refers to it in `aliasWorkloadLink`. */
  readonly hasAlias: boolean;
  /** Images that cannot be pulled. */
  readonly missingImages: readonly string[];
  readonly digest: (text: string) => string;
}

/** `health` and `status` of a workload (platform/workload.status), from its state in each location. */
export function workloadShown(
  facts: WorkloadFacts,
  places: readonly LocationFacts[],
  { parentId, hasAlias, missingImages, digest }: Shown,
): JsonObject {
  const { record, naming, history } = facts;
  const running = sum(places.map(runningIn));
  const suspended = suspendedStatus(facts, places);
  const ready = places.filter((place) => place.ready).length;
  return {
    health: {
      readiness: readiness(suspended === 'suspended', ready, places.length),
      syncFailed: false,
      readyLocations: ready,
      totalLocations: places.length,
      readyReplicas: running,
      totalReplicas: sum(places.map(({ desired }) => desired)),
    },
    status: {
      parentId,
      ...endpoints(facts, hasAlias),
      internalName: internalName(naming),
      ...(workloadTypeOf(record) === 'stateful' ? { replicaInternalNames: replicaHosts(facts, places) } : {}),
      ...(isExposed(record) ? { healthCheck: healthCheck(places) } : {}),
      currentReplicaCount: running,
      resolvedImages: resolvedImages(record, history, missingImages, digest),
      loadBalancer: loadBalancers(facts, places),
      suspendedStatus: suspended,
    },
  };
}

function endpoints({ record, naming }: WorkloadFacts, hasAlias: boolean): JsonObject {
  if (!isExposed(record)) return {};
  const canonical = canonicalEndpoint(naming);
  return { endpoint: hasAlias ? aliasEndpoint(naming) : canonical, canonicalEndpoint: canonical };
}

/** `ready` if every location runs the newest version (platform/lifecycle.readiness). */
function readiness(suspended: boolean, ready: number, total: number): string {
  if (suspended) return 'suspended';
  if (total === 0) return 'unknown';
  if (ready === total) return 'ready';
  return ready === 0 ? 'notReady' : 'partial';
}

/** `<workload>-<index>`, reachable as `<replica>.<workload>` in its location (platform/lifecycle.replicas). */
function replicaHosts({ naming }: WorkloadFacts, places: readonly LocationFacts[]): readonly string[] {
  const most = Math.max(0, ...places.map(({ desired }) => desired));
  return Array.from({ length: most }, (_, index) => `${naming.workload}-${index}.${naming.workload}`);
}

/** The result of the endpoint checks, which succeed if any location serves. */
function healthCheck(places: readonly LocationFacts[]): JsonObject {
  const active = places.some(({ desired }) => desired > 0);
  const success = active && places.some(({ serving }) => serving);
  const checkedMs = Math.max(0, ...places.map(({ changedMs }) => changedMs));
  return {
    active,
    success,
    code: success ? 200 : 503,
    message: success ? '' : 'no replica answers',
    failures: success ? 0 : 1,
    successes: success ? 1 : 0,
    lastChecked: new Date(checkedMs).toISOString(),
  };
}

/** One address for each replica, if configured (platform/workload). */
function loadBalancers({ record, naming }: WorkloadFacts, places: readonly LocationFacts[]): readonly JsonObject[] {
  if (own(objectAt(objectAt(record, 'spec'), 'loadBalancer'), 'replicaDirect') !== true) return [];
  return places.flatMap(({ location, desired }) =>
    Array.from({ length: desired }, (_, index) => ({
      origin: `${naming.workload}-${index}`,
      url: replicaEndpoint(naming, location, index),
    })),
  );
}

function suspendedStatus({ record }: WorkloadFacts, places: readonly LocationFacts[]): string {
  // Without locations, the default options apply.
  const suspended = places.length === 0 ? [isSuspendedIn(record, '')] : places.map((place) => place.suspended);
  const count = suspended.filter(Boolean).length;
  if (count === 0) return 'notSuspended';
  return count === suspended.length ? 'suspended' : 'partiallySuspended';
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * `status.resolvedImages` (platform/workload.status). Digests are simulated: equal images have equal ones. `missing`:
 * images that the org's own registry lacks (platform/deletion.references).
 */
function resolvedImages(
  workload: JsonObject,
  { version, sinceMs: resolvedMs }: Pick<WorkloadFacts['history'], 'version' | 'sinceMs'>,
  missing: readonly string[],
  digest: (text: string) => string,
): JsonObject {
  const images = listAt(objectAt(workload, 'spec'), 'containers').flatMap((container) => {
    const image = isObject(container) ? stringAt(container, 'image') : undefined;
    return image ?? [];
  });
  return {
    resolvedForVersion: version,
    resolvedAt: new Date(resolvedMs).toISOString(),
    errorMessages: missing.map((image) => `${image} is not in the registry`),
    images: [...new Set(images)]
      .filter((image) => !missing.includes(image))
      .map((image) => ({
        digest: `sha256:${digest(`index of ${image}`)}`,
        manifests: [
          {
            image,
            mediaType: 'application/vnd.oci.image.manifest.v1+json',
            digest: `sha256:${digest(`linux/amd64 of ${image}`)}`,
            platform: { os: 'linux', architecture: 'amd64' },
          },
        ],
      })),
  };
}

/**
 * Whether the text of a workload no longer depends on time, as long as it, its GVC and the images of the org's registry
 * do not change. True if it is rolled out in every location, nothing restarts, no load is simulated, and no secret is
 * missing.
 */
export function isSteady({ state }: WorkloadFacts, places: readonly LocationFacts[]): boolean {
  if (own(objectAt(state, 'rollout'), 'waits') === true) return false;
  if (own(state, 'demand') !== undefined || own(state, 'restarts') !== undefined) return false;
  return places.every(({ progress }) => progress.done);
}
