import { afterEach, beforeEach, expect, test } from 'vitest';
import { isObject, listAt, objectAt } from '../../../src/base/json/json.ts';
import { day, hour, openShop, type Shop, second } from './shop.ts';

let shop: Shop;

beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

/** When the snapshots of a volume were taken, in whole hours since `fromMs`. */
async function hours(fromMs: number): Promise<readonly number[]> {
  const snapshots = listAt(await shop.volume(), 'volumeSnapshots').filter(isObject);
  return snapshots.map(({ created }) => (Date.parse(String(created)) - fromMs) / hour);
}

test('a schedule takes a snapshot at each of its times, as long as the set keeps them (platform/volumeset.snapshots)', async () => {
  const startMs = shop.nowMs();
  await shop.mount({ snapshots: { schedule: '0 * * * *', retentionDuration: '3h' } });
  await shop.advance(30 * second);
  expect(await hours(startMs)).toEqual([]);
  await shop.advance(2 * hour);
  expect(await hours(startMs)).toEqual([1, 2]);
  await shop.advance(8 * hour);
  expect(await hours(startMs)).toEqual([8, 9, 10]);
});

test('a week of hourly snapshots of two volumes is taken (platform/volumeset.snapshots)', async () => {
  await shop.mount({ snapshots: { schedule: '30 * * * *' } }, 2);
  await shop.advance(7 * day);
  for (const index of [0, 1]) {
    const snapshots = listAt(await shop.volume(index), 'volumeSnapshots').filter(isObject);
    expect(snapshots).toHaveLength(168);
    expect(new Set(snapshots.map(({ name }) => name)).size).toBe(168);
  }
});

test('another schedule does not make them more frequent than once per hour (platform/volumeset.snapshots)', async () => {
  const startMs = shop.nowMs();
  await shop.mount({ snapshots: { schedule: '0 * * * *' } });
  await shop.advance(hour);
  await shop.send('PATCH', shop.home, { spec: { snapshots: { schedule: '30 * * * *' } } });
  await shop.advance(2 * hour);
  expect(await hours(startMs)).toEqual([1, 2.5]);
});

test('a removed schedule takes no snapshots, and writes meanwhile skip none (platform/volumeset.snapshots)', async () => {
  const startMs = shop.nowMs();
  await shop.mount({ snapshots: { schedule: '0 * * * *' } });
  await shop.advance(hour - second);
  await shop.send('PATCH', shop.home, { description: 'other' });
  await shop.advance(hour);
  expect(await hours(startMs)).toEqual([1]);
  await shop.send('PATCH', shop.home, { spec: { snapshots: { schedule: null } } });
  await shop.advance(day);
  expect(await hours(startMs)).toEqual([1]);
});

test('a retention beyond the last possible time is shown as that time (platform/volumeset.snapshots)', async () => {
  await shop.mountReady({ snapshots: { retentionDuration: '99999999999999999999d' } });
  await shop.command('createVolumeSnapshot', { snapshotName: 'long' });
  await shop.advance(10 * second);
  expect(await shop.volume()).toMatchObject({ volumeSnapshots: [{ expires: '+275760-09-13T00:00:00.000Z' }] });
});

test('a deleted set first gets a final snapshot of each volume (platform/volumeset.snapshots, platform/commands, platform/deletion)', async () => {
  await shop.close();
  shop = await openShop({ deletionDelayMs: 4 * second });
  await shop.mountReady({}, 2);
  expect((await shop.send('DELETE', shop.home)).status).toBe(400);
  await shop.send('DELETE', 'gvc/shop/workload/base');
  await shop.advance(5 * second);
  expect((await shop.send('DELETE', shop.home)).status).toBe(202);
  expect(await shop.volume(0)).toMatchObject({ volumeSnapshots: [{ size: 10 }] });
  expect(await shop.volume(1)).toMatchObject({ volumeSnapshots: [{ size: 10 }] });
  const seen: unknown[] = [];
  for (let step = 0; step < 4; step += 1) {
    const [command] = await shop.commands();
    expect(command).toMatchObject({ type: 'deleteVolumeSet', spec: { locations: ['aws-us-east-1'] } });
    seen.push([command?.['lifecycleStage'], objectAt(command ?? {}, 'status')['stage']]);
    await shop.advance(second);
  }
  expect(seen).toEqual([
    ['running', 'create-final-snapshot'],
    ['running', 'delete-storage-resources'],
    ['running', 'cleanup-k8s'],
    ['completed', 'cleanup-k8s'],
  ]);
  expect((await shop.send('GET', shop.home)).status).toBe(404);
  expect((await shop.send('GET', `${shop.home}/-command`)).status).toBe(404);
});

test('the audit trail has the final snapshots of a set, if it has any (platform/concepts.record, platform/deletion)', async () => {
  for (const createFinalSnapshot of [true, false]) {
    await shop.mountReady({ snapshots: { createFinalSnapshot } });
    await shop.send('DELETE', 'gvc/shop/workload/base');
    await shop.send('DELETE', shop.home);
    const { items } = await shop.get('/audit/org/local/resource/name/data');
    const [executed] = Array.isArray(items)
      ? items.filter(isObject).filter((event) => objectAt(event, 'action')['type'] === 'exec')
      : [];
    expect(objectAt(objectAt(executed ?? {}, 'action'), 'data')).toMatchObject({
      type: 'deleteVolumeSet',
      finalSnapshots: createFinalSnapshot ? [{ location: 'aws-us-east-1', volumeIndex: 0, size: 10 }] : [],
    });
    await shop.advance(hour);
  }
});
