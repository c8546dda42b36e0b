import { objectAt, own } from '../../../base/json/json.ts';
import type { LocationFacts, WorkloadFacts } from './facts.ts';

/**
 * Does the text of a workload no longer depend on time, as long as it, its GVC and the images of the org's registry do
 * not change? True if it is rolled out in every location, nothing restarts, no load is simulated, and no secret is
 * missing.
 */
export function isSteady({ state }: WorkloadFacts, places: readonly LocationFacts[]): boolean {
  if (own(objectAt(state, 'rollout'), 'waits') === true) return false;
  if (own(state, 'demand') !== undefined || own(state, 'restarts') !== undefined) return false;
  return places.every(({ progress }) => progress.done);
}
