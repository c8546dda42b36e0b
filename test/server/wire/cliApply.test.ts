import { expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt, own } from '../../../src/schema/json/json.ts';
import { platformForAll } from '../platform.ts';
import { allPages, expectRefusal, linked, publicClient, type Send } from './publicClient.ts';

const org = '/org/local';
const gvc = `${org}/gvc/shop`;
const readyAfterMs = 30_000;
let send: Send;
let nowMs: number;

const platform = platformForAll({ clock: 'virtual', readyAfterMs }, async (platform) => {
  send = publicClient(platform.url);
  nowMs = Date.now() + 60_000;
  await platform.stepTo(nowMs);
});

async function pass(ms: number): Promise<void> {
  nowMs += ms;
  await platform.stepTo(nowMs);
}

const container = { name: 'main', image: 'shop/web:1', ports: [{ number: 8080, protocol: 'http' }] };

/** In the order of `apply` (platform/clients.apply), each with its collection. */
const documents: readonly (readonly [home: string, document: JsonObject])[] = [
  [`${org}/agent`, { kind: 'agent', name: 'near' }],
  [`${org}/secret`, { kind: 'secret', name: 'word', type: 'opaque', data: { payload: 'x' } }],
  [
    `${org}/gvc`,
    {
      kind: 'gvc',
      name: 'shop',
      spec: { staticPlacement: { locationLinks: ['//location/aws-us-west-2', '//location/azure-eastus2'] } },
    },
  ],
  [`${gvc}/identity`, { kind: 'identity', name: 'reader', gvc: 'shop' }],
  [
    `${gvc}/volumeset`,
    {
      kind: 'volumeset',
      name: 'data',
      gvc: 'shop',
      spec: { initialCapacity: 10, performanceClass: 'general-purpose-ssd' },
    },
  ],
  [
    `${org}/policy`,
    {
      kind: 'policy',
      name: 'reads',
      targetKind: 'secret',
      target: 'all',
      targetLinks: [],
      bindings: [{ permissions: ['reveal'], principalLinks: ['//gvc/shop/identity/reader'] }],
    },
  ],
  [
    `${gvc}/workload`,
    { kind: 'workload', name: 'web', gvc: 'shop', spec: { type: 'standard', containers: [container] } },
  ],
  [`${org}/domain`, { kind: 'domain', name: 'example.com', spec: {} }],
  [`${org}/ipset`, { kind: 'ipset', name: 'fixed', spec: { link: '//gvc/shop' } }],
  [`${org}/group`, { kind: 'group', name: 'team' }],
  [`${org}/serviceaccount`, { kind: 'serviceaccount', name: 'bot' }],
  [`${org}/auditctx`, { kind: 'auditctx', name: 'own' }],
  [`${org}/location`, { kind: 'location', name: 'hall', provider: 'byok' }],
];

test.each(documents)(
  'PUT of %s: 201 with Location, then 200 and no version step (platform/wire.operations, platform/clients.apply)',
  async (home, doc) => {
    const path = `${home}/${String(doc['name'])}`;
    const created = await send('PUT', home, doc);
    expect(created, created.text).toMatchObject({ status: 201, body: { version: 1 } });
    expect(created.headers.get('location')).toBe(path);
    expect(own(created.body, 'gvc')).toBeUndefined();
    const again = await send('PUT', home, doc);
    expect(again, again.text).toMatchObject({ status: 200, body: { id: created.body['id'], version: 1 } });
    expect(again.headers.get('location')).toBeNull();
  },
);

test.each(documents)('what is read from %s can be applied and edited as it is', async (home, doc) => {
  const path = `${home}/${String(doc['name'])}`;
  const { body } = await send('GET', path);
  // A secret is read without its values, so that its document needs them again.
  const whole = { ...body, gvc: 'shop', version: 77, ...(doc['kind'] === 'secret' ? { data: doc['data'] } : {}) };
  const { gvc: _, ...orgWide } = whole;
  const sent = home.startsWith(gvc) ? whole : orgWide;
  const applied = await send('PUT', home, sent);
  expect(applied, applied.text).toMatchObject({ status: 200, body: { version: body['version'] } });
  const patched = await send('PATCH', path, body);
  expect(patched, patched.text).toMatchObject({ status: 200, body: { version: body['version'] } });
});

