import { expect, test } from 'vitest';
import type { FetchStack } from '../../../src/reconcile/model.ts';
import { ownTown } from '../ownTown.ts';
import { entryOf, type Town, writeStack } from '../town.ts';

const { folder, platform, town, stateOf } = await ownTown('reconcile-ending');

const group = async (name: string) => (await platform.call('GET', `/org/local/group/${name}`)).body['description'];

/** A worker with a stack whose code does not arrive before `letGo`. */
async function busyWorker(name: string) {
  const path = writeStack(folder, name, { [name]: 'one' });
  town.entries = [entryOf(path, { name })];
  const [asked, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const fetchStack: FetchStack = async () => {
    asked.resolve();
    await letGo.promise;
    return { folder: path, dispose: async () => {} };
  };
  const worker = town.worker({ fetchStack });
  await worker.start();
  const running = worker.run();
  await asked.promise;
  return { worker, running, letGo: letGo.resolve };
}

const runsOf = async (from: Town, name: string) => (await from.board.runs(name)).map(({ outcome }) => outcome);

test('a worker that is stopped finishes the current run, and begins no other', async () => {
  const { worker, running, letGo } = await busyWorker('finished');
  worker.stop();
  expect(worker.unready).toBe('it is ending');
  expect(await town.board.figures()).toMatchObject({ queued: 0, active: 1 });
  writeStack(folder, 'not-begun', { 'not-begun': 'one' });
  await town.store.follow({
    origin: '/town/reconcile.yaml',
    stacks: [...town.entries, entryOf(`${folder}/not-begun`, { name: 'not-begun' })],
  });
  letGo();
  await running;
  expect([await runsOf(town, 'finished'), await group('finished')]).toEqual([['applied'], 'one']);
  expect(await runsOf(town, 'not-begun')).toEqual([]);
  // The stack is free immediately, without waiting for the lease to end.
  expect(await town.store.leases.take('finished', 'next')).toBeDefined();
});

test('an interrupted worker writes no more, and the next worker continues', async () => {
  const { worker, running, letGo } = await busyWorker('interrupted');
  worker.stop({ now: true });
  letGo();
  await running;
  expect(await group('interrupted')).toBeUndefined();
  expect(await runsOf(town, 'interrupted')).toEqual(['failed']);
  town.pass(60_000);
  await town.once();
  expect(await stateOf('interrupted')).toMatchObject({ state: 'in line', failures: 0 });
  expect(await group('interrupted')).toBe('one');
});

test('a run limit longer than any timer does not end the run immediately', async () => {
  const path = writeStack(folder, 'patient', { patient: 'one' });
  town.entries = [entryOf(path, { name: 'patient' })];
  await town.once({ mostRunMs: 30 * 24 * 3_600_000 });
  expect([await runsOf(town, 'patient'), await group('patient')]).toEqual([['applied'], 'one']);
});
