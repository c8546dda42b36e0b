import type { AssumptionId } from '../assumptions.ts';

/** What no question of `gantry doctor` can show, and when a run finds out. */
export const learntByRuns: Readonly<Partial<Record<AssumptionId, string>>> = {
  'value.tags': 'the first run that writes a record finds out',
  'value.defaults': 'the first run that writes a record finds out',
  'value.digests': 'the first run that writes an image finds out',
  'value.empty': 'the first run that writes such a value finds out',
  'value.case': 'the first run that writes such a value finds out',
  'value.types': 'the first run that writes such a value finds out',
  'write.pins': 'the first run that changes something finds out',
  'write.answer': 'the first run that changes something finds out',
  'write.at-once': 'the first run that creates something finds out',
  'version.plus-one': 'the first run that writes finds out',
  'version.only-writes': 'a run that meets such a record finds out',
  'version.counts-changes': 'the first run that changes something finds out',
  'version.as-number': 'each run finds out with the first record',
  'read.own-writes': 'the first run that writes finds out',
  'delete.cascade': 'the first run that deletes a GVC with content finds out',
  'delete.name-reusable': 'the first replacement finds out',
};
