import type { AssumptionId } from '../assumptions.ts';

/** What no question of `gantry doctor` can show, and when a run finds out. */
export const learntByRuns: Readonly<Partial<Record<AssumptionId, string>>> = {
  'value.tags': 'the first run that writes a record finds out',
  'value.defaults': 'the first run that writes a record finds out',
  'value.digests': 'the first run that writes an image finds out',
  'value.empty': 'the first run that writes such a value finds out',
  'value.case': 'the first run that writes such a value finds out',
  'value.types': 'the first run that writes such a value finds out',
};
