import { expect, test } from 'vitest';
import { type JsonObject, objectAt } from '../../../src/base/json/json.ts';
import { container, platformForAll } from '../platform.ts';

/**
 * Records that hold the reference under test, by the row of platform/deletion.references. `target` exists; `none` does
 * not.
 */
interface Edge {
  readonly row: number;
  readonly it: string;
  readonly path: string;
  readonly body: (name: string) => JsonObject;
  /** The collection of the target. */
  readonly to: string;
  readonly target: JsonObject;
  /** The status of a write whose target is missing. */
  readonly dangling: 201 | 400;
  /** The status of a deletion of the target while it is referred to. */
  readonly deletion: 202 | 400;
}

const gvcPath = 'gvc';
const key = { type: 'opaque', data: { payload: 'x' } };
const docker = { type: 'docker', data: '{"auths": {"example.com": {}}}' };
const pem = '-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n';
const pair = { type: 'keypair', data: { secretKey: pem } };
const disk = { spec: { initialCapacity: 10, performanceClass: 'general-purpose-ssd' } };
const awsAccount = { provider: 'aws', data: { roleArn: 'arn:aws:iam::123456789012:role/x' } };

function workload(spec: JsonObject): JsonObject {
  return { name: 'holder', spec: { type: 'standard', containers: [container()], ...spec } };
}

function mounting(uri: string): JsonObject {
  return workload({ type: 'stateful', containers: [container({ volumes: [{ uri, path: '/data' }] })] });
}

function domain(port: JsonObject): JsonObject {
  return { name: 'example.com', spec: { ports: [{ number: 443, protocol: 'http2', ...port }] } };
}

function gvc(spec: JsonObject): JsonObject {
  return { name: 'holder', spec };
}

