import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt } from '../../../src/base/json/json.ts';
import { quotaProblem, quotas } from '../../../src/server/records/decisions/builtInRecords.ts';
import { container, makeShop, platformForEach } from '../platform.ts';

const platform = platformForEach();

// biome-ignore format: a row is a case
test.each([
  ['a quota with room for one more refuses nothing', 3, 2, 1, undefined],
  ['a full quota refuses one more', 3, 3, 1, 'the quota workloads allows 3: 3 are in use, and 1 more are requested'],
  ['an exceeded quota refuses one more', 3, 5, 1,
    'the quota workloads allows 3: 5 are in use, and 1 more are requested'],
  ['a quota of zero refuses one more', 0, 0, 1, 'the quota workloads allows 0: 0 are in use, and 1 more are requested'],
])('%s', (_, max, used, more, problem) => {
  expect(quotaProblem({ name: 'workloads', description: '', unit: 'count', kind: 'workload' }, max, used, more)).toBe(
    problem,
  );
});

test('a refusal states amounts of storage in GB', () => {
  const storage = { name: 'storage', kind: 'volumeset', description: '', unit: 'GB' } as const;
  expect(quotaProblem(storage, 100, 90, 20)).toBe(
    'the quota storage allows 100 GB: 90 GB are in use, and 20 GB more are requested',
  );
  expect(quotaProblem(storage, 100, 90, 10)).toBeUndefined();
});

describe('quotas of an org (platform/quota)', () => {
  test('exist from the start without a limit, and count the existing records', async () => {
    const list = await platform.send('GET', 'quota?limit=100');
    const found = listAt(list.body, 'items').filter(isObject);
    expect(found.map(({ name }) => name).sort()).toEqual(quotas.map(({ name }) => name).sort());
    await platform.send('POST', 'gvc', { name: 'shop' });
    await platform.send('POST', 'gvc/shop/workload', {
      name: 'web',
      spec: { type: 'standard', containers: [container()] },
    });
    const workloads = (await platform.send('GET', 'quota/workloads')).body;
    expect(workloads).toMatchObject({
      kind: 'quota',
      name: 'workloads',
      unit: 'count',
      dimensions: [],
      current: 1,
      origin: 'builtin',
      version: 1,
    });
    expect(workloads).not.toHaveProperty('max');
    await platform.send('DELETE', 'gvc/shop/workload/web');
    expect((await platform.send('GET', 'quota/workloads')).body).toMatchObject({ current: 0 });
  });

  test('do not count built-in records', async () => {
    expect((await platform.send('GET', 'quota/groups')).body).toMatchObject({ current: 0 });
    await platform.send('POST', 'group', { name: 'team' });
    expect((await platform.send('GET', 'quota/groups')).body).toMatchObject({ current: 1 });
  });

  test('refuse one record too many with 429 and the word quota, without storing it (platform/wire.retries)', async () => {
    expect((await platform.send('PATCH', 'quota/gvcs', { max: 1 })).body).toMatchObject({ max: 1, version: 2 });
    expect((await platform.send('POST', 'gvc', { name: 'one' })).status).toBe(201);
    for (const method of ['POST', 'PUT']) {
      const refused = await platform.send(method, 'gvc', { name: 'two' });
      expect(refused.status).toBe(429);
      expect(refused.body['message']).toContain('quota');
      expect(refused.headers.get('retry-after')).toBeNull();
    }
    expect((await platform.send('GET', 'gvc/two')).status).toBe(404);
    // Existing records can be changed, and a deleted one makes room.
    expect((await platform.send('PUT', 'gvc', { name: 'one', description: 'x' })).status).toBe(200);
    await platform.send('DELETE', 'gvc/one');
    expect((await platform.send('POST', 'gvc', { name: 'two' })).status).toBe(201);
  });

  test('are checked after the validity of a record', async () => {
    await platform.send('PATCH', 'quota/gvcs', { max: 0 });
    expect((await platform.send('POST', 'gvc', { name: 'X' })).status).toBe(400);
  });

  test('of storage count the requested capacity', async () => {
    await platform.send('POST', 'gvc', { name: 'shop' });
    await platform.send('PATCH', 'quota/storage', { max: 50 });
    const of = (name: string, initialCapacity: number): JsonObject => {
      return { name, spec: { initialCapacity, performanceClass: 'general-purpose-ssd' } };
    };
    expect((await platform.send('POST', 'gvc/shop/volumeset', of('large', 51))).status).toBe(429);
    expect((await platform.send('POST', 'gvc/shop/volumeset', of('fits', 50))).status).toBe(201);
  });

  test('of storage apply to an expansion that a client requests (platform/commands)', async () => {
    await makeShop(platform, 'aws-us-east-1');
    const capacity = { initialCapacity: 10, performanceClass: 'general-purpose-ssd' };
    await platform.send('POST', 'gvc/shop/volumeset', { name: 'disk', spec: capacity });
    const volumes = [{ uri: 'scheme://volumeset/disk', path: '/data' }];
    const spec = { type: 'stateful', containers: [container({ volumes })] };
    expect((await platform.send('POST', 'gvc/shop/workload', { name: 'store', spec })).status).toBe(201);
    expect((await platform.send('GET', 'quota/storage')).body).toMatchObject({ current: 10 });
    await platform.send('PATCH', 'quota/storage', { max: 30 });
    const expand = (newStorageCapacity: number) =>
      platform.send('POST', 'gvc/shop/volumeset/disk/-command', {
        type: 'expandVolume',
        spec: { location: 'aws-us-east-1', volumeIndex: 0, newStorageCapacity },
      });
    const refused = await expand(31);
    expect(refused.status).toBe(429);
    expect(refused.body['message']).toContain('quota');
    expect((await expand(30)).status).toBe(201);
  });

  test('lose their limit by null, and by a PUT without one', async () => {
    await platform.send('PATCH', 'quota/gvcs', { max: 1 });
    expect((await platform.send('PATCH', 'quota/gvcs', { max: null })).body).not.toHaveProperty('max');
    expect((await platform.send('PUT', 'quota/gvcs', { max: '7' })).body).toMatchObject({ max: 7 });
    const whole = (await platform.send('GET', 'quota/gvcs')).body;
    expect((await platform.send('PUT', 'quota/gvcs', { ...whole, current: 99, unit: 'GB' })).body).toEqual(whole);
    expect((await platform.send('PUT', 'quota/gvcs', {})).body).not.toHaveProperty('max');
  });

  test.each([{ max: -1 }, { max: 'many' }, { max: [] }, { limit: 3 }, { name: 'other' }])(
    'are not changed by the invalid %j',
    async (body) => {
      expect((await platform.send('PATCH', 'quota/gvcs', body)).status).toBe(400);
    },
  );

  test('cannot be created or deleted', async () => {
    expect((await platform.send('PUT', 'quota/mine', { max: 1 })).status).toBe(404);
    expect((await platform.send('DELETE', 'quota/gvcs')).status).toBe(405);
  });

  test('are found by a query', async () => {
    const query = { spec: { terms: [{ property: 'unit', value: 'GB' }] } };
    const found = await platform.send('POST', 'quota/-query', query);
    expect(listAt(found.body, 'items').map((item) => objectAt({ item }, 'item')['name'])).toEqual(['storage']);
  });
});
