import { describe, expect, test } from 'vitest';
import { listAt } from '../../../src/base/json/json.ts';
import { platformForEach } from '../platform.ts';

const platform = platformForEach();

describe('a self-hosted location (platform/location, platform/concepts.links)', () => {
  test('can be created and deleted, and links its helpers', async () => {
    const created = await platform.send('POST', 'location', { name: 'my-rack', provider: 'byok' });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ name: 'my-rack', provider: 'byok', origin: 'custom' });
    expect(listAt(created.body, 'links')).toEqual([
      { rel: 'self', href: '/org/local/location/my-rack' },
      { rel: 'org', href: '/org/local' },
      { rel: 'install', href: '/org/local/location/my-rack/-install' },
      { rel: 'uninstall', href: '/org/local/location/my-rack/-uninstall' },
    ]);
    const script = await fetch(`${platform.url}/org/local/location/my-rack/-install`, {
      headers: { authorization: 'secret-token' },
    });
    expect(script.status).toBe(200);
    expect(script.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await script.text()).toContain('/org/local/location/my-rack');
    expect((await platform.send('DELETE', 'location/my-rack')).status).toBe(202);
  });
});

describe('a built-in location (platform/location)', () => {
  test('has its fields from the start, and no helpers', async () => {
    const { body } = await platform.send('GET', 'location/aws-us-west-2');
    expect(body).toMatchObject({ status: { geo: { country: 'US' } } });
    expect(listAt(body, 'links')).toHaveLength(2);
    expect((await platform.send('GET', 'location/aws-us-west-2/-install')).status).toBe(404);
  });

  test('cannot be renamed or moved to another region', async () => {
    expect((await platform.send('PATCH', 'location/aws-us-west-2', { name: 'mine' })).status).toBe(400);
    const moved = await platform.send('PATCH', 'location/aws-us-west-2', { region: 'elsewhere' });
    expect(moved.body).toMatchObject({ region: 'us-west-2', version: 1 });
  });

  test('is found by provider and region (platform/query)', async () => {
    const terms = [
      { property: 'provider', value: 'azure' },
      { property: 'region', value: 'eastus2' },
    ];
    const found = await platform.send('POST', 'location/-query', { spec: { terms } });
    expect(listAt(found.body, 'items')).toMatchObject([{ name: 'azure-eastus2' }]);
  });
});
