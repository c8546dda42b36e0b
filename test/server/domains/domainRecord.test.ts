import { afterEach, describe, expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../../../src/base/json/json.ts';
import { type Answer, container, makeShop, type TestPlatform, testPlatform } from '../platform.ts';

let platform: TestPlatform;
afterEach(() => platform.close());

const workload = (type: string, name: string): JsonObject => ({ name, spec: { type, containers: [container()] } });

async function withShop(options: Parameters<typeof testPlatform>[0] = {}): Promise<TestPlatform> {
  platform = await testPlatform(options);
  await makeShop(platform, 'aws-us-east-1');
  await platform.send('POST', 'gvc/shop/workload', workload('standard', 'web'));
  return platform;
}

function status(answer: Answer): JsonObject {
  return objectAt(answer.body, 'status');
}

const routed: JsonObject = {
  name: 'shop.example.com',
  spec: { ports: [{ number: 443, routes: [{ workloadLink: '//gvc/shop/workload/web' }] }] },
};

describe('a new domain on a platform with a stepped clock (platform/domain.status)', () => {
  async function made(): Promise<number> {
    await withShop({ clock: 'virtual', readyAfterMs: 300 });
    const created = await platform.send('POST', 'domain', routed);
    expect(created.status).toBe(201);
    expect(status(created)).toMatchObject({
      status: 'initializing',
      locations: [{ name: 'aws-us-east-1', certificateStatus: 'initializing' }],
    });
    return Date.parse(stringAt(created.body, 'created') ?? '');
  }

  test('has each stage in its event log, the newest first (platform/audit.event-log)', async () => {
    const startMs = await made();
    await platform.stepTo(startMs + 300);
    const ready = await platform.send('GET', 'domain/shop.example.com');
    expect(ready.body).toMatchObject({
      version: 1,
      status: { status: 'ready', locations: [{ certificateStatus: 'ready' }] },
    });
    const log = await platform.send('GET', 'domain/shop.example.com/-eventlog');
    expect(listAt(log.body, 'items')).toMatchObject([
      { kind: 'event', status: 'the domain is ready', context: { component: 'dns-updater' } },
      { status: 'waiting for a certificate' },
      { status: 'waiting for the DNS records of status.dnsConfig' },
      { status: 'the domain is being set up' },
    ]);
  });

  test('starts again after a change of its certificate challenge, but not of a route', async () => {
    const startMs = await made();
    await platform.stepTo(startMs + 300);
    const route = { '$append/routes': [{ prefix: '/x', workloadLink: '//gvc/shop/workload/web' }] };
    const patched = await platform.send('PATCH', 'domain/shop.example.com', {
      spec: { '$patch/ports': [{ number: 443, ...route }] },
    });
    expect(status(patched)['status']).toBe('ready');
    const other = await platform.send('PATCH', 'domain/shop.example.com', { spec: { certChallengeType: 'dns01' } });
    expect(status(other)['status']).toBe('initializing');
  });

  test('waits while its DNS records do not resolve, and continues when they do', async () => {
    const startMs = await made();
    const told = await platform.send('POST', 'domain/shop.example.com/-simulate', { dns: 'unresolved' });
    expect(told.status).toBe(200);
    await platform.stepTo(startMs + 86_400_000);
    expect(status(await platform.send('GET', 'domain/shop.example.com'))['status']).toBe('pendingDnsConfig');
    await platform.send('POST', 'domain/shop.example.com/-simulate', { dns: 'resolved' });
    expect(status(await platform.send('GET', 'domain/shop.example.com'))['status']).toBe('ready');
  });

  test('is errored if its certificate is refused', async () => {
    const startMs = await made();
    await platform.send('POST', 'domain/shop.example.com/-simulate', { certificate: 'refused' });
    await platform.stepTo(startMs + 300);
    expect(status(await platform.send('GET', 'domain/shop.example.com'))['status']).toBe('errored');
  });
});

describe('the status of a ready domain (platform/domain)', () => {
  test('with gvcLink has an endpoint for each workload, including one that is created later', async () => {
    await withShop();
    const spec = { gvcLink: '//gvc/shop', dnsMode: 'ns' };
    await platform.send('POST', 'domain', { name: 'example.com' });
    const created = await platform.send('POST', 'domain', { name: 'in.example.com', spec });
    expect(status(created)).toMatchObject({
      status: 'usedByGvc',
      endpoints: [{ url: 'https://web.in.example.com', workloadLink: '/org/local/gvc/shop/workload/web' }],
    });
    await platform.send('POST', 'gvc/shop/workload', workload('standard', 'api'));
    expect(listAt(status(await platform.send('GET', 'domain/in.example.com')), 'endpoints')).toHaveLength(2);
  });

  test('has a warning while a route leads to a missing workload (D18)', async () => {
    await withShop();
    const ports = [{ number: 443, routes: [{ workloadLink: '//gvc/shop/workload/late' }] }];
    const created = await platform.send('POST', 'domain', { name: 'late.example.com', spec: { ports } });
    expect(created.status).toBe(201);
    expect(status(created)).toMatchObject({ status: 'warning' });
    expect(status(created)['warning']).toContain('/org/local/gvc/shop/workload/late');
    await platform.send('POST', 'gvc/shop/workload', workload('standard', 'late'));
    const after = status(await platform.send('GET', 'domain/late.example.com'));
    expect(after['status']).toBe('ready');
    expect(after).not.toHaveProperty('warning');
    await platform.send('DELETE', 'gvc/shop/workload/late');
    expect(status(await platform.send('GET', 'domain/late.example.com'))['status']).toBe('warning');
  });

  test('has a warning for a port that needs a dedicated balancer (D11)', async () => {
    await withShop();
    const ports = [{ number: 8443, routes: [{ workloadLink: '//gvc/shop/workload/web' }] }];
    const created = await platform.send('POST', 'domain', { name: 'odd.example.com', spec: { ports } });
    expect(created.status).toBe(201);
    expect(status(created)).toMatchObject({ status: 'warning' });
  });

  test('keeps TLS on port 443 after a patch that drops it (D20)', async () => {
    await withShop();
    const created = await platform.send('POST', 'domain', routed);
    const spec = { '$patch/ports': [{ number: 443, $drop: ['tls'] }] };
    const dropped = await platform.send('PATCH', 'domain/shop.example.com', { spec });
    expect(dropped.status).toBe(200);
    expect(dropped.body['spec']).toEqual(created.body['spec']);
    expect(dropped.body['version']).toBe(1);
  });
});

describe('ownership of a domain (platform/domain.ownership)', () => {
  test('must be proven by the DNS record that the refusal names', async () => {
    platform = await testPlatform({ proveOwnership: true });
    const refused = await platform.send('POST', 'domain', { name: 'shop.example.com' });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      code: 'must_prove_ownership',
      details: { ownershipConfig: [{ type: 'TXT', host: '_scheme-shop.example.com', ttl: 600 }] },
    });
    const [record] = listAt(objectAt(refused.body, 'details'), 'ownershipConfig');
    const { host = '', value = '' } = isObject(record) ? record : {};
    expect((await platform.send('GET', 'domain/shop.example.com')).status).toBe(404);

    const wrong = { txt: [{ host, value: 'somebody-else' }] };
    await platform.send('POST', 'domain/-simulate', wrong);
    expect((await platform.send('POST', 'domain', { name: 'shop.example.com' })).status).toBe(400);
    expect((await platform.send('POST', 'domain/-simulate', { txt: [{ host, value }] })).status).toBe(200);
    expect((await platform.send('POST', 'domain', { name: 'shop.example.com' })).status).toBe(201);
  });

  test('is proven for a name below a domain that the org has', async () => {
    platform = await testPlatform({ proveOwnership: true });
    await platform.send('POST', 'domain/-simulate', { txt: [{ host: '_scheme.example.com', value: 'local' }] });
    await platform.send('POST', 'domain', { name: 'example.com' });
    await platform.send('POST', 'domain/-simulate', { txt: [] });
    expect((await platform.send('POST', 'domain', { name: 'a.example.com' })).status).toBe(201);
    expect((await platform.send('POST', 'domain', { name: 'example.net' })).status).toBe(400);
  });

  test('is not proven by values that are not TXT records', async () => {
    platform = await testPlatform();
    for (const body of [{}, { txt: 'x' }, { txt: [{ host: 'a' }] }, { txt: [5] }]) {
      expect((await platform.send('POST', 'domain/-simulate', body)).status).toBe(400);
    }
  });

  test('can belong to another org of the same server', async () => {
    platform = await testPlatform();
    expect((await platform.send('POST', '/org', { name: 'other' })).status).toBe(201);
    await platform.send('POST', 'domain', { name: 'example.com' });
    for (const name of ['example.com', 'shop.example.com']) {
      const refused = await platform.send('POST', '/org/other/domain', { name });
      expect(refused.body).toMatchObject({ status: 409, code: 'apex_owned_by_other_org' });
    }
    expect((await platform.send('POST', '/org/other/domain', { name: 'example.net' })).status).toBe(201);
  });
});
