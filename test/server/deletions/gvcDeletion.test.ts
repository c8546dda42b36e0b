import { setTimeout as passes } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt } from '../../../src/base/json/json.ts';
import { names, testPlatform } from '../platform.ts';

/** More records than two steps delete. */
const content = Array.from({ length: 90 }, (_, at) => `id-${at}`);

type Send = (
  method: string,
  path: string,
  body?: JsonObject,
) => Promise<{ readonly status: number; readonly body: JsonObject }>;

async function fill(send: Send, more: JsonObject = {}): Promise<void> {
  await send('POST', 'gvc', { name: 'shop' });
  for (const name of content) await send('POST', 'gvc/shop/identity', { name, ...more });
}

async function untilGone(send: Send): Promise<void> {
  while ((await send('GET', 'gvc/shop')).status !== 404) await passes(10);
}

async function deletions(send: Send): Promise<readonly JsonObject[]> {
  const { body } = await send('GET', '/audit/org/local?actionType=delete&limit=1000');
  return listAt(body, 'items').filter(isObject);
}

test('a large GVC is deleted in steps, and is shown until its last record is deleted', async () => {
  // With SQLite a timer reads this clock, so the second step is not due while the clock stands still.
  let stoodAt: number | undefined;
  const platform = await testPlatform({ data: ':memory:', now: () => stoodAt ?? Date.now() });
  await fill(platform.send);
  stoodAt = Date.now();
  const answer = await platform.send('DELETE', 'gvc/shop');
  const [shown, again, anew, inside] = await Promise.all([
    platform.send('GET', 'gvc/shop'),
    platform.send('DELETE', 'gvc/shop'),
    platform.send('POST', 'gvc', { name: 'shop' }),
    platform.send('POST', 'gvc/shop/identity', { name: 'late' }),
  ]);
  expect([answer.status, shown.status, again.status, anew.status, inside.status]).toEqual([202, 200, 404, 409, 404]);
  expect(anew.body['code']).toBe('being_deleted');
  expect(names(await platform.send('GET', 'identity?limit=100')).length).toBeGreaterThan(0);

  stoodAt = undefined;
  await untilGone(platform.send);
  expect(names(await platform.send('GET', 'identity'))).toEqual([]);
  const events = await deletions(platform.send);
  expect(events.filter((event) => objectAt(event, 'result')['status'] === 'OK')).toHaveLength(content.length + 1);
  expect(new Set(events.map((event) => objectAt(event, 'subject')['email']))).toEqual(new Set(['admin@example.com']));
  expect((await platform.send('POST', 'gvc', { name: 'shop' })).status).toBe(201);
  expect(names(await platform.send('GET', 'gvc/shop/identity'))).toEqual([]);
  await platform.close();
});

test('each event has the id of the request that deleted the GVC', async () => {
  const platform = await testPlatform();
  await fill(platform.send);
  const { headers } = await platform.send('DELETE', 'gvc/shop');
  await untilGone(platform.send);
  const requests = new Set((await deletions(platform.send)).map((event) => event['requestId']));
  expect(requests).toEqual(new Set([headers.get('x-request-id')]));
  await platform.close();
});

test('one protected record in a GVC prevents the deletion of all its records', async () => {
  const platform = await testPlatform();
  await fill(platform.send);
  await platform.send('PATCH', 'gvc/shop/identity/id-77', { tags: { 'scheme/protected': 'true' } });
  const answer = await platform.send('DELETE', 'gvc/shop');
  expect([answer.status, answer.body['code']]).toEqual([400, 'protected']);
  expect(answer.body['message']).toContain('identity/shop/id-77');
  expect(names(await platform.send('GET', 'gvc/shop/identity?limit=100'))).toHaveLength(content.length);
  await platform.close();
});

test.each([
  ['in steps', 90],
  ['in one step', 1],
])('an IP set releases the addresses with policy free of a GVC that is deleted %s', async (_, size) => {
  const platform = await testPlatform();
  await platform.send('POST', 'gvc', {
    name: 'shop',
    spec: {
      staticPlacement: { locationLinks: ['//location/aws-eu-central-1'] },
      loadBalancer: { dedicated: true, ipSet: '//ipset/front' },
    },
  });
  const spec = { link: '//gvc/shop', locations: [{ name: '//location/aws-eu-central-1', retentionPolicy: 'free' }] };
  expect((await platform.send('POST', 'ipset', { name: 'front', spec })).status).toBe(201);
  for (const name of content.slice(0, size)) await platform.send('POST', 'gvc/shop/identity', { name });
  const addresses = async () => {
    const { body } = await platform.send('GET', 'ipset/front');
    return listAt(objectAt(body, 'status'), 'ipAddresses')
      .filter(isObject)
      .map(({ state }) => state);
  };
  expect(await addresses()).toEqual(['bound']);
  expect((await platform.send('DELETE', 'gvc/shop')).status).toBe(202);
  await untilGone(platform.send);
  expect(await addresses()).toEqual([]);
  await platform.close();
});

test('a record in a GVC that is being deleted cannot be changed, deleted or given a command', async () => {
  let stoodAt: number | undefined;
  const platform = await testPlatform({ data: ':memory:', now: () => stoodAt ?? Date.now() });
  await fill(platform.send);
  stoodAt = Date.now();
  await platform.send('DELETE', 'gvc/shop');
  // The last step deletes it.
  const inside = 'gvc/shop/identity/id-89';
  const answers = [
    await platform.send('PATCH', inside, { description: 'late' }),
    await platform.send('PUT', inside, { name: 'id-89' }),
    await platform.send('DELETE', inside),
    await platform.send('GET', `${inside}/-accessreport`),
  ];
  expect(answers.map(({ status, body }) => [status, body['message']])).toEqual(
    Array.from({ length: 4 }, () => [404, '/org/local/gvc/shop does not exist']),
  );
  stoodAt = undefined;
  await untilGone(platform.send);
  await platform.close();
});
