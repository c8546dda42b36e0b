import { expect, test } from 'vitest';
import { snapshotRequest } from '../../src/gantry/loading/snapshotRequest.ts';
import { rehearse } from '../../src/rehearsal/rehearse.ts';
import { scenarioSample, scenarios } from '../e2e/scenarios/all.ts';
import { applyPlanned, planWork, workOf } from '../sweeps/harness/stack.ts';
import { openWorld } from '../sweeps/harness/world.ts';

/** The number of points for each step; all of them with GANTRY_REHEARSAL=all. */
const isEvery = process.env['GANTRY_REHEARSAL'] === 'all';
const mostPoints = isEvery ? Number.POSITIVE_INFINITY : 3;

/** No false alarms: a plan that works on the platform is consistent in rehearsal, from any interruption. */
test.each((isEvery ? scenarios : scenarioSample).map((scenario) => [scenario.number, scenario] as const))(
  'each step of scenario %i is consistent in rehearsal, wherever it is interrupted',
  async (number, scenario) => {
    const world = await openWorld(scenario.serve);
    try {
      for (const step of scenario.steps) {
        if (step.before !== undefined) await step.before(world.platform);
        if ('codes' in step) continue;
        const planned = await planWork(world.exchange, await workOf(step, `scenario-${number}`));
        const { plan, desired, snapshot, options } = planned;
        const request = snapshotRequest(desired, snapshot.org, options.owner);
        const { problem, requests, points } = await rehearse({
          plan,
          desired,
          snapshot,
          options,
          request,
          crash: true,
          mostPoints,
          seed: `scenario ${number}`,
        });
        expect(problem, step.it).toBeUndefined();
        expect(points, step.it).toMatchObject({ tried: Math.min(2 * requests, mostPoints), of: 2 * requests });
        await applyPlanned(world.exchange, planned);
        if (step.after !== undefined) await step.after(world.platform);
      }
    } finally {
      await world.close();
    }
  },
);
