import { expect, test } from 'vitest';
import { platformForAll } from '../platform.ts';

const platform = platformForAll({}, async (platform) => {
  await platform.send('POST', 'gvc', { name: 'shop' });
});

test('an account that is sent back as read keeps its version, with keys and without (platform/concepts.version)', async () => {
  const path = 'serviceaccount/bot';
  await platform.send('POST', 'serviceaccount', { name: 'bot' });
  const { body: bare } = await platform.send('GET', path);
  expect((await platform.send('PATCH', path, bare)).body).toEqual(bare);
  expect((await platform.send('PUT', path, bare)).body).toEqual(bare);
  const { body: key } = await platform.send('POST', `${path}/-addKey`, { description: 'ci' });
  const { body: keyed } = await platform.send('GET', path);
  expect(keyed['version']).toBe(2);
  expect((await platform.send('PATCH', path, keyed)).body).toEqual(keyed);
  const dropped = await platform.send('PATCH', path, { '$drop/keys': [key['name']] });
  expect(dropped.body).toMatchObject({ version: 3, keys: [] });
});

test.each([
  ['as a whole', '{"tolerations":[{"key":"a","n":"5"}]}'],
  ['for one member', { tolerations: '[{"key":"a","n":"5"}]' }],
])('extras that are JSON text %s are stored as JSON (platform/clients.settable)', async (_, extras) => {
  const name = typeof extras === 'string' ? 'web-whole' : 'web-part';
  const containers = [{ name: 'main', image: 'shop/web:1' }];
  await platform.send('POST', 'gvc/shop/workload', { name, spec: { type: 'standard', containers } });
  const updated = await platform.send('PATCH', `gvc/shop/workload/${name}`, { spec: { extras } });
  expect(updated).toMatchObject({ status: 200, body: { spec: { extras: { tolerations: [{ key: 'a', n: '5' }] } } } });
});

test('extras that are text but not JSON are refused', async () => {
  const spec = { type: 'standard', containers: [{ name: 'main', image: 'shop/web:1' }], extras: '{"tolerations"' };
  expect((await platform.send('POST', 'gvc/shop/workload', { name: 'web-none', spec })).status).toBe(400);
});

test.each(['serviceaccount/platform', 'auditctx/scheme', 'policy/superusers-gvc', 'group/superusers'])(
  'the built-in %s can be sent back as read, because `apply` of a whole list contains it (platform/clients.apply)',
  async (path) => {
    const { status, body } = await platform.send('GET', path);
    expect(status).toBe(200);
    const [collection = ''] = path.split('/');
    expect(await platform.send('PATCH', path, body)).toMatchObject({ status: 200, body });
    expect(await platform.send('PUT', path, body)).toMatchObject({ status: 200, body });
    expect(await platform.send('PUT', collection, body)).toMatchObject({ status: 200, body });
  },
);
