import { describe, test } from 'vitest';
import { runs } from '../harness/sampled.ts';
import { MemoryStage } from './pairs/memoryStage.ts';
import { fixedPairs, randomPairs } from './pairs.ts';

/** A sample of `npm run attack`. */
describe('pairs of live and desired, checked by an oracle that does not use the planner', () => {
  test.each(fixedPairs)('$name', ({ run }) => run());

  test('in 2 random worlds declared values hold, values of others stay, and a second plan is empty', () =>
    randomPairs(2));

  test('the same holds in more random worlds in memory', () => randomPairs(runs(20), MemoryStage.open));
});
