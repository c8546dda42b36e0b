import { expect, test } from 'vitest';
import { platformForAll } from '../platform.ts';
import { expectRefusal, publicClient, type Send } from './publicClient.ts';

const gvc = '/org/local/gvc/shop';
let send: Send;

/** The operator sends full objects (platform/wire.writes). */
const document = {
  kind: 'gvc',
  name: 'shop',
  description: 'from a cluster',
  tags: { owner: 'cluster' },
  spec: { staticPlacement: { locationLinks: ['/org/local/location/aws-us-west-2'] } },
};

platformForAll({}, async (platform) => {
  send = publicClient(platform.url);
});

test('PUT of an item: a dry run stores nothing, a real one creates, the same again changes nothing', async () => {
  const dry = await send('PUT', `${gvc}?dryRun=true`, document);
  expect(dry, dry.text).toMatchObject({ status: 200, body: { spec: { endpointNamingFormat: 'org' } } });
  expectRefusal(await send('GET', gvc), 404);
  const made = await send('PUT', gvc, document);
  expect(made).toMatchObject({ status: 201, body: { version: 1, description: 'from a cluster' } });
  expect(made.headers.get('location')).toBe(gvc);
  expect(await send('PUT', gvc, document)).toMatchObject({ status: 200, body: { id: made.body['id'], version: 1 } });
});

test('a dry run over an existing record shows it as it would become', async () => {
  const { body: before } = await send('GET', gvc);
  const dry = await send('PUT', `${gvc}?dryRun=true`, { ...document, description: 'other' });
  expect(dry).toMatchObject({ status: 200, body: { id: before['id'], description: 'other' } });
  expect((await send('GET', gvc)).body).toEqual(before);
  expectRefusal(await send('PUT', `${gvc}?dryRun=true`, { ...document, spec: { none: 1 } }), 400);
  expectRefusal(await send('PUT', '/org/local/gvc/none/workload/web?dryRun=true', { spec: {} }), 404);
});

test('omitted tags and description go back to their defaults; another name is refused (platform/wire.writes, platform/errors)', async () => {
  const { body } = await send('PUT', gvc, { spec: document.spec });
  expect(body).toMatchObject({ description: 'shop', tags: {}, version: 2 });
  expect(body['tags']).toEqual({});
  expectRefusal(await send('PUT', gvc, { ...document, name: 'other' }), 400);
  expectRefusal(await send('PUT', gvc, { ...document, kind: 'workload' }), 400);
});

test('DELETE: 400 has dependents, 404 is done (platform/wire.writes, platform/deletion)', async () => {
  const secret = { kind: 'secret', name: 'pull', type: 'docker', data: '{"auths":{"r.example.com":{}}}' };
  expect((await send('PUT', '/org/local/secret/pull', secret)).status).toBe(201);
  const holding = { ...document, spec: { ...document.spec, pullSecretLinks: ['//secret/pull'] } };
  expect((await send('PUT', gvc, holding)).status).toBe(200);
  const refused = await send('DELETE', '/org/local/secret/pull');
  expectRefusal(refused, 400);
  expect(refused.body['message']).toContain(gvc);
  expect((await send('DELETE', gvc)).status).toBe(202);
  expect((await send('DELETE', '/org/local/secret/pull')).status).toBe(202);
  expectRefusal(await send('DELETE', '/org/local/secret/pull'), 404);
});
