import { expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../../../src/base/json/json.ts';
import { platformForAll, testPlatform } from '../platform.ts';

let key: string;
const platform = platformForAll({}, async (platform) => {
  await platform.send('POST', 'serviceaccount', { name: 'forger' });
  key =
    stringAt((await platform.send('POST', 'serviceaccount/forger/-addKey', { description: 'x' })).body, 'key') ?? '';
  await platform.send('POST', 'auditctx', { name: 'own' });
  await platform.send('POST', 'policy', {
    name: 'writers',
    targetKind: 'auditctx',
    target: 'all',
    bindings: [{ permissions: ['writeAudit', 'readAudit'], principalLinks: ['//serviceaccount/forger'] }],
  });
});

const trail = '/audit/org/local';
const forged = {
  eventTime: '2020-01-01T00:00:00.000Z',
  resource: { id: 'x', type: 'gvc', name: 'shop' },
  action: { type: 'delete' },
  subject: { email: 'ann@x.io', name: 'ann@x.io', data: { type: 'user', principalLink: '/org/local/user/ann@x.io' } },
  result: { status: 'OK' },
};

async function events(query: string): Promise<readonly JsonObject[]> {
  return listAt((await platform.send('GET', `${trail}?limit=500${query}`)).body, 'items').filter(isObject);
}

/** The clock of this machine may differ from that of the platform: with PostgreSQL, the database has the clock. */
async function platformTime(name: string): Promise<string> {
  const { status, body } = await platform.send('POST', 'auditctx', { name });
  expect(status).toBe(201);
  return stringAt(body, 'created') ?? '';
}

test.each(['', '?async=true'])(
  "no caller can write to the platform's own audit context, whatever its permissions: %j",
  async (query) => {
    for (const authorization of [key, 'secret-token']) {
      const { status, body } = await platform.as(authorization)('POST', `${trail}/auditctx/scheme${query}`, forged);
      const message = expect.stringContaining('POST …/auditctx');
      expect([status, body]).toMatchObject([403, { code: 'platform_context', message }]);
    }
    expect(await events('&subjectName=ann@x.io')).toEqual([]);
    expect((await events('')).filter(({ eventTime }) => String(eventTime).startsWith('2020'))).toEqual([]);
  },
);

test("no caller can write to the platform's own audit context on a server without tokens", async () => {
  const open = await testPlatform({ noAuth: true });
  const headers = { 'content-type': 'application/json' };
  const url = `${open.url}${trail}/auditctx/scheme`;
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(forged) });
  await open.close();
  expect(response.status).toBe(403);
});

test('the attempt is in the trail, with the name of its caller', async () => {
  const [attempt] = await events('&subjectName=//serviceaccount/forger');
  expect(attempt).toMatchObject({ action: { type: 'exec' }, result: { status: 'DENIED' } });
});

test('an event in another context records its real writer and time, whatever subject and time it states', async () => {
  const before = await platformTime('before');
  const stated = { ...forged, context: { eventSource: 'platform', remoteIp: '1.2.3.4' }, postedTime: 'x' };
  expect((await platform.as(key)('POST', `${trail}/auditctx/own`, stated)).status).toBe(201);
  const [event] = await events('&contextName=own');
  expect(objectAt(event ?? {}, 'context')).toMatchObject({ eventSource: '/org/local/serviceaccount/forger' });
  expect(objectAt(event ?? {}, 'context')['remoteIp']).not.toBe('1.2.3.4');
  const after = await platformTime('after');
  for (const time of ['postedTime', 'receivedTime']) {
    const times = [before, stringAt(event ?? {}, time), after];
    expect(times.toSorted()).toEqual(times);
  }
});
