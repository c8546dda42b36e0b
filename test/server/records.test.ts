import { afterEach, beforeEach, expect, test } from 'vitest';
import { container, type TestPlatform, testPlatform } from './platform.ts';

let platform: TestPlatform;
beforeEach(async () => {
  platform = await testPlatform();
});
afterEach(() => platform.close());

test('POST answers 201 with Location and the record, filled as in resources A.7 (protocol 3.1)', async () => {
  const { status, headers, body } = await platform.send('POST', 'gvc', {
    name: 'shop',
    kind: 'gvc',
    version: 9,
    links: [],
  });
  expect([status, headers.get('location')]).toEqual([201, '/org/local/gvc/shop']);
  expect(body).toMatchObject({ version: 1, description: 'shop', tags: {}, spec: { endpointNamingFormat: 'org' } });
  expect(body['alias']).toMatch(/^[a-z0-9]{13}$/);
});

interface Refusal {
  readonly it: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly status: number;
}

const refusals: readonly Refusal[] = [
  { it: 'a name that is taken', method: 'POST', path: 'location', body: { name: 'aws-us-east-1' }, status: 409 },
  { it: 'an unknown field', method: 'POST', path: 'gvc', body: { name: 'abc', spec: { nope: 1 } }, status: 400 },
  { it: 'no name', method: 'POST', path: 'gvc', body: {}, status: 400 },
  { it: 'another kind', method: 'POST', path: 'gvc', body: { kind: 'group', name: 'abc' }, status: 400 },
  { it: 'bad JSON', method: 'POST', path: 'gvc', body: '{', status: 400 },
  { it: 'JSON that is no object', method: 'POST', path: 'gvc', body: '[]', status: 400 },
  {
    it: 'nesting without end',
    method: 'POST',
    path: 'gvc',
    body: '[{"a":'.repeat(2000) + '1' + '}]'.repeat(2000),
    status: 400,
  },
  { it: 'a body that is too large', method: 'POST', path: 'gvc', body: 'x'.repeat(17 * 1024 * 1024), status: 413 },
  { it: 'an absent parent', method: 'POST', path: 'gvc/none/identity', body: { name: 'abc' }, status: 404 },
  { it: 'an absent record', method: 'GET', path: 'gvc/none', status: 404 },
  { it: 'a name of Object.prototype', method: 'GET', path: 'gvc/__proto__', status: 404 },
  { it: 'an unknown kind', method: 'GET', path: 'constructor', status: 404 },
  { it: 'an unknown operation', method: 'GET', path: 'gvc/-nope', status: 404 },
  { it: 'a bad percent-encoding', method: 'GET', path: 'gvc/%zz', status: 400 },
  { it: 'another org', method: 'GET', path: '/org/other/gvc', status: 404 },
  { it: 'deletion of the org', method: 'DELETE', path: '/org/local', status: 405 },
  { it: 'creation of a user', method: 'POST', path: 'user', body: { name: 'abc' }, status: 405 },
  { it: 'another name in PUT', method: 'PUT', path: 'gvc/abc', body: { name: 'abd' }, status: 400 },
  {
    it: 'change of a built-in policy',
    method: 'PATCH',
    path: 'policy/viewers-gvc',
    body: { description: 'x' },
    status: 400,
  },
  {
    it: 'a link to nothing',
    method: 'POST',
    path: 'gvc',
    body: { name: 'abc', spec: { pullSecretLinks: ['//secret/none'] } },
    status: 400,
  },
  { it: 'a cursor that is none', method: 'GET', path: 'gvc?next=x', status: 400 },
];

test.each(refusals)(
  '$method is refused with $status for $it (specification 7)',
  async ({ method, path, body, status }) => {
    const answer = await platform.send(method, path, body);
    expect(answer.body).toMatchObject({ status, message: expect.any(String), id: expect.any(String) });
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body)).not.toContain('node:');
  },
);

test('a wrong or missing token is 401, with and without Bearer it is let in (protocol 1.1)', async () => {
  const asked = ['', 'wrong', 'Bearer wrong', 'secret-token', 'Bearer secret-token', 'bearer secret-token'].map(
    async (authorization) => (await fetch(`${platform.url}/org/local`, { headers: { authorization } })).status,
  );
  expect(await Promise.all(asked)).toEqual([401, 401, 401, 200, 200, 200]);
});

