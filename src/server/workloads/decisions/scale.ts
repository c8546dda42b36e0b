import { isObject, type JsonObject, listAt, numberAt, objectAt, own, stringAt } from '../../../base/json/json.ts';
import { present } from '../../../base/json/present.ts';
import { isSuspendedIn, optionsIn, replicaBounds, usualScale } from '../../../kinds/workload/replicaBounds.ts';
import { workloadTypeOf } from '../../../schema/facts/workloadTypes.ts';

/** The simulated load of a workload in a location (local-only `-simulate`). */
export interface Demand {
  /** In units of the metric, for all replicas together: requests per second, percent of one replica's CPU, … */
  readonly load?: number;
  /** A fixed number of replicas within the bounds, independent of the load. */
  readonly replicas?: number;
  /** The start, in milliseconds since 1970. */
  readonly sinceMs: number;
  /** The previous number of replicas. */
  readonly before: number;
}

/**
 * The desired number of replicas in a location: none for a suspended or cron workload; the minimum if no use is
 * simulated; otherwise as many as the load needs, from `minScale` to `maxScale`. Scales to zero only after
 * `scaleToZeroDelay` seconds.
 *
 * Units: milliseconds since 1970. Source: platform/workload.options, platform/workload.types.
 */
export function desiredScale(
  workload: JsonObject,
  location: string,
  demand: Demand | undefined,
  nowMs: number,
): number {
  if (workloadTypeOf(workload) === 'cron' || isSuspendedIn(workload, location)) return 0;
  const options = optionsIn(workload, location);
  const autoscaling = objectAt(options, 'autoscaling');
  const { min, max } = replicaBounds(workload, location);
  const wanted = wantedReplicas(workload, options, demand);
  if (wanted === undefined) return min;
  const allowed = Math.min(Math.max(wanted, min), max);
  if (allowed > 0 || demand === undefined) return allowed;
  const delaySeconds = numberAt(autoscaling, 'scaleToZeroDelay') ?? usualScale.scaleToZeroDelay;
  return nowMs >= demand.sinceMs + delaySeconds * 1000 ? 0 : Math.min(1, max);
}

/** Returns undefined if no relevant use is simulated. */
function wantedReplicas(workload: JsonObject, options: JsonObject, demand: Demand | undefined): number | undefined {
  if (demand?.replicas !== undefined) return demand.replicas;
  const target = targetOf(workload, options);
  return demand?.load === undefined || target === undefined ? undefined : Math.ceil(demand.load / target);
}

/** The load for one replica, by the metric reached first. Undefined if the workload does not scale. */
function targetOf(workload: JsonObject, options: JsonObject): number | undefined {
  const autoscaling = objectAt(options, 'autoscaling');
  const several = listAt(autoscaling, 'multi').flatMap((each) => (isObject(each) ? [numberAt(each, 'target')] : []));
  const targets = several.filter((target) => target !== undefined);
  if (targets.length > 0) return Math.min(...targets);
  if (metricOf(workload, options) === 'disabled') return undefined;
  return numberAt(autoscaling, 'target') ?? usualScale.target;
}

/** The default metric of a workload (platform/workload.autoscaling). */
function metricOf(workload: JsonObject, options: JsonObject): string {
  const autoscaling = objectAt(options, 'autoscaling');
  const stated = stringAt(autoscaling, 'metric');
  if (stated !== undefined) return stated;
  if (isObject(own(autoscaling, 'keda'))) return 'keda';
  const type = workloadTypeOf(workload);
  if (type === 'serverless') return 'concurrency';
  if (type === 'stateful') return 'cpu';
  return own(options, 'capacityAI') === false ? 'cpu' : 'disabled';
}

export function readDemand(state: JsonObject, location: string): Demand | undefined {
  const demand = own(objectAt(state, 'demand'), location);
  if (!isObject(demand)) return undefined;
  const [load, replicas] = [numberAt(demand, 'load'), numberAt(demand, 'replicas')];
  return {
    sinceMs: numberAt(demand, 'sinceMs') ?? 0,
    before: numberAt(demand, 'before') ?? 0,
    ...present({ load, replicas }),
  };
}

export function demandJson(demand: Demand): JsonObject {
  return { ...demand };
}
