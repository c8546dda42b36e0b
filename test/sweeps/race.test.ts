import { afterAll, describe, expect, test } from 'vitest';
import { Dice } from '../fuzz/dice.ts';
import { lawFigures } from '../laws/figures.ts';
import { isWhole, seed, tell } from './harness/budget.ts';
import { sample } from './harness/points.ts';
import { openWorld } from './harness/world.ts';
import { meet, meetingsOf, type Outcome, prepare } from './race.ts';
import { raceStacks } from './raceStacks.ts';

const outcomes = new Map<Outcome, number>();

describe('another writer between any two requests: it converges or reports cleanly, and keeps their writes (laws 5 and 6)', () => {
  test.each(raceStacks)('$it', { timeout: 1_200_000 }, async (stack) => {
    const world = await openWorld();
    const failures: string[] = [];
    try {
      const prepared = await prepare(world, stack);
      const whole = meetingsOf(stack, prepared);
      const dice = new Dice(`${seed}/${stack.it}`);
      const [planning, applying] = [true, false].map((early) =>
        whole.filter(({ request }) => request <= prepared.planning === early),
      );
      // A sample has one point during the plan, and one for each deed after it.
      const chosen = isWhole
        ? whole
        : [planning ?? [], ...Map.groupBy(applying ?? [], ({ deed }) => deed).values()].flatMap((of) =>
            sample(of, 1, dice),
          );
      lawFigures({ points: chosen.length });
      for (const meeting of chosen) {
        try {
          const outcome = await meet(world, prepared, meeting);
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        } catch (error) {
          const { request, target, deed } = meeting;
          failures.push(`request ${request} of ${prepared.requests}, another ${deed}: ${target}: ${String(error)}`);
        }
      }
    } finally {
      await world.close();
    }
    expect(failures).toEqual([]);
  });
});
afterAll(() => tell(JSON.stringify(Object.fromEntries([...outcomes].sort()))));
