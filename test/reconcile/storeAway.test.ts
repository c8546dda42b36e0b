import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../src/reconcile/store/openStore.ts';
import { storeError, whenThere } from '../../src/reconcile/store/storeError.ts';
import { inProcess } from '../e2e/harness/inProcess.ts';
import { startGantry, waitForStderr } from '../e2e/harness/running.ts';
import { usePlatform } from '../e2e/harness/usePlatform.ts';
import { type RunningPostgres, startPostgres } from '../server/postgres/startPostgres.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { writeNewStore } from './newStore.ts';
import { openTown, writeStack } from './town.ts';

const cwd = temporaryFolder('store-away');
const platform = usePlatform();
let postgres: RunningPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
  writeStack(cwd, 'shop', { buyers: 'one' });
  writeFileSync(join(cwd, 'reconcile.yaml'), 'stacks: {shop: {folder: shop, mode: auto}}');
});
afterAll(() => postgres.stop());

test('a worker that starts without its database logs that, waits for it, and works when it is there', async () => {
  const url = postgres.freshUrl();
  await postgres.crash();
  const worker = startGantry(platform.url, ['reconcile', 'run'], cwd, { GANTRY_RECONCILE_STORE: url });
  try {
    await waitForStderr(worker, '"level":"warn","message":"the store cannot be reached: connect ECONNREFUSED');
    const ended = startGantry(platform.url, ['reconcile', 'run'], cwd, { GANTRY_RECONCILE_STORE: url });
    await waitForStderr(ended, '; again in 2 s"');
    ended.child.kill('SIGTERM');
    expect((await ended.ended).code).toBe(0);
    const once = await inProcess(platform, ['reconcile', 'once', '--store', url], { cwd });
    expect([once.code, once.stderr]).toEqual([6, expect.stringContaining('error reconcile.store-away: ')]);
    await postgres.restart();
    await waitForStderr(worker, 'reconciles; the store is postgres');
    await expect
      .poll(async () => (await platform.call('GET', '/org/local/group/buyers')).status, { timeout: 20_000 })
      .toBe(200);
  } finally {
    worker.child.kill('SIGTERM');
  }
  expect((await worker.ended).code).toBe(0);
});

test.each([
  ['a database that does not exist', /\/postgres\?/, '/nowhere?', 'createdb'],
  ['a user who is refused', 'gantry@', 'stranger@', 'Correct the user and the password'],
  ['an invalid name of a schema', /schema=.*/, 'schema=A-B', 'Check the address'],
])('%s ends a worker immediately, with a hint', async (_, part, wrong, hint) => {
  const env = { GANTRY_RECONCILE_STORE: postgres.freshUrl().replace(part, wrong) };
  const ended = await inProcess(platform, ['reconcile', 'run'], { cwd, env });
  expect([ended.code, ended.stderr]).toEqual([1, expect.stringMatching(/^error reconcile\.store: /)]);
  expect(ended.stderr).toContain(hint);
});

test('a worker that starts while a command has its folder waits for it', async () => {
  const data = join(cwd, 'held');
  await writeNewStore(join(data, 'reconcile'));
  const command = await openStore({ kind: 'folder', folder: join(data, 'reconcile') }, { tell: () => {} });
  const worker = startGantry(platform.url, ['reconcile', 'run', '--data', data], cwd);
  try {
    await waitForStderr(worker, 'again in 1 s');
    const works = waitForStderr(worker, 'reconciles; the store is');
    await command.close();
    await works;
  } finally {
    worker.child.kill('SIGTERM');
  }
  expect((await worker.ended).code).toBe(0);
});

test('a database that fails while the queue opens counts as unavailable', async () => {
  await using town = await openTown(platform.url, { kind: 'postgres', url: postgres.freshUrl() });
  const { sql } = town.store;
  const boss = { connectionString: 'postgres://gantry@127.0.0.1:1/postgres', schema: 'jobs' };
  const store = Object.assign(Object.create(town.store), { sql: { ...sql, boss } });
  await expect(town.worker({ store }).start()).rejects.toMatchObject({ code: 'reconcile.store-away' });
});

test.each([
  ['08006', 'connection failure'],
  ['53300', 'sorry, too many clients already'],
  ['57P03', 'the database system is starting up'],
  ['ENOTFOUND', 'getaddrinfo ENOTFOUND db'],
  ['', 'Connection terminated unexpectedly'],
  ['', 'timeout exceeded when trying to connect'],
])('%s %s: it may be available later', (code, message) => {
  expect(storeError(Object.assign(new Error(message), code === '' ? {} : { code })).code).toBe('reconcile.store-away');
});

test('a wrong password is named, and is not waited for', async () => {
  const refused = Object.assign(new Error('password authentication failed for user "gantry"'), { code: '28P01' });
  const error = storeError(refused);
  expect(error).toMatchObject({ code: 'reconcile.store', hint: expect.stringContaining('the password') });
  const waits: number[] = [];
  const waiting = whenThere(() => Promise.reject(error), {
    signal: new AbortController().signal,
    waits: (_, ms) => void waits.push(ms),
  });
  await expect(waiting).rejects.toBe(error);
  expect(waits).toEqual([]);
});