const inShop = 'gvc/shop/workload';
const edges: readonly Edge[] = [
  {
    row: 2,
    it: 'workload -> identity',
    path: inShop,
    body: (name) => workload({ identityLink: `//identity/${name}` }),
    to: 'gvc/shop/identity',
    target: {},
    dangling: 400,
    deletion: 400,
  },
  {
    row: 3,
    it: 'variable -> secret',
    path: inShop,
    body: (name) => workload({ containers: [container({ env: [{ name: 'A', value: `scheme://secret/${name}` }] })] }),
    to: 'secret',
    target: key,
    dangling: 201,
    deletion: 202,
  },
  {
    row: 4,
    it: 'volume -> secret',
    path: inShop,
    body: (name) => mounting(`scheme://secret/${name}`),
    to: 'secret',
    target: key,
    dangling: 201,
    deletion: 202,
  },
  {
    row: 5,
    it: 'volume -> volume set',
    path: inShop,
    body: (name) => mounting(`scheme://volumeset/${name}`),
    to: 'gvc/shop/volumeset',
    target: disk,
    dangling: 400,
    deletion: 400,
  },
  {
    row: 6,
    it: 'firewall -> workload',
    path: inShop,
    body: (name) =>
      workload({
        firewallConfig: {
          internal: { inboundAllowType: 'workload-list', inboundAllowWorkload: [`//gvc/shop/workload/${name}`] },
        },
      }),
    to: inShop,
    target: workload({}),
    dangling: 201,
    deletion: 202,
  },
  {
    row: 8,
    it: 'workload -> ip set',
    path: inShop,
    body: (name) =>
      workload({
        loadBalancer: {
          direct: {
            enabled: true,
            ipSet: `//ipset/${name}`,
            ports: [{ externalPort: 443, protocol: 'TCP', containerPort: 8080 }],
          },
        },
      }),
    to: 'ipset',
    target: {},
    dangling: 201,
    deletion: 202,
  },
  {
    row: 11,
    it: 'gvc -> location',
    path: gvcPath,
    body: (name) => gvc({ staticPlacement: { locationLinks: [`//location/${name}`] } }),
    to: 'location',
    target: { provider: 'byok' },
    dangling: 400,
    deletion: 400,
  },
  {
    row: 12,
    it: 'gvc -> pull secret',
    path: gvcPath,
    body: (name) => gvc({ pullSecretLinks: [`//secret/${name}`] }),
    to: 'secret',
    target: docker,
    dangling: 400,
    deletion: 400,
  },
  {
    row: 13,
    it: 'gvc tracing -> secret',
    path: gvcPath,
    body: (name) =>
      gvc({
        tracing: { sampling: 5, provider: { tracer: { endpoint: 'a.example:443', credentials: `//secret/${name}` } } },
      }),
    to: 'secret',
    target: key,
    dangling: 400,
    deletion: 400,
  },
  {
    row: 14,
    it: 'gvc -> ip set',
    path: gvcPath,
    body: (name) => gvc({ loadBalancer: { dedicated: true, ipSet: `//ipset/${name}` } }),
    to: 'ipset',
    target: {},
    dangling: 201,
    deletion: 202,
  },
  {
    row: 16,
    it: 'gvc keda -> secret',
    path: gvcPath,
    body: (name) => gvc({ keda: { enabled: true, secrets: [`//secret/${name}`] } }),
    to: 'secret',
    target: key,
    dangling: 201,
    deletion: 400,
  },
  {
    row: 19,
    it: 'domain -> gvc',
    path: 'domain',
    body: (name) => ({ name: 'sub.example.org', spec: { dnsMode: 'ns', gvcLink: `//gvc/${name}` } }),
    to: 'gvc',
    target: {},
    dangling: 201,
    deletion: 202,
  },
  {
    row: 20,
    it: 'route -> workload',
    path: 'domain',
    body: (name) => domain({ routes: [{ workloadLink: `//gvc/shop/workload/${name}` }] }),
    to: inShop,
    target: workload({}),
    dangling: 201,
    deletion: 202,
  },
  {
    row: 22,
    it: 'domain tls -> secret',
    path: 'domain',
    body: (name) => domain({ tls: { serverCertificate: { secretLink: `//secret/${name}` } } }),
    to: 'secret',
    target: pair,
    dangling: 400,
    deletion: 400,
  },
  {
    row: 25,
    it: 'identity -> cloud account',
    path: 'gvc/shop/identity',
    body: (name) => ({ name: 'holder', aws: { cloudAccountLink: `//cloudaccount/${name}`, roleName: 'r' } }),
    to: 'cloudaccount',
    target: awsAccount,
    dangling: 400,
    deletion: 400,
  },
  {
    row: 26,
    it: 'network resource -> agent',
    path: 'gvc/shop/identity',
    body: (name) => ({
      name: 'holder',
      networkResources: [{ name: 'db', agentLink: `//agent/${name}`, FQDN: 'db.example.com', ports: [5432] }],
    }),
    to: 'agent',
    target: {},
    dangling: 400,
    deletion: 400,
  },
  {
    row: 27,
    it: 'ip set -> gvc',
    path: 'ipset',
    body: (name) => ({ name: 'holder', spec: { link: `//gvc/${name}` } }),
    to: 'gvc',
    target: {},
    dangling: 201,
    deletion: 202,
  },
  {
    row: 28,
    it: 'ip set -> location',
    path: 'ipset',
    body: (name) => ({
      name: 'holder',
      spec: { locations: [{ name: `//location/${name}`, retentionPolicy: 'keep' }] },
    }),
    to: 'location',
    target: { provider: 'byok' },
    dangling: 400,
    deletion: 400,
  },
  {
    row: 29,
    it: 'group -> service account',
    path: 'group',
    body: (name) => ({ name: 'holder', memberLinks: [`//serviceaccount/${name}`] }),
    to: 'serviceaccount',
    target: {},
    dangling: 400,
    deletion: 202,
  },
  {
    row: 30,
    it: 'policy -> target',
    path: 'policy',
    body: (name) => ({ name: 'holder', targetKind: 'secret', targetLinks: [`//secret/${name}`] }),
    to: 'secret',
    target: key,
    dangling: 201,
    deletion: 202,
  },
  {
    row: 31,
    it: 'policy -> principal',
    path: 'policy',
    body: (name) => ({
      name: 'holder',
      targetKind: 'secret',
      target: 'all',
      bindings: [{ permissions: ['view'], principalLinks: [`//group/${name}`] }],
    }),
    to: 'group',
    target: {},
    dangling: 201,
    deletion: 202,
  },
  {
    row: 32,
    it: 'cloud account -> secret',
    path: 'cloudaccount',
    body: (name) => ({ name: 'holder', provider: 'azure', data: { secretLink: `//secret/${name}` } }),
    to: 'secret',
    target: { type: 'azure-connector', data: { url: 'https://a.example', code: 'c' } },
    dangling: 201,
    deletion: 400,
  },
];

