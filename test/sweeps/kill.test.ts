import { describe, expect, test } from 'vitest';
import { scenarios } from '../e2e/scenarios/all.ts';
import { Dice } from '../fuzz/dice.ts';
import { lawFigures } from '../laws/figures.ts';
import { isWhole, seed, tell } from './harness/budget.ts';
import { moments } from './harness/dying.ts';
import { crashPoints, crashPointsOfWriting, sample } from './harness/points.ts';
import { eachStep } from './harness/scenarioSteps.ts';
import { killAt } from './kill.ts';

/** `npm run sweep` kills this number of processes for each step; a sample kills one at each moment. */
const perStep = 5;
const few = [2, 16, 25];
const chosen = scenarios.filter(({ number }) => isWhole || few.includes(number));

describe('kill -9 of a real process anywhere, then another run, ends as if undisturbed (law 5)', () => {
  test.each(chosen)('scenario $number, $title', { timeout: 1_200_000 }, async (scenario) => {
    const dice = new Dice(`${seed}/kill/${scenario.number}`);
    const failures: string[] = [];
    let killed = 0;
    const own = moments[few.indexOf(scenario.number)];
    await eachStep(
      scenario,
      async (step, world) => {
        const points = isWhole ? crashPoints(step) : crashPointsOfWriting(step).filter(({ moment }) => moment === own);
        for (const point of sample(points, isWhole ? perStep : 1, dice)) {
          killed += 1;
          await killAt(step, world, point).catch((error: unknown) => {
            failures.push(`${step.it}: request ${point.request} of ${step.requests}, ${point.moment}: ${error}`);
          });
        }
      },
      () => !isWhole && killed > 0,
    );
    lawFigures({ kills: killed });
    tell(`scenario ${scenario.number}: ${killed} processes killed`);
    expect(failures).toEqual([]);
    expect(killed).toBeGreaterThan(0);
  });
});
