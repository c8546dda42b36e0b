import { expect, test } from 'vitest';
import { isArray, isObject, type JsonObject, listAt, objectAt } from '../../../src/base/json/json.ts';
import { container, makeShop, platformForEach } from '../platform.ts';

let startMs: number;

const platform = platformForEach({ clock: 'virtual', readyAfterMs: 100 }, async (platform) => {
  // A full minute, so that exactly one run of a schedule of each minute falls into the 70 seconds after it.
  startMs = Math.ceil(Date.now() / 60_000) * 60_000 + 180_000;
  await platform.stepTo(startMs);
  await makeShop(platform, 'aws-us-east-1');
});

async function logs(query: string): Promise<JsonObject> {
  const { body } = await platform.send('GET', '/discovery');
  const service = String(objectAt(body, 'endpoints')['logs']);
  const headers = { authorization: 'secret-token' };
  const answer = await fetch(`${service}/logs/org/local/loki/api/v1/query_range?${new URLSearchParams({ query })}`, {
    headers,
  });
  return Object(await answer.json());
}

/** The lines of the first stream, oldest first. */
async function lines(query: string): Promise<readonly unknown[]> {
  const [stream] = listAt(objectAt(await logs(query), 'data'), 'result');
  const values = isObject(stream) ? listAt(stream, 'values') : [];
  return values.map((value) => (isArray(value) ? value[1] : undefined)).toReversed();
}

test('logs are served at the address from discovery, and a query must name a workload (platform/wire.discovery)', async () => {
  const none = { status: 'success', data: { resultType: 'streams', result: [] } };
  expect(await logs('{}')).toEqual(none);
  expect(await logs('{gvc="shop", workload="web"}')).toEqual(none);
  expect(await logs('web')).toMatchObject({ status: 400, message: expect.stringContaining('query is a selector') });
});

test('a serving workload logs its start, probes, load and restarts', async () => {
  const readinessProbe = { httpGet: { path: '/health', port: 8080 } };
  const spec = {
    type: 'standard',
    containers: [{ ...container(), readinessProbe, ports: [{ number: 8080, protocol: 'http' }] }],
  };
  expect((await platform.send('POST', 'gvc/shop/workload', { name: 'web', spec })).status).toBe(201);
  const started = [expect.stringMatching(/^starting .*, version 1$/)];
  expect(await lines('{gvc="shop", workload="web"}')).toEqual(started);
  await platform.stepTo(startMs + 200);
  const ready = [...started, 'readiness probe GET :8080/health passed', 'ready in version 1'];
  expect(await lines('{gvc="shop", workload="web"}')).toEqual(ready);
  expect(await lines('{gvc="shop", workload="web", location="gcp-us-east1"}')).toEqual([]);
  const simulated = await platform.send('POST', 'gvc/shop/workload/web/-simulate', {
    load: 20,
    crash: { exitCode: 3, reason: 'Error' },
  });
  expect(simulated.status).toBe(200);
  expect((await lines('{gvc="shop", workload="web"}')).slice(3)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^requests of the virtual load: 20, among \d+ of this location$/),
      'stopped with exit code 3: Error',
    ]),
  );
});

test('a cron workload logs each run under the name of its replica', async () => {
  const containers = [{ name: 'main', image: 'job:1', cpu: '100m', memory: '128Mi' }];
  const spec = { type: 'cron', containers, job: { schedule: '* * * * *' } };
  expect((await platform.send('POST', 'gvc/shop/workload', { name: 'job', spec })).status).toBe(201);
  await platform.stepTo(startMs + 70_000);
  const result = listAt(objectAt(await logs('{gvc="shop", workload="job"}'), 'data'), 'result').filter(isObject);
  const [replica] = result.map((stream) => objectAt(stream, 'stream')['replica']);
  expect(await lines(`{gvc="shop", workload="job", replica="${replica}"}`)).toEqual([
    expect.stringMatching(/^starting job:1, run /),
    'ended: Success',
  ]);
});
