import { expect, test } from 'vitest';
import { type JsonObject, objectAt, own } from '../../../src/schema/json/json.ts';
import { platformForAll } from '../platform.ts';
import { created, expectRefusal, publicClient, type Send } from './publicClient.ts';

const org = '/org/local';
const gvc = `${org}/gvc/shop`;
let send: Send;

const container = { name: 'main', image: 'a:1', cpu: '50m', memory: '128Mi', inheritEnv: false };
const web = { type: 'standard', containers: [{ ...container, ports: [{ protocol: 'http', number: 80 }] }] };
const tagged = { kind: 'user', fetch: 'items', spec: { match: 'all', terms: [{ op: '=', tag: 'a', value: 'b' }] } };
const volumes = { initialCapacity: 10, performanceClass: 'general-purpose-ssd', fileSystemType: 'xfs' };
const onePort = { number: 80, protocol: 'http' };

platformForAll({ readyAfterMs: 0 }, async (platform) => {
  send = publicClient(platform.url);
  const cloud = { name: 'aws-one', provider: 'aws', data: { roleArn: 'arn:aws:iam::123456789012:role/x' } };
  await created(send, `${org}/cloudaccount`, cloud);
  await created(send, `${org}/agent`, { name: 'near' });
  await created(send, `${org}/secret`, { name: 'pull', type: 'docker', data: '{"auths":{"r.example.com":{}}}' });
  const spec = { staticPlacement: { locationLinks: ['//location/aws-us-west-2'] } };
  await created(send, `${org}/gvc`, { name: 'shop', spec });
});

/** The record without what the platform alone says (platform/concepts.record). */
function content(record: JsonObject): JsonObject {
  const { id, kind, version, created: _, lastModified, links, status, health, alias, origin, ...rest } = record;
  return rest;
}

/**
 * `sent` beside name, description and tags; `read` where the platform writes links in full or fills in
 * (platform/concepts.filled).
 */
const resources: readonly {
  readonly it: string;
  readonly home: string;
  readonly sent: JsonObject;
  readonly read?: JsonObject;
}[] = [
  {
    it: 'a GVC without a spec',
    home: `${org}/gvc`,
    sent: {},
    read: { spec: { endpointNamingFormat: 'org' } },
  },
  {
    it: 'a GVC with links in both forms',
    home: `${org}/gvc`,
    sent: {
      spec: {
        staticPlacement: { locationLinks: ['//location/aws-us-east-1', `${org}/location/gcp-us-east1`] },
        pullSecretLinks: ['//secret/pull'],
        tracing: { sampling: 55.55, provider: { otel: { endpoint: 'otel:4317' } } },
        env: [{ name: 'A', value: '1' }],
      },
    },
    read: {
      spec: {
        staticPlacement: { locationLinks: [`${org}/location/aws-us-east-1`, `${org}/location/gcp-us-east1`] },
        pullSecretLinks: [`${org}/secret/pull`],
        tracing: { sampling: 55.55, provider: { otel: { endpoint: 'otel:4317' } } },
        env: [{ name: 'A', value: '1' }],
        endpointNamingFormat: 'org',
      },
    },
  },
  { it: 'a workload without options', home: `${gvc}/workload`, sent: { spec: web } },
  {
    it: 'a cron workload',
    home: `${gvc}/workload`,
    sent: {
      spec: {
        type: 'cron',
        containers: [container],
        job: { schedule: '* * * * *', concurrencyPolicy: 'Forbid', historyLimit: 5, restartPolicy: 'Never' },
      },
    },
  },
  { it: 'an identity', home: `${gvc}/identity`, sent: {} },
  {
    it: 'an identity with a cloud and a network resource',
    home: `${gvc}/identity`,
    sent: {
      aws: { cloudAccountLink: '//cloudaccount/aws-one', policyRefs: ['aws::ReadOnlyAccess'] },
      networkResources: [{ name: 'base', agentLink: '//agent/near', IPs: ['10.0.0.1'], ports: [80, 443] }],
    },
    read: {
      aws: { cloudAccountLink: `${org}/cloudaccount/aws-one`, policyRefs: ['aws::ReadOnlyAccess'] },
      networkResources: [{ name: 'base', agentLink: `${org}/agent/near`, IPs: ['10.0.0.1'], ports: [80, 443] }],
    },
  },
  { it: 'a volume set', home: `${gvc}/volumeset`, sent: { spec: volumes } },
  {
    it: 'a policy with links and a query',
    home: `${org}/policy`,
    sent: {
      targetKind: 'user',
      targetLinks: ['//user/admin@example.com'],
      targetQuery: tagged,
      bindings: [{ permissions: ['view'], principalLinks: ['//group/superusers', '//gvc/shop/identity/none'] }],
    },
    read: {
      targetKind: 'user',
      targetLinks: [`${org}/user/admin@example.com`],
      targetQuery: tagged,
      bindings: [{ permissions: ['view'], principalLinks: [`${org}/group/superusers`, `${gvc}/identity/none`] }],
    },
  },
  { it: 'a group', home: `${org}/group`, sent: {}, read: { memberLinks: [] } },
  {
    it: 'a group with a query and a matcher',
    home: `${org}/group`,
    sent: { memberLinks: [], memberQuery: tagged, identityMatcher: { expression: 'a', language: 'jmespath' } },
  },
  {
    it: 'an IP set',
    home: `${org}/ipset`,
    sent: { spec: { link: '//gvc/shop', locations: [{ name: '//location/aws-us-west-2', retentionPolicy: 'free' }] } },
    read: { spec: { link: gvc, locations: [{ name: `${org}/location/aws-us-west-2`, retentionPolicy: 'free' }] } },
  },
  { it: 'an audit context', home: `${org}/auditctx`, sent: {} },
];

