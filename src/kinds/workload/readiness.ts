import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { firstOf } from '../../base/text/firstOf.ts';
import { workloadTypeOf } from '../../schema/facts/workloadTypes.ts';
import { lastSegment } from '../../schema/record/ref.ts';
import { gvcLocations } from '../gvc/gvcView.ts';

/** Ready, with the reason if it runs nowhere, or a description of what is missing. */
export type Readiness =
  | { readonly ready: true; readonly because?: string }
  | { readonly ready: false; readonly because: string };

/** The state of a workload in one location. */
export interface DeploymentState {
  readonly location: string;
  /** Whether it runs the version in question. */
  readonly ready: boolean;
  /** Whether `localOptions` suspends it there, or scales it to zero, so that nothing should run. */
  readonly isIdle: boolean;
  readonly syncFailed: boolean;
  /** The newest version of the workload that the location has processed. */
  readonly processedVersion?: number;
  /** The platform's message. */
  readonly message?: string;
}

/**
 * Whether a workload runs its version `version` everywhere (platform/lifecycle.readiness).
 *
 * Each location must have processed that version, and the deployment version that it expects must be ready; locations
 * where `localOptions` suspends it or scales it to zero do not count. A cron workload is ready as soon as one location
 * is. A workload that is suspended as a whole, or in a GVC without locations, is ready.
 *
 * `gvc`: its GVC, as far as known.
 */
export function workloadReadiness(
  record: JsonObject,
  version: number,
  deployments: readonly JsonObject[],
  gvc?: JsonObject,
): Readiness {
  if (isSuspended(record)) return { ready: true };
  if (deployments.length === 0 && gvc !== undefined && gvcLocations(gvc)?.size === 0)
    return { ready: true, because: 'it runs nowhere, because its GVC has no locations' };

  const readySomewhere = deployments.some(isReady);
  if (workloadTypeOf(record) === 'cron')
    return readySomewhere ? { ready: true } : { ready: false, because: 'no location is ready' };

  const expected = deploymentStates(record, version, deployments).filter(({ isIdle }) => !isIdle);
  const missing = expected.filter(({ ready }) => !ready);
  if (deployments.length === 0) return { ready: false, because: 'it has no deployment yet' };
  if (missing.length === 0) {
    const idle = expected.length === 0;
    return idle || readySomewhere ? { ready: true } : { ready: false, because: 'no location serves it' };
  }

  const count = `${expected.length - missing.length} of ${expected.length} locations are ready`;
  return { ready: false, because: [count, ...deploymentReasons(missing, version).slice(0, 1)].join('; ') };
}

/** The state of each deployment for one version of its workload. */
export function deploymentStates(
  record: JsonObject,
  version: number,
  deployments: readonly JsonObject[],
): readonly DeploymentState[] {
  const idleLocations = new Set(listAt(objectAt(record, 'spec'), 'localOptions').flatMap(idleLocation));
  return deployments.map((deployment): DeploymentState => {
    const status = objectAt(deployment, 'status');
    const location = lastSegment(stringAt(deployment, 'name') ?? '');
    const processed = processedVersion(status);
    const message = stringAt(status, 'message');
    const syncFailed = own(objectAt(status, 'internal'), 'syncFailed') === true;
    return {
      location,
      ready: !syncFailed && processed !== undefined && processed >= version && runsExpected(status),
      isIdle: idleLocations.has(location),
      syncFailed,
      ...present({ processedVersion: processed }),
      ...present({ message: message === undefined || message === '' ? undefined : message }),
    };
  });
}

/** Maximum number of locations named; the others are only counted. */
const mostNamed = 3;

/** Why locations are not ready: each reason once, with its locations; the platform's reasons first. */
export function deploymentReasons(missing: readonly DeploymentState[], version: number): readonly string[] {
  const [said, found] = [missing.filter(isExplained), missing.filter((state) => !isExplained(state))];
  const byReason = Map.groupBy([...said, ...found], (state) => reasonOf(state, version));
  return [...byReason].map(([reason, states]) => {
    const locations = states.map(({ location }) => location);
    return `${firstOf(locations, mostNamed)}: ${reason}`;
  });
}

function isExplained({ message }: DeploymentState): boolean {
  return message !== undefined;
}

function reasonOf({ message, processedVersion, syncFailed }: DeploymentState, version: number): string {
  if (message !== undefined) return message;
  if (syncFailed) return 'the synchronisation failed';
  const behind = processedVersion === undefined || processedVersion < version;
  return behind ? `version ${version} is not processed yet` : 'not running yet';
}

export function isSuspended(record: JsonObject): boolean {
  return own(objectAt(objectAt(record, 'spec'), 'defaultOptions'), 'suspend') === true;
}

/** Whether a deployment serves, in any version. */
export function isReady(deployment: JsonObject): boolean {
  const status = objectAt(deployment, 'status');
  return own(status, 'ready') === true && own(objectAt(status, 'internal'), 'syncFailed') !== true;
}

/** Whether the expected version of a deployment exists and is ready. */
function runsExpected(status: JsonObject): boolean {
  const wanted = own(status, 'expectedDeploymentVersion');
  if (wanted === undefined) return false;
  return listAt(status, 'versions').some(
    (entry) => isObject(entry) && String(own(entry, 'workload')) === String(wanted) && own(entry, 'ready') === true,
  );
}

function processedVersion(status: JsonObject): number | undefined {
  const processed = own(status, 'lastProcessedVersion');
  const version = typeof processed === 'string' || typeof processed === 'number' ? Number(processed) : Number.NaN;
  return Number.isFinite(version) ? version : undefined;
}

/** The location of an item of `localOptions` in which nothing should run. */
function idleLocation(options: unknown): readonly string[] {
  if (!isObject(options)) return [];
  const scaling = objectAt(options, 'autoscaling');
  const sleeps = own(options, 'suspend') === true || (own(scaling, 'minScale') === 0 && own(scaling, 'maxScale') === 0);
  const location = stringAt(options, 'location');
  return sleeps && location !== undefined ? [lastSegment(location)] : [];
}
