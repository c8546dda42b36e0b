import { expect, test } from 'vitest';
import { Slices } from '../../src/server/core/slices.ts';
import { ClientGone } from '../../src/server/http/cutConnection.ts';

test('long requests take turns, with one piece of work in each turn of the event loop', async () => {
  const order: string[] = [];
  async function work(name: string, pieces: number): Promise<void> {
    await Slices.of({ caller: 'one' }, async (slices) => {
      for (let piece = 0; piece < pieces; piece += 1) {
        await slices.yieldTurn();
        order.push(name);
      }
    });
  }
  async function others(): Promise<void> {
    for (let turn = 0; turn < 5; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      order.push('others');
    }
  }
  await Promise.all([work('a', 3), work('b', 2), others()]);
  expect(order.filter((name) => name !== 'others')).toEqual(['a', 'a', 'b', 'a', 'b']);
  // Never two pieces in one turn of the event loop.
  expect(order.join(' ')).not.toMatch(/[ab] [ab]/);
});

test('callers take turns, however many requests each has', async () => {
  const order: string[] = [];
  function work(caller: string): Promise<void> {
    return Slices.of({ caller }, async (slices) => {
      for (let piece = 0; piece < 2; piece += 1) {
        await slices.yieldTurn();
        order.push(caller);
      }
    });
  }
  await Promise.all([...Array.from({ length: 20 }, () => work('many')), work('one')]);
  expect(order.slice(0, 4).toSorted()).toEqual(['many', 'many', 'one', 'one']);
});

test('of simultaneous requests only the first starts in the same turn of the event loop', async () => {
  const begun: number[] = [];
  const works = Array.from({ length: 20 }, (_, at) =>
    Slices.of({ caller: 'crowd' }, async (slices) => {
      begun.push(at);
      await slices.yieldTurn();
    }),
  );
  expect(begun).toEqual([0]);
  await Promise.all(works);
});

test('one caller can have at most 50 long requests in progress', async () => {
  let goOn = (): void => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const works = Array.from({ length: 60 }, () =>
    Slices.of({ caller: 'greedy' }, async (slices) => {
      await slices.yieldTurn();
      await held;
    }).then(
      () => 'done',
      (error: unknown) => (error instanceof Error ? error.message : ''),
    ),
  );
  const other = Slices.of({ caller: 'modest' }, (slices) => slices.yieldTurn().then(() => 'done'));
  expect(await other).toBe('done');
  goOn();
  const ends = await Promise.all(works);
  const refused = '50 long requests of greedy are in progress; try again';
  expect(ends.filter((end) => end === 'done')).toHaveLength(50);
  expect(ends.filter((end) => end === refused)).toHaveLength(10);
  expect(await Slices.of({ caller: 'greedy' }, (slices) => slices.yieldTurn().then(() => 'again'))).toBe('again');
});

test('work for a client that has disconnected gets no further turn', async () => {
  const work = Slices.of({ caller: 'left', isGone: () => true }, (slices) => slices.yieldTurn());
  await expect(work).rejects.toThrow(ClientGone);
});