const platform = platformForAll({}, async (platform) => {
  await platform.send('POST', 'gvc', { name: 'shop' });
  await platform.send('POST', 'domain', { name: 'example.org' });
});

test.each(edges)(
  '$it: $dangling without its target, $deletion for deleting it (platform/deletion.references $row)',
  async (edge) => {
    const { path, body, to, target, dangling, deletion } = edge;
    const made = await platform.send('POST', to, { ...target, name: 'target' });
    expect([made.status, made.body['message']]).toEqual([201, undefined]);

    const missing = await platform.send('POST', path, body('none'));
    expect([missing.status, missing.body['message']]).toEqual([
      dangling,
      dangling === 201 ? undefined : expect.stringContaining('none'),
    ]);
    const self = `${path}/${body('none')['name']}`;
    if (dangling === 201) await platform.send('DELETE', self);

    const held = await platform.send('POST', path, body('target'));
    expect([held.status, held.body['message']]).toEqual([201, undefined]);
    const first = await platform.send('DELETE', `${to}/target`);
    expect([first.status, JSON.stringify(objectAt(first.body, 'details'))]).toEqual([
      deletion,
      deletion === 202 ? '{}' : expect.stringContaining(`/org/local/${self}`),
    ]);
    // Without the holder nothing is in the way.
    await platform.send('DELETE', self);
    expect((await platform.send('DELETE', `${to}/target`)).status).toBe(deletion === 202 ? 404 : 202);
  },
);

test('what a new GVC names before it is there is warned of, and kept once it is (platform/deletion.references)', async () => {
  const spec = { keda: { enabled: true, identityLink: '//identity/own' } };
  const alias = { aliasWorkloadLink: '//gvc/later/workload/web' };
  const made = await platform.send('POST', 'gvc', { name: 'later', spec: { ...spec, ...alias } });
  expect(made.status).toBe(201);
  expect(made.headers.get('x-scheme-warning')?.match(/reference\.dangling/g)).toHaveLength(2);
  await platform.send('POST', 'gvc/later/identity', { name: 'own' });
  await platform.send('POST', 'gvc/later/workload', { ...workload({}), name: 'web' });
  expect((await platform.send('PATCH', 'gvc/later', { spec: { ...spec, ...alias } })).status).toBe(200);
  expect((await platform.send('DELETE', 'gvc/later/identity/own')).status).toBe(400);
  expect((await platform.send('DELETE', 'gvc/later/workload/web')).status).toBe(400);
  expect((await platform.send('DELETE', 'gvc/later')).status).toBe(202);
});

test('the domain that a GVC names is shown as used by it (platform/deletion.references)', async () => {
  await platform.send('POST', 'domain', { name: 'example.net' });
  expect((await platform.send('POST', 'gvc', { name: 'named', spec: { domain: 'example.net' } })).status).toBe(201);
  expect((await platform.send('GET', 'domain/example.net')).body).toMatchObject({ status: { status: 'usedByGvc' } });
  expect((await platform.send('DELETE', 'domain/example.net')).status).toBe(202);
});

test('a domain in the way of another one is named by its code (platform/errors.statuses)', async () => {
  const sub = await platform.send('POST', 'domain', { name: 'a.none.com', spec: { dnsMode: 'ns' } });
  expect(sub.body).toMatchObject({ status: 400, code: 'apex_must_exist' });
  await platform.send('POST', 'domain', { name: 'zone.example.org', spec: { dnsMode: 'ns' } });
  const below = await platform.send('POST', 'domain', { name: 'www.zone.example.org' });
  expect(below.body).toMatchObject({ status: 409, code: 'parent_ns_domain_exists' });
  const apex = await platform.send('DELETE', 'domain/example.org');
  expect(apex.body).toMatchObject({
    status: 400,
    details: { problems: [{ message: '/org/local/domain/zone.example.org' }] },
  });
});

test('members that are gone leave their groups, which is a change of the group (platform/deletion.references)', async () => {
  await platform.send('POST', 'serviceaccount', { name: 'gone' });
  await platform.send('POST', 'serviceaccount', { name: 'stays' });
  const memberLinks = ['//serviceaccount/gone', '//serviceaccount/stays'];
  await platform.send('POST', 'group', { name: 'team', memberLinks });
  await platform.send('DELETE', 'serviceaccount/gone');
  expect((await platform.send('GET', 'group/team')).body).toMatchObject({
    version: 2,
    memberLinks: ['/org/local/serviceaccount/stays'],
  });
});
