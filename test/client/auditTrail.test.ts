import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type JsonObject, objectAt } from '../../src/base/json/json.ts';
import { auditTrail, auditTrailOfName } from '../../src/client/auditTrail.ts';
import { type Client, makeClient } from '../../src/client/client.ts';
import { dialect } from '../dialect/invented.ts';
import { keyOf } from '../server/access/callers.ts';
import { type TestPlatform, testPlatform } from '../server/platform.ts';
import { serve } from './fakeServer.ts';

const gvc = { kind: 'gvc', name: 'shop' } as const;

function clientOf({ url }: TestPlatform, token = 'secret-token', more = {}): Client {
  const client = makeClient({ endpoint: url, token, org: 'local', ...more });
  onTestFinished(() => client.close());
  return client;
}

test("a clock that is set back changes neither the order of a record's writes nor their times", async () => {
  const at = (time: string) => Date.parse(`2026-01-05T${time}Z`);
  let nowMs = at('12:00:05');
  const platform = await testPlatform({ data: ':memory:', now: () => nowMs });
  onTestFinished(() => platform.close());
  await platform.send('POST', 'gvc', { name: 'backwards' });
  nowMs = at('12:00:00');
  const { body } = await platform.send('PATCH', 'gvc/backwards', { description: 'one' });
  await platform.send('DELETE', 'gvc/backwards');
  const writes = await auditTrailOfName(clientOf(platform), { kind: 'gvc', name: 'backwards' });
  expect(body['lastModified']).toBe('2026-01-05T12:00:05.000Z');
  expect(writes?.map(({ action, version, at: time }) => [action, version, time])).toEqual([
    ['delete', 2, '2026-01-05T12:00:05.000Z'],
    ['edit', 2, '2026-01-05T12:00:05.000Z'],
    ['create', 1, '2026-01-05T12:00:05.000Z'],
  ]);
});

describe('the audit trail of the embedded platform', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await testPlatform();
  });
  afterAll(() => platform.close());

  async function made(name: string): Promise<string> {
    const { body } = await platform.send('POST', 'gvc', { name, description: '0' });
    return String(body['id']);
  }

  test('each write has its writer, its version and the record after it, newest first', async () => {
    const uid = await made('told');
    await platform.send('PATCH', 'gvc/told', { description: 'one' });
    await platform.send('POST', 'serviceaccount', { name: 'robot' });
    await platform.send('POST', 'policy', {
      name: 'robot-edits',
      targetKind: 'gvc',
      target: 'all',
      bindings: [{ permissions: ['edit'], principalLinks: ['//serviceaccount/robot'] }],
    });
    const token = await keyOf(platform.send, 'robot');
    await clientOf(platform, token).patch({ kind: 'gvc', name: 'told' }, { description: 'two' });

    const writes = await auditTrail(clientOf(platform))(uid);
    expect(
      writes?.map(({ action, version, writer, record }) => [action, version, writer.name, record['description']]),
    ).toEqual([
      ['edit', 3, 'robot', 'two'],
      ['edit', 2, 'admin@example.com', 'one'],
      ['create', 1, 'admin@example.com', '0'],
    ]);
    expect(writes?.map(({ writer }) => writer.type)).toEqual(['serviceaccount', 'user', 'user']);
    expect(writes?.every(({ at }) => /^\d{4}-\d\d-\d\dT/.test(at))).toBe(true);
  });

  test('a trail of several pages is read to its end', async () => {
    const uid = await made('long');
    for (let version = 2; version <= 130; version += 1) {
      await platform.send('PATCH', 'gvc/long', { description: String(version) });
    }
    const client = clientOf(platform);
    const writes = await auditTrail(client)(uid);
    expect(writes?.length).toBe(130);
    expect(writes?.at(-1)?.action).toBe('create');
    expect(client.requests()).toBe(2);
  });

  test('each record is read once, however many callers request it', async () => {
    const uid = await made('once');
    const client = clientOf(platform);
    const writesOf = auditTrail(client);
    const [first, second] = await Promise.all([writesOf(uid), writesOf(uid)]);
    expect(await writesOf(uid)).toBe(first);
    expect(second).toBe(first);
    expect(client.requests()).toBe(1);
  });

  test('a refused write is not in it', async () => {
    const uid = await made('refused');
    expect((await platform.send('PATCH', 'gvc/refused', { spec: { nonsense: 1 } })).status).toBe(400);
    expect((await auditTrail(clientOf(platform))(uid))?.length).toBe(1);
  });

  test('it is unknown without readAudit, and without the org', async () => {
    const uid = await made('hidden');
    await platform.send('POST', 'serviceaccount', { name: 'blind' });
    const blind = clientOf(platform, await keyOf(platform.send, 'blind'));
    expect(await auditTrail(blind)(uid)).toBeUndefined();
    expect(await auditTrailOfName(blind, { kind: 'gvc', name: 'hidden' })).toBeUndefined();
    expect(await auditTrail(clientOf(platform, 'secret-token', { org: 'nowhere' }))(uid)).toBeUndefined();
  });

  test('it contains no values of secrets', async () => {
    const { body } = await platform.send('POST', 'secret', {
      name: 'key',
      type: 'opaque',
      data: { payload: 'CANARY' },
    });
    const writes = await auditTrail(clientOf(platform))(String(body['id']));
    expect(writes?.length).toBe(1);
    expect(JSON.stringify(writes)).not.toContain('CANARY');
  });

  test('a name finds deleted records too, but only of exactly this address', async () => {
    for (const name of ['east', 'west']) {
      await made(name);
      await platform.send('POST', `gvc/${name}/identity`, { name: 'app' });
    }
    await platform.send('DELETE', 'gvc/east/identity/app');
    const writes = await auditTrailOfName(clientOf(platform), { kind: 'identity', name: 'app', gvc: 'east' });
    expect(writes?.map(({ action }) => action)).toEqual(['delete', 'create']);
  });
});