test('PATCH raises the version by one for a change, and never without one (protocol 4.1, 7.7)', async () => {
  const { body } = await platform.send('POST', 'gvc', { name: 'shop' });
  const changed = await platform.send('PATCH', 'gvc/shop', { id: body['id'], version: 1, tags: { a: 'b' } });
  expect(changed.body).toMatchObject({ version: 2, tags: { a: 'b' } });
  const same = await platform.send('PATCH', 'gvc/shop', { ...changed.body });
  expect([same.status, same.body['version']]).toEqual([200, 2]);
  expect((await platform.send('PATCH', 'gvc/shop', { version: 1, tags: { a: 'c' } })).status).toBe(409);
  expect((await platform.send('PATCH', 'gvc/shop', { id: 'other', tags: { a: 'c' } })).status).toBe(409);
  expect((await platform.send('PATCH', 'gvc/shop', { name: 'other' })).status).toBe(400);
  expect((await platform.send('GET', 'gvc/shop')).body).toEqual(changed.body);
});

test('PUT creates with 201, then replaces with 200 and keeps the id; a dry run stores nothing (protocol 3.1)', async () => {
  expect((await platform.send('PUT', 'gvc?dryRun=true', { name: 'shop' })).status).toBe(200);
  expect((await platform.send('GET', 'gvc/shop')).status).toBe(404);
  const created = await platform.send('PUT', 'gvc', { name: 'shop', description: 'one' });
  const replaced = await platform.send('PUT', 'gvc/shop', { description: 'two', version: 77 });
  expect([created.status, replaced.status]).toEqual([201, 200]);
  expect(replaced.body).toMatchObject({ id: created.body['id'], version: 2, description: 'two' });
});

test('the values of a secret are shown by -reveal only (resources B13)', async () => {
  const value = { name: 'key', type: 'opaque', data: { payload: 'hush-hush' } };
  const answers = [
    await platform.send('POST', 'secret', value),
    await platform.send('GET', 'secret/key'),
    await platform.send('GET', 'secret'),
    await platform.send('POST', 'secret/-query'),
    await platform.send('PATCH', 'secret/key', { description: 'changed' }),
  ];
  expect(JSON.stringify(answers)).not.toContain('hush-hush');
  const revealed = await platform.send('GET', 'secret/key/-reveal');
  expect(revealed.body['data']).toEqual({ payload: 'hush-hush', encoding: 'plain' });
});

test('a key of a service account is shown once, and removed by its name (protocol 3.7)', async () => {
  await platform.send('POST', 'serviceaccount', { name: 'robot' });
  const added = await platform.send('POST', 'serviceaccount/robot/-addKey', { description: 'ci' });
  expect(added.status).toBe(201);
  const { body } = await platform.send('GET', 'serviceaccount/robot');
  expect(body).toMatchObject({ version: 2, keys: [{ name: added.body['name'], description: 'ci' }] });
  expect(JSON.stringify(body)).not.toContain(added.body['key']);
  const dropped = await platform.send('PATCH', 'serviceaccount/robot', { '$drop/keys': [added.body['name']] });
  expect(dropped.body).toMatchObject({ version: 3, keys: [] });
});

test('a workload is ready after the configured while, in each location of its GVC (protocol 8.2)', async () => {
  let nowMs = 1_000_000;
  const slow = await testPlatform({ readyAfterMs: 500, now: () => nowMs });
  const locationLinks = ['//location/aws-us-east-1', '//location/gcp-us-east1'];
  await slow.send('POST', 'gvc', { name: 'shop', spec: { staticPlacement: { locationLinks } } });
  await slow.send('POST', 'gvc/shop/workload', { name: 'web', spec: { containers: [container()] } });
  const starting = await slow.send('GET', 'gvc/shop/workload/web');
  nowMs += 500;
  const running = await slow.send('GET', 'gvc/shop/workload/web');
  const found = await slow.send('GET', 'gvc/shop/workload/web/deployment');
  await slow.close();
  expect(starting.body['health']).toMatchObject({ readiness: 'notReady', readyLocations: 0, totalLocations: 2 });
  expect(running.body['health']).toMatchObject({ readiness: 'ready', readyLocations: 2 });
  expect(found.body['items']).toMatchObject([
    {
      name: 'aws-us-east-1',
      status: { ready: true, lastProcessedVersion: 1, versions: [{ workload: 1, ready: true }] },
    },
    { name: 'gcp-us-east1', status: { ready: true } },
  ]);
});
