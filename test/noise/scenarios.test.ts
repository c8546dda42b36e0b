import { describe, test } from 'vitest';
import { scenarioSample, scenarios } from '../e2e/scenarios/all.ts';
import { expectDone, expectNothingLeft } from '../sweeps/harness/scenarioSteps.ts';
import { applyWork, workOf } from '../sweeps/harness/stack.ts';
import { openWorld } from '../sweeps/harness/world.ts';
import { fullModes, singleModes } from './modes.ts';

/** With `GANTRY_NOISE` also each form alone. */
const isEvery = process.env['GANTRY_NOISE'] !== undefined;
const modes = isEvery ? [...fullModes, ...singleModes] : fullModes;

/** Point 14 of the guarantees: in all scenarios and all forms of answers, the plan after an apply is empty. */
describe.each(modes)('answers with $name', ({ answers }) => {
  test.each(isEvery ? scenarios : scenarioSample)('$number: $title', async (scenario) => {
    const world = await openWorld(scenario.serve, { answers });
    try {
      for (const step of scenario.steps) {
        if (step.before !== undefined) await step.before(world.platform);
        if ('codes' in step) continue;
        const work = await workOf(step, `scenario-${scenario.number}`);
        const { result } = await applyWork(world.exchange, work);
        expectDone(result);
        await expectNothingLeft(world.exchange, work);
      }
    } finally {
      await world.close();
    }
  });
});
