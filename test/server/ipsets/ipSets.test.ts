import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt } from '../../../src/base/json/json.ts';
import { container, platformForEach } from '../platform.ts';

const platform = platformForEach();

const placed = { staticPlacement: { locationLinks: ['//location/aws-us-east-1', '//location/gcp-us-east1'] } };

async function status(name: string): Promise<JsonObject> {
  return objectAt((await platform.send('GET', `ipset/${name}`)).body, 'status');
}

async function addresses(name: string): Promise<readonly JsonObject[]> {
  return listAt(await status(name), 'ipAddresses').filter(isObject);
}

describe('an IP set of one workload (platform/ipset)', () => {
  const workload = (enabled: boolean): JsonObject => ({
    name: 'web',
    spec: {
      type: 'standard',
      containers: [container()],
      loadBalancer: {
        direct: {
          enabled,
          ipSet: '//ipset/ips',
          ports: [{ externalPort: 8080, protocol: 'TCP', containerPort: 8080 }],
        },
      },
    },
  });

  test('has no address before its target exists, and is bound once both link each other', async () => {
    await platform.send('POST', 'ipset', { name: 'ips', spec: { link: '//gvc/shop/workload/web' } });
    expect(await addresses('ips')).toEqual([]);
    await platform.send('POST', 'gvc', { name: 'shop', spec: placed });
    expect(await addresses('ips')).toEqual([]);
    await platform.send('POST', 'gvc/shop/workload', workload(true));
    expect(await addresses('ips')).toMatchObject([
      { name: '/org/local/location/aws-us-east-1', state: 'bound' },
      { name: '/org/local/location/gcp-us-east1', state: 'bound' },
    ]);
    const refused = await platform.send('DELETE', 'ipset/ips');
    expect(refused.status).toBe(400);
    expect(refused.body['message']).toContain('bound');
  });

  test('is unbound but keeps its addresses while the balancer is off, and can be deleted after its target', async () => {
    await platform.send('POST', 'gvc', { name: 'shop', spec: placed });
    await platform.send('POST', 'ipset', { name: 'ips', spec: { link: '//gvc/shop/workload/web' } });
    await platform.send('POST', 'gvc/shop/workload', workload(true));
    const before = await addresses('ips');
    await platform.send('PATCH', 'gvc/shop/workload/web', workload(false));
    const after = await addresses('ips');
    expect(after.map(({ state }) => state)).toEqual(['unbound', 'unbound']);
    expect(after.map(({ ip, id }) => [ip, id])).toEqual(before.map(({ ip, id }) => [ip, id]));
    await platform.send('DELETE', 'gvc/shop/workload/web');
    expect(await addresses('ips')).toHaveLength(2);
    expect((await platform.send('DELETE', 'ipset/ips')).status).toBe(202);
  });

  test('logs the changes of its addresses as events (platform/audit.event-log)', async () => {
    await platform.send('POST', 'gvc', { name: 'shop', spec: placed });
    await platform.send('POST', 'ipset', { name: 'ips', spec: { link: '//gvc/shop/workload/web' } });
    await platform.send('POST', 'gvc/shop/workload', workload(true));
    const log = await platform.send('GET', 'ipset/ips/-eventlog');
    const told = listAt(log.body, 'items').map((event) => objectAt({ event }, 'event')['status']);
    expect(told).toContain('the address in aws-us-east-1 is bound');
    expect(told.filter((status) => String(status).includes('was allocated in'))).toHaveLength(2);
  });
});

test('changing keep to free does not release a used address (P4), and writes of the platform raise no version', async () => {
  const locations = [{ name: '//location/aws-us-east-1', retentionPolicy: 'keep' }];
  await platform.send('POST', 'ipset', { name: 'ips', spec: { link: '//gvc/shop', locations } });
  const balanced = { ...placed, loadBalancer: { dedicated: true, ipSet: '//ipset/ips' } };
  await platform.send('POST', 'gvc', { name: 'shop', spec: balanced });
  const before = await addresses('ips');
  const free = { '$patch/locations': [{ name: '//location/aws-us-east-1', retentionPolicy: 'free' }] };
  expect((await platform.send('PATCH', 'ipset/ips', { spec: free })).body).toMatchObject({ version: 2 });
  expect(await addresses('ips')).toEqual(before);
  await platform.send('PATCH', 'gvc/shop', { description: 'x' });
  expect((await platform.send('GET', 'ipset/ips')).body).toMatchObject({ version: 2 });
});

test.each([
  ['keep', 2],
  ['free', 1],
])(
  'with policy %s, if a location leaves the GVC, %d addresses stay (platform/ipset)',
  async (retentionPolicy, stay) => {
    const { locationLinks } = placed.staticPlacement;
    const locations = locationLinks.map((name) => ({ name, retentionPolicy }));
    await platform.send('POST', 'ipset', { name: 'ips', spec: { link: '//gvc/shop', locations } });
    const balanced = { ...placed, loadBalancer: { dedicated: true, ipSet: '//ipset/ips' } };
    await platform.send('POST', 'gvc', { name: 'shop', spec: balanced });
    const told = async () => (await addresses('ips')).map(({ name, state }) => `${String(name).slice(20)} ${state}`);
    expect(await told()).toEqual(['aws-us-east-1 bound', 'gcp-us-east1 bound']);
    const [address] = await addresses('ips');
    expect(address).toMatchObject({ ip: expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$/), id: expect.any(String) });
    await platform.send('PATCH', 'gvc/shop', { spec: { staticPlacement: { locationLinks: locationLinks.slice(1) } } });
    expect(await told()).toEqual(['aws-us-east-1 unbound', 'gcp-us-east1 bound'].slice(-stay));
  },
);

test('an IP set gets an address in a location that the query of its GVC finds later (P3)', async () => {
  await platform.send('POST', 'location', { name: 'my-rack', provider: 'byok' });
  const locationQuery = { spec: { terms: [{ tag: 'edge', value: 'yes' }] } };
  await platform.send('POST', 'gvc', { name: 'shop', spec: { staticPlacement: { locationQuery } } });
  await platform.send('POST', 'ipset', { name: 'ips', spec: { link: '//gvc/shop' } });
  expect(await addresses('ips')).toEqual([]);
  expect((await status('ips'))['warning']).toContain('/org/local/gvc/shop');
  await platform.send('PATCH', 'location/gcp-us-east1', { tags: { edge: 'yes' } });
  expect(await addresses('ips')).toMatchObject([{ name: '/org/local/location/gcp-us-east1' }]);
  await platform.send('PATCH', 'location/my-rack', { tags: { edge: 'yes' } });
  expect((await status('ips'))['error']).toContain('my-rack');
});

test('duplicate or missing locations, unknown policies and other links are refused (platform/ipset)', async () => {
  for (const spec of [
    { locations: [{ name: '//location/aws-us-east-1' }, { name: '/org/local/location/aws-us-east-1' }] },
    { locations: [{ name: '//location/none' }] },
    { locations: [{ name: '//location/aws-us-east-1', retentionPolicy: 'drop' }] },
    { link: '//secret/x' },
  ]) {
    expect((await platform.send('POST', 'ipset', { name: 'ips', spec })).status).toBe(400);
  }
});
