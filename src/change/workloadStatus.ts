import { isObject, type JsonObject, listAt, numberAt, objectAt, own, stringAt } from '../base/json/json.ts';
import { nonEmpty, present } from '../base/json/present.ts';
import { addressesOf } from '../kinds/addresses.ts';
import {
  type DeploymentState,
  deploymentReasons,
  deploymentStates,
  workloadReadiness,
} from '../kinds/workload/readiness.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import type { DeploymentStatus, KindStatus, Share } from './status.ts';

/**
 * Whether the workload's own status says that its newest version runs everywhere. Then its deployments are not read.
 */
export function isReportedReady({ record, version }: LiveResource): boolean {
  const health = objectAt(record, 'health');
  const { ready = 0, total = 0 } = shareOf(health, 'Locations') ?? {};
  const resolved = resolvedVersion(record);
  return (
    own(health, 'readiness') === 'ready' &&
    own(health, 'syncFailed') !== true &&
    total > 0 &&
    ready === total &&
    (resolved === undefined || resolved >= version)
  );
}

/** The status of a workload from its deployments, or else from its own status. */
export function workloadStatus(
  live: LiveResource,
  deployments: readonly JsonObject[] | undefined,
  gvc: JsonObject | undefined,
): KindStatus {
  const { record } = live;
  const health = objectAt(record, 'health');
  const replicas = shareOf(health, 'Replicas');
  const endpoints = addressesOf('workload', record);
  const shown = {
    health: stringAt(health, 'readiness') ?? 'unknown',
    ...present({ replicas }),
    ...nonEmpty({ endpoints }),
  };
  if (deployments !== undefined) return { ...shown, ...statusFromDeployments(live, deployments, gvc) };

  const locations = shareOf(health, 'Locations');
  const processedVersion = resolvedVersion(record);
  return {
    ...shown,
    state: 'ready',
    reasons: [],
    ...present({ locations, processedVersion }),
  };
}

/**
 * The number of locations that run its newest version: from its deployments if read, else from its own status.
 * Suspended locations and those scaled to zero do not count.
 */
export function readyLocations(
  record: JsonObject,
  version: number,
  deployments: readonly JsonObject[] | undefined,
): Share | undefined {
  return deployments === undefined
    ? shareOf(objectAt(record, 'health'), 'Locations')
    : shareReady(deploymentStates(record, version, deployments).filter(({ isIdle }) => !isIdle));
}

function shareReady(awake: readonly DeploymentState[]): Share {
  return { ready: awake.filter(({ ready }) => ready).length, total: awake.length };
}

function statusFromDeployments(
  { record, version }: LiveResource,
  deployments: readonly JsonObject[],
  gvc: JsonObject | undefined,
): Pick<KindStatus, 'state' | 'reasons' | 'locations' | 'processedVersion' | 'deployments'> {
  const states = deploymentStates(record, version, deployments);
  const awake = states.filter(({ isIdle }) => !isIdle);
  const processed = awake.flatMap(({ processedVersion }) => processedVersion ?? []);
  const facts = {
    locations: shareReady(awake),
    ...(processed.length < awake.length || processed.length === 0 ? {} : { processedVersion: Math.min(...processed) }),
    deployments: states.map(shownDeployment),
  };
  const readiness = workloadReadiness(record, version, deployments, gvc);
  if (readiness.ready) return { ...facts, state: 'ready', reasons: [readiness.because ?? []].flat() };

  const missing = awake.filter(({ ready }) => !ready);
  const failures = [
    ...(own(objectAt(record, 'health'), 'syncFailed') === true ? ['its synchronisation failed'] : []),
    ...missing.filter(({ syncFailed }) => syncFailed).map(({ location }) => `${location}: the synchronisation failed`),
    ...imageErrors(record, version),
    ...deployments.flatMap((deployment) => crashesIn(deployment, version)),
  ];
  const reasons = deploymentReasons(missing, version);
  return {
    ...facts,
    state: failures.length === 0 ? 'not-ready' : 'failed',
    reasons: [...new Set([...(reasons.length === 0 ? [readiness.because] : reasons), ...failures])],
  };
}

function shownDeployment({ location, ready, processedVersion, message }: DeploymentState): DeploymentStatus {
  return {
    location,
    ready,
    ...present({ processedVersion, message }),
  };
}

/** Images of the newest version that were not found. */
function imageErrors(record: JsonObject, version: number): readonly string[] {
  const resolved = resolvedVersion(record);
  if (resolved === undefined || resolved < version) return [];
  const images = objectAt(objectAt(record, 'status'), 'resolvedImages');
  return listAt(images, 'errorMessages').filter((message) => typeof message === 'string');
}

/** The version whose images the platform has resolved (platform/workload.status). */
function resolvedVersion(record: JsonObject): number | undefined {
  return numberAt(objectAt(objectAt(record, 'status'), 'resolvedImages'), 'resolvedForVersion');
}

function shareOf(health: JsonObject, of: 'Locations' | 'Replicas'): Share | undefined {
  const [ready, total] = [numberAt(health, `ready${of}`), numberAt(health, `total${of}`)];
  return ready === undefined || total === undefined ? undefined : { ready, total };
}

/** A container that failed and restarted this often does not become ready by itself. */
const mostRestarts = 3;

/** Messages about containers of this version that fail repeatedly; empty if the version is ready. */
function crashesIn(deployment: JsonObject, version: number): readonly string[] {
  const location = stringAt(deployment, 'name') ?? '';
  const versions = listAt(objectAt(deployment, 'status'), 'versions').filter(isObject);
  return versions
    .filter((each) => Number(own(each, 'workload')) >= version && own(each, 'ready') !== true)
    .flatMap((each) => Object.entries(objectAt(each, 'containers')))
    .flatMap(([name, container]) => {
      const restarts = isObject(container) ? objectAt(container, 'restarts') : {};
      const [count, exitCode] = [numberAt(restarts, 'count') ?? 0, numberAt(restarts, 'exitCode') ?? 0];
      if (count < mostRestarts || exitCode === 0) return [];
      const reason = stringAt(restarts, 'reason');
      const why = reason === undefined || reason === '' ? '' : `, ${reason}`;
      return [`${location}: container ${name} was restarted ${count} times (exit code ${exitCode}${why})`];
    });
}
