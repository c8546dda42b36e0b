import { describe, expect, test } from 'vitest';
import { scenarios } from '../e2e/scenarios/all.ts';
import { Dice } from '../fuzz/dice.ts';
import { crashAt } from './crash.ts';
import { moments, type Point } from './dying.ts';
import { sample } from './points.ts';
import { eachStep } from './scenarioSteps.ts';

/** `npm run sweep` takes all points; a test run a sample of so many for each step. */
const perStep = process.env['GANTRY_SWEEP'] === undefined ? 1 : Number.POSITIVE_INFINITY;
const seed = process.env['GANTRY_SWEEP_SEED'] ?? '7';

describe('killed anywhere, run again: it ends as if nothing had been (law 5)', () => {
  test.each(scenarios)('scenario $number, $title', { timeout: 1_200_000 }, async (scenario) => {
    const dice = new Dice(`${seed}/${scenario.number}`);
    const failures: string[] = [];
    let swept = 0;
    await eachStep(scenario, async (step, world) => {
      const requests = Array.from({ length: step.requests }, (_, index) => index + 1);
      const points = requests.flatMap((request) => moments.map((moment): Point => ({ request, moment })));
      if (step.firstWrite === undefined) return;
      const first = step.firstWrite;
      // Before the first write nothing can be half done: a sample is taken from there on.
      const chosen =
        perStep === Number.POSITIVE_INFINITY
          ? points
          : sample(
              points.filter(({ request }) => request >= first),
              perStep,
              dice,
            );
      for (const point of chosen) {
        swept += 1;
        try {
          await crashAt(step, world, point);
        } catch (error) {
          failures.push(`${step.it}: request ${point.request} of ${step.requests}, ${point.moment}: ${String(error)}`);
        }
      }
    });
    expect(failures).toEqual([]);
    console.log(`scenario ${scenario.number}: ${swept} points`);
  });
});
