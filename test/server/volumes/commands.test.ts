import { afterEach, beforeEach, expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt } from '../../../src/base/json/json.ts';
import { database, hour, openShop, type Shop, second } from './shop.ts';

let shop: Shop;

beforeEach(async () => {
  shop = await openShop();
  await shop.mountReady({}, 2);
});

afterEach(() => shop.close());

/** Sends a command that must be accepted; returns its path. */
async function accepted(type: string, more: JsonObject = {}): Promise<string> {
  const { status, headers, body } = await shop.command(type, more);
  expect(body).toMatchObject({ kind: 'command', type, lifecycleStage: 'pending' });
  expect(status).toBe(201);
  return headers.get('location') ?? '';
}

/** Sends a command and waits until it has ended. */
async function done(type: string, more: JsonObject = {}): Promise<JsonObject> {
  const path = await accepted(type, more);
  await shop.advance(10 * second);
  return shop.get(path);
}

test('an expansion passes its stages, and the volume has its new size at update-volume-set (platform/commands)', async () => {
  const path = await accepted('expandVolume', { newStorageCapacity: 20, timeoutSeconds: 600 });
  const seen: unknown[] = [];
  for (let step = 0; step < 7; step += 1) {
    await shop.advance(100);
    const shown = await shop.get(path);
    expect(shown).toMatchObject({ lifecycleStage: 'running' });
    seen.push([objectAt(shown, 'status')['stage'], (await shop.volume())['currentSize']]);
  }
  expect(seen).toEqual([
    ['expand-volume', 10],
    ['delete-stateful-set', 10],
    ['await-online-resize', 10],
    ['await-expansion-completed', 10],
    ['update-volume-set', 20],
    ['recreate-replica', 20],
    ['cleanup-k8s', 20],
  ]);
  await shop.advance(100);
  expect(await shop.get(path)).toMatchObject({ lifecycleStage: 'completed' });
  expect(await shop.volume()).toMatchObject({ lifecycle: 'bound', currentSize: 20 });
  expect(await shop.volume(1)).toMatchObject({ currentSize: 10 });
  expect(await shop.get(shop.home)).toMatchObject({ version: 1 });
});

test('refusals of commands (platform/commands)', async () => {
  // biome-ignore format: a row is a case
  const refused = [
    { it: 'a capacity that is not above', type: 'expandVolume', spec: { newStorageCapacity: 10 }, status: 400 },
    { it: 'a capacity above the class', type: 'expandVolume', spec: { newStorageCapacity: 65_537 }, status: 400 },
    { it: 'a capacity that is not below', type: 'shrinkVolume', spec: { newStorageCapacity: 10 }, status: 400 },
    { it: 'a capacity below the class', type: 'shrinkVolume', spec: { newStorageCapacity: 9 }, status: 400 },
    { it: 'no capacity', type: 'expandVolume', spec: {}, status: 400 },
    { it: 'an unknown location', type: 'deleteVolume', spec: { location: 'aws-us-west-2' }, status: 404 },
    { it: 'an unknown volume', type: 'deleteVolume', spec: { volumeIndex: 2 }, status: 404 },
    { it: 'an unknown snapshot', type: 'restoreVolume', spec: { snapshotName: 'none' }, status: 404 },
    { it: 'an unknown snapshot', type: 'deleteVolumeSnapshot', spec: { snapshotName: 'none' }, status: 404 },
    { it: 'an unknown field', type: 'deleteVolume', spec: { force: true }, status: 400 },
    { it: 'a date in the past', type: 'createVolumeSnapshot',
      spec: { snapshotName: 'a', snapshotExpirationDate: '2020-01-01T00:00:00Z' }, status: 400 },
    { it: 'tags that are not pairs', type: 'createVolumeSnapshot',
      spec: { snapshotName: 'a', snapshotTags: [{ a: '1', b: '2' }] }, status: 400 },
    { it: 'a command that only the platform sends', type: 'deleteVolumeSet', spec: {}, status: 400 },
  ];
  for (const { it, type, spec, status } of refused) {
    expect((await shop.command(type, spec)).status, `${type}: ${it}`).toBe(status);
  }
  expect((await shop.get(`${shop.home}/-command`))['items']).toEqual([]);
});

test('shrinking needs room for the used space and 5 %, and loses the data (platform/commands, platform/volumeset.classes)', async () => {
  await done('expandVolume', { newStorageCapacity: 100 });
  await shop.send('POST', `${shop.home}/-simulate`, { samples: [{ volumeIndex: 0, usedGb: 40 }] });
  const before = await shop.volume();
  expect(before).toMatchObject({ currentBytesUsed: 40e9, currentBytesFree: 60e9 });
  // 40 GB plus 5 % is 42 GB.
  expect((await shop.command('shrinkVolume', { newStorageCapacity: 41.9 })).status).toBe(400);
  const ended = await done('shrinkVolume', { newStorageCapacity: 42 });
  expect(ended).toMatchObject({ lifecycleStage: 'completed', status: { stage: 'cleanup-k8s' } });
  const after = await shop.volume();
  expect(after).toMatchObject({
    lifecycle: 'bound',
    currentSize: 42,
    oldStorageDeviceIds: [before['storageDeviceId']],
  });
  expect(after['storageDeviceId']).not.toBe(before['storageDeviceId']);
  expect(Number(after['currentBytesUsed'])).toBeLessThan(1e9);
});

