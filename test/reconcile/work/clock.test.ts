import { PgBoss } from 'pg-boss';
import { expect, test } from 'vitest';
import type { Row } from '../../../src/reconcile/store/sql.ts';
import { ownTown } from '../ownTown.ts';
import { entryOf, writeStack } from '../town.ts';

const { folder, platform, town, stateOf } = await ownTown('reconcile-clock');
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

function changeCode(text: string): void {
  writeStack(folder, 'timed', { timed: text });
}

const live = async () => (await platform.call('GET', '/org/local/group/timed')).body['description'];

/** Runs a worker that waits for due stacks until the platform matches the code. */
async function untilLive(text: string): Promise<void> {
  const worker = town.worker();
  await worker.start();
  const running = worker.run();
  await expect.poll(live, { timeout: 30_000 }).toBe(text);
  await expect.poll(async () => (await stateOf('timed'))?.state, { timeout: 30_000 }).toBe('in line');
  worker.stop();
  await running;
}

test('a clock that jumps forwards or backwards delays no stack', async () => {
  changeCode('one');
  town.entries = [entryOf(`${folder}/timed`, { name: 'timed', intervalMs: dayMs })];
  await untilLive('one');

  changeCode('two');
  town.pass(2 * dayMs);
  await untilLive('two');

  // The time of the next run is far away now.
  changeCode('three');
  town.pass(-10 * dayMs);
  await untilLive('three');
});

test('the lease of a dead worker is taken over after the clock jumped back', async () => {
  const { leases, sql } = town.store;
  const dead = await leases.take('timed', 'dead');
  expect(dead).toBeDefined();
  expect(await leases.take('timed', 'heir')).toBeUndefined();
  await sql.query("UPDATE leases SET until = until + interval '1 day'");
  const heir = await leases.take('timed', 'heir');
  expect(heir?.fence).toBe((dead?.fence ?? 0) + 1);
  if (dead === undefined || heir === undefined) throw new Error('both had it');
  expect([await leases.isHeld(dead), await leases.isHeld(heir)]).toEqual([false, true]);
  await leases.release(heir);
});

/** A job of a stack in the queue whose times are one day ahead. */
async function queuedTomorrow(stack: string, isTaken: boolean): Promise<readonly Row[]> {
  const { sql } = town.store;
  changeCode('before');
  town.entries = [entryOf(`${folder}/timed`, { name: 'timed', intervalMs: dayMs })];
  await town.once();
  const boss = new PgBoss({ ...sql.boss, supervise: false, schedule: false });
  await boss.start();
  await boss.insert('stacks', [{ data: { stack }, singletonKey: stack }]);
  if (isTaken) expect(await boss.fetch('stacks')).toHaveLength(1);
  await boss.stop({ graceful: false });
  const later = (column: string) => `${column} = ${column} + interval '1 day'`;
  await sql.query(
    `UPDATE ${sql.boss.schema}.job SET ${['start_after', 'started_on', 'heartbeat_on'].map(later).join()}
     WHERE name = 'stacks' AND state <= 'active'`,
  );
  await sql.query(`UPDATE ${sql.boss.schema}.queue SET monitor_claim_on = clock_timestamp() + interval '1 day'`);
  return sql.query(`SELECT id FROM ${sql.boss.schema}.job WHERE name = 'stacks' AND state <= 'active'`);
}

test('a stack that was queued before the clock jumped back runs now', async () => {
  await queuedTomorrow('timed', false);
  changeCode('four');
  await town.once();
  expect(await live()).toBe('four');
});

test('a stack whose worker died before the clock jumped back is taken by another one', {
  timeout: 60_000,
}, async () => {
  expect(await queuedTomorrow('timed', true)).toHaveLength(1);
  changeCode('five');
  await town.once();
  expect(await live()).toBe('five');
});

