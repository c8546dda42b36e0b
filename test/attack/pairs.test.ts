import { describe, test } from 'vitest';
import { MemoryStage } from './pairs/memoryStage.ts';
import { fixedPairs, randomPairs } from './pairs.ts';

/** A sample of `npm run attack`. */
describe('pairs of live and desired, checked by an oracle that does not use the planner', () => {
  test.each(fixedPairs)('$name', ({ run }) => run());

  test('in 5 random worlds declared values hold, values of others stay, and a second plan is empty', () =>
    randomPairs(5));

  test('the same holds in 20 random worlds in memory', () => randomPairs(20, MemoryStage.open));
});
