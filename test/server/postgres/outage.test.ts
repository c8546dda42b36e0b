import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../../src/server/start.ts';
import { type RunningPostgres, startPostgres } from './startPostgres.ts';

let postgres: RunningPostgres;
let server: RunningServer;
const mistakes: unknown[] = [];
const note = (error: unknown) => mistakes.push(error);
beforeAll(async () => {
  postgres = await startPostgres({ durable: true });
  server = await startServer({ port: 0, noAuth: true, store: postgres.freshUrl() });
  process.on('unhandledRejection', note);
});
afterAll(async () => {
  process.off('unhandledRejection', note);
  await server.close();
  await postgres.stop();
});

async function put(name: string): Promise<Response> {
  const url = `${server.url}/org/local/gvc`;
  const headers = { 'content-type': 'application/json' };
  return fetch(url, { method: 'PUT', headers, body: JSON.stringify({ name }) });
}

const statusOf = async (path: string) => (await fetch(`${server.url}/org/local/${path}`)).status;

test('a server answers 503 with Retry-After while its database is down, and works when it is back', async () => {
  expect((await put('before')).status).toBe(201);
  await postgres.crash();
  const refused = await put('meanwhile');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await refused.json()).toMatchObject({ status: 503, message: expect.stringContaining('try again') });
  expect(await statusOf('gvc/before')).toBe(503);
  const health = await fetch(`${server.url}/-health`);
  expect([health.status, health.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await health.json()).toMatchObject({ code: 'unavailable', message: expect.stringContaining('PostgreSQL') });
  await postgres.restart();
  await expect.poll(async () => (await put('after')).status).toBe(201);
  expect(await (await fetch(`${server.url}/-health`)).json()).toEqual({ status: 'ok' });
  // Answered writes are stored, refused ones are not.
  expect(await Promise.all(['before', 'after', 'meanwhile'].map((name) => statusOf(`gvc/${name}`)))).toEqual([
    200, 200, 404,
  ]);
  expect(mistakes).toEqual([]);
});

test('a write that the database cannot store fails without affecting simultaneous writes', async () => {
  const path = `${server.url}/org/local/gvc`;
  const headers = { 'content-type': 'application/json' };
  const bodies = [{ name: 'plain' }, { name: 'odd', tags: { a: 'x\0y', b: 'x'.repeat(4_000) } }, { name: 'plain-too' }];
  const answers = await Promise.all(
    bodies.map((body) => fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })),
  );
  expect(answers.map(({ status }) => status >= 500)).toEqual([false, false, false]);
  expect([await statusOf('gvc/plain'), await statusOf('gvc/plain-too')]).toEqual([200, 200]);
});

test('with a read-only database, such as a standby, writes and health are 503 and reads work', async () => {
  const url = postgres.freshUrl();
  const other = await startServer({ port: 0, noAuth: true, store: url });
  const at = new URL(url);
  at.searchParams.delete('schema');
  const client = new pg.Client({ connectionString: at.href });
  await client.connect();
  const headers = { 'content-type': 'application/json' };
  const write = () => fetch(`${other.url}/org/local/gvc`, { method: 'PUT', headers, body: '{"name":"one"}' });
  async function only(reading: boolean): Promise<void> {
    await client.query(`ALTER ROLE CURRENT_USER SET default_transaction_read_only = ${reading ? 'on' : 'off'}`);
    // The setting applies to new connections only.
    await client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'gantry'");
  }
  await only(true);
  await expect.poll(async () => (await write()).status).toBe(503);
  const [refused, health] = [await write(), await fetch(`${other.url}/-health`)];
  const read = await fetch(`${other.url}/org/local/gvc`);
  await client.query('SET default_transaction_read_only = off');
  await only(false);
  await expect.poll(async () => (await write()).status).toBe(201);
  await client.end();
  await other.close();
  expect([refused.status, refused.headers.get('retry-after'), health.status, read.status]).toEqual([
    503,
    '1',
    503,
    200,
  ]);
});
