import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { sliceMs } from '../../src/server/core/slices.ts';
import type { RequestLogEntry } from '../../src/server/http/listen.ts';
import { ReplayTransaction } from '../../src/server/store/postgres/transaction.ts';
import { SqliteTransaction } from '../../src/server/store/sqlite/transaction.ts';
import { itemsFrom, manyOf, names, platformForAll } from './platform.ts';

const count = 1_500;
const all = Array.from({ length: count }, (_, at) => `id-${String(at).padStart(4, '0')}`);

const logged: RequestLogEntry[] = [];
const platform = platformForAll({ requestLog: (entry) => logged.push(entry) }, async (platform) => {
  await platform.send('POST', 'gvc', { name: 'shop' });
  await manyOf(count, (at) => make(all[at] ?? ''));
});

function make(name: string): Promise<unknown> {
  return platform.send('POST', 'gvc/shop/identity', { name, description: `number ${9_999 - Number(name.slice(3))}` });
}

function unindexed(terms: number): readonly JsonObject[] {
  return Array.from({ length: terms }, (_, at) => ({ property: 'description', op: '~', value: `nowhere ${at}` }));
}

async function followed(query: JsonObject, limit: number, gvc = 'shop'): Promise<readonly unknown[]> {
  const first = await platform.send('POST', `gvc/${gvc}/identity/-query?limit=${limit}`, query);
  return (await itemsFrom(platform.send, first)).map(({ name }) => name);
}

const sevens = all.filter((name) => String(9_999 - Number(name.slice(3))).includes('77'));

test.each([7, 50, 1_000])(
  'the pages of a query over many records have each match once, with %d matches for each page',
  async (limit) => {
    const query = { spec: { terms: [{ property: 'description', op: '~', value: '77' }] } };
    const found = await followed(query, limit);
    expect(found).toHaveLength(sevens.length);
    expect(new Set(found)).toEqual(new Set(sevens));
  },
);

/** Makes each read of the store take this many slices, one after the other, as if it had to skip very many records. */
function slowSelects(slices: readonly number[]): { readonly count: () => number; readonly restore: () => void } {
  // Only these reads move the clock, so that the load of the machine does not matter.
  let nowMs = 0;
  let reads = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const spies = [SqliteTransaction, ReplayTransaction].map(({ prototype }) => {
    const { select } = prototype;
    return vi.spyOn(prototype, 'select').mockImplementation(function (this: typeof prototype, selection) {
      nowMs += (slices[reads % slices.length] ?? 1) * sliceMs;
      reads += 1;
      return select.call(this, selection);
    });
  });
  return {
    count: () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0),
    restore: () => {
      for (const spy of [clock, ...spies]) spy.mockRestore();
    },
  };
}

test.each([
  ['always as long', [2]],
  ['sometimes longer, on a busy machine', [2, 6]],
])('a read that takes longer than a slice is not repeated for every record: %s', async (_, slices) => {
  const selects = slowSelects(slices);
  try {
    const found = await followed({ spec: { terms: [{ property: 'description', op: '~', value: '77' }] } }, 1_000);
    expect(found).toHaveLength(sevens.length);
    // Without a repeated read for each record. PostgreSQL runs a transaction again after it has fetched its rows.
    expect(selects.count()).toBeLessThan(count / 5);
  } finally {
    selects.restore();
  }
});

test('a query with match none finds the records that no term matches', async () => {
  const terms = [{ property: 'description', op: '~', value: '77' }, ...unindexed(30)];
  const found = await followed({ spec: { match: 'none', terms } }, 1_000);
  expect(new Set(found)).toEqual(new Set(all.filter((name) => !sevens.includes(name))));
});

test('pages sorted by a field, with numbers by value, continue where the last one ended', async () => {
  const sort = { by: 'description', order: 'asc' };
  expect(await followed({ spec: { terms: [], sort } }, 400)).toEqual(all.toReversed());
});

