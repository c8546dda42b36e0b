import { beforeEach, expect, test } from 'vitest';
import { isObject, listAt, stringAt } from '../../../src/base/json/json.ts';
import { container, itemsFrom, makeShop, platformForEach } from '../platform.ts';

const startMs = Date.parse('2026-03-31T12:00:00.000Z');

let nowMs: number;
beforeEach(() => {
  nowMs = startMs;
});
const options = { now: () => nowMs, readyAfterMs: 1_000 };
const platform = platformForEach(options, (platform) => makeShop(platform, 'aws-us-east-1'));

/** The statuses of the record's events, newest first. */
async function log(item: string): Promise<readonly (string | undefined)[]> {
  const { body } = await platform.send('GET', `${item}/-eventlog`);
  return listAt(body, 'items')
    .filter(isObject)
    .map((event) => stringAt(event, 'status'));
}

const standard = { type: 'standard', containers: [container()] };

test('the end of a rollout is logged once it is reached (platform/audit.event-log, platform/lifecycle.deployment)', async () => {
  await platform.send('POST', 'gvc/shop/workload', { name: 'web', spec: standard });
  expect(await log('gvc/shop/workload/web')).toEqual(['rollout started']);
  nowMs += 999;
  expect(await log('gvc/shop/workload/web')).toEqual(['rollout started']);
  nowMs += 1;
  expect(await log('gvc/shop/workload/web')).toEqual(['rollout ready', 'rollout started']);
  const { body } = await platform.send('GET', 'gvc/shop/workload/web/-eventlog');
  expect(body['items']).toMatchObject([
    { created: '2026-03-31T12:00:01.000Z', context: { component: 'actuator', message: 'version 1' } },
    { created: '2026-03-31T12:00:00.000Z' },
  ]);
});

test('a rollout that is superseded before its end has no event for its end', async () => {
  await platform.send('POST', 'gvc/shop/workload', { name: 'web', spec: standard });
  nowMs += 500;
  await platform.send('PATCH', 'gvc/shop/workload/web', { tags: { a: 'b' } });
  nowMs += 5_000;
  await platform.send('PATCH', 'gvc/shop/workload/web', { tags: { a: 'c' } });
  nowMs += 5_000;
  const { body } = await platform.send('GET', 'gvc/shop/workload/web/-eventlog');
  expect(
    listAt(body, 'items')
      .filter(isObject)
      .map(({ status, context }) => [status, isObject(context) ? context['message'] : '']),
  ).toEqual([
    ['rollout ready', 'version 3'],
    ['rollout started', 'version 3'],
    ['rollout ready', 'version 2'],
    ['rollout started', 'version 2'],
    ['rollout started', 'version 1'],
  ]);
});

test('pages have each event once, including those of the last rollout (platform/wire.lists)', async () => {
  await platform.send('POST', 'gvc/shop/workload', { name: 'web', spec: standard });
  for (const tag of ['b', 'c']) {
    nowMs += 5_000;
    await platform.send('PATCH', 'gvc/shop/workload/web', { tags: { a: tag } });
  }
  nowMs += 5_000;
  const { body } = await platform.send('GET', 'gvc/shop/workload/web/-eventlog');
  const all = listAt(body, 'items').filter(isObject);
  expect(all.map(({ status }) => status)).toEqual([
    ...['rollout ready', 'rollout started', 'rollout ready', 'rollout started', 'rollout ready', 'rollout started'],
  ]);
  for (const limit of [1, 2, 3, 4, 5]) {
    const first = await platform.send('GET', `gvc/shop/workload/web/-eventlog?limit=${limit}`);
    expect(await itemsFrom(platform.send, first), `limit ${limit}`).toEqual(all);
  }
  for (const event of all) {
    const one = await platform.send('GET', `gvc/shop/workload/web/-eventlog/${String(event['id'])}`);
    expect([one.status, one.body]).toEqual([200, event]);
  }
});

test('a PATCH without a change starts no rollout', async () => {
  await platform.send('POST', 'gvc/shop/workload', { name: 'web', spec: standard });
  await platform.send('PATCH', 'gvc/shop/workload/web', {});
  expect(await log('gvc/shop/workload/web')).toEqual(['rollout started']);
});

test('a GVC logs a change only if it makes its workloads roll out (platform/lifecycle.deployment)', async () => {
  await platform.send('PATCH', 'gvc/shop', { tags: { a: 'b' } });
  expect(await log('gvc/shop')).toEqual([]);
  await platform.send('PATCH', 'gvc/shop', { spec: { env: [{ name: 'A', value: 'b' }] } });
  expect(await log('gvc/shop')).toEqual(['workloads roll out']);
});

test('volumes are created with the workload that mounts their set (platform/volumeset.status)', async () => {
  await platform.send('POST', 'gvc/shop/volumeset', {
    name: 'disk',
    spec: { fileSystemType: 'ext4', performanceClass: 'general-purpose-ssd', initialCapacity: 10 },
  });
  expect(await log('gvc/shop/volumeset/disk')).toEqual([]);
  const volumes = [{ uri: 'scheme://volumeset/disk', path: '/data' }];
  const spec = {
    type: 'stateful',
    containers: [container({ volumes })],
    defaultOptions: { autoscaling: { minScale: 1, maxScale: 1 } },
  };
  const made = await platform.send('POST', 'gvc/shop/workload', { name: 'base', spec });
  expect(made.body, JSON.stringify(made.body)).toMatchObject({ name: 'base' });
  expect(await log('gvc/shop/volumeset/disk')).toEqual(['volume created']);
});

test('deleting a record deletes its event log', async () => {
  await platform.send('POST', 'gvc/shop/workload', { name: 'web', spec: standard });
  await platform.send('DELETE', 'gvc/shop/workload/web');
  expect((await platform.send('GET', 'gvc/shop/workload/web/-eventlog')).status).toBe(404);
  await platform.send('POST', 'gvc/shop/workload', { name: 'web', spec: standard });
  expect(await log('gvc/shop/workload/web')).toEqual(['rollout started']);
});
