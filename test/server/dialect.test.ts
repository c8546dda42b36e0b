import { expect, test } from 'vitest';
import { isObject, listAt, objectAt, own } from '../../src/base/json/json.ts';
import { dialect } from '../dialect/invented.ts';
import { platformForAll, testPlatform } from './platform.ts';

const platform = platformForAll({ dialect });

const gvc = {
  name: 'shop',
  tags: { 'quay/protected': 'true', 'quay/mine': '1', proxy: 'x' },
  spec: {
    env: [{ name: 'PASSWORD', value: 'quay://secret/db.password' }],
    tracing: { sampling: 10, provider: { lantern: { endpoint: 'collector:4317' } } },
    sidecar: {
      sluice: {
        http: [
          {
            name: 'sluice.filters.http.ext_authz',
            typed_config: {
              '@type': 'type.example.com/sluice.ExtAuthz',
              grpc_service: { sluice_grpc: { cluster_name: 'auth' } },
            },
          },
        ],
      },
    },
  },
};

test('every route returns a record in the words in which it was sent', async () => {
  const created = await platform.send('POST', 'gvc', gvc);
  expect(created.status).toBe(201);
  expect(created.headers.get('location')).toBe('/org/local/gvc/shop');
  const read = await platform.send('GET', 'gvc/shop');
  const listed = listAt((await platform.send('GET', 'gvc')).body, 'items')[0];
  const queried = await platform.send('POST', 'gvc/-query', {
    spec: { terms: [{ tag: 'quay/protected', op: 'exists' }] },
  });
  const found = listAt(queried.body, 'items')[0];
  for (const record of [created.body, read.body, listed, found]) expect(record).toMatchObject(gvc);
});

test('patches and their directives use the words of the installation', async () => {
  const { body, status } = await platform.send('PATCH', 'gvc/shop', {
    spec: { '$drop/env': ['PASSWORD'], sidecar: { sluice: { '$drop/http': ['sluice.filters.http.ext_authz'] } } },
    tags: { 'quay/protected': null },
  });
  expect(status).toBe(200);
  expect(objectAt(body, 'spec')).toMatchObject({ env: [], sidecar: { sluice: { http: [] } } });
  expect(objectAt(body, 'tags')).toEqual({ 'quay/mine': '1', proxy: 'x' });
});

test('reserved prefixes, tags and links have the words of the installation (W32)', async () => {
  const reserved = await platform.send('POST', 'gvc', {
    name: 'other',
    spec: { env: [{ name: 'QUAY_X', value: '1' }] },
  });
  expect(reserved.status).toBe(400);
  expect(listAt(objectAt(reserved.body, 'details'), 'problems')[0]).toMatchObject({ path: 'spec.env.QUAY_X.name' });
  expect(reserved.body['message']).toMatch(/^spec\.env\.QUAY_X\.name: /);
  expect(JSON.stringify(reserved.body)).not.toMatch(/scheme/i);

  const neutral = { name: 'other', spec: { env: [{ name: 'SCHEME_X', value: '1' }] } };
  expect((await platform.send('POST', 'gvc', neutral)).status).toBe(400);

  await platform.send('POST', 'group', { name: 'kept', tags: { 'quay/protected': true } });
  const refused = await platform.send('DELETE', 'group/kept');
  expect(refused.status).toBe(400);
  expect(refused.body['message']).toContain('quay/protected');
});

test('a neutral word is not a field here, and the refusal names the word that was sent', async () => {
  const { status, body } = await platform.send('POST', 'gvc', { name: 'third', spec: { sidecar: { proxy: {} } } });
  expect(status).toBe(400);
  expect(listAt(objectAt(body, 'details'), 'problems')[0]).toMatchObject({
    path: 'spec.sidecar.proxy',
    message: '"proxy" is not allowed here: this platform calls it "sluice"',
    rule: 'dialect.neutral-field',
  });
});

test('two spellings of one name in one body are refused', async () => {
  const { status, body } = await platform.send('PATCH', 'gvc/shop', { tags: { 'quay/a': '1', 'scheme/a': '2' } });
  expect(status).toBe(400);
  expect(body['message']).toBe('tags."quay/a": "quay/a" and "scheme/a" are two spellings of one name');
});

