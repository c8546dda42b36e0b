import type { AssumptionId } from '../assumptions.ts';

/** What no question of `gantry doctor` can show, and when a run finds out. */
export const learntByRuns: Readonly<Partial<Record<AssumptionId, string>>> = {
  'write.directives': 'the first run that changes a list finds out',
  'value.tag-case': 'the first run that writes a key with capital letters finds out',
  'secret.marked': 'the first plan of a marked value finds out',
};
