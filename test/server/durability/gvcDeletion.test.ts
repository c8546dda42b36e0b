import { join } from 'node:path';
import { setTimeout as passes } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { isObject, listAt, objectAt } from '../../../src/base/json/json.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { type SharedPostgres, sharedPostgres } from '../postgres/startPostgres.ts';
import { ask, type ServerProcess, startProcess } from './servers.ts';

/** Many more records than one step deletes. */
const content = Array.from({ length: 400 }, (_, at) => `id-${String(at).padStart(3, '0')}`);

let postgres: SharedPostgres | undefined;
const folder = temporaryFolder('deletion');
beforeAll(async () => {
  postgres = await sharedPostgres();
});

async function fill(url: string): Promise<void> {
  await ask(url, 'POST', 'gvc', { name: 'shop' });
  for (let at = 0; at < content.length; at += 20) {
    await Promise.all(content.slice(at, at + 20).map((name) => ask(url, 'POST', 'gvc/shop/identity', { name })));
  }
}

async function left(url: string): Promise<number> {
  return listAt((await ask(url, 'GET', 'identity?limit=1000')).body, 'items').length;
}

/** Waits until fewer than `count` records are left, or none; returns their number. */
async function furtherThan(url: string, count: number): Promise<number> {
  for (;;) {
    const now = await left(url);
    if (now < count || now === 0) return now;
    await passes(5);
  }
}

async function untilGone(url: string): Promise<void> {
  while ((await ask(url, 'GET', 'gvc/shop')).status !== 404) await passes(20);
}

/** Demands one event for each record and one for the GVC. */
async function expectEachDeletedOnce(url: string): Promise<void> {
  expect(await left(url)).toBe(0);
  const { body } = await ask(url, 'GET', '/audit/org/local?actionType=delete&limit=1000');
  const gone = listAt(body, 'items').map((event) => objectAt(isObject(event) ? event : {}, 'resource')['name']);
  expect(gone.toSorted()).toEqual([...content, 'shop'].toSorted());
  expect((await ask(url, 'POST', 'gvc', { name: 'shop' })).status).toBe(201);
}

test.each(['SQLite', 'PostgreSQL'])(
  'on %s, a server that is killed repeatedly continues a deletion',
  { timeout: 180_000 },
  async (store) => {
    const place =
      store === 'SQLite'
        ? { data: join(folder, 'platform.db') }
        : { store: postgres?.freshUrl() ?? '', secretKey: 'k' };
    let server = startProcess(place);
    try {
      await fill(await server.url);
      expect((await ask(await server.url, 'DELETE', 'gvc/shop')).status).toBe(202);
      let now = content.length;
      for (let kills = 0; kills < 2; kills += 1) {
        now = await furtherThan(await server.url, now);
        await server.kill();
        server = startProcess(place);
      }
      await untilGone(await server.url);
      await expectEachDeletedOnce(await server.url);
    } finally {
      await server.kill();
    }
  },
);

test('a server continues the deletion that another server on its database started before it was killed', {
  timeout: 120_000,
}, async () => {
  const place = { store: postgres?.freshUrl() ?? '', secretKey: 'k' };
  const servers: readonly ServerProcess[] = [startProcess(place), startProcess(place)];
  try {
    const [first, second] = await Promise.all(servers.map(({ url }) => url));
    await fill(first ?? '');
    expect((await ask(first ?? '', 'DELETE', 'gvc/shop')).status).toBe(202);
    await furtherThan(second ?? '', content.length);
    await servers[0]?.kill();
    await untilGone(second ?? '');
    await expectEachDeletedOnce(second ?? '');
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
  }
});
