import { setTimeout as passes } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isObject, listAt, objectAt, stringAt } from '../../../src/base/json/json.ts';
import { container, type TestPlatform, testPlatform } from '../platform.ts';

/** More records than the write itself, or one step, updates. */
const count = 95;
const numbers = Array.from({ length: count }, (_, at) => at);

async function fill(platform: TestPlatform, spec: object): Promise<void> {
  await platform.send('POST', 'gvc', { name: 'shop', spec });
  await Promise.all(
    numbers.map(async (number) => {
      const name = `web-${number}`;
      await platform.send('POST', 'gvc/shop/workload', { name, spec: { type: 'standard', containers: [container()] } });
      await platform.send('POST', 'ipset', { name: `ips-${number}`, spec: { link: `//gvc/shop/workload/${name}` } });
    }),
  );
}

/** The number of IP sets with an address, for each of these locations. */
async function addressed(platform: TestPlatform, locations: readonly string[]): Promise<number> {
  const { body } = await platform.send('GET', 'ipset?limit=1000');
  const all = listAt(body, 'items').filter(isObject);
  return all.filter((ipSet) => {
    const found = listAt(objectAt(ipSet, 'status'), 'ipAddresses').map((address) => {
      return isObject(address) ? stringAt(address, 'name') : undefined;
    });
    return locations.every((location) => found.includes(`/org/local/location/${location}`));
  }).length;
}

async function until(platform: TestPlatform, locations: readonly string[]): Promise<void> {
  while ((await addressed(platform, locations)) < count) await passes(10);
}

const at = (...names: readonly string[]) => ({
  staticPlacement: { locationLinks: names.map((name) => `//location/${name}`) },
});

test('a GVC with very many records gets a new location in steps', async () => {
  let stoodAt: number | undefined;
  const platform = await testPlatform({ data: ':memory:', now: () => stoodAt ?? Date.now() });
  await fill(platform, at('aws-us-east-1'));
  expect(await addressed(platform, ['aws-us-east-1'])).toBe(count);
  // While the clock stands still, the steps after the write are not due.
  stoodAt = Date.now();
  const changed = await platform.send('PATCH', 'gvc/shop', { spec: at('aws-us-east-1', 'gcp-us-east1') });
  expect(changed.status).toBe(200);
  const first = await addressed(platform, ['aws-us-east-1', 'gcp-us-east1']);
  expect([first > 0, first < count]).toEqual([true, true]);
  stoodAt = undefined;
  await until(platform, ['aws-us-east-1', 'gcp-us-east1']);
  await platform.close();
});

test('a location that the query of a GVC finds later is added to all records in the GVC', async () => {
  const platform = await testPlatform();
  const terms = [{ tag: 'zone', op: '=', value: 'near' }];
  await fill(platform, { staticPlacement: { locationQuery: { kind: 'location', spec: { match: 'all', terms } } } });
  await platform.send('PATCH', 'location/gcp-us-east1', { tags: { zone: 'near' } });
  await until(platform, ['gcp-us-east1']);
  await platform.close();
});

test('with a virtual clock the write updates all records itself', async () => {
  const platform = await testPlatform({ clock: 'virtual' });
  await fill(platform, at('aws-us-east-1'));
  await platform.send('PATCH', 'gvc/shop', { spec: at('aws-us-east-1', 'gcp-us-east1') });
  expect(await addressed(platform, ['aws-us-east-1', 'gcp-us-east1'])).toBe(count);
  await platform.close();
});
