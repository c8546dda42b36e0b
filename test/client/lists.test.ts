import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { IncompleteList } from '../../src/client/incompleteList.ts';
import { type Fixture, list, type Reply, record, type Seen, serve } from './fakeServer.ts';

const named = (names: readonly string[]) => names.map((name) => record('gvc', name));
const gone: Reply = { status: 404, body: { message: 'no such path' } };

async function ids({ client }: Fixture): Promise<readonly string[]> {
  return (await client.list('gvc')).map(({ id }) => id);
}

async function incomplete({ client }: Fixture): Promise<IncompleteList> {
  const error: unknown = await client.list('gvc').catch((reason: unknown) => reason);
  if (error instanceof IncompleteList) return error;
  throw new Error(`the list is not known to be incomplete: ${String(error)}`);
}

/** Two pages: `more` in the first one leads to the second one, which is at the given path. */
function inTwo(more: JsonObject, second: (path: string) => boolean, headers: Record<string, string> = {}) {
  return ({ path }: Seen): Reply => {
    if (second(path)) return { body: { items: named(['c', 'd']) } };
    return { body: { items: named(['a', 'b']), ...more }, headers };
  };
}

const page2 = '/org/acme/gvc?page=2';

describe('the next page of a list', () => {
  test.each<readonly [string, JsonObject]>([
    ['a member next', { next: page2 }],
    ['an object next', { next: { href: page2 } }],
    ['nextLink', { nextLink: page2 }],
    ['nextPage', { nextPage: page2 }],
    ['a link in a map of links', { links: { next: page2 } }],
    ['a link in metadata', { metadata: { next: page2 } }],
    ['an address that consists of a query', { next: '?page=2' }],
    ['an address relative to the page', { links: [{ rel: 'next', href: 'gvc?page=2' }] }],
    ['a link', { links: [{ rel: 'next', href: page2 }] }],
  ])('is read at %s', async (_, more) => {
    const fixture = await serve(inTwo(more, (path) => path === page2));
    expect(await ids(fixture)).toEqual(['gvc/a', 'gvc/b', 'gvc/c', 'gvc/d']);
  });

  test('read.steady-pages: a record on two pages counts once', async () => {
    const moving = ({ path }: Seen): Reply =>
      path === page2
        ? { body: { items: named(['b', 'c']), total: 3 } }
        : { body: { items: named(['a', 'b']), next: page2 } };
    expect(await ids(await serve(moving))).toEqual(['gvc/a', 'gvc/b', 'gvc/c']);
  });

  test('read.steady-pages: a record on two pages does not hide a record that is on none', async () => {
    const moving = ({ path }: Seen): Reply =>
      path === page2
        ? { body: { items: named(['b']), total: 3 } }
        : { body: { items: named(['a', 'b']), next: page2 } };
    expect((await incomplete(await serve(moving))).records.map(({ id }) => id)).toEqual(['gvc/a', 'gvc/b']);
  });

  test('is read from the header Link (RFC 8288)', async () => {
    const link = '<https://other.example/help>; rel="help", </org/acme/gvc?page=2>; rel="next"';
    const fixture = await serve(inTwo({}, (path) => path === page2, { link }));
    expect(await ids(fixture)).toEqual(['gvc/a', 'gvc/b', 'gvc/c', 'gvc/d']);
  });

  test.each([
    ['nextToken', { nextToken: 't+1' }, 'nextToken=t%2B1'],
    ['nextPageToken', { nextPageToken: 't' }, 'pageToken=t'],
    ['continue', { metadata: { continue: 't' } }, 'continue=t'],
    ['cursor', { cursor: 't' }, 'cursor=t'],
    ['a number nextPage', { nextPage: 2 }, 'page=2'],
  ])('is requested with the token of %s', async (_, more, parameter) => {
    const fixture = await serve(inTwo(more, (path) => path.endsWith(`&${parameter}`)));
    expect(await ids(fixture)).toEqual(['gvc/a', 'gvc/b', 'gvc/c', 'gvc/d']);
    expect(fixture.lines()).toHaveLength(2);
  });

  test('of a query with a continuation token is the same query again', async () => {
    const fixture = await serve(inTwo({ nextToken: 't' }, (path) => path.includes('nextToken')));
    expect(await fixture.client.query('gvc', { match: 'any', terms: [] })).toHaveLength(4);
    expect(fixture.seen.map(({ method, body }) => [method, body])).toEqual([
      ['POST', fixture.seen[0]?.body],
      ['POST', fixture.seen[0]?.body],
    ]);
  });
});

describe('a list is known to be incomplete', () => {
  test.each<readonly [string, JsonObject, string]>([
    ['by a total larger than its length', { total: 5 }, 'it shows 2 of 5'],
    ['by a count larger than its length', { meta: { count: 3 } }, 'it shows 2 of 3'],
    ['by a sign that there are more', { hasMore: true }, 'it says that there are more'],
    ['by a token that leads to the same page', { nextToken: 't' }, 'there are more behind nextToken=t'],
    ['by a next page on another host', { next: 'http://elsewhere.example/x' }, 'on another host'],
    ['by a next page that does not exist', { next: '/org/acme/gone' }, 'its next page cannot be read'],
  ])('%s, and its records are returned', async (_, more, why) => {
    const fixture = await serve(({ path }) =>
      path === '/org/acme/gone' ? gone : { body: { items: named(['a', 'b']), ...more } },
    );
    const error = await incomplete(fixture);
    expect(error).toMatchObject({ code: 'api.incomplete-list', message: expect.stringContaining(why) });
    expect(error.records.map(({ id }) => id)).toEqual(['gvc/a', 'gvc/b']);
  });

  test('read.pages: if the platform cuts a list without a sign, which a list of one record tests once', async () => {
    const fixture = await serve(({ path }) => ({
      body: { items: named(path.endsWith('limit=1') ? ['a'] : ['a', 'b']) },
    }));
    expect((await incomplete(fixture)).message).toContain('cuts lists without a sign');
    await incomplete(fixture);
    expect(fixture.lines().filter((line) => line.endsWith('limit=1'))).toHaveLength(1);
    expect(fixture.client.capabilities.of('read.pages')).toBe('otherwise');
  });

  test('by a stated page size without a sign of the end', async () => {
    const fixture = await serve(() => ({ body: { items: named(['a', 'b']), limit: 2 } }));
    expect((await incomplete(fixture)).message).toContain('it shows 2, which may be the most of one page');
  });
});

