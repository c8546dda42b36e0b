import { describe, test } from 'vitest';
import { MemoryStage } from './pairs/memoryStage.ts';
import { fixedPairs, randomPairs } from './pairs.ts';

/** A sample of `npm run attack`. */
describe('pairs of live and desired, with an oracle that knows nothing of the planner', () => {
  test.each(fixedPairs)('$name', ({ run }) => run());

  test('what was declared holds, what others set stays, and a second plan is empty, in 5 random worlds', () =>
    randomPairs(5));

  test('and in 50 random worlds in memory', () => randomPairs(50, MemoryStage.open));
});
