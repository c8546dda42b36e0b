import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json/json.ts';
import { masked } from '../../src/base/json/mask.ts';
import { fetchSnapshot } from '../../src/client/fetchSnapshot.ts';
import { type Reply, type Seen, serve } from './fakeServer.ts';

const secret = { kind: 'secret', name: 's' } as const;

function record(name: string, more: JsonObject = {}): JsonObject {
  const href = `/org/acme/secret/${name}`;
  const tags = { 'gantry/stack': 'shop' };
  return {
    kind: 'secret',
    name,
    type: 'opaque',
    id: `uid-${name}`,
    version: 3,
    tags,
    links: [{ rel: 'self', href }],
    ...more,
  };
}

function refusal(status: number): Reply {
  return { status, body: { status, message: 'no' } };
}

/** Texts that platforms show instead of a value. */
const shownValues: readonly (readonly [string, JsonValue])[] = [
  ['the whole value', { payload: 'hush' }],
  ['stars', '***'],
  ['stars in the form of its type', { payload: '***' }],
  ['[redacted]', { payload: '[redacted]' }],
  ['an empty text', ''],
  ['null', null],
  ['an empty object', {}],
  ["a mask like Gantry's", { sensitive: true }],
];

describe('secret.reveal: a placeholder for a value', () => {
  test.each(shownValues)('%s is not a value in a record, a list, a query or the answer to a write', async (_, data) => {
    const { client } = await serve(({ path, method }) => {
      if (path.endsWith('/-reveal')) return refusal(403);
      const isList = method === 'GET' ? path.includes('?') : path.includes('-query');
      return { body: isList ? { kind: 'list', items: [record('s', { data })], links: [] } : record('s', { data }) };
    });
    const found = [
      await client.read(secret),
      await client.reveal(secret),
      ...(await client.list('secret')),
      ...(await client.query('secret', { match: 'all', terms: [] })),
      await client.create(secret, { name: 's', type: 'opaque', data: { payload: 'hush' } }),
      await client.patch(secret, { description: 'new' }),
    ];
    expect(found.map((live) => live !== undefined && 'data' in live.record)).toEqual([
      false,
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  test.each<[string, JsonValue]>([
    ['stars', '***'],
    ['stars in each field', { username: '********', password: '********' }],
    ['[redacted]', { payload: '[redacted]' }],
  ])('a revealed mask is not a value: %s', async (_, data) => {
    const { client } = await serve(() => ({ body: record('s', { data }) }));
    expect((await client.read(secret))?.record).not.toHaveProperty('data');
  });

  test('a revealed value that contains an empty or a short text is a value', async () => {
    const data = { empty: '', short: '*', flag: 'true' };
    const { client } = await serve(() => ({ body: record('s', { data }) }));
    expect((await client.read(secret))?.record['data']).toEqual(data);
  });

  test('a revealed null is not a value either', async () => {
    const { client } = await serve(() => ({ body: record('s', { data: null }) }));
    expect((await client.read(secret))?.record).not.toHaveProperty('data');
  });
});

/** How platforms answer for an unknown path. */
const unknownPaths: readonly (readonly [string, Reply])[] = [
  ['404', refusal(404)],
  ['405', refusal(405)],
  ['400', refusal(400)],
  ['401', refusal(401)],
  ['501', refusal(501)],
  ['500', refusal(500)],
  ['a page of HTML', { text: '<!doctype html><title>Not found</title>' }],
];

describe('secret.reveal: a platform that answers -reveal with', () => {
  const platform =
    (unknown: Reply, names: readonly string[]) =>
    ({ path }: Seen): Reply => {
      if (path.endsWith('/-reveal') || path === '/discovery') return unknown;
      const records = names.map((name) => record(name));
      if (path.includes('/-query'))
        return { body: { kind: 'list', items: path.includes('/secret/') ? records : [], links: [] } };
      const found = records.find(({ name }) => path === `/org/acme/secret/${name}`);
      return found === undefined ? refusal(404) : { body: found };
    };

  test.each(unknownPaths)('%s has the secrets that it shows by name, and no others', async (_, unknown) => {
    const { client, lines } = await serve(platform(unknown, ['s']), { attempts: 1 });
    expect(await client.read(secret)).toMatchObject({ id: 'secret/s', version: 3 });
    expect(client.capabilities.of('secret.reveal')).toBe('otherwise');
    expect(await client.read({ kind: 'secret', name: 'absent' })).toBeUndefined();
    expect(lines().filter((line) => line.endsWith('/-reveal'))).toHaveLength(1);
  });

  test('404 for an absent secret says nothing about the platform', async () => {
    const { client } = await serve(platform(refusal(404), []));
    expect(await client.read(secret)).toBeUndefined();
    expect(client.capabilities.of('secret.reveal')).toBeUndefined();
  });

  test('404 once, after successful reveals, still counts as a platform that reveals', async () => {
    let count = 0;
    const { client } = await serve(({ path }) => {
      if (path.endsWith('/-reveal')) count += 1;
      return path.endsWith('/-reveal') && count === 2
        ? refusal(404)
        : { body: record('s', { data: { payload: 'x' } }) };
    });
    const read = async () => (await client.read(secret))?.record['data'];
    expect([await read(), await read(), await read()]).toEqual([{ payload: 'x' }, undefined, { payload: 'x' }]);
  });

  test('404 gets one request for a whole stack, and every value is unknown', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const { client, lines } = await serve(platform(refusal(404), names));
    const declared = names.map((name) => ({ kind: 'secret', name }) as const);
    const snapshot = await fetchSnapshot(client, { org: 'acme', owner: 'shop', declared, referenced: [] });
    expect([...snapshot.unrevealed].sort()).toEqual(['secret/a', 'secret/b', 'secret/c', 'secret/d']);
    expect([...snapshot.resources.keys()]).toEqual(['secret/a', 'secret/b', 'secret/c', 'secret/d']);
    expect(lines().filter((line) => line.endsWith('/-reveal'))).toEqual(['GET /org/acme/secret/a/-reveal']);
  });

  test('values gets simultaneous requests if /discovery says reveal: honoured', async () => {
    const order: string[] = [];
    const { client } = await serve(({ path }) => {
      order.push(path);
      if (path === '/discovery') return { body: { reveal: 'honoured' } };
      const revealed = /secret\/(\w)\/-reveal/.exec(path)?.[1];
      if (revealed !== undefined) return { body: record(revealed, { data: { payload: revealed } }) };
      return { body: { kind: 'list', items: path.includes('/secret/') ? [record('a'), record('b')] : [], links: [] } };
    });
    const declared = ['a', 'b'].map((name) => ({ kind: 'secret', name }) as const);
    const snapshot = await fetchSnapshot(client, { org: 'acme', owner: 'shop', declared, referenced: [] });
    expect([...snapshot.unrevealed]).toEqual([]);
    expect(snapshot.resources.get('secret/b')?.record['data']).toEqual({ payload: 'b' });
  });
});

describe('the client sends no mask', () => {
  const bodies: readonly (readonly [string, JsonObject])[] = [
    ['the mask itself, at any place', { spec: { env: [{ name: 'A', value: masked }] } }],
    ['a mask-like object as the value', { data: { sensitive: true } }],
    ['the same by a directive', { '$replace/data': { sensitive: true } }],
    ['a mask beside the value', { spec: { sensitive: true } }],
    ['the removal of the value', { $drop: ['data'] }],
  ];
  test.each(bodies)('%s: nothing is sent', async (_, body) => {
    const { client, seen } = await serve(() => ({ body: record('s') }));
    await expect(client.patch(secret, body)).rejects.toMatchObject({ code: 'internal.mask' });
    await expect(client.create(secret, body)).rejects.toMatchObject({ code: 'internal.mask' });
    expect(seen).toEqual([]);
  });

  test('requests of every kind are checked', async () => {
    const { client, seen } = await serve(() => ({ body: record('s') }));
    const request = { method: 'PUT', path: '/org/acme/gvc/g', body: { spec: { env: [masked] } } } as const;
    await expect(client.call(request)).rejects.toMatchObject({ code: 'internal.mask' });
    expect(seen).toEqual([]);
  });

  test("a user's own field sensitive: true is sent", async () => {
    const { client, seen } = await serve(() => ({ body: record('s') }));
    await client.call({ method: 'PUT', path: '/org/acme/gvc/g', body: { spec: { custom: { sensitive: true } } } });
    await client.patch(secret, { tags: { sensitive: true } });
    expect(seen).toHaveLength(2);
  });
});