test('a snapshot has a unique name, tags and an expiry, and is deleted then (platform/commands, platform/volumeset.status)', async () => {
  const snapshotTags = [{ purpose: 'test' }];
  const expires = new Date(shop.nowMs() + hour).toISOString();
  const path = await accepted('createVolumeSnapshot', {
    snapshotName: 'one',
    snapshotExpirationDate: expires,
    snapshotTags,
  });
  // The name is already used while the snapshot is being taken.
  expect((await shop.command('createVolumeSnapshot', { snapshotName: 'one' })).status).toBe(409);
  await shop.advance(10 * second);
  expect(await shop.get(path)).toMatchObject({ lifecycleStage: 'completed' });
  expect(await shop.volume()).toMatchObject({
    volumeSnapshots: [{ name: 'one', id: expect.any(String), expires, size: 10, tags: snapshotTags }],
  });
  expect((await shop.command('createVolumeSnapshot', { snapshotName: 'one' })).status).toBe(409);
  expect((await shop.command('createVolumeSnapshot', { snapshotName: 'one', volumeIndex: 1 })).status).toBe(201);
  await shop.advance(hour);
  expect(await shop.volume()).toMatchObject({ volumeSnapshots: [] });
  expect(await shop.volume(1)).toMatchObject({ volumeSnapshots: [{ name: 'one' }] });
});

test("a snapshot without an expiry is kept for the set's retention time, and can be deleted (platform/volumeset)", async () => {
  await shop.send('PATCH', shop.home, { spec: { snapshots: { retentionDuration: '1.5h' } } });
  const { lastModified } = await done('createVolumeSnapshot', { snapshotName: 'kept' });
  expect(lastModified).toEqual(expect.any(String));
  const [kept] = listAt(await shop.volume(), 'volumeSnapshots').filter(isObject);
  expect(Date.parse(String(kept?.['expires'])) - Date.parse(String(kept?.['created']))).toBe(1.5 * hour);
  await done('deleteVolumeSnapshot', { snapshotName: 'kept' });
  expect(await shop.volume()).toMatchObject({ volumeSnapshots: [] });
});

test('a restoration brings back the data of the snapshot, and loses later data (platform/commands)', async () => {
  await shop.send('POST', `${shop.home}/-simulate`, { samples: [{ usedGb: 3 }] });
  await done('createVolumeSnapshot', { snapshotName: 'good' });
  await shop.send('POST', `${shop.home}/-simulate`, { samples: [{ usedGb: 7 }] });
  const before = await shop.volume();
  const path = await accepted('restoreVolume', { snapshotName: 'good', zone: 'us-east-1c' });
  await shop.advance(300);
  expect(await shop.volume()).toMatchObject({ lifecycle: 'repairing' });
  await shop.advance(10 * second);
  expect(await shop.get(path)).toMatchObject({ lifecycleStage: 'completed' });
  expect(await shop.volume()).toMatchObject({
    lifecycle: 'bound',
    currentBytesUsed: 3e9,
    zone: 'us-east-1c',
    oldStorageDeviceIds: [before['storageDeviceId']],
    volumeSnapshots: [{ name: 'good' }],
  });
  expect(await shop.volume(1)).toMatchObject({ currentBytesUsed: 7e9 });
});

test('a deleted volume is created again, empty, when a replica needs it (platform/volumeset.volumes)', async () => {
  await shop.send('PATCH', 'gvc/shop/workload/base', database(1));
  expect(await shop.volume(1)).toMatchObject({ lifecycle: 'unbound' });
  const before = await shop.volume(1);
  await done('deleteVolume', { volumeIndex: 1 });
  expect(await shop.volume(1)).toMatchObject({ lifecycle: 'deleted', currentSize: 0, currentBytesUsed: 0 });
  expect((await shop.command('expandVolume', { volumeIndex: 1, newStorageCapacity: 20 })).status).toBe(404);
  await shop.send('PATCH', 'gvc/shop/workload/base', database(2));
  await shop.advance(second);
  expect(await shop.volume(1)).toMatchObject({
    lifecycle: 'bound',
    currentSize: 10,
    oldStorageDeviceIds: [before['storageDeviceId']],
  });
});

