import { Location, type Stack } from 'gantry';

/** A location of your own, in which GVCs can run their workloads. */
export function addSampleLocation(stack: Stack): Location {
  return new Location(stack, 'sample', { provider: 'byok', description: 'The cluster in the cellar' });
}
