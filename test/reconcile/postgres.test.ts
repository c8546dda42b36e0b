import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore, type StoreAddress } from '../../src/reconcile/store/openStore.ts';
import { Sessions } from '../../src/reconcile/store/sessions.ts';
import type { Sql } from '../../src/reconcile/store/sql.ts';
import { Store } from '../../src/reconcile/store/store.ts';
import { usePlatform } from '../e2e/harness/usePlatform.ts';
import { sharedPostgres } from '../server/postgres/startPostgres.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { entryOf, openTown, type Town, writeStack } from './town.ts';

const folder = temporaryFolder('reconcile-postgres');
const platform = usePlatform();
let address: StoreAddress;
let town: Town;

beforeAll(async () => {
  address = { kind: 'postgres', url: (await sharedPostgres()).freshUrl() };
  town = await openTown(platform.url, address);
});
afterAll(async () => {
  await town[Symbol.asyncDispose]();
});

test('two concurrent workers never share a stack, and in the end all stacks are in line', async () => {
  const names = Array.from({ length: 6 }, (_, index) => `fleet-${index}`);
  town.entries = names.map((name) => entryOf(writeStack(folder, name, { [`${name}-group`]: 'one' }), { name }));
  const workers = [town.worker(), town.worker()];
  await Promise.all(workers.map((worker) => worker.start()));
  const running = workers.map((worker) => worker.run());
  await expect
    .poll(async () => (await town.board.list()).map(({ state }) => state.state))
    .toEqual(names.map(() => 'in line'));
  for (const worker of workers) worker.stop();
  await Promise.all(running);
  for (const name of names) {
    const runs = await town.board.runs(name);
    expect(runs.filter(({ outcome }) => outcome === 'applied')).toHaveLength(1);
    expect(runs.map(({ fence }) => fence)).toEqual(runs.map((_, index) => runs.length - index));
  }
});

test('a lease is taken over after it has ended, and the older number can write no more', async () => {
  const { leases, sql } = town.store;
  const first = await leases.take('fleet-0', 'dead');
  expect(await leases.take('fleet-0', 'other')).toBeUndefined();
  if (first === undefined) throw new Error('it was free');
  expect(await leases.isHeld(first)).toBe(true);
  await sql.query("UPDATE leases SET until = clock_timestamp() WHERE stack = 'fleet-0'");
  expect(await leases.isHeld(first)).toBe(false);
  const second = await leases.take('fleet-0', 'other');
  expect(second?.fence).toBe(first.fence + 1);
  expect(await leases.renew([first])).toEqual([]);
  expect(await town.store.begin(first, 'dead')).toBeUndefined();
  await leases.release(first);
  if (second !== undefined) expect(await leases.isHeld(second)).toBe(true);
});

test('all workers together keep to the budget of requests', async () => {
  town.store.perSecond = 40;
  const startedMs = performance.now();
  for (let sent = 0; sent < 100; sent += 1) await town.store.budget.spend('https://budget.example.com');
  // One second's worth is available immediately.
  expect(performance.now() - startedMs).toBeGreaterThan(1_000);
  town.store.perSecond = undefined;
});

test('a person who signs in at one worker is signed in at the next, until a sign-out at either', async () => {
  const other = await openStore(address, { tell: () => {}, now: () => town.store.now() });
  try {
    const [here, there] = [new Sessions(town.store), new Sessions(other)];
    const who = { issuer: 'https://login.example.com/', clientId: 'gantry', subject: '7', claims: { groups: ['a'] } };
    const secret = await here.begin(who, 60_000);
    expect(await there.find(secret)).toEqual(who);
    await there.end(secret);
    expect(await here.find(secret)).toBeUndefined();
    const next = await there.begin(who, 60_000);
    town.pass(60_000);
    expect(await here.find(next)).toBeUndefined();
  } finally {
    await other.close();
  }
});

