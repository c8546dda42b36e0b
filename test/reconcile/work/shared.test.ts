import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { ownTown } from '../ownTown.ts';
import { entryOf, writeStack } from '../town.ts';

const { folder, town } = await ownTown('reconcile-shared');

/** The number of requests in one pass without changes over all stacks. */
async function requests(stacks: number, concurrency: number): Promise<number> {
  const names = Array.from({ length: stacks }, (_, index) => `shared-${index}`);
  town.entries = names.map((name) => entryOf(writeStack(folder, name, { [name]: 'one' }), { name }));
  await town.once({ concurrency });
  town.pass(120_000);
  await town.once({ concurrency });
  const last = await Promise.all(names.map(async (name) => (await town.board.runs(name))[0]));
  expect(last.map((run) => run?.outcome)).toEqual(names.map(() => 'in line'));
  return last.reduce((sum, run) => sum + (run?.requests ?? 0), 0);
}

test('stacks of one org that run together share reads, so the number of requests does not grow', async () => {
  const one = await requests(1, 8);
  expect(one).toBeGreaterThan(1);
  expect(await requests(8, 8)).toBeLessThanOrEqual(one + 8);
  // Sequential runs share them too: the first run reads for the stacks that are due soon.
  expect(await requests(8, 1)).toBe(one);
});

test('a platform that cannot be opened fails all stacks that read it together, each with the reason', async () => {
  const names = ['homeless-1', 'homeless-2'];
  town.entries = names.map((name) => entryOf(writeStack(folder, name, { [name]: 'one' }), { name }));
  await town.once({ options: { embedded: false } });
  const runs = await Promise.all(names.map(async (name) => (await town.board.runs(name))[0]?.error?.code));
  expect(runs).toEqual(names.map(() => 'settings.endpoint'));
});

test.each(['stacks', 'dueSoon'] as const)(
  'while the store does not answer %s, stacks still run, and the worker can end',
  async (asked) => {
    const names = [1, 2].map((index) => `hiccup-${asked.toLowerCase()}-${index}`);
    town.entries = names.map((name) => entryOf(writeStack(folder, name, { [name]: 'one' }), { name }));
    const away = vi.spyOn(town.store, asked).mockRejectedValueOnce(new Error('Connection terminated'));
    const worker = town.worker();
    await worker.start();
    const running = worker.run();
    const outcomes = () => Promise.all(names.map(async (name) => (await town.board.runs(name))[0]?.outcome));
    await expect.poll(outcomes, { timeout: 20_000 }).toEqual(['applied', 'applied']);
    worker.stop();
    await running;
    away.mockRestore();
    expect(town.log.map(({ message }) => message).join('\n')).toContain(': Connection terminated');
  },
);

test('a stack whose repository does not answer delays no other stack', async () => {
  const names = ['answered', 'unanswered'];
  town.entries = names.map((name) => entryOf(writeStack(folder, name, { [name]: 'one' }), { name }));
  const answer = Promise.withResolvers<void>();
  const once = town.once({
    async fetchStack({ name }) {
      if (name === 'unanswered') await answer.promise;
      return { folder: join(folder, name), dispose: async () => undefined };
    },
  });
  const outcomeOf = async (name: string) => (await town.board.runs(name))[0]?.outcome;
  await expect.poll(() => outcomeOf('answered'), { timeout: 15_000 }).toBe('applied');
  expect(await outcomeOf('unanswered')).toBeUndefined();
  answer.resolve();
  await once;
  expect(await outcomeOf('unanswered')).toBe('applied');
});
