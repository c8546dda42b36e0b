import { expect, test, vi } from 'vitest';
import { isObject, type JsonObject, listAt, stringAt } from '../../src/base/json/json.ts';
import { Slices, sliceMs } from '../../src/server/core/slices.ts';
import { ReplayTransaction } from '../../src/server/store/postgres/transaction.ts';
import { SqliteTransaction } from '../../src/server/store/sqlite/transaction.ts';
import { names, platformForAll } from './platform.ts';

const count = 1_500;
const all = Array.from({ length: count }, (_, at) => `id-${String(at).padStart(4, '0')}`);

const platform = platformForAll({}, async (platform) => {
  await platform.send('POST', 'gvc', { name: 'shop' });
  // One after the other in each of a few lines: the order of a list is that of creation.
  for (let at = 0; at < count; at += 50) await Promise.all(all.slice(at, at + 50).map(make));
});

function make(name: string): Promise<unknown> {
  return platform.send('POST', 'gvc/shop/identity', { name, description: `number ${9_999 - Number(name.slice(3))}` });
}

function unindexed(terms: number): readonly JsonObject[] {
  return Array.from({ length: terms }, (_, at) => ({ property: 'description', op: '~', value: `nowhere ${at}` }));
}

async function followed(query: JsonObject, limit: number): Promise<readonly unknown[]> {
  let page = await platform.send('POST', `gvc/shop/identity/-query?limit=${limit}`, query);
  const found = [...names(page)];
  for (let next = nextOf(page.body); next !== undefined; next = nextOf(page.body)) {
    page = await platform.send('GET', next);
    found.push(...names(page));
  }
  return found;
}

function nextOf(body: JsonObject): string | undefined {
  const link = listAt(body, 'links').find((each) => isObject(each) && each['rel'] === 'next');
  return isObject(link) ? stringAt(link, 'href') : undefined;
}

const sevens = all.filter((name) => String(9_999 - Number(name.slice(3))).includes('77'));

test.each([7, 50, 1_000])('the pages of %d of a query over many records have each match once', async (limit) => {
  const query = { spec: { terms: [{ property: 'description', op: '~', value: '77' }] } };
  const found = await followed(query, limit);
  expect(found).toHaveLength(sevens.length);
  expect(new Set(found)).toEqual(new Set(sevens));
});

/** As where the store has to look up very many records to find where the next ones begin: longer than a slice. */
function slowSelects(): { readonly count: () => number; readonly restore: () => void } {
  // A clock that only these reads move: what else the machine does is in no measurement.
  let nowMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const spies = [SqliteTransaction, ReplayTransaction].map(({ prototype }) => {
    const { select } = prototype;
    return vi.spyOn(prototype, 'select').mockImplementation(function (this: typeof prototype, selection) {
      nowMs += 2 * sliceMs;
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

test('a read that takes long, however few records it gives, is not repeated for every record', async () => {
  const selects = slowSelects();
  try {
    const found = await followed({ spec: { terms: [{ property: 'description', op: '~', value: '77' }] } }, 1_000);
    expect(found).toHaveLength(sevens.length);
    // One for each record before; PostgreSQL runs a transaction again when it has fetched what it needs.
    expect(selects.count()).toBeLessThan(count / 5);
  } finally {
    selects.restore();
  }
});

test('none is what all of its terms leave out', async () => {
  const terms = [{ property: 'description', op: '~', value: '77' }, ...unindexed(30)];
  const found = await followed({ spec: { match: 'none', terms } }, 1_000);
  expect(new Set(found)).toEqual(new Set(all.filter((name) => !sevens.includes(name))));
});

test('in the order of a field, numbers by value: pages continue where the last one ended', async () => {
  const sort = { by: 'description', order: 'asc' };
  const found = await followed({ spec: { terms: [], sort } }, 400);
  expect(found).toEqual(all.toReversed());
});

test('another request is answered while a long query is under way', async () => {
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

test('long work takes turns, one piece in each turn of the event loop', async () => {
  const order: string[] = [];
  async function work(name: string, pieces: number): Promise<void> {
    await Slices.of({ caller: 'one' }, async (slices) => {
      for (let piece = 0; piece < pieces; piece += 1) {
        await slices.next();
        order.push(name);
      }
    });
  }
  async function others(): Promise<void> {
    for (let turn = 0; turn < 5; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      order.push('others');
    }
  }
  await Promise.all([work('a', 3), work('b', 2), others()]);
  expect(order.filter((name) => name !== 'others')).toEqual(['a', 'a', 'b', 'a', 'b']);
  // Never two pieces between two looks at the others.
  expect(order.join(' ')).not.toMatch(/[ab] [ab]/);
});

test('an audit query that the store cannot answer finds each event once, page by page', async () => {
  const path = '/audit/org/local?resourceType=identity&subjectName=ADMIN@example.com&limit=400';
  const found: unknown[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const { body } = await platform.send('GET', next);
    found.push(...listAt(body, 'items').map((item) => (isObject(item) ? item['id'] : item)));
    next = nextOf(body);
  }
  expect([found.length, new Set(found).size]).toEqual([count, count]);
});