test('two stacks that end at the same time, with common stacks after them, do not block each other', async () => {
  const path = writeStack(folder, 'chain', { chain: 'one' });
  const after = (name: string, ...names: readonly string[]) => entryOf(path, { name, after: names });
  town.entries = [after('chain-a'), after('chain-b', 'chain-a', 'chain-c'), after('chain-c', 'chain-a')];
  const { store } = town;
  const { sql, leases } = store;
  await store.follow({ stacks: town.entries, origin: '/town/reconcile.yaml' });
  await sql.query(`UPDATE stacks SET state = '{"state": "failing", "sinceMs": 0, "failures": 1}'`);
  const inside = new Set<string>();
  const over = new Set<string>();
  const isHeldUp = async () =>
    (await sql.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'")).length > 0;
  // Called when a stack has its own row: the other one has its own by then, or waits for a row, or has ended.
  store.outbox = async (_, stack) => {
    inside.add(stack);
    const goesOn = async () =>
      over.size > 0 || (stack === 'chain-a' && inside.size === 2) || (await isHeldUp()) || undefined;
    await expect.poll(goesOn, { interval: 10, timeout: 5_000 }).toBe(true);
  };
  const ends = ['chain-a', 'chain-c'].map(async (stack) => {
    const lease = await leases.take(stack, 'here');
    const begun = lease === undefined ? undefined : await store.begin(lease, 'here');
    if (lease === undefined || begun === undefined) throw new Error('it is free');
    const state = { state: 'in line', failures: 0 } as const;
    const more = { said: {}, log: [], isSuccess: true, nextMs: 1e15 };
    const isEnded = await store.end(lease, begun.id, { outcome: 'in line', state, ...more });
    over.add(stack);
    return isEnded;
  });
  try {
    expect(await Promise.all(ends)).toEqual([true, true]);
  } finally {
    store.outbox = undefined;
  }
});

describe('claims of owners', () => {
  /** Runs `second` after the first statement of `first`, which continues once `second` waits for a lock or ends. */
  function together<A, B>(first: (store: Store) => Promise<A>, second: () => Promise<B>): Promise<readonly [A, B]> {
    const { sql } = town.store;
    const other = Promise.withResolvers<B>();
    let isOver = false;
    const goesOn = async () =>
      isOver || (await sql.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'")).length > 0;
    const transaction: Sql['transaction'] = (work) =>
      sql.transaction(async (query) => {
        let isFirst = true;
        return work(async (text, values) => {
          const rows = await query(text, values);
          if (!isFirst) return rows;
          isFirst = false;
          const over = () => {
            isOver = true;
          };
          second().finally(over).then(other.resolve, other.reject);
          await expect.poll(goesOn, { interval: 10, timeout: 5_000 }).toBe(true);
          return rows;
        });
      });
    const store = new Store(Object.create(sql, { transaction: { value: transaction } }), {
      now: () => town.store.now(),
    });
    return Promise.all([first(store), other.promise]);
  }

  const lease = (stack: string) => ({ stack, fence: 1 });
  const list = (...names: readonly string[]) => ({
    stacks: names.map((name) => entryOf(folder, { name })),
    origin: '/town/reconcile.yaml',
  });

  test('the claim of a stack that is removed at that moment ends, and so does the update of the list', async () => {
    const { store } = town;
    await store.follow(list('goes', 'stays'));
    await store.claimOwner(lease('goes'), ['first']);
    await together(
      (held) => held.claimOwner(lease('goes'), ['second']),
      () => store.follow(list('stays')),
    );
    expect([...(await store.stacks()).keys()]).toEqual(['stays']);
    expect(await store.sql.query('SELECT owner FROM owners')).toEqual([]);
  });

  test("two claims for each other's owner end, and the first stack keeps it", async () => {
    const { store } = town;
    await store.follow(list('left', 'right'));
    await store.claimOwner(lease('left'), ['old']);
    const [left, right] = await together(
      (held) => held.claimOwner(lease('left'), ['new']),
      () => store.claimOwner(lease('right'), ['new', 'old']),
    );
    expect([left, right?.name]).toEqual([undefined, 'left']);
    expect(await store.sql.query('SELECT owner, stack FROM owners')).toEqual([{ owner: 'new', stack: 'left' }]);
  });
});

test('a list of stacks is taken over with the same number of statements, however long it is', async () => {
  const { sql } = town.store;
  const sent: string[] = [];
  const counting = Object.create(sql, {
    query: {
      value: (text: string, values?: readonly []) => {
        sent.push(text);
        return sql.query(text, values);
      },
    },
    notify: {
      value: (payloads: readonly string[]) => {
        sent.push('NOTIFY');
        return sql.notify(payloads);
      },
    },
  });
  const store = new Store(counting, { now: () => town.store.now() });
  const told = new Set<string>();
  const stop = await sql.listen((stack) => void told.add(stack));
  const follow = async (count: number, interval: number) => {
    sent.length = 0;
    const stacks = Array.from({ length: count }, (_, index) =>
      entryOf(folder, { name: `long-${index}`, intervalMs: interval, paused: { reason: 'not yet' } }),
    );
    await store.follow({ stacks, origin: '/town/reconcile.yaml' });
    return sent.length;
  };
  await follow(1, 60_000);
  const ofFew = await follow(3, 60_000);
  expect(await follow(300, 90_000)).toBe(ofFew);
  expect((await store.stacks()).size).toBe(300);
  expect((await store.stacks(['long-0'])).get('long-0')?.entry.intervalMs).toBe(90_000);
  await expect.poll(() => told.has('long-299')).toBe(true);
  told.clear();
  // Nothing has changed, so no notification is sent.
  expect(await follow(300, 90_000)).toBe(ofFew - 1);
  expect(await follow(3, 90_000)).toBeLessThanOrEqual(ofFew + 2);
  await expect.poll(() => told.size).toBe(297);
  await stop();
});
