import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore, type StoreAddress } from '../../src/reconcile/store/openStore.ts';
import { Sessions } from '../../src/reconcile/store/sessions.ts';
import { openPlatform, type Platform } from '../e2e/harness/platform.ts';
import { sharedPostgres } from '../server/postgres/startPostgres.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { entryOf, openTown, type Town, writeStack } from './town.ts';

const folder = temporaryFolder('reconcile-postgres');
let platform: Platform;
let address: StoreAddress;
let town: Town;

beforeAll(async () => {
  platform = await openPlatform();
  address = { kind: 'postgres', url: (await sharedPostgres()).freshUrl() };
  town = await openTown(platform.url, address);
});
afterAll(async () => {
  await town[Symbol.asyncDispose]();
  await platform.stop();
});

test('of two workers at the same time each stack has one, and all are in line afterwards', async () => {
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

test('a lease is taken over when it has ended, and the older number writes nothing any more', async () => {
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
  // A second's worth is there at once.
  expect(performance.now() - startedMs).toBeGreaterThan(1_000);
  town.store.perSecond = undefined;
});

test('who signs in at one worker is signed in at the next, until they sign out at either', async () => {
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
