import { expect, test } from 'vitest';
import { type JsonObject, objectAt } from '../../../src/base/json/json.ts';
import { container, makeShop, platformForEach } from '../platform.ts';

const home = 'gvc/shop/workload';
const here = `${home}/web/deployment/aws-us-east-1`;

const platform = platformForEach({}, (platform) => makeShop(platform, 'aws-us-east-1'));

async function create(more: JsonObject): Promise<void> {
  const spec = { type: 'standard', containers: [container(more)] };
  expect((await platform.send('POST', home, { name: 'web', spec })).status).toBe(201);
}

async function status(path = here): Promise<JsonObject> {
  return objectAt((await platform.send('GET', path)).body, 'status');
}

const env = [{ name: 'PASSWORD', value: 'scheme://secret/key.payload' }];
const secret = { name: 'key', type: 'opaque', data: { payload: 'x' } };

test('a rollout waits for a missing secret, and starts once it exists (platform/deletion.references)', async () => {
  await create({ env });
  expect(await status()).toMatchObject({
    ready: false,
    deploying: true,
    message: 'the new version waits for the secret key',
    versions: [{ workload: 1, ready: false, containers: { main: { resources: { replicasReady: 0 } } } }],
  });
  expect(await platform.send('GET', `${home}/web`)).toMatchObject({ body: { health: { readiness: 'notReady' } } });
  await platform.send('POST', 'secret', secret);
  expect(await status()).toMatchObject({ ready: true, deploying: false, message: '', versions: [{ workload: 1 }] });
});

test('the running version serves while newer ones wait (platform/lifecycle.deployment)', async () => {
  await create({});
  const containers = { '$patch/containers': [{ name: 'main', env }] };
  await platform.send('PATCH', `${home}/web`, { spec: containers });
  await platform.send('PATCH', `${home}/web`, { tags: { a: 'b' } });
  const versions = [
    { workload: 3, ready: false },
    { workload: 1, ready: true },
  ];
  expect(await status()).toMatchObject({ ready: true, deploying: true, versions });
});

test('a running workload continues without its secret (platform/deletion.references)', async () => {
  await platform.send('POST', 'secret', secret);
  await create({ env });
  expect((await platform.send('DELETE', 'secret/key')).status).toBe(202);
  expect(await status()).toMatchObject({ ready: true, deploying: false });
});

test("an image that is missing in the org's registry is an error in resolvedImages (platform/deletion.references)", async () => {
  await create({ image: '//image/app:1' });
  expect(await status(`${home}/web`)).toMatchObject({
    resolvedImages: { images: [], errorMessages: [expect.stringContaining('/org/local/image/app:1')] },
  });
  await platform.send('POST', 'image/-simulate', { name: 'app:1' });
  expect(await status(`${home}/web`)).toMatchObject({
    resolvedImages: { images: [{ manifests: [{ image: '/org/local/image/app:1' }] }], errorMessages: [] },
  });
});
