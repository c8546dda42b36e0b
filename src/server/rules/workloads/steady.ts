import { objectAt, own } from '../../../schema/json/json.ts';
import type { LocationFacts, WorkloadFacts } from './facts.ts';

/**
 * Is the text of a workload the same at any later time, as long as it, its GVC and the images of the own registry do
 * not change? Yes if it is rolled out in every location, nothing restarts, no load is simulated, and no secret is
 * missing.
 */
export function isSteady({ state }: WorkloadFacts, places: readonly LocationFacts[]): boolean {
  if (own(objectAt(state, 'rollout'), 'waits') === true) return false;
  if (own(state, 'demand') !== undefined || own(state, 'restarts') !== undefined) return false;
  return places.every(({ progress }) => progress.done);
}
