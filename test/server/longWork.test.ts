import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, stringAt } from '../../src/base/json/json.ts';
import { Slices } from '../../src/server/core/slices.ts';
import { ClientGone } from '../../src/server/http/cutConnection.ts';
import type { RequestLogEntry } from '../../src/server/http/listen.ts';
import { names, platformForAll } from './platform.ts';

const count = 1_500;
const logged: RequestLogEntry[] = [];
let onLogged = (): void => {};

const platform = platformForAll(
  {
    requestLog(entry) {
      logged.push(entry);
      onLogged();
    },
  },
  async (platform) => {
    await platform.send('POST', 'gvc', { name: 'shop' });
    for (let at = 0; at < count; at += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, more) => make(at + more)));
    }
  },
);

function make(number: number): Promise<unknown> {
  return platform.send('POST', 'gvc/shop/identity', { name: `id-${number}`, description: `number ${number % 10}` });
}

const long: JsonObject = {
  spec: {
    match: 'any',
    terms: Array.from({ length: 1_000 }, (_, at) => ({ property: 'description', op: '~', value: `nowhere ${at}` })),
  },
};

function nextOf(body: JsonObject): string {
  const link = listAt(body, 'links').find((each) => isObject(each) && each['rel'] === 'next');
  return (isObject(link) ? stringAt(link, 'href') : undefined) ?? '';
}

test('a query ends when its client has left', async () => {
  const body = JSON.stringify(long);
  const socket = connect(Number(new URL(platform.url).port), '127.0.0.1');
  const path = '/org/local/gvc/shop/identity/-query?limit=33';
  const head = ['POST', path, 'HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: secret-token\r\n'].join(' ');
  socket.write(`${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  // Answered while the query is under way.
  for (let sent = 0; sent < 3; sent += 1) await platform.send('GET', 'gvc/shop');
  socket.destroy();
  const entry = await new Promise<RequestLogEntry>((resolve) => {
    onLogged = () => {
      const found = logged.find((each) => each.method === 'POST' && each.operation === 'identity.query');
      if (found !== undefined) resolve(found);
    };
    onLogged();
  });
  expect(entry.status).toBe(0);
});

test('pages in the order of a field go on where the last one ended, whatever comes and goes', async () => {
  const query = { spec: { terms: [], sort: { by: 'description', order: 'asc' } } };
  const first = await platform.send('POST', 'gvc/shop/identity/-query?limit=200', query);
  const [shown] = names(first);
  await platform.send('DELETE', `gvc/shop/identity/${String(shown)}`);
  await platform.send('POST', 'gvc/shop/identity', { name: 'id-first', description: 'a' });
  await platform.send('POST', 'gvc/shop/identity', { name: 'id-last', description: 'z' });
  const found = [...names(first)];
  for (let next = nextOf(first.body); next !== ''; ) {
    const page = await platform.send('GET', next);
    found.push(...names(page));
    next = nextOf(page.body);
  }
  expect(found).toHaveLength(count + 1);
  expect(new Set(found).size).toBe(count + 1);
  expect(found.at(-1)).toBe('id-last');
});

test.each([
  ['asc', ['none', 'two', 'ten', 'day', 'nine-a', 'two-x']],
  ['desc', ['two-x', 'nine-a', 'day', 'ten', 'two', 'none']],
])('what has no value comes first, then numbers, times and texts: %s', async (order, expected) => {
  await platform.send('PUT', 'gvc', { name: 'mixed' });
  const values = { ten: '10', 'nine-a': '9a', 'two-x': 'x2', two: '2', day: '2024-01-02' };
  await platform.send('PUT', 'gvc/mixed/identity', { name: 'none', tags: {} });
  for (const [name, size] of Object.entries(values)) {
    await platform.send('PUT', 'gvc/mixed/identity', { name, tags: { size } });
  }
  const query = { spec: { terms: [], sort: { by: 'tags.size', order } } };
  const found: unknown[] = [];
  let page = await platform.send('POST', 'gvc/mixed/identity/-query?limit=1', query);
  found.push(...names(page));
  for (let next = nextOf(page.body); next !== ''; next = nextOf(page.body)) {
    page = await platform.send('GET', next);
    found.push(...names(page));
  }
  expect(found).toEqual(expected);
});

test('a cursor that comes from elsewhere is refused', async () => {
  const query = { spec: { terms: [], sort: { by: 'name' } } };
  for (const next of ['7', 'e30', 'W10', 'WzFd']) {
    const answer = await platform.send('POST', `gvc/shop/identity/-query?next=${next}`, query);
    expect([next, answer.status]).toEqual([next, 400]);
  }
});

test('callers take turns, however many requests each of them has', async () => {
  const order: string[] = [];
  function work(caller: string): Promise<void> {
    return Slices.of({ caller }, async (slices) => {
      for (let piece = 0; piece < 2; piece += 1) {
        await slices.next();
        order.push(caller);
      }
    });
  }
  await Promise.all([...Array.from({ length: 20 }, () => work('many')), work('one')]);
  expect(order.slice(0, 4).toSorted()).toEqual(['many', 'many', 'one', 'one']);
});

test('of requests that arrive together only the first begins before others are answered', async () => {
  const begun: number[] = [];
  const works = Array.from({ length: 20 }, (_, at) =>
    Slices.of({ caller: 'crowd' }, async (slices) => {
      begun.push(at);
      await slices.next();
    }),
  );
  expect(begun).toEqual([0]);
  await Promise.all(works);
});

test('one caller has at most 50 long requests under way', async () => {
  let goOn = (): void => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const works = Array.from({ length: 60 }, () =>
    Slices.of({ caller: 'greedy' }, async (slices) => {
      await slices.next();
      await held;
    }).then(
      () => 'done',
      (error: unknown) => (error instanceof Error ? error.message : ''),
    ),
  );
  const other = Slices.of({ caller: 'modest' }, (slices) => slices.next().then(() => 'done'));
  expect(await other).toBe('done');
  goOn();
  const ends = await Promise.all(works);
  const refused = '50 long requests of greedy are in progress; try again';
  expect(ends.filter((end) => end === 'done')).toHaveLength(50);
  expect(ends.filter((end) => end === refused)).toHaveLength(10);
  expect(await Slices.of({ caller: 'greedy' }, (slices) => slices.next().then(() => 'again'))).toBe('again');
});

test('work for a client that has left has no further turn', async () => {
  const work = Slices.of({ caller: 'left', isGone: () => true }, (slices) => slices.next());
  await expect(work).rejects.toThrow(ClientGone);
});
