import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isObject } from '../../../src/base/json/json.ts';
import { day, hour, openShop, type Shop, second } from './shop.ts';

let shop: Shop;

beforeEach(async () => {
  shop = await openShop();
});

afterEach(() => shop.close());

const autoscaling = { maxCapacity: 1_000, minFreePercentage: 20, scalingFactor: 1.5 };

test('the platform expands a volume with too little free space (platform/volumeset.growth)', async () => {
  await shop.mountReady({ autoscaling });
  expect((await shop.simulate({ samples: [{ usedGb: 8 }] })).status).toBe(200);
  await shop.advance(hour);
  expect(await shop.commands()).toEqual([]);

  await shop.simulate({ samples: [{ usedGb: 9 }] });
  await shop.advance(10 * second);
  // 9 / 0.8 * 1.5
  expect(await shop.commands()).toMatchObject([
    {
      type: 'expandVolume',
      spec: { location: 'aws-us-east-1', volumeIndex: 0, newStorageCapacity: 16.875 },
      lifecycleStage: 'completed',
      status: { law: 'reactive' },
    },
  ]);
  expect(await shop.volume()).toMatchObject({ currentSize: 16.875, currentBytesUsed: 9e9, currentBytesFree: 7.875e9 });

  const { items } = await shop.get('/audit/org/local/resource/name/data');
  expect(items).toContainEqual(
    expect.objectContaining({
      action: { type: 'exec', data: expect.objectContaining({ type: 'expandVolume' }) },
      subject: expect.objectContaining({ name: 'platform' }),
      context: expect.objectContaining({ name: 'scheme' }),
    }),
  );
});

test('a full volume of a set without autoscaling keeps its size (platform/volumeset.growth)', async () => {
  await shop.mountReady({});
  await shop.simulate({ growth: [{ usedGb: 9, gbPerHour: 1 }] });
  await shop.advance(day);
  expect(await shop.commands()).toEqual([]);
  expect(await shop.volume()).toMatchObject({ currentSize: 10, currentBytesUsed: 10e9, currentBytesFree: 0 });
});

test('each volume grows separately, up to the cap (platform/volumeset.growth)', async () => {
  await shop.mountReady({ autoscaling: { ...autoscaling, maxCapacity: 12 } }, 2);
  await shop.simulate({ samples: [{ volumeIndex: 1, usedGb: 9.5 }] });
  await shop.advance(10 * second);
  expect(await shop.volume(0)).toMatchObject({ currentSize: 10 });
  expect(await shop.volume(1)).toMatchObject({ currentSize: 12 });
  await shop.simulate({ samples: [{ volumeIndex: 1, usedGb: 11.9 }] });
  await shop.advance(day);
  expect(await shop.commands()).toHaveLength(1);
});

test('a week of growth is a few expansions, each when it is needed (platform/volumeset.growth)', async () => {
  await shop.mount({ autoscaling });
  await shop.advance(hour);
  // From 5 GB with 1 GB an hour, more than 8 GB are used for the first time at the measurement after 3 hours.
  await shop.simulate({ growth: [{ usedGb: 5, gbPerHour: 1 }] });
  await shop.advance(3 * hour);
  expect(await shop.commands()).toEqual([]);
  await shop.advance(7 * day - 3 * hour);
  const capacities = (await shop.commands()).map(({ spec }) => isObject(spec) && spec['newStorageCapacity']);
  // (8 + 1/12) / 0.8 * 1.5 = 15.15625, of which 12.125 GB are 80 %: (12 + 2/12) / 0.8 * 1.5 = 22.8125; and so on.
  expect(capacities.slice(0, 2)).toEqual([15.15625, 22.8125]);
  // One expansion for each factor of 1.5, until 173 GB leave 20 % free.
  expect(capacities).toHaveLength(8);
  const { currentSize, currentBytesUsed } = await shop.volume();
  expect(currentBytesUsed).toBe(173e9);
  expect(173 / Number(currentSize)).toBeLessThanOrEqual(0.8);
});

describe('prediction (platform/volumeset.growth)', () => {
  const predictive = { enabled: true, lookbackHours: 24, projectionHours: 6, scalingFactor: 1.2 };

  test('a week of steady growth is not an expansion at each check', async () => {
    await shop.mount({ initialCapacity: 100, autoscaling: { ...autoscaling, predictive } });
    await shop.advance(hour);
    await shop.simulate({ growth: [{ usedGb: 50, gbPerHour: 1 }] });
    await shop.advance(7 * day);
    const commands = await shop.commands();
    expect(commands.length).toBeGreaterThan(2);
    expect(commands.length).toBeLessThan(12);
    const { currentSize } = await shop.volume();
    // 218 GB are used, and at least 20 % were always free, so that no expansion was reactive.
    expect(218 / Number(currentSize)).toBeLessThanOrEqual(0.8);
    expect(new Set(commands.map(({ status }) => isObject(status) && status['law']))).toEqual(new Set(['predictive']));
  });
});

