import { expect, test } from 'vitest';
import { isNeeded, referringKinds } from '../../../src/kinds/referenceStrength.ts';

test.each([
  ['secret', ['cloudaccount', 'domain', 'gvc', 'workload', 'org']],
  ['workload', ['domain', 'gvc']],
  ['gvc', ['domain']],
  ['identity', ['gvc', 'workload']],
  ['volumeset', ['workload']],
  ['group', []],
  ['policy', []],
] as const)('the kinds that require a %s to run are %o (platform/deletion.references)', (kind, expected) => {
  expect(referringKinds(kind, isNeeded)).toEqual(expected);
});
