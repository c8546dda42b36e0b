import { isObject, type JsonObject, listAt, numberAt, objectAt, own, stringAt } from '../../base/json/json.ts';
import { lastSegment } from '../../schema/record/ref.ts';

/** The defaults for an omitted `autoscaling` (platform/workload.autoscaling). */
export const usualScale = { minScale: 1, maxScale: 5, target: 95, scaleToZeroDelay: 300 } as const;

/** The local options of a location replace the default options (platform/workload). */
export function optionsIn(workload: JsonObject, location: string): JsonObject {
  const spec = objectAt(workload, 'spec');
  const local = listAt(spec, 'localOptions').find(
    (options) => isObject(options) && lastSegment(stringAt(options, 'location') ?? '') === location,
  );
  return isObject(local) ? local : objectAt(spec, 'defaultOptions');
}

export function isSuspendedIn(workload: JsonObject, location: string): boolean {
  return own(optionsIn(workload, location), 'suspend') === true;
}

export interface ReplicaBounds {
  readonly min: number;
  readonly max: number;
}

/** The number of replicas that a workload may have in a location while it is not suspended. */
export function replicaBounds(workload: JsonObject, location: string): ReplicaBounds {
  const autoscaling = objectAt(optionsIn(workload, location), 'autoscaling');
  const min = numberAt(autoscaling, 'minScale') ?? usualScale.minScale;
  return { min, max: Math.max(min, numberAt(autoscaling, 'maxScale') ?? usualScale.maxScale) };
}