test("the built-in audit context has the installation's name in its record, paths and trail (platform/audit.trail)", async () => {
  const { status, body } = await platform.send('GET', 'auditctx/quay');
  expect(status).toBe(200);
  expect(body).toMatchObject({ name: 'quay', description: 'quay' });
  expect(listAt(body, 'links')).toContainEqual({ rel: 'self', href: '/org/local/auditctx/quay' });

  expect((await platform.send('GET', 'auditctx/%71uay')).body).toMatchObject({ name: 'quay' });

  const trail = await platform.send('GET', '/audit/org/local?contextName=quay&resourceType=gvc');
  const contexts = listAt(trail.body, 'items').map(
    (event) => isObject(event) && own(objectAt(event, 'context'), 'name'),
  );
  expect(contexts.length).toBeGreaterThan(0);
  expect(new Set(contexts)).toEqual(new Set(['quay']));
  const made = listAt(trail.body, 'items').find((event) => JSON.stringify(event).includes('sluice_grpc'));
  expect(made).toBeDefined();
});

test("warnings of the lenient mode are in a header with the installation's name", async () => {
  const lenient = await testPlatform({ dialect, lenient: true });
  await lenient.send('POST', 'gvc', { name: 'town' });
  const spec = {
    initialCapacity: 10,
    performanceClass: 'shared',
    fileSystemType: 'shared',
    snapshots: { schedule: '0 * * * *' },
  };
  const { headers, status } = await lenient.send('POST', 'gvc/town/volumeset', { name: 'files', spec });
  expect([...headers.keys()].filter((name) => name.startsWith('x-scheme'))).toEqual([]);
  expect(status).toBe(201);
  expect(headers.get('x-quay-warning')).toMatch(/^V5;path="spec.snapshots";/);
  await lenient.close();
});

test("custom resources have the installation's words, Terraform those of its provider (platform/wire.exporters)", async () => {
  await platform.send('POST', 'gvc', { ...gvc, name: 'exported', tags: { mine: 'quay' } });
  const resource = await platform.send('GET', '/-exporter/crd/org/local/gvc/exported');
  expect(resource.body).toMatchObject({ apiVersion: 'quay/v1', spec: { sidecar: { sluice: {} } } });
  const response = await fetch(`${platform.url}/-exporter/terraform/org/local/gvc/exported`, {
    headers: { authorization: 'secret-token' },
  });
  const text = await response.text();
  expect(text).toContain('resource "gantry_gvc" "exported" {');
  expect(text).toMatch(/^ +proxy \{/m);
  // A value that the user wrote stays.
  expect(text.replace('"quay"', '')).not.toMatch(/sluice|quay/);
});

test("the description of the API uses the installation's words", async () => {
  const { body } = await platform.send('GET', '/openapi.json');
  const text = JSON.stringify(body);
  expect(text).toContain('"sluice_grpc"');
  expect(text).not.toMatch(/"(?:proxy|proxy_grpc|vendor_grpc|tracer)"|scheme:\/\/|proxy\.filters/);
});

test('data of secrets is not translated', async () => {
  const data = { proxy: 'quay://secret/x', SCHEME_X: 'scheme/x', url: 'scheme://secret/y' };
  await platform.send('POST', 'secret', { name: 'dictionary', type: 'dictionary', data });
  expect((await platform.send('GET', 'secret/dictionary/-reveal')).body['data']).toEqual(data);
});

test('a path with encoded letters means the same', async () => {
  const { status, body } = await platform.send('PATCH', '%67vc/shop', {
    spec: { tracing: { provider: { lantern: { endpoint: 'b:1' } } } },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body).toMatchObject({ spec: { tracing: { provider: { lantern: { endpoint: 'b:1' } } } } });
});

test('a body that is not JSON is refused as without a dialect', async () => {
  const { status, body } = await platform.send('POST', 'gvc', '{"name": "x", "proxy":');
  expect(status).toBe(400);
  expect(body['message']).toContain('the body is not JSON');
});

test('the platform stores the neutral words, as a restart without the dialect shows', async () => {
  const snapshot = await platform.send('GET', '/-snapshot?secrets=true');
  const plain = await testPlatform({ from: snapshot.body });
  expect((await plain.send('GET', 'auditctx/scheme')).status).toBe(200);
  const { body } = await plain.send('GET', 'gvc/shop');
  expect(body).toMatchObject({ spec: { tracing: { provider: { tracer: {} } }, sidecar: { proxy: { http: [] } } } });
  expect(objectAt(body, 'tags')).toEqual({ 'scheme/mine': '1', proxy: 'x' });
  await plain.close();
});
