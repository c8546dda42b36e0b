import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/schema/json/json.ts';
import { platformForAll } from '../platform.ts';
import { allPages, created, expectRefusal, linked, publicClient, type Send } from './publicClient.ts';

const gvc = '/org/local/gvc/shop';
const web = `${gvc}/workload/web`;
let send: Send;

/** What `workload create` sends (platform/clients.operations). */
const workload: JsonObject = {
  name: 'web',
  description: 'web',
  tags: {},
  spec: {
    type: 'standard',
    containers: [
      {
        name: 'nginx',
        image: 'nginx:1',
        cpu: '50m',
        memory: '128Mi',
        env: [],
        inheritEnv: false,
        volumes: [],
        ports: [{ protocol: 'http', number: 8080 }],
      },
    ],
    firewallConfig: {
      external: { inboundAllowCIDR: ['0.0.0.0/0'], outboundAllowCIDR: ['0.0.0.0/0'] },
      internal: { inboundAllowType: 'same-org' },
    },
  },
};

platformForAll({}, async (platform) => {
  send = publicClient(platform.url);
  const placement = { staticPlacement: { locationLinks: ['//location/aws-us-west-2'] } };
  await created(send, '/org/local/gvc', { name: 'shop', description: 'shop', tags: {}, spec: placement });
  await created(send, `${gvc}/identity`, { name: 'reader' });
  expect((await created(send, `${gvc}/workload`, workload))['spec']).toEqual(workload['spec']);
});

/** `update`: GET, then PATCH with `version` and `id` (platform/patch.clients). */
async function update(patch: JsonObject): Promise<JsonObject> {
  const { body } = await send('GET', web);
  const answer = await send('PATCH', web, { version: body['version'], id: body['id'], ...patch });
  expect(answer, answer.text).toMatchObject({ status: 200 });
  return answer.body;
}

test.each<[string, JsonObject, JsonObject]>([
  [
    '--set with text for numbers and flags',
    { spec: { defaultOptions: { timeoutSeconds: '30', capacityAI: 'false', autoscaling: { maxScale: '3' } } } },
    { spec: { defaultOptions: { timeoutSeconds: 30, capacityAI: false, autoscaling: { maxScale: 3 } } } },
  ],
  [
    '--set spec.containers.nginx.…, with a new variable',
    {
      spec: { '$patch/containers': [{ name: 'nginx', inheritEnv: 'true', '$patch/env': [{ name: 'A', value: '5' }] }] },
    },
    { spec: { containers: [{ name: 'nginx', inheritEnv: true, env: [{ name: 'A', value: '5' }] }] } },
  ],
  [
    '--unset of the variable',
    { spec: { '$patch/containers': [{ name: 'nginx', '$drop/env': ['A'] }] } },
    { spec: { containers: [{ env: [] }] } },
  ],
  [
    '--set list+=',
    { spec: { firewallConfig: { external: { '$append/outboundAllowHostname': ['a.example.com'] } } } },
    { spec: { firewallConfig: { external: { outboundAllowHostname: ['a.example.com'] } } } },
  ],
  [
    '--set list-=',
    { spec: { firewallConfig: { external: { '$drop/outboundAllowHostname': ['a.example.com'] } } } },
    { spec: { firewallConfig: { external: { outboundAllowHostname: [] } } } },
  ],
  [
    '--set of a link, in the short form of its own GVC',
    { spec: { identityLink: '//identity/reader' } },
    { spec: { identityLink: `${gvc}/identity/reader` } },
  ],
  ['tag', { tags: { k: 'v', n: 5, gone: null } }, { tags: { k: 'v', n: 5 } }],
])('update %s (platform/patch.clients)', async (_, patch, shown) => {
  const before = (await send('GET', web)).body;
  expect(await update(patch)).toMatchObject({ ...shown, version: Number(before['version']) + 1 });
});

test('--unset, and --set =null, take the field away', async () => {
  const updated = await update({ spec: { identityLink: null, defaultOptions: null } });
  expect(Object.keys(Object(updated['spec'])).sort()).toEqual(['containers', 'firewallConfig', 'type']);
});

test('edit sends the whole record, and again with a stale version', async () => {
  const { body } = await send('GET', web);
  expect((await send('PATCH', web, body)).body['version']).toBe(body['version']);
  const edited = { ...body, description: 'edited' };
  expect(await send('PATCH', web, edited)).toMatchObject({ status: 200, body: { description: 'edited' } });
  expectRefusal(await send('PATCH', web, edited), 409);
});

test('edit --replace sends the whole record by PUT, a stale version too', async () => {
  const { body } = await send('GET', web);
  const replaced = await send('PUT', web, { ...body, version: 1, description: 'replaced' });
  expect(replaced).toMatchObject({ status: 200, body: { id: body['id'], created: body['created'] } });
  expect(replaced.body).toMatchObject({ description: 'replaced', version: Number(body['version']) + 1 });
});

test('clone posts the whole record under another name', async () => {
  const { body } = await send('GET', web);
  const clone = await created(send, `${gvc}/workload`, { ...body, name: 'web-two' });
  expect(clone).toMatchObject({ version: 1, spec: body['spec'], tags: body['tags'] });
  expect(clone['id']).not.toBe(body['id']);
  expect(linked(clone, 'self')).toBe(`${gvc}/workload/web-two`);
});

test('get follows the pages, and --all-gvcs and query have the same records (platform/wire.lists, platform/query)', async () => {
  const made = Array.from({ length: 60 }, (_, index) => `${`${index}`.padStart(2, '0')}`);
  for (const n of made) await created(send, '/org/local/auditctx', { name: `ctx-${n}`, tags: { n: Number(n) } });
  const listed = await allPages(send, 'GET', '/org/local/auditctx');
  expect(listed.map((item) => item['name']).filter((name) => name !== 'scheme')).toEqual(made.map((n) => `ctx-${n}`));
  const from50 = { kind: 'auditctx', spec: { match: 'all', terms: [{ op: '>=', tag: 'n', value: '50' }] } };
  expect(await allPages(send, 'POST', '/org/local/auditctx/-query', from50)).toHaveLength(10);
  for (const body of [undefined, '', 'null', {}]) {
    expect(await allPages(send, 'POST', '/org/local/auditctx/-query', body)).toHaveLength(listed.length);
  }
  const inShop = { kind: 'workload', spec: { terms: [{ rel: 'gvc', op: '=', value: 'shop' }] } };
  const everywhere = await allPages(send, 'GET', '/org/local/workload');
  expect(await allPages(send, 'POST', '/org/local/workload/-query', inShop)).toEqual(everywhere);
});
