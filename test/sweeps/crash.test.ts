import { describe, expect, test } from 'vitest';
import { scenarioSample, scenarios } from '../e2e/scenarios/all.ts';
import { Dice } from '../fuzz/dice.ts';
import { lawFigures } from '../laws/figures.ts';
import { crashAt } from './crash.ts';
import { isWhole, seed, tell } from './harness/budget.ts';
import { moments } from './harness/dying.ts';
import { crashPoints, crashPointsOfWriting, sample } from './harness/points.ts';
import { eachStep } from './harness/scenarioSteps.ts';

describe('a run that is killed anywhere and run again ends as if undisturbed (law 5)', () => {
  test.each(isWhole ? scenarios : scenarioSample)(
    'scenario $number, $title',
    { timeout: 1_200_000 },
    async (scenario) => {
      const dice = new Dice(`${seed}/${scenario.number}`);
      const failures: string[] = [];
      let swept = 0;
      await eachStep(scenario, async (step, world) => {
        // A sample kills each step once, at each moment in turn.
        const turn = crashPointsOfWriting(step).filter(({ moment }) => moment === moments[swept % moments.length]);
        const points = isWhole ? crashPoints(step) : sample(turn, 1, dice);
        for (const point of points) {
          swept += 1;
          await crashAt(step, world, point).catch((error: unknown) => {
            failures.push(
              `${step.it}: request ${point.request} of ${step.requests}, ${point.moment}: ${String(error)}`,
            );
          });
        }
      });
      lawFigures({ points: swept });
      tell(`scenario ${scenario.number}: ${swept} points`);
      expect(failures).toEqual([]);
      expect(swept).toBeGreaterThan(0);
    },
  );
});
