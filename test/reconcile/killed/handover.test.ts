import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StoreAddress } from '../../../src/reconcile/store/openStore.ts';
import { start } from '../../attack/cli.ts';
import { environmentFor, gantry } from '../../e2e/harness/gantry.ts';
import { inProcess } from '../../e2e/harness/inProcess.ts';
import { writesSince } from '../../e2e/harness/platform.ts';
import { startProxy } from '../../e2e/harness/proxy.ts';
import { usePlatform } from '../../e2e/harness/usePlatform.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { writeNewStore } from '../newStore.ts';
import { entryOf, openTown, writeStack } from '../town.ts';

const folder = temporaryFolder('reconcile-handover');
const platform = usePlatform();
let proxy: Awaited<ReturnType<typeof startProxy>>;
/** Called after the platform has carried out the request. */
let carriedOut: (method: string, path: string) => Promise<void> | void = () => {};

beforeAll(async () => {
  proxy = await startProxy(
    platform.url,
    () => 'pass',
    ({ method, path }) => carriedOut(method, path),
  );
});
afterAll(async () => {
  await proxy.close();
});

/** The second record needs the first, so there is a moment between their writes. */
function writeTwoSteps(name: string): string {
  const path = writeStack(folder, name, {});
  const manifests = [
    `kind: serviceaccount\nname: ${name}-robot\n`,
    `kind: group\nname: ${name}-crew\nmemberLinks: [//serviceaccount/${name}-robot]\n`,
  ];
  writeFileSync(join(path, 'groups.yaml'), manifests.join('---\n'));
  return path;
}

/** As if the time of a dead worker had passed: its lease, and its job in the queue. */
async function endLeases(address: StoreAddress): Promise<void> {
  await using town = await openTown(proxy.url, address);
  const { sql } = town.store;
  await sql.query('UPDATE leases SET until = clock_timestamp()');
  await sql.query(
    `UPDATE ${sql.boss.schema}.job SET heartbeat_on = now() - interval '1 minute' WHERE state = 'active'`,
  );
}

function statusOf(path: string): Promise<number> {
  return platform.call('GET', `/org/local/${path}`).then(({ status }) => status);
}

test('a worker that loses its lease in the middle of an apply sends no further write', async () => {
  await using town = await openTown(proxy.url, { kind: 'folder', folder: join(folder, 'gate') });
  town.entries = [entryOf(writeTwoSteps('gate'), { name: 'gate' })];
  const { sql } = town.store;
  carriedOut = async (method, path) => {
    if (method === 'POST' && path === '/org/local/serviceaccount')
      await sql.query(
        "UPDATE leases SET fence = fence + 1, worker = 'other', until = clock_timestamp() + interval '25s'",
      );
  };
  const from = await platform.seen();
  const worker = town.worker();
  await worker.start();
  const running = worker.run();
  await expect
    .poll(() => town.log.map(({ message }) => message))
    .toContain('the stack was taken over by another worker');
  worker.stop();
  await running;
  expect(writesSince(platform, from)).toEqual(['POST /org/local/serviceaccount']);
  // The worker that lost the lease stores nothing about the run.
  expect(await town.board.runs('gate')).toMatchObject([{ fence: 1 }]);
  expect((await town.board.runs('gate'))[0]?.outcome).toBeUndefined();

  carriedOut = () => {};
  await sql.query('UPDATE leases SET until = clock_timestamp()');
  await town.once();
  expect((await town.board.runs('gate')).map(({ fence, outcome }) => `${outcome} ${fence}`)).toEqual([
    'applied 3',
    'lost 1',
  ]);
  expect(await statusOf('group/gate-crew')).toBe(200);
});

test('the next worker continues an approved plan whose worker was killed in the middle', async () => {
  await writeNewStore(join(folder, '.gantry/reconcile'));
  writeTwoSteps('killed');
  writeFileSync(join(folder, 'reconcile.yaml'), 'stacks:\n  killed: { folder: killed, mode: propose }\n');
  const env = { ...environmentFor({ url: proxy.url }, { cwd: folder }) } as Record<string, string>;
  const address = { url: proxy.url };
  // The same program as the killed one, because another one would plan anew.
  const once = () => gantry(address, ['reconcile', 'once'], { cwd: folder });
  const run = (...args: readonly string[]) => inProcess(address, ['reconcile', ...args], { cwd: folder });
  const plan = () => run('status', '-o', 'json').then(({ stdout }) => JSON.parse(stdout).stacks[0]);
  await once();
  const proposed = await plan();
  expect(proposed).toMatchObject({ state: 'waiting', because: '0 of 1 approvals' });
  expect(await run('approve', 'killed', '--yes', '--by', 'ana')).toMatchObject({ code: 0 });

  const { child, ended } = start(['reconcile', 'once'], { cwd: folder, env });
  carriedOut = (method, path) => {
    if (method === 'POST' && path === '/org/local/serviceaccount') child.kill('SIGKILL');
  };
  expect(await ended).toMatchObject({ signal: 'SIGKILL' });
  carriedOut = () => {};
  expect([await statusOf('serviceaccount/killed-robot'), await statusOf('group/killed-crew')]).toEqual([200, 404]);

  await endLeases({ kind: 'folder', folder: join(folder, '.gantry/reconcile') });
  expect(await once()).toMatchObject({ code: 0 });
  expect(await plan()).toMatchObject({ state: 'in line' });
  expect(await statusOf('group/killed-crew')).toBe(200);

  await using town = await openTown(proxy.url, { kind: 'folder', folder: join(folder, '.gantry/reconcile') });
  const plans = await town.board.plans('killed');
  expect(plans.map(({ name }) => name)).toEqual([proposed.plan]);
  expect(plans[0]?.superseded).toBeUndefined();
  const runs = await town.board.runs('killed');
  expect(runs.map(({ outcome }) => outcome)).toEqual(['applied', 'lost', 'proposed']);
  expect(runs[0]?.plan).toBe(proposed.plan);
});

test('a damaged folder is recreated with a message, and approvals are kept', async () => {
  const store = { kind: 'folder', folder: join(folder, 'damaged') } as const;
  const entries = [entryOf(writeTwoSteps('damaged'), { name: 'damaged', mode: 'propose' })];
  const proposed = await (async () => {
    await using town = await openTown(platform.url, store);
    town.entries = entries;
    await town.once();
    const plan = (await town.board.waiting('damaged'))?.name ?? '';
    await town.board.approve('damaged', plan, { by: 'ana' });
    return plan;
  })();
  writeFileSync(join(store.folder, 'db/global/pg_control'), 'cut off');

  const said: string[] = [];
  await using town = await openTown(platform.url, store, (text) => said.push(text));
  expect(said).toEqual([expect.stringMatching(/ is damaged .* is made anew: .* approvals are kept/)]);
  expect(await town.board.list()).toEqual([]);
  town.entries = entries;
  await town.once();
  expect(await town.board.runs('damaged')).toMatchObject([{ outcome: 'applied', plan: proposed }]);
  expect((await town.board.plans('damaged'))[0]?.approvals.given).toMatchObject([{ by: 'ana' }]);
  expect(await statusOf('group/damaged-crew')).toBe(200);
});