test('what apply must not take: another kind, no name', async () => {
  const [home, document] = documents[6] ?? ['', {}];
  expectRefusal(await send('PUT', home, { ...document, kind: 'gvc' }), 400);
  expectRefusal(await send('PUT', home, { kind: 'workload', spec: document['spec'] ?? null }), 400);
});

/**
 * One check of `apply --ready` (platform/lifecycle.readiness): the deployments that are ready with the latest version.
 */
async function readyDeployments(path: string): Promise<{ readonly ready: number; readonly all: number }> {
  const { body: workload } = await send('GET', path);
  const { body: list } = await send('GET', linked(workload, 'deployment'));
  const items = listAt(list, 'items').filter(isObject);
  const ready = items.filter((item) => {
    const status = objectAt(item, 'status');
    const expected = own(status, 'expectedDeploymentVersion');
    const version = listAt(status, 'versions').find((at) => isObject(at) && own(at, 'workload') === expected);
    return (
      own(status, 'ready') === true &&
      own(objectAt(status, 'internal'), 'syncFailed') !== true &&
      Number(own(status, 'lastProcessedVersion')) >= Number(own(workload, 'version')) &&
      isObject(version) &&
      own(version, 'ready') === true
    );
  });
  return { ready: ready.length, all: items.length };
}

test('apply --ready sees a rollout begin and end (platform/lifecycle.readiness, platform/lifecycle.deployment)', async () => {
  const path = `${gvc}/workload/web`;
  await pass(readyAfterMs);
  expect(await readyDeployments(path)).toEqual({ ready: 2, all: 2 });
  const { body } = await send('GET', path);
  // The client works these out and adds them to what it prints; they are not the platform's.
  expect(Object.keys(objectAt(body, 'status')).filter((field) => field.startsWith('ready'))).toEqual([]);
  const spec = { ...objectAt(body, 'spec'), containers: [{ ...container, image: 'shop/web:2' }] };
  expect((await send('PUT', `${gvc}/workload`, { ...body, spec })).status).toBe(200);
  expect(await readyDeployments(path)).toEqual({ ready: 0, all: 2 });
  await pass(readyAfterMs);
  expect(await readyDeployments(path)).toEqual({ ready: 2, all: 2 });
});

test('every list and query has its self link and its kind (platform/wire.lists, platform/query)', async () => {
  for (const kind of [
    'gvc',
    'workload',
    'identity',
    'volumeset',
    'domain',
    'ipset',
    'user',
    'quota',
    'image',
    'task',
  ]) {
    expect((await send('GET', `${org}/${kind}`)).body).toMatchObject({ kind: 'list', itemKind: kind });
    await allPages(send, 'GET', `${org}/${kind}`);
    const result = (await send('POST', `${org}/${kind}/-query`)).body;
    expect(result).toMatchObject({ kind: 'queryresult', itemKind: kind, links: expect.any(Array) });
  }
});

test('gvc delete --force: each child is gone after its DELETE, a second DELETE is 404 (platform/clients.operations, platform/deletion)', async () => {
  for (const kind of ['workload', 'volumeset', 'identity']) {
    for (const item of await allPages(send, 'GET', `${gvc}/${kind}`)) {
      const self = linked(item, 'self');
      expect((await send('DELETE', self)).status).toBe(202);
      await pass(600_000);
      expectRefusal(await send('GET', self), 404);
      expectRefusal(await send('DELETE', self), 404);
    }
  }
  expect((await send('DELETE', gvc)).status).toBe(202);
  expectRefusal(await send('GET', `${gvc}/workload`), 404);
});
