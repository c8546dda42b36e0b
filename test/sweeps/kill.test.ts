import { describe, expect, test } from 'vitest';
import { scenarios } from '../e2e/scenarios/all.ts';
import { Dice } from '../fuzz/dice.ts';
import { lawFigures } from '../laws/figures.ts';
import { isWhole, seed, tell } from './harness/budget.ts';
import { crashPoints, sample } from './harness/points.ts';
import { eachStep } from './harness/scenarioSteps.ts';
import { killAt } from './kill.ts';

/** A test run kills one process; `npm run sweep` kills this number for each step that applies something. */
const perStep = isWhole ? 5 : 1;
const few: ReadonlySet<number> = new Set([2, 10, 16, 25]);
const chosen = scenarios.filter(({ number }) => isWhole || few.has(number));

describe('kill -9 of a real process anywhere, then another run, ends as if undisturbed (law 5)', () => {
  test.each(chosen)('scenario $number, $title', { timeout: 1_200_000 }, async (scenario) => {
    const dice = new Dice(`${seed}/kill/${scenario.number}`);
    const failures: string[] = [];
    let killed = 0;
    await eachStep(scenario, async (step, world) => {
      if (!isWhole && killed > 0) return;
      for (const point of sample(crashPoints(step), perStep, dice)) {
        killed += 1;
        await killAt(step, world, point).catch((error: unknown) => {
          failures.push(`${step.it}: request ${point.request} of ${step.requests}, ${point.moment}: ${String(error)}`);
        });
      }
    });
    lawFigures({ kills: killed });
    tell(`scenario ${scenario.number}: ${killed} processes killed`);
    expect(failures).toEqual([]);
    expect(killed).toBeGreaterThan(0);
  });
});
