import { afterEach, expect, test } from 'vitest';
import { isObject, listAt } from '../../../src/base/json/json.ts';
import { routes } from '../../../src/server/routeTable.ts';
import { startServer } from '../../../src/server/start.ts';
import { type TestPlatform, testPlatform } from '../platform.ts';

let platform: TestPlatform | undefined;
afterEach(async () => {
  await platform?.close();
  platform = undefined;
});

test('metrics count requests by operation and status in the format of Prometheus, without names of records', async () => {
  platform = await testPlatform({ metrics: true });
  await platform.send('POST', 'gvc', { name: 'shop' });
  await platform.send('GET', 'gvc/shop');
  await platform.send('GET', 'gvc/other');
  const answer = await fetch(`${platform.url}/-metrics`);
  const text = await answer.text();
  expect(answer.headers.get('content-type')).toContain('text/plain');
  expect(text).toContain('gantry_http_requests_total{operation="gvc.create",method="POST",status="201"} 1');
  expect(text).toContain('gantry_http_requests_total{operation="gvc.read",method="GET",status="404"} 1');
  expect(text).not.toContain('shop');
});

test('one token has one limit, however its header is spelled (platform/wire.headers)', async () => {
  platform = await testPlatform({ rateLimit: { perSecond: 0.001, burst: 3 } });
  const statuses = [];
  for (const spelled of ['secret-token', 'Bearer secret-token', 'bearer   secret-token', 'BEARER  secret-token']) {
    statuses.push((await platform.as(spelled)('GET', 'gvc')).status);
  }
  expect(statuses).toEqual([200, 200, 200, 429]);
});

test('the id in a refusal is the id in the header of its answer', async () => {
  platform = await testPlatform();
  const answer = await platform.send('GET', 'gvc/none');
  expect(answer.headers.get('x-request-id')).toBe(answer.body['id']);
});

test('without tokens the platform listens on loopback only', async () => {
  await expect(startServer({ port: 0, host: '0.0.0.0', noAuth: true })).rejects.toMatchObject({ code: 'server.open' });
});

test('local-only endpoints do not exist on a public address', async () => {
  platform = await testPlatform({ host: '0.0.0.0' });
  const url = platform.url.replace('0.0.0.0', '127.0.0.1');
  const answer = await fetch(`${url}/-clock`, { headers: { authorization: 'secret-token' } });
  expect(answer.status).toBe(404);
});

test('closing lets a running request finish, and accepts no new ones', async () => {
  const { url, send, close } = await testPlatform();
  await send('POST', '/-faults', { faults: [{ method: 'POST', path: '/org/local/gvc', latency: '300ms' }] });
  const answer = send('POST', 'gvc', { name: 'shop' });
  for (let met: unknown = 0; met !== 1; ) {
    const { body } = await send('GET', '/-faults');
    const [count] = listAt(body, 'counts');
    met = isObject(count) ? count['met'] : undefined;
  }
  const closed = close();
  expect((await answer).status).toBe(201);
  await closed;
  await expect(fetch(`${url}/-health`)).rejects.toThrow();
});

test('these routes, which simulate or step time, exist with --dev only', () => {
  expect(
    routes
      .filter(({ devOnly }) => devOnly === true)
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual([
    'clock.advance',
    'clock.read',
    'domain.simulate',
    'domain.simulateDns',
    'faults.clear',
    'faults.read',
    'faults.set',
    'image.simulate',
    'snapshot.load',
    'snapshot.read',
    'task.simulate',
    'volumeset.bill',
    'volumeset.simulate',
    'workload.simulate',
  ]);
});