test.each(resources)('$it: no diff after apply, and none after the update', async ({ it, home, sent, read = sent }) => {
  const name = it.replaceAll(/[^a-z]+/gi, '-').toLowerCase();
  const tags = { team: 'a', n: 3, on: true };
  const record = await created(send, home, { name, description: 'text', tags, ...sent });
  expect(content(record)).toEqual({ name, description: 'text', tags, ...read });
  const { spec, ...blocks } = sent;
  const replaced = spec === undefined ? {} : { '$replace/spec': { ...objectAt(sent, 'spec') } };
  const updated = await send('PATCH', `${home}/${name}`, {
    description: 'text',
    '$replace/tags': tags,
    ...blocks,
    ...replaced,
  });
  expect(updated, updated.text).toMatchObject({ status: 200, body: { version: 1 } });
  expect(content(updated.body)).toEqual(content(record));
  const other = await send('PATCH', `${home}/${name}`, { '$replace/tags': { only: 'this' } });
  expect(other.body).toMatchObject({ version: 2 });
  expect(other.body['tags']).toEqual({ only: 'this' });
});

test('identity blocks are replaced whole, and dropped (platform/patch.clients)', async () => {
  const path = `${gvc}/identity/clouds`;
  const aws = { cloudAccountLink: '//cloudaccount/aws-one', policyRefs: ['aws::ReadOnlyAccess'] };
  await created(send, `${gvc}/identity`, { name: 'clouds', aws });
  const role = { cloudAccountLink: `${org}/cloudaccount/aws-one`, roleName: 'reader' };
  expect((await send('PATCH', path, { '$replace/aws': role })).body['aws']).toEqual(role);
  expect(own((await send('PATCH', path, { $drop: ['aws', 'gcp'], networkResources: [] })).body, 'aws')).toBeUndefined();
});

test('a policy loses its target by null (platform/patch.clients)', async () => {
  await created(send, `${org}/policy`, { name: 'wide', targetKind: 'gvc', target: 'all' });
  const patch = { target: null, targetQuery: null, targetLinks: ['//gvc/shop'], bindings: [] };
  const { body } = await send('PATCH', `${org}/policy/wide`, patch);
  expect(content(body)).toMatchObject({ targetLinks: [gvc], bindings: [] });
  expect(['target', 'targetQuery'].filter((field) => Object.hasOwn(body, field))).toEqual([]);
});

test('the values of a secret are replaced, and shown by -reveal only (platform/patch.clients, platform/wire.paths)', async () => {
  const path = `${org}/secret/words`;
  const record = await created(send, `${org}/secret`, { name: 'words', type: 'dictionary', data: { a: 'quiet' } });
  expect(own(record, 'data')).toBeUndefined();
  const updated = await send('PATCH', path, { '$replace/data': { b: 'silent' } });
  expect(updated.text).not.toMatch(/quiet|silent/);
  expect((await send('GET', `${path}/-reveal`)).body).toMatchObject({ name: 'words', data: { b: 'silent' } });
});

test('the logging of the org is set and taken away by $replace (platform/patch.merge)', async () => {
  const s3 = { bucket: 'b', region: 'us-east-1', prefix: '/', credentials: '//secret/keys' };
  const data = { accessKey: 'AKIAXXXXXXXXXXXXXXXX', secretKey: 's' };
  await created(send, `${org}/secret`, { name: 'keys', type: 'aws', data });
  const set = await send('PATCH', org, { spec: { '$replace/logging': { s3 }, '$replace/extraLogging': [] } });
  expect(set, set.text).toMatchObject({
    status: 200,
    body: { spec: { logging: { s3: { credentials: `${org}/secret/keys` } } } },
  });
  const gone = await send('PATCH', org, { spec: { '$replace/logging': null } });
  expect(own(objectAt(gone.body, 'spec'), 'logging')).toBeUndefined();
});

test('routes of a domain by several writers: 409, read again, done (platform/concepts.version)', async () => {
  const path = `${org}/domain/www.example.com`;
  await send('POST', `${org}/domain`, { name: 'www.example.com', spec: { ports: [{ ...onePort, routes: [] }] } });
  const route = (prefix: string) => ({ prefix, workloadLink: '//gvc/shop/workload/none', port: 80 });
  const add = ({ body }: { readonly body: JsonObject }, prefix: string) =>
    send('PATCH', path, {
      version: body['version'],
      id: body['id'],
      spec: { '$patch/ports': [{ number: 80, '$append/routes': [route(prefix)] }] },
    });
  const read = await send('GET', path);
  expect((await add(read, '/a')).status).toBe(200);
  expectRefusal(await add(read, '/abc'), 409);
  const { body } = await add(await send('GET', path), '/abc');
  expect(objectAt(body, 'spec')).toMatchObject({ ports: [{ routes: [{ prefix: '/abc' }, { prefix: '/a' }] }] });
});

test('DELETE is 202, then 404; a workload keeps what it uses (platform/wire.operations, platform/deletion)', async () => {
  await created(send, `${gvc}/identity`, { name: 'used' });
  await created(send, `${gvc}/workload`, { name: 'user', spec: { ...web, identityLink: '//identity/used' } });
  expectRefusal(await send('DELETE', `${gvc}/identity/used`), 400);
  for (const path of [`${gvc}/workload/user`, `${gvc}/identity/used`]) {
    expect((await send('DELETE', path)).status).toBe(202);
    expectRefusal(await send('GET', path), 404);
    expectRefusal(await send('DELETE', path), 404);
  }
});