test('a list is complete if the platform ignores a limit, or shows how to continue', async () => {
  expect(await ids(await serve(() => ({ body: { items: named(['a', 'b']) } })))).toHaveLength(2);
  const linked = await serve(({ path }) => ({
    body: path.endsWith('limit=1') ? { items: named(['a']), next: page2 } : { items: named(['a', 'b']) },
  }));
  expect(await ids(linked)).toHaveLength(2);
  expect(linked.client.capabilities.of('read.pages')).toBe('holds');
});

test.each<readonly [string, unknown]>([
  ['an array', named(['a'])],
  ['a member data', { data: named(['a']) }],
  ['a member results', { results: named(['a']) }],
])('a list may be %s', async (_, body) => {
  expect(await ids(await serve(() => ({ body })))).toEqual(['gvc/a']);
});

test('read.items: an item of a kind without spec and without content is read by its name', async () => {
  const whole = (name: string) => record('group', name, { memberLinks: ['//user/ann'] });
  const fixture = await serve(({ path }) => ({
    body: path.includes('?') ? { items: [{ ...whole('a'), memberLinks: undefined }] } : whole('a'),
  }));
  expect((await fixture.client.list('group'))[0]?.record['memberLinks']).toEqual(['//user/ann']);
});

test('a list that names its own address is complete without a further request', async () => {
  const fixture = await serve(() => ({ body: list(named(['a', 'b'])) }));
  expect(await ids(fixture)).toHaveLength(2);
  expect(fixture.lines()).toEqual(['GET /org/acme/gvc?limit=1000']);
});

test('read.limit: a platform that refuses the parameter gets no limit, after one refusal for all lists', async () => {
  const fixture = await serve(({ path }) =>
    path.includes('limit')
      ? { status: 400, body: { message: 'unknown parameter limit' } }
      : { body: { items: named(['a', 'b']) } },
  );
  expect(await ids(fixture)).toHaveLength(2);
  expect(await ids(fixture)).toHaveLength(2);
  expect(fixture.lines()).toEqual(['GET /org/acme/gvc?limit=1000', 'GET /org/acme/gvc', 'GET /org/acme/gvc']);
});

describe('read.items: an item that is not a complete record is read by its name', () => {
  const whole = (name: string) => record('workload', name, { tags: { 'gantry/stack': 'shop' } }, 'shop');
  const self = (name: string) => `/org/acme/gvc/shop/workload/${name}`;

  test.each<readonly [string, (name: string) => unknown]>([
    ['without spec', (name) => ({ ...whole(name), spec: undefined })],
    ['without tags', (name) => ({ ...whole(name), tags: undefined })],
    ['with an empty spec', (name) => ({ ...whole(name), spec: {} })],
    ['with only a name and links', (name) => ({ name, links: [{ rel: 'self', href: self(name) }] })],
    ['of an address', (name) => ({ href: `https://elsewhere.example${self(name)}` })],
    ['that is a text', (name) => self(name)],
  ])('%s', async (_, slim) => {
    const fixture = await serve(({ path }) => {
      const name = path.split('/').at(-1) ?? '';
      return path.startsWith(self('')) ? { body: whole(name) } : { body: { ...list([]), items: ['a', 'b'].map(slim) } };
    });
    const found = await fixture.client.list('workload');
    expect(found.map(({ id, record }) => [id, record['tags'], record['spec']])).toEqual([
      ['workload/shop/a', { 'gantry/stack': 'shop' }, { fake: true }],
      ['workload/shop/b', { 'gantry/stack': 'shop' }, { fake: true }],
    ]);
  });

  test('of a list of one GVC, by its name alone', async () => {
    const fixture = await serve(({ path }) => {
      const name = path.split('/').at(-1) ?? '';
      return path.startsWith(self('')) ? { body: whole(name) } : { body: { ...list([]), items: ['a'] } };
    });
    expect((await fixture.client.list('workload', 'shop')).map(({ id }) => id)).toEqual(['workload/shop/a']);
  });

  test('but an item is complete if its record has no more fields, which one read shows for a kind', async () => {
    const untagged = ['a', 'b'].map((name) => ({ ...record('gvc', name), tags: undefined }));
    const fixture = await serve(({ path }) => ({
      body: path.includes('?') ? { ...list([]), items: untagged } : { ...untagged[0] },
    }));
    expect(await ids(fixture)).toHaveLength(2);
    expect(await ids(fixture)).toHaveLength(2);
    expect(fixture.lines()).toEqual([
      'GET /org/acme/gvc?limit=1000',
      'GET /org/acme/gvc/a',
      'GET /org/acme/gvc?limit=1000',
    ]);
  });
});
