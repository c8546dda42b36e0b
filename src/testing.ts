// The entry `gantry/testing`: for the tests of stacks. It loads every rule of the platform, which the main entry does not.

export { StackError } from '../constructs/stackError.ts';
export { assertHasResource, assertNoResource, assertPlan, assertValid } from './testing/assertions.ts';
export type { Declaration, SynthOptions } from './testing/declared.ts';
export { type GantryMatchers, matchers } from './testing/expectMatchers.ts';
export type { PlanCounts, Verdict } from './testing/matchers.ts';
export type { PartialManifest } from './testing/partialManifest.ts';
export { type Before, type Rehearsed, type RehearseOptions, rehearse } from './testing/rehearse.ts';
export { snapshotOf } from './testing/snapshot.ts';
export { synth } from './testing/synth.ts';
