import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt } from '../../../src/base/json/json.ts';
import { timesQuantity } from '../../../src/server/volumes/routes.ts';
import { container } from '../platform.ts';
import { database, hour, openShop, type Shop, second } from './shop.ts';

let shop: Shop;

beforeEach(async () => {
  shop = await openShop({ readyAfterMs: 500 });
});

afterEach(() => shop.close());

async function places(): Promise<readonly JsonObject[]> {
  return listAt(objectAt(await shop.get(shop.home), 'status'), 'locations').filter(isObject);
}

/** A standard workload. Each of its containers mounts the shared set twice. */
function web(name: string, replicas: number): JsonObject {
  const volumes = ['/data', '/more'].map((path) => ({ uri: 'scheme://volumeset/data', path }));
  const containers = [container({ volumes }), { ...container({ volumes }), name: 'side', ports: [] }];
  const defaultOptions = { autoscaling: { minScale: replicas, maxScale: replicas } };
  return { name, spec: { type: 'standard', containers, defaultOptions } };
}

async function addLocation(): Promise<void> {
  const locationLinks = ['//location/aws-us-east-1', '//location/gcp-us-east1'];
  await shop.send('PATCH', 'gvc/shop', { spec: { staticPlacement: { locationLinks } } });
}

test('the status shows a volume for each replica in each location (platform/volumeset.volumes, platform/volumeset.status)', async () => {
  await addLocation();
  await shop.mount({}, 2);
  expect(await shop.volume()).toMatchObject({ index: 0, lifecycle: 'creating', currentSize: 10, currentBytesUsed: 0 });
  await shop.advance(second);
  expect(await shop.volume(1)).toEqual({
    index: 1,
    lifecycle: 'bound',
    storageDeviceId: expect.stringMatching(/^vol-[0-9a-f]{17}$/),
    oldStorageDeviceIds: [],
    resourceName: 'data-aws-us-east-1-1',
    currentSize: 10,
    currentBytesUsed: expect.any(Number),
    currentBytesFree: expect.any(Number),
    iops: 3_000,
    throughput: 125,
    driver: 'block.csi.aws',
    diskType: 'general-purpose-ssd',
    zone: 'us-east-1b',
    node: expect.stringMatching(/^node-/),
    attributes: {},
    volumeSnapshots: [],
  });
  const { currentBytesUsed, currentBytesFree } = await shop.volume(1);
  expect(Number(currentBytesUsed) + Number(currentBytesFree)).toBe(10e9);
});

test('equal seeds make equal volumes, and another seed other ones', async () => {
  async function device(seed: string): Promise<unknown> {
    const other = await openShop({ seed });
    await other.mount({});
    const { storageDeviceId } = await other.volume();
    await other.close();
    return storageDeviceId;
  }
  expect(await device('one')).toBe(await device('one'));
  expect(await device('one')).not.toBe(await device('two'));
});

test('a volume that never had a replica is unused, and one that lost its replica is unbound (platform/volumeset.status)', async () => {
  await shop.mountReady({}, 2);
  await shop.send('PATCH', 'gvc/shop/workload/base', database(3));
  expect(await shop.volume(2)).toMatchObject({ lifecycle: 'creating' });
  await shop.send('PATCH', 'gvc/shop/workload/base', database(1));
  await shop.advance(second);
  expect(await shop.volume(0)).toMatchObject({ lifecycle: 'bound' });
  expect(await shop.volume(1)).toMatchObject({ lifecycle: 'unbound' });
  expect(await shop.volume(2)).toMatchObject({ lifecycle: 'unused' });
  await shop.send('PATCH', 'gvc/shop/workload/base', database(3));
  expect(await shop.volume(2)).toMatchObject({ lifecycle: 'bound' });
  await shop.send('DELETE', 'gvc/shop/workload/base');
  const { version, status } = await shop.get(shop.home);
  const unbound = { lifecycle: 'unbound' };
  expect([version, status]).toMatchObject([
    1,
    { workloadLinks: [], locations: [{ desiredVolumeCount: 0, volumes: [unbound, unbound, unbound] }] },
  ]);
  expect(status).not.toHaveProperty('usedByWorkload');
});

test('a volume stays unused if its workload stops mounting the set before the volume was created', async () => {
  await shop.mount({});
  const spec = { containers: [container()] };
  expect((await shop.send('PATCH', 'gvc/shop/workload/base', { spec })).status).toBe(200);
  await shop.advance(second);
  expect(await shop.volume()).toMatchObject({ lifecycle: 'unused' });
});

