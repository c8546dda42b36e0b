import { PgBoss } from 'pg-boss';
import { expect, test } from 'vitest';
import { ownTown } from '../ownTown.ts';
import { entryOf, writeStack } from '../town.ts';

const { folder, town, stateOf } = await ownTown('reconcile-dead');
const hourMs = 3_600_000;

/** Workers take the stack one after another, and die without a further heartbeat. */
async function die(times: number): Promise<void> {
  const { store } = town;
  const boss = new PgBoss({ ...store.sql.boss, schedule: false, supervise: false });
  await boss.start();
  await boss.insert('stacks', [{ data: { stack: 'deadly' }, singletonKey: 'deadly' }]);
  const jobs = `${store.sql.boss.schema}.job`;
  const queues = `${store.sql.boss.schema}.queue`;
  for (let death = 1; death <= times; death += 1) {
    expect(await boss.fetch('stacks', { batchSize: 1 })).toHaveLength(1);
    const lease = await store.leases.take('deadly', `dead-${death}`);
    if (lease === undefined) throw new Error('it is free');
    await store.begin(lease, `dead-${death}`);
    await store.sql.query("UPDATE leases SET until = clock_timestamp() WHERE stack = 'deadly'");
    await store.sql.query(`UPDATE ${jobs} SET heartbeat_on = now() - interval '1 minute' WHERE state = 'active'`);
    if (death === times) break;
    // The queue gives the job back now, and not a second later.
    await store.sql.query(`UPDATE ${queues} SET monitor_claim_on = NULL, monitor_on = NULL`);
    await boss.supervise('stacks');
    await store.sql.query(`UPDATE ${jobs} SET start_after = now() WHERE state = 'retry'`);
  }
  await boss.stop({ graceful: false });
}

async function onePass(): Promise<void> {
  const worker = town.worker();
  await worker.start();
  const running = worker.run();
  await expect.poll(async () => (await stateOf('other'))?.state, { timeout: 30_000 }).toBe('in line');
  await expect.poll(async () => (await stateOf('deadly'))?.state, { timeout: 30_000 }).toMatch(/in line|failing/);
  worker.stop();
  await running;
}

test('a stack whose workers die is taken over; after four of them it fails until its next interval', async () => {
  town.entries = ['deadly', 'other'].map((name) =>
    entryOf(writeStack(folder, name, { [name]: 'one' }), { name, intervalMs: hourMs }),
  );
  await town.once();

  await die(3);
  await onePass();
  expect(await stateOf('deadly')).toMatchObject({ state: 'in line', failures: 0 });
  const outcomes = async () => (await town.board.runs('deadly')).map(({ outcome }) => outcome);
  expect((await outcomes()).slice(0, 4)).toEqual(['in line', 'lost', 'lost', 'lost']);

  town.pass(2 * hourMs);
  await die(4);
  const fromMs = town.store.now();
  await onePass();
  const because = '4 workers ended while they had this stack: it may need too much memory';
  expect(await stateOf('deadly')).toMatchObject({ state: 'failing', because, failures: 1 });
  expect((await stateOf('deadly'))?.nextRunMs).toBeGreaterThanOrEqual(fromMs + hourMs);
  const [run] = await town.board.runs('deadly');
  expect(run).toMatchObject({ outcome: 'failed', error: { code: 'reconcile.given-up', message: because } });
  // The others continued meanwhile, and the stack runs again.
  expect((await town.board.runs('other'))[0]?.startMs).toBeGreaterThanOrEqual(fromMs);
  town.pass(2 * hourMs);
  await onePass();
  await expect.poll(async () => (await stateOf('deadly'))?.state, { timeout: 30_000 }).toBe('in line');
});
