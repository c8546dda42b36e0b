import { describe, expect, test } from 'vitest';
import { type Outcome, type ScheduleOptions, type Slot, schedule, type Task } from '../../../src/apply/schedule.ts';

interface Given {
  readonly key: string;
  /** The tasks that it waits for; `~` marks a soft edge. */
  readonly after?: readonly string[];
  readonly run?: (slot: Slot) => Promise<Outcome>;
}

/** Runs the tasks, by default one at a time. */
async function run(given: readonly Given[], options: Partial<ScheduleOptions> = {}) {
  const log: string[] = [];
  const skipped: string[] = [];
  let running = 0;
  let busiest = 0;
  const tasks = given.map(({ key, after = [], run: act }): Task => {
    return {
      key,
      after: after.map((on) => ({ on: on.replace('~', ''), soft: on.startsWith('~') })),
      async run(slot) {
        log.push(key);
        running += 1;
        busiest = Math.max(busiest, running);
        await Promise.resolve();
        const outcome = (await act?.(slot)) ?? 'done';
        running -= 1;
        return outcome;
      },
      skip: (because) => void skipped.push(`${key}: ${because}`),
    };
  });
  await schedule(tasks, {
    concurrency: 1,
    stopped: () => undefined,
    mustStillRun: () => false,
    runsDespiteFailure: () => false,
    describe: (key, outcome) => `${key} ${outcome}`,
    ...options,
  });
  return { log, skipped, busiest };
}

const failing = () => Promise.resolve('failed' as const);

describe('a task that can start starts', () => {
  interface Case {
    readonly it: string;
    readonly tasks: readonly Given[];
    readonly order: readonly string[];
  }
  test.each<Case>(
    // biome-ignore format: a row is a case
    [
      { it: 'in order of arrival', tasks: [{ key: 'a' }, { key: 'b' }, { key: 'c' }], order: ['a', 'b', 'c'] },
      { it: 'after everything that it waits for',
        tasks: [{ key: 'a', after: ['b', 'c'] }, { key: 'b', after: ['c'] }, { key: 'c' }], order: ['c', 'b', 'a'] },
      { it: 'with the head of the longest chain first, at any position',
        tasks: [{ key: 'short' }, { key: 'short-end', after: ['short'] }, { key: 'long' },
          { key: 'long-middle', after: ['long'] }, { key: 'long-end', after: ['long-middle'] }],
        order: ['long', 'short', 'long-middle', 'short-end', 'long-end'] },
      { it: 'with the one that blocks the most first, even beside a shorter path',
        tasks: [{ key: 'alone' }, { key: 'end', after: ['near', 'far'] }, { key: 'near', after: ['head'] },
          { key: 'far', after: ['between'] }, { key: 'between', after: ['head'] }, { key: 'head' }],
        order: ['head', 'between', 'near', 'far', 'alone', 'end'] },
      { it: 'despite edges to itself and to missing tasks',
        tasks: [{ key: 'a', after: ['a', 'nobody'] }, { key: 'b', after: ['a'] }], order: ['a', 'b'] },
    ],
  )('$it', async ({ tasks, order }) => {
    expect(await run(tasks)).toEqual({ log: order, skipped: [], busiest: 1 });
  });

  test('concurrently, up to the bound', async () => {
    const { busiest } = await run(
      Array.from({ length: 9 }, (_, index) => ({ key: `t${index}` })),
      { concurrency: 4 },
    );
    expect(busiest).toBe(4);
  });
});

describe('a task that cannot start is skipped once, with the reason', () => {
  test('because of a failure, also indirectly; one with a soft edge or none runs', async () => {
    const { log, skipped } = await run([
      { key: 'a', run: failing },
      { key: 'b', after: ['a'] },
      { key: 'c', after: ['b', 'a'] },
      { key: 'd', after: ['~a', '~c'] },
      { key: 'e' },
    ]);
    expect(log).toEqual(['a', 'e', 'd']);
    expect(skipped).toEqual(['b: a failed', 'c: a failed']);
  });

  test('unless it insists on running', async () => {
    const tasks = [
      { key: 'a', run: failing },
      { key: 'b', after: ['a'] },
    ];
    const { log, skipped } = await run(tasks, { runsDespiteFailure: (key) => key === 'b' });
    expect({ log, skipped }).toEqual({ log: ['a', 'b'], skipped: [] });
  });

  test('because of a cycle, or of one of its tasks', async () => {
    const { log, skipped } = await run([
      { key: 'a', after: ['b'] },
      { key: 'b', after: ['a'] },
      { key: 'c', after: ['b'] },
      { key: 'd' },
    ]);
    expect(log).toEqual(['d']);
    expect(skipped.sort()).toEqual(['a', 'b', 'c'].map((key) => `${key}: it is part of a dependency cycle`));
  });

  test('because of a stop, each with its own reason', async () => {
    let stopped: string | undefined;
    const stop = async (): Promise<Outcome> => {
      stopped = 'enough';
      return 'done';
    };
    const tasks = [
      { key: 'a' },
      { key: 'first', run: stop },
      { key: 'b', after: ['first'] },
      { key: 'c', after: ['b'] },
    ];
    const { log, skipped } = await run(tasks, { stopped: () => stopped });
    expect(log).toEqual(['first']);
    expect(skipped).toEqual(['b: enough', 'c: b skipped', 'a: enough']);
  });

  test('unless it is committed: such a task runs after a stop too, within the bound', async () => {
    const tasks = ['a', 'b', 'c', 'd'].map((key) => ({ key }));
    const { log, skipped, busiest } = await run([...tasks, { key: 'e', after: ['b'] }], {
      stopped: () => 'enough',
      mustStillRun: (key) => key !== 'a',
    });
    expect({ log, skipped, busiest }).toEqual({ log: ['b', 'c', 'd', 'e'], skipped: ['a: enough'], busiest: 1 });
  });
});

describe('a slot that is released', () => {
  test('goes to another task, and is taken again when one ends', async () => {
    const steps: string[] = [];
    const { log } = await run([
      {
        key: 'a',
        async run(slot) {
          steps.push(await slot.release(async () => 'waited'));
          return 'done';
        },
      },
      {
        key: 'b',
        async run() {
          await new Promise((resolve) => setImmediate(resolve));
          steps.push('b ends');
          return 'done';
        },
      },
    ]);
    expect(log).toEqual(['a', 'b']);
    expect(steps).toEqual(['b ends', 'waited']);
  });

  test('is taken again before anything new starts, even if the wait fails', async () => {
    const { log, skipped } = await run([
      {
        key: 'a',
        run: (slot) => slot.release(() => Promise.reject(new Error('of the wait'))).catch(() => 'failed' as const),
      },
      { key: 'b' },
      { key: 'c', after: ['a'] },
      { key: 'd' },
    ]);
    expect(log).toEqual(['a', 'b', 'd']);
    expect(skipped).toEqual(['c: a failed']);
  });
});

test('an internal error ends the run', async () => {
  const wrong = () => Promise.reject(new TypeError('ours'));
  await expect(
    run([
      { key: 'a', run: wrong },
      { key: 'b', after: ['a'] },
    ]),
  ).rejects.toThrow('ours');
});