test('runs of the last day are counted by hour and outcome, and listed in the order of their ends', async () => {
  await town.store.forgetBefore(town.store.now() + 1);
  town.pass(2 * dayMs);
  const sinceMs = town.store.now();
  writeStack(folder, 'busy', { busy: 'one' });
  town.entries = [entryOf(`${folder}/busy`, { name: 'busy' })];
  await town.once();
  town.pass(3 * hourMs);
  await town.once();
  await town.once();
  const { hours } = await town.board.figures();
  expect(hours.map(({ outcome, runs }) => [outcome, runs])).toEqual([
    ['applied', 1],
    ['in line', 2],
  ]);
  expect([hours.map(({ atMs }) => atMs % hourMs), (hours[1]?.atMs ?? 0) - (hours[0]?.atMs ?? 0)]).toEqual([
    [0, 0],
    3 * hourMs,
  ]);
  const ended = await town.board.ended(sinceMs);
  expect(ended.map(({ outcome }) => outcome)).toEqual(['applied', 'in line', 'in line']);
  expect(await town.board.ended(ended.at(-1)?.endMs ?? 0)).toHaveLength(1);
  town.pass(dayMs);
  expect((await town.board.figures()).hours).toEqual([]);
});

test('runs and plans are deleted after keep-runs, except the last run of each stack', async () => {
  const day = (keepRunsMs: number) => async () => ({
    ...{ origin: '/town/reconcile.yaml', stacks: town.entries, keepRunsMs },
    webhooks: { github: [], gitlab: [], standard: [] },
  });
  writeStack(folder, 'kept', { kept: 'one' });
  town.entries = [entryOf(`${folder}/kept`, { name: 'kept', mode: 'propose' })];
  await town.once();
  writeStack(folder, 'kept', { kept: 'two' });
  await town.once();
  expect((await town.board.plans('kept')).map(({ superseded }) => superseded === undefined)).toEqual([true, false]);
  expect(await town.board.runs('kept')).toHaveLength(2);

  town.pass(3 * dayMs);
  await town.once({ readConfig: day(7 * dayMs) });
  expect(await town.board.runs('kept')).toHaveLength(3);
  town.pass(5 * dayMs);
  await town.once({ readConfig: day(7 * dayMs) });
  // Data from eight days ago is deleted; a waiting plan stays, whatever its age.
  expect(await town.board.runs('kept')).toHaveLength(2);
  expect((await town.board.plans('kept')).map(({ superseded }) => superseded)).toEqual([undefined]);
  town.pass(30 * dayMs);
  await town.store.forgetBefore(town.store.now());
  expect(await town.board.runs('kept')).toHaveLength(1);
  expect((await town.board.waiting('kept'))?.name).toBeDefined();
});

test('a window follows the clock of the store, however that jumps', async () => {
  const path = writeStack(folder, 'windowed', { windowed: 'one' });
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
  const entry = entryOf(path, { name: 'windowed', windows: [{ days, from: '02:00', to: '04:00', timezone: 'UTC' }] });
  town.entries = [entry];
  const jumpTo = (hour: number, days = 0) => {
    const nowMs = town.store.now();
    town.pass(Math.floor(nowMs / dayMs + days) * dayMs + hour * 3_600_000 - nowMs);
  };
  const look = async () => {
    await town.once();
    return [
      (await stateOf('windowed'))?.state,
      (await platform.call('GET', '/org/local/group/windowed')).body['description'],
    ];
  };
  jumpTo(12);
  expect(await look()).toEqual(['waiting', undefined]);
  jumpTo(3, 1);
  expect(await look()).toEqual(['in line', 'one']);
  writeStack(folder, 'windowed', { windowed: 'two' });
  jumpTo(5);
  expect(await look()).toEqual(['waiting', 'one']);
  // Back into the earlier window.
  jumpTo(3);
  expect(await look()).toEqual(['in line', 'two']);
  writeStack(folder, 'windowed', { windowed: 'three' });
  jumpTo(1, -30);
  expect(await look()).toEqual(['waiting', 'two']);
});