describe('a shared set (platform/volumeset.shared)', () => {
  beforeEach(async () => {
    const spec = { initialCapacity: 50, fileSystemType: 'shared' };
    await shop.send('POST', 'gvc/shop/volumeset', { name: 'data', spec });
    await addLocation();
    await shop.send('POST', 'gvc/shop/workload', web('one', 2));
    await shop.send('POST', 'gvc/shop/workload', web('two', 3));
    await shop.advance(second);
  });

  test.each([
    ['shrinkVolume', { newStorageCapacity: 20 }],
    ['createVolumeSnapshot', { snapshotName: 'a' }],
    ['deleteVolumeSnapshot', { snapshotName: 'a' }],
    ['restoreVolume', { snapshotName: 'a' }],
    ['deleteVolume', {}],
    ['replaceVolume', {}],
  ])('refuses %s with 400', async (type, spec) => {
    expect(await shop.command(type, spec)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('shared') },
    });
  });

  test('costs its capacity, and a mount point for each replica rather than container (rules 2 and 8)', async () => {
    // 2 locations with 2 and 3 replicas have 10 mount points, with 500m and 1Gi by default (platform/volumeset).
    expect(await shop.get(`${shop.home}/-bill`)).toEqual({
      reservedGb: 100,
      mountPoints: 10,
      mountCpu: '5000m',
      mountMemory: '10Gi',
    });
    const resources = { minCpu: '250m', maxCpu: '1000m', minMemory: '512Mi', maxMemory: '1Gi' };
    await shop.send('PATCH', shop.home, { spec: { mountOptions: { resources } } });
    await shop.send('PATCH', 'gvc/shop/workload/two', { spec: { defaultOptions: { suspend: true } } });
    await shop.command('expandVolume', { newStorageCapacity: 60 });
    await shop.advance(10 * second);
    expect(await places()).toMatchObject([{ volumes: [{ currentSize: 60 }] }, { volumes: [{ currentSize: 50 }] }]);
    expect(await shop.get(`${shop.home}/-bill`)).toEqual({
      reservedGb: 110,
      mountPoints: 4,
      mountCpu: '1000m',
      mountMemory: '2048Mi',
    });
  });
});

test('ext4 costs its capacity, including unused volumes until they are deleted (platform/volumeset.classes)', async () => {
  await shop.mountReady({}, 2);
  await shop.send('PATCH', 'gvc/shop/workload/base', database(1));
  const nothing = { mountPoints: 0, mountCpu: '0m', mountMemory: '0Gi' };
  expect(await shop.get(`${shop.home}/-bill`)).toEqual({ reservedGb: 20, ...nothing });
  await shop.command('deleteVolume', { volumeIndex: 1 });
  await shop.advance(10 * second);
  expect(await shop.get(`${shop.home}/-bill`)).toEqual({ reservedGb: 10, ...nothing });
});

test.each([
  [3, '500m', '1500m'],
  [3, '0.1', '0.3'],
  [2, '1.5Gi', '3Gi'],
  [0, '1Gi', '0Gi'],
])('%d times %s is %s', (times, quantity, product) => {
  expect(timesQuantity(times, quantity)).toBe(product);
});

describe('custom encryption (platform/volumeset.encryption)', () => {
  const key = (keyId: string) => ({ spec: { customEncryption: { regions: { 'aws-us-east-1': { keyId } } } } });

  test('keeps the key of a region once there is a volume, which shows the key', async () => {
    await shop.mountReady(key('first').spec);
    expect(await shop.volume()).toMatchObject({ attributes: { keyId: 'first' } });
    expect((await shop.send('PATCH', shop.home, key('second'))).status).toBe(400);
    expect((await shop.send('PATCH', shop.home, { spec: { customEncryption: null } })).status).toBe(400);
    const elsewhere = { spec: { customEncryption: { regions: { 'aws-us-west-2': { keyId: 'other' } } } } };
    expect((await shop.send('PATCH', shop.home, elsewhere)).status).toBe(200);
  });

  test('can change as long as there is no volume', async () => {
    const spec = { initialCapacity: 10, performanceClass: 'general-purpose-ssd', ...key('first').spec };
    await shop.send('POST', 'gvc/shop/volumeset', { name: 'data', spec });
    expect((await shop.send('PATCH', shop.home, key('second'))).status).toBe(200);
  });

  test("is the provider's in a region without a key", async () => {
    await shop.mount({ customEncryption: { regions: { 'aws-us-west-2': { keyId: 'other' } } } });
    expect(await shop.volume()).toMatchObject({ attributes: {} });
  });
});

test('volumes of a removed location stay, unbound (platform/volumeset.volumes)', async () => {
  await addLocation();
  await shop.mountReady({});
  const locationLinks = ['//location/gcp-us-east1'];
  await shop.send('PATCH', 'gvc/shop', { spec: { staticPlacement: { locationLinks } } });
  expect(await places()).toMatchObject([
    { name: 'aws-us-east-1', desiredVolumeCount: 0, volumes: [{ lifecycle: 'unbound' }] },
    { name: 'gcp-us-east1', desiredVolumeCount: 1, volumes: [{ lifecycle: 'bound' }] },
  ]);
});

test("the platform's changes of volumes raise no version (platform/concepts.version)", async () => {
  await shop.mount({ snapshots: { schedule: '0 * * * *' } });
  await shop.advance(3 * hour);
  await shop.command('expandVolume', { newStorageCapacity: 20 });
  await shop.advance(hour);
  expect(await shop.get(shop.home)).toMatchObject({ version: 1 });
});
