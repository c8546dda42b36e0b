import { objectAt, own } from '../../../schema/json/json.ts';
import type { LocationFacts, WorkloadFacts } from './facts.ts';

/**
 * Whether a workload is shown like this at any later time too, as long as it, its GVC and the images of the own
 * registry stay as they are: it is rolled out in every location, nothing starts again, no use of it is simulated, and
 * no secret could hold it up.
 */
export function isSteady({ state }: WorkloadFacts, places: readonly LocationFacts[]): boolean {
  if (own(objectAt(state, 'rollout'), 'waits') === true) return false;
  if (own(state, 'demand') !== undefined || own(state, 'restarts') !== undefined) return false;
  return places.every(({ progress }) => progress.done);
}
