import type { AssumptionId } from '../assumptions.ts';

/** What no question of `gantry doctor` can show, and when a run finds out. */
export const learntByRuns: Readonly<Partial<Record<AssumptionId, string>>> = {
  'value.case': 'the first run that writes such a value finds out',
  'value.types': 'the first run that writes such a value finds out',
};
