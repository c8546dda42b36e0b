import type { JsonObject } from '../../schema/json.ts';
import { desiredScale } from './workloads/scale.ts';

/** How many replicas run in a location where no use is simulated (specification 2.4.3). */
export function replicasIn(workload: JsonObject, location: string): number {
  return desiredScale(workload, location, undefined, 0);
}