test.each([{ usedGB: 9 }, { usedBytes: 9e9 }, { usedGb: 9, gbPerHour: 0 }])(
  'a simulation can be only the sample %j',
  async (body) => {
    await shop.mountReady({ autoscaling });
    expect((await shop.simulate(body)).status).toBe(200);
    await shop.advance(10 * second);
    expect(await shop.volume()).toMatchObject({ currentSize: 16.875 });
  },
);

test('the platform requests an expansion again after it was cancelled (platform/volumeset.growth)', async () => {
  await shop.mountReady({ autoscaling });
  await shop.simulate({ usedGb: 9 });
  const [first] = await shop.commands();
  await shop.send('PATCH', `${shop.home}/-command/${String(first?.['id'])}`, { lifecycleStage: 'cancelled' });
  await shop.advance(10 * second);
  expect(await shop.commands()).toMatchObject([{ lifecycleStage: 'cancelled' }, { lifecycleStage: 'completed' }]);
});

test('samples of the future count from their time on', async () => {
  await shop.mountReady({ autoscaling });
  await shop.simulate({ samples: [{ usedGb: 9, at: new Date(shop.nowMs() + 90 * second).toISOString() }] });
  await shop.advance(80 * second);
  expect(await shop.commands()).toEqual([]);
  await shop.advance(20 * second);
  expect(await shop.commands()).toMatchObject([{ spec: { newStorageCapacity: 16.875 } }]);
});

test('a policy that is added later is applied immediately (platform/volumeset.growth)', async () => {
  await shop.mountReady({});
  await shop.simulate({ samples: [{ usedGb: 9 }] });
  await shop.send('PATCH', shop.home, { spec: { autoscaling } });
  await shop.advance(10 * second);
  expect(await shop.volume()).toMatchObject({ currentSize: 16.875 });
});

describe('the limit of expansions (platform/commands)', () => {
  test('is off by default', async () => {
    await shop.mountReady({});
    for (let capacity = 11; capacity < 20; capacity += 1) {
      expect((await shop.command('expandVolume', { newStorageCapacity: capacity })).status).toBe(201);
      await shop.advance(10 * second);
    }
  });

  test('can be four in 24 hours for each volume, without growth by the platform', async () => {
    await shop.close();
    shop = await openShop({ expandLimit: 4 });
    await shop.mountReady({ autoscaling }, 2);
    await shop.simulate({ samples: [{ usedGb: 9, volumeIndex: 0 }] });
    await shop.advance(10 * second);
    for (const capacity of [20, 21, 22, 23]) {
      expect((await shop.command('expandVolume', { newStorageCapacity: capacity })).status).toBe(201);
      await shop.advance(hour);
    }
    const fifth = await shop.command('expandVolume', { newStorageCapacity: 24 });
    expect(fifth).toMatchObject({ status: 429, body: { message: expect.not.stringContaining('quota') } });
    expect((await shop.command('expandVolume', { newStorageCapacity: 24, volumeIndex: 1 })).status).toBe(201);
    // 24 hours after the first expansion.
    await shop.advance(20 * hour);
    expect((await shop.command('expandVolume', { newStorageCapacity: 24 })).status).toBe(201);
  });
});

test('invalid simulations are refused', async () => {
  await shop.mountReady({});
  // biome-ignore format: a row is a case
  for (const [status, body] of [
    [400, {}],
    [400, { samples: [{ volumeIndex: 0 }] }],
    [400, { samples: [{ usedGb: -1 }] }],
    [400, { samples: [{ usedGb: 1, at: 'noon' }] }],
    [400, { samples: [{ usedGb: 1, at: 'noon 5' }] }],
    [400, { growth: [{ usedGb: 1, gbPerHour: 1e300 }] }],
    [400, { growth: [{ usedGb: 1 }] }],
    [400, { samples: [{ usedGb: 1, volume: 0 }] }],
    [404, { samples: [{ usedGb: 1, volumeIndex: 7 }] }],
  ] as const) {
    expect((await shop.simulate(body)).status, JSON.stringify(body)).toBe(status);
  }
});

test('the platform grows a volume without a step if the clock is real (platform/volumeset.growth)', async () => {
  await shop.close();
  shop = await openShop({ clock: 'real', commandStageMs: 5 });
  await shop.mount({ autoscaling });
  await expect.poll(async () => (await shop.volume())['lifecycle']).toBe('bound');
  await shop.simulate({ usedGb: 9 });
  await expect.poll(async () => (await shop.volume())['currentSize']).toBe(16.875);
  await expect.poll(async () => (await shop.commands())[0]?.['lifecycleStage']).toBe('completed');
});