test.each([
  ['asc', ['none', 'two', 'ten', 'day', 'nine-a', 'two-x']],
  ['desc', ['two-x', 'nine-a', 'day', 'ten', 'two', 'none']],
])('records without a value are sorted first, then numbers, times and texts: %s', async (order, expected) => {
  await platform.send('PUT', 'gvc', { name: 'mixed' });
  const values = { ten: '10', 'nine-a': '9a', 'two-x': 'x2', two: '2', day: '2024-01-02' };
  await platform.send('PUT', 'gvc/mixed/identity', { name: 'none', tags: {} });
  for (const [name, size] of Object.entries(values)) {
    await platform.send('PUT', 'gvc/mixed/identity', { name, tags: { size } });
  }
  expect(await followed({ spec: { terms: [], sort: { by: 'tags.size', order } } }, 1, 'mixed')).toEqual(expected);
});

test('a foreign cursor is refused', async () => {
  const query = { spec: { terms: [], sort: { by: 'name' } } };
  for (const next of ['7', 'e30', 'W10', 'WzFd']) {
    const answer = await platform.send('POST', `gvc/shop/identity/-query?next=${next}`, query);
    expect([next, answer.status]).toEqual([next, 400]);
  }
});

test('another request is answered while a long query runs', async () => {
  const answers: string[] = [];
  const query = { spec: { match: 'any', terms: unindexed(1_000) } };
  const long = platform.send('POST', 'gvc/shop/identity/-query', query).then((answer) => {
    answers.push('query');
    return answer;
  });
  for (let sent = 0; sent < 5; sent += 1) {
    await platform.send('GET', 'gvc/shop');
    answers.push('get');
  }
  expect(names(await long)).toEqual([]);
  expect(answers.slice(0, 3)).toEqual(['get', 'get', 'get']);
});

test('a query ends when its client disconnects', async () => {
  const body = JSON.stringify({ spec: { match: 'any', terms: unindexed(1_000) } });
  const socket = connect(Number(new URL(platform.url).port), '127.0.0.1');
  const path = '/org/local/gvc/shop/identity/-query?limit=33';
  const head = ['POST', path, 'HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: secret-token\r\n'].join(' ');
  logged.length = 0;
  socket.write(`${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  // These are answered while the query runs.
  for (let sent = 0; sent < 3; sent += 1) await platform.send('GET', 'gvc/shop');
  socket.destroy();
  await expect.poll(() => logged.find(({ operation }) => operation === 'identity.query')).toMatchObject({ status: 0 });
});

test('an audit query without an index finds each event once, page by page', async () => {
  const made = await platform.send('GET', '/audit/org/local?resourceType=identity&actionType=create&limit=1000');
  const expected = (await itemsFrom(platform.send, made)).length;
  const path = '/audit/org/local?resourceType=identity&actionType=create&subjectName=ADMIN@example.com&limit=400';
  const found = (await itemsFrom(platform.send, await platform.send('GET', path))).map(({ id }) => id);
  expect([found.length, new Set(found).size]).toEqual([expected, expected]);
  expect(expected).toBeGreaterThanOrEqual(count);
});

test('pages sorted by a field continue where the last one ended, even if records are created and deleted meanwhile', async () => {
  const query = { spec: { terms: [], sort: { by: 'description', order: 'asc' } } };
  const first = await platform.send('POST', 'gvc/shop/identity/-query?limit=200', query);
  const [shown] = names(first);
  await platform.send('DELETE', `gvc/shop/identity/${String(shown)}`);
  await platform.send('POST', 'gvc/shop/identity', { name: 'id-first', description: 'a' });
  await platform.send('POST', 'gvc/shop/identity', { name: 'id-last', description: 'z' });
  const found = (await itemsFrom(platform.send, first)).map(({ name }) => name);
  expect(found).toEqual([...all.toReversed(), 'id-last']);
});
