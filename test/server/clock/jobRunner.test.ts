import { expect, test, vi } from 'vitest';
import { virtualClock } from '../../../src/server/core/clock.ts';
import { startRunner } from '../../../src/server/core/jobRunner.ts';
import { FaultPlan } from '../../../src/server/http/faultPlan.ts';
import { openService } from '../../../src/server/service.ts';

test('after the store refuses one step, the next step runs the due jobs, and the runner can still stop', async () => {
  const clock = virtualClock(0);
  const service = await openService({}, clock, { faults: new FaultPlan(), stepTo: async () => 0 });
  const ran: string[] = [];
  const runner = startRunner({
    ...{ service, clock, jobs: { ring: ({ atMs }) => void ran.push(`at ${atMs}`) } },
    ...{ onDone: () => {}, onJobError: () => {}, onQueueError: () => {} },
  });
  const platform = await service.of('local');
  await platform?.store.write((tx) => tx.schedule({ key: 'bell', atMs: 5, job: 'ring', about: {} }));
  const nextDue = vi.spyOn(service.database, 'nextDue');

  nextDue.mockRejectedValueOnce(new Error('refused'));
  await expect(runner.stepTo(10)).rejects.toThrow('refused');
  expect(await runner.stepTo(10)).toBe(1);
  expect(ran).toEqual(['at 5']);

  nextDue.mockRejectedValueOnce(new Error('refused'));
  await expect(runner.stepTo(20)).rejects.toThrow('refused');
  await runner.stop();
  await service.database.close();
});
