import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../schema/json.ts';

/** Ready, or what is still missing, for people. */
export type Readiness = { readonly ready: true } | { readonly ready: false; readonly because: string };

/**
 * Whether a workload runs in its version `version` everywhere (protocol 5).
 *
 * Each location has processed that version, and the deployment version that it expects is ready; locations where
 * `localOptions` suspends it or scales it to zero do not count. A cron workload is ready as soon as one location is.
 * A workload that is suspended as a whole has nothing to wait for.
 */
export function workloadReadiness(record: JsonObject, version: number, deployments: readonly JsonObject[]): Readiness {
  const spec = objectAt(record, 'spec');
  if (own(objectAt(spec, 'defaultOptions'), 'suspend') === true) return { ready: true };

  const readySomewhere = deployments.some(isReady);
  if (stringAt(spec, 'type') === 'cron') {
    return readySomewhere ? { ready: true } : { ready: false, because: 'no location is ready' };
  }
  const latest = deployments.filter((deployment) => isLatest(deployment, version)).length;
  const expected = deployments.length - listAt(spec, 'localOptions').filter(isAsleep).length;
  if (readySomewhere && latest >= expected) return { ready: true };

  const message = deployments.map((deployment) => stringAt(objectAt(deployment, 'status'), 'message')).find(Boolean);
  const because =
    deployments.length === 0 ? 'it has no deployment yet' : `${latest} of ${expected} locations are ready`;
  return { ready: false, because: message === undefined ? because : `${because}: ${message}` };
}

function isReady(deployment: JsonObject): boolean {
  const status = objectAt(deployment, 'status');
  return own(status, 'ready') === true && own(objectAt(status, 'internal'), 'syncFailed') !== true;
}

function isLatest(deployment: JsonObject, version: number): boolean {
  const status = objectAt(deployment, 'status');
  const processed = own(status, 'lastProcessedVersion');
  const wanted = own(status, 'expectedDeploymentVersion');
  if (processed === undefined || Number(processed) < version || wanted === undefined) return false;
  return listAt(status, 'versions').some(
    (entry) => isObject(entry) && String(own(entry, 'workload')) === String(wanted) && own(entry, 'ready') === true,
  );
}

function isAsleep(options: unknown): boolean {
  if (!isObject(options)) return false;
  if (own(options, 'suspend') === true) return true;
  const scaling = objectAt(options, 'autoscaling');
  return own(scaling, 'minScale') === 0 && own(scaling, 'maxScale') === 0;
}