test('records in the audit trail of a platform with other words have neutral words', async () => {
  const platform = await testPlatform({ dialect });
  onTestFinished(() => platform.close());
  const { body } = await platform.send('POST', 'gvc', { name: 'shop', tags: { 'quay/protected': 'true' } });
  const client = clientOf(platform, 'secret-token', { dialect });
  for (const writes of [await auditTrail(client)(String(body['id'])), await auditTrailOfName(client, gvc)]) {
    expect(writes?.map(({ record }) => objectAt(record, 'tags'))).toEqual([{ 'scheme/protected': 'true' }]);
  }
});

describe('the audit trail of other platforms', () => {
  const event = (version: number, more: JsonObject = {}): JsonObject => ({
    eventTime: `2026-01-0${version}`,
    resource: { id: 'u', data: { name: 'shop', version, links: [{ rel: 'self', href: '/org/acme/gvc/shop' }] } },
    action: { type: version === 1 ? 'create' : 'edit' },
    subject: { email: 'a@b.example' },
    result: { status: 'OK' },
    ...more,
  });
  const page = (items: readonly JsonObject[], next?: string): JsonObject => ({
    items,
    links: next === undefined ? [] : [{ rel: 'next', href: next }],
  });

  test.each([404, 403, 400, 405])('audit.trail: after %d it is unknown', async (status) => {
    const { client } = await serve(() => ({ status, body: { status, message: 'no' } }));
    expect(await auditTrail(client)('u')).toBeUndefined();
  });

  test.each(['http://elsewhere.example/audit?next=1', '//elsewhere.example/audit?next=1'])(
    'a next page on another host is not followed: %s',
    async (next) => {
      const { client, lines } = await serve(() => ({ body: page([event(2)], next) }));
      expect((await auditTrail(client)('u'))?.length).toBe(1);
      expect(lines().length).toBe(1);
    },
  );

  test.each([405, 500, 501])(
    'audit.trail: a platform without one (%i) gets a request for one record only',
    async (status) => {
      const { client, lines } = await serve(() => ({ status, body: { message: 'no such path' } }));
      const writesOf = auditTrail(client);
      expect(await writesOf('first')).toBeUndefined();
      const sent = lines().length;
      expect(await writesOf('second')).toBeUndefined();
      expect(lines()).toHaveLength(sent);
      expect(sent).toBeLessThanOrEqual(3);
    },
  );

  test('writes are in the order of their versions, whatever the clocks of two servers', async () => {
    const gone = event(3, { action: { type: 'delete' }, eventTime: '2026-01-01' });
    const { client } = await serve(() => ({
      body: page([event(1), event(3, { eventTime: '2026-01-02' }), gone, event(2)]),
    }));
    expect((await auditTrail(client)('u'))?.map(({ action, version }) => `${action} ${version}`)).toEqual([
      'delete 3',
      'edit 3',
      'edit 2',
      'create 1',
    ]);
  });

  test('an endless trail is read for ten pages', async () => {
    const { client, lines } = await serve(() => ({ body: page([event(2)], '/audit/org/acme/resource/id/u?next=x') }));
    expect((await auditTrail(client)('u'))?.length).toBe(10);
    expect(lines().length).toBe(10);
  });

  test('the pages before a failed page are used, because the newest writes are first', async () => {
    const { client } = await serve((_, count) =>
      count === 1
        ? { body: page([event(2)], '/audit/org/acme/resource/id/u?next=x') }
        : { status: 403, body: { status: 403, message: 'no' } },
    );
    expect((await auditTrail(client)('u'))?.map(({ version }) => version)).toEqual([2]);
  });

  test('the request covers the whole time, and ids and names are escaped', async () => {
    const { client, lines } = await serve(() => ({ body: page([]) }));
    await auditTrail(client)('../x?y');
    await auditTrailOfName(client, { kind: 'gvc', name: 'a/b' });
    expect(lines()).toEqual([
      'GET /audit/org/acme/resource/id/..%2Fx%3Fy?fromEvent=1970-01-01T00:00:00.000Z&limit=100',
      'GET /audit/org/acme/resource/name/a%2Fb?fromEvent=1970-01-01T00:00:00.000Z&limit=100&resourceType=gvc',
    ]);
  });

  test('audit.events: events without a version, without a result, or of another action are left out', async () => {
    const odd = [
      event(3, { resource: {} }),
      event(3, { result: {} }),
      event(3, { action: { type: 'dream' } }),
      event(2, { subject: {} }),
    ];
    const { client } = await serve(() => ({ body: page(odd) }));
    expect((await auditTrail(client)('u'))?.map(({ version, writer }) => [version, writer])).toEqual([
      [2, { name: 'unknown', type: 'unknown' }],
    ]);
  });
});
