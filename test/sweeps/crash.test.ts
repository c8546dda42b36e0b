import { describe, expect, test } from 'vitest';
import { scenarios } from '../e2e/scenarios/all.ts';
import { Dice } from '../fuzz/dice.ts';
import { lawFigures } from '../laws/figures.ts';
import { crashAt } from './crash.ts';
import { isWhole, seed, tell } from './harness/budget.ts';
import { crashPoints, crashPointsOfWriting, sample } from './harness/points.ts';
import { eachStep } from './harness/scenarioSteps.ts';

/** The share of steps after the first that a test run leaves out. `npm run sweep` has all of them. */
const leftOutPercent = 60;

describe('a run that is killed anywhere and run again ends as if undisturbed (law 5)', () => {
  test.each(scenarios)('scenario $number, $title', { timeout: 1_200_000 }, async (scenario) => {
    const dice = new Dice(`${seed}/${scenario.number}`);
    const failures: string[] = [];
    let swept = 0;
    await eachStep(scenario, async (step, world) => {
      if (!isWhole && swept > 0 && dice.percent(leftOutPercent)) return;
      const points = isWhole ? crashPoints(step) : sample(crashPointsOfWriting(step), 1, dice);
      for (const point of points) {
        swept += 1;
        await crashAt(step, world, point).catch((error: unknown) => {
          failures.push(`${step.it}: request ${point.request} of ${step.requests}, ${point.moment}: ${String(error)}`);
        });
      }
    });
    lawFigures({ points: swept });
    tell(`scenario ${scenario.number}: ${swept} points`);
    expect(failures).toEqual([]);
    expect(swept).toBeGreaterThan(0);
  });
});