test('a volume that is deleted while a replica uses it is immediately created again, empty (platform/volumeset.volumes)', async () => {
  await shop.send('POST', `${shop.home}/-simulate`, { samples: [{ usedGb: 7 }] });
  const before = await shop.volume();
  const path = await accepted('deleteVolume');
  await shop.advance(200);
  expect(await shop.volume()).toMatchObject({ lifecycle: 'deleted' });
  await shop.advance(10 * second);
  expect(await shop.get(path)).toMatchObject({ lifecycleStage: 'completed' });
  const after = await shop.volume();
  const oldStorageDeviceIds = [before['storageDeviceId']];
  expect(after).toMatchObject({ lifecycle: 'bound', currentSize: 10, oldStorageDeviceIds });
  expect(Number(after['currentBytesUsed'])).toBeLessThan(1e9);
});

test('a replaced volume has new, empty storage of the same size (platform/commands)', async () => {
  await done('expandVolume', { newStorageCapacity: 30 });
  await shop.send('POST', `${shop.home}/-simulate`, { samples: [{ usedGb: 5 }] });
  const before = await shop.volume();
  await done('replaceVolume');
  const after = await shop.volume();
  expect(after).toMatchObject({
    lifecycle: 'bound',
    currentSize: 30,
    oldStorageDeviceIds: [before['storageDeviceId']],
  });
  expect(Number(after['currentBytesUsed'])).toBeLessThan(1e9);
});

test('commands on one volume wait for each other, those on another do not (platform/commands)', async () => {
  const first = await accepted('expandVolume', { newStorageCapacity: 20 });
  const next = await accepted('expandVolume', { newStorageCapacity: 30 });
  const other = await accepted('expandVolume', { newStorageCapacity: 30, volumeIndex: 1 });
  await shop.advance(500);
  expect(await shop.get(first)).toMatchObject({ lifecycleStage: 'running' });
  expect(await shop.get(next)).toMatchObject({ lifecycleStage: 'pending' });
  expect(await shop.get(other)).toMatchObject({ lifecycleStage: 'running' });
  await shop.advance(10 * second);
  expect(await shop.get(next)).toMatchObject({ lifecycleStage: 'completed' });
  expect(await shop.volume()).toMatchObject({ currentSize: 30 });
});

test('a command is checked again when its turn comes (platform/commands)', async () => {
  await accepted('expandVolume', { newStorageCapacity: 30 });
  const smaller = await accepted('expandVolume', { newStorageCapacity: 20 });
  const last = await accepted('expandVolume', { newStorageCapacity: 40 });
  await shop.advance(10 * second);
  expect(await shop.get(smaller)).toMatchObject({
    lifecycleStage: 'failed',
    status: { stage: 'revert', message: expect.any(String) },
  });
  expect(await shop.get(last)).toMatchObject({ lifecycleStage: 'completed' });
  expect(await shop.volume()).toMatchObject({ currentSize: 40 });
});

test('a pending command can be cancelled without effect, and the next one continues (platform/commands.stages)', async () => {
  const path = await accepted('expandVolume', { newStorageCapacity: 20 });
  const next = await accepted('expandVolume', { newStorageCapacity: 15 });
  expect((await shop.send('PATCH', path, { lifecycleStage: 'cancelled', version: 7 })).status).toBe(409);
  expect((await shop.send('PATCH', path, { lifecycleStage: 'cancelled', id: 'other' })).status).toBe(409);
  // A null member counts as omitted.
  expect((await shop.send('PATCH', path, { lifecycleStage: 'cancelled', version: null, id: null })).status).toBe(200);
  await shop.advance(10 * second);
  expect(await shop.get(path)).toMatchObject({ lifecycleStage: 'cancelled' });
  expect(await shop.get(next)).toMatchObject({ lifecycleStage: 'completed' });
  expect(await shop.volume()).toMatchObject({ currentSize: 15 });
  expect((await shop.send('PATCH', path, { lifecycleStage: 'cancelled' })).status).toBe(409);
  expect((await shop.send('DELETE', path)).status).toBe(202);
  expect((await shop.send('GET', path)).status).toBe(404);
});

test('a command that is not finished in time fails without effect (platform/commands, timeoutSeconds)', async () => {
  const path = await accepted('expandVolume', { newStorageCapacity: 20, timeoutSeconds: 0.35 });
  await shop.advance(400);
  expect(await shop.get(path)).toMatchObject({ lifecycleStage: 'running' });
  await shop.advance(100);
  expect(await shop.get(path)).toMatchObject({ lifecycleStage: 'failed', status: { stage: 'revert' } });
  await shop.advance(10 * second);
  expect(await shop.volume()).toMatchObject({ currentSize: 10 });
});

test('numbers as text and a link to the location are accepted (platform/commands, platform/patch.clients)', async () => {
  const location = '/org/local/location/aws-us-east-1';
  expect(await done('expandVolume', { location, volumeIndex: '0', newStorageCapacity: '20' })).toMatchObject({
    lifecycleStage: 'completed',
  });
  expect(await shop.volume()).toMatchObject({ currentSize: 20 });
});
