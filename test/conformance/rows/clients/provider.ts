import { expect } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { creates } from '../../harness/client.ts';
import { allow, link, makeCaller, makeSecret, town } from '../../harness/fixtures.ts';
import { at } from '../../harness/place.ts';
import { ownPart, type Part, parted, partOf, type Row } from '../../harness/row.ts';
import type { Wire } from '../../harness/wire.ts';

const org = '/org/local';
const inFull = { near: `${org}/agent/near`, account: `${org}/cloudaccount/aws-one`, gvc: `${org}/gvc/shop` } as const;
const container = { name: 'main', image: 'a:1', cpu: '50m', memory: '128Mi', inheritEnv: false };
const web = { type: 'standard', containers: [{ ...container, ports: [{ protocol: 'http', number: 80 }] }] };
const tagged = { kind: 'user', fetch: 'items', spec: { match: 'all', terms: [{ op: '=', tag: 'a', value: 'b' }] } };
const volumes = { initialCapacity: 10, performanceClass: 'general-purpose-ssd', fileSystemType: 'xfs' };
const onePort = { number: 80, protocol: 'http' };
const east1 = `${org}/location/gcp-us-east1`;
const policyRefs = ['aws::ReadOnlyAccess'];

/**
 * `sent` is sent in addition to name, description and tags. `read` is read back, if the platform completes links or
 * adds defaults (platform/concepts.filled).
 */
interface Resource {
  readonly it: string;
  readonly collection: string;
  readonly sent: JsonObject;
  readonly read?: JsonObject;
}

const gvcSpec = {
  tracing: { sampling: 55.55, provider: { otel: { endpoint: 'otel:4317' } } },
  env: [{ name: 'A', value: '1' }],
};
const networkResource = { name: 'base', IPs: ['10.0.0.1'], ports: [80, 443] };

// biome-ignore format: a row is a case
const resources: readonly Resource[] = [
  { it: 'a GVC without a spec', collection: 'gvc', sent: {}, read: { spec: { endpointNamingFormat: 'org' } } },
  { it: 'a GVC with links in both forms', collection: 'gvc',
    sent: { spec: { ...gvcSpec, staticPlacement: { locationLinks: ['//location/aws-us-east-1', east1] },
      pullSecretLinks: ['//secret/pull'] } },
    read: { spec: { ...gvcSpec, staticPlacement: { locationLinks: [link.east, east1] },
      pullSecretLinks: [`${org}/secret/pull`], endpointNamingFormat: 'org' } } },
  { it: 'a workload without options', collection: 'gvc/shop/workload', sent: { spec: web } },
  { it: 'a cron workload', collection: 'gvc/shop/workload',
    sent: { spec: { type: 'cron', containers: [container],
      job: { schedule: '* * * * *', concurrencyPolicy: 'Forbid', historyLimit: 5, restartPolicy: 'Never' } } } },
  { it: 'a workload with empty lists, open to the world', collection: 'gvc/shop/workload',
    sent: { spec: { type: 'standard', containers: [{ ...container, env: [], volumes: [], ports: web.containers[0]?.ports ?? [] }],
      firewallConfig: { external: { inboundAllowCIDR: ['0.0.0.0/0'], outboundAllowCIDR: ['0.0.0.0/0'] },
        internal: { inboundAllowType: 'same-org' } } } } },
  { it: 'an identity', collection: 'gvc/shop/identity', sent: {} },
  { it: 'an identity with a cloud and a network resource', collection: 'gvc/shop/identity',
    sent: { aws: { cloudAccountLink: '//cloudaccount/aws-one', policyRefs }, networkResources: [{ ...networkResource,
      agentLink: '//agent/near' }] },
    read: { aws: { cloudAccountLink: inFull.account, policyRefs }, networkResources: [{ ...networkResource,
      agentLink: inFull.near }] } },
  { it: 'a volume set', collection: 'gvc/shop/volumeset', sent: { spec: volumes } },
  { it: 'a volume set with snapshots', collection: 'gvc/shop/volumeset',
    sent: { spec: { ...volumes, snapshots: { createFinalSnapshot: true, retentionDuration: '7d' } } } },
  { it: 'a policy with links and a query', collection: 'policy',
    sent: { targetKind: 'user', targetLinks: ['//user/admin@example.com'], targetQuery: tagged,
      bindings: [{ permissions: ['view'], principalLinks: ['//group/superusers', '//gvc/shop/identity/none'] }] },
    read: { targetKind: 'user', targetLinks: [`${org}/user/admin@example.com`], targetQuery: tagged,
      bindings: [{ permissions: ['view'], principalLinks: [`${org}/group/superusers`,
        `${inFull.gvc}/identity/none`] }] } },
  { it: 'a group', collection: 'group', sent: {}, read: { memberLinks: [] } },
  { it: 'a group with a query and a matcher', collection: 'group',
    sent: { memberLinks: [], memberQuery: tagged, identityMatcher: { expression: 'a', language: 'jmespath' } } },
  { it: 'an IP set', collection: 'ipset',
    sent: { spec: { link: '//gvc/shop', locations: [{ name: '//location/aws-us-west-2', retentionPolicy: 'free' }] } },
    read: { spec: { link: inFull.gvc, locations: [{ name: `${org}/location/aws-us-west-2`,
      retentionPolicy: 'free' }] } } },
  { it: 'an audit context', collection: 'auditctx', sent: {} },
];

/** The record without the members that only the platform sets (platform/concepts.record). */
function content(record: JsonObject): JsonObject {
  const { id, kind, version, created, lastModified, links, status, health, alias, origin, ...rest } = record;
  return rest;
}

async function makeTargets(wire: Wire): Promise<void> {
  const cloud = { name: 'aws-one', provider: 'aws', data: { roleArn: 'arn:aws:iam::123456789012:role/x' } };
  await creates(wire, 'cloudaccount', cloud);
  await creates(wire, 'agent', { name: 'near' });
  await creates(wire, 'secret', { name: 'pull', type: 'docker', data: '{"auths":{"r.example.com":{}}}' });
  const spec = { staticPlacement: { locationLinks: ['//location/aws-us-west-2'] } };
  await creates(wire, 'gvc', { name: 'shop', spec });
}

/** Creates and reads a resource as the provider does, updates it without a change, and then its tags. */
async function noDiff(wire: Wire, { it, collection, sent, read = sent }: Resource): Promise<void> {
  const name = it.replaceAll(/[^a-z]+/gi, '-').toLowerCase();
  const path = `${collection}/${name}`;
  const tags = { team: 'a', n: 3, on: true };
  await creates(wire, collection, { name, description: 'text', tags, ...sent });
  const wanted = { name, description: 'text', tags, ...read };
  expect(content(await wire.get(path)), it).toEqual(wanted);
  const { spec, ...blocks } = sent;
  const replaced = spec === undefined ? {} : { '$replace/spec': spec };
  const updated = await wire.ok('PATCH', path, { description: 'text', '$replace/tags': tags, ...blocks, ...replaced });
  expect(updated['version'], it).toBe(1);
  expect(content(updated), it).toEqual(wanted);
  const other = await wire.ok('PATCH', path, { '$replace/tags': { only: 'this' } });
  expect([other['version'], other['tags']], it).toEqual([2, { only: 'this' }]);
}

const replacing: readonly Part[] = [
  partOf('$replace/data of a secret, read by -reveal only', async (wire) => {
    const secret = await makeSecret(wire, 'dictionary');
    const patched = await wire.call('PATCH', secret, { '$replace/data': { third: 'silent' } });
    for (const reply of [patched, await wire.call('GET', secret)]) {
      expect(reply.status).toBe(200);
      expect(reply.body).not.toHaveProperty('data');
      expect(reply.text).not.toContain('silent');
    }
    const revealed = await wire.get(`${secret}/-reveal`);
    expect(revealed).toMatchObject({ name: secret.split('/').at(-1), type: 'dictionary' });
    expect(revealed['data']).toEqual({ third: 'silent' });
  }),
  partOf('$replace and $drop of the blocks of an identity', async (wire) => {
    const account = wire.name('account');
    const data = { roleArn: 'arn:aws:iam::123456789012:role/shop' };
    await wire.ok('POST', 'cloudaccount', { name: account, provider: 'aws', data });
    const cloudAccountLink = `${org}/cloudaccount/${account}`;
    const collection = `gvc/${await town(wire)}/identity`;
    const name = wire.name('identity');
    const sent = { name, aws: { cloudAccountLink: `//cloudaccount/${account}`, policyRefs } };
    expect((await wire.ok('POST', collection, sent))['aws']).toEqual({ cloudAccountLink, policyRefs });
    const role = { cloudAccountLink, roleName: 'reader' };
    expect((await wire.ok('PATCH', `${collection}/${name}`, { '$replace/aws': role }))['aws']).toEqual(role);
    const dropped = { $drop: ['aws', 'gcp'], networkResources: [] };
    expect(await wire.ok('PATCH', `${collection}/${name}`, dropped)).not.toHaveProperty('aws');
  }),
  partOf('target: null and targetQuery: null of a policy', async (wire) => {
    const { link: principal } = await makeCaller(wire);
    await allow(wire, 'gvc', 'view', principal);
    const name = wire.name('policy');
    await wire.ok('POST', 'policy', { name, targetKind: 'location', target: 'all' });
    const bindings = [{ permissions: ['view'], principalLinks: [principal] }];
    const body = { target: null, targetQuery: null, targetLinks: ['//location/aws-us-east-1'], bindings };
    const patched = await wire.ok('PATCH', `policy/${name}`, body);
    expect(['target', 'targetQuery'].filter((field) => Object.hasOwn(patched, field))).toEqual([]);
    expect(patched).toMatchObject({ targetLinks: [link.east], bindings });
    expect((await wire.ok('PATCH', `policy/${name}`, { bindings: [] }))['bindings']).toEqual([]);
  }),
  partOf('the tracing and the logging of the org, replaced and removed by null', async (wire) => {
    const secret = await makeSecret(wire, 'opaque');
    const credentials = `//secret/${secret.split('/').at(-1)}`;
    const tracing = { sampling: 10, provider: { tracer: { endpoint: 'collector.example.com:443', credentials } } };
    const s3 = { bucket: 'b', region: 'us-east-1', prefix: '/', credentials };
    const patched = await wire.ok('PATCH', '/org/local', {
      spec: { '$replace/tracing': tracing, '$replace/logging': { s3 }, '$replace/extraLogging': [] },
    });
    expect(at(patched, 'spec/tracing')).toMatchObject({ sampling: 10 });
    expect(at(patched, 'spec/logging')).toEqual({ s3: { ...s3, credentials: secret } });
    const removed = await wire.ok('PATCH', '/org/local', {
      spec: { '$replace/tracing': null, '$replace/logging': null },
    });
    expect([at(removed, 'spec/tracing'), at(removed, 'spec/logging')]).toEqual([undefined, undefined]);
  }),
];

/** The requests of the public Terraform provider (platform/patch.clients). */
export const providerRows: readonly Row[] = [
  parted(
    'wire.paths/provider',
    'the provider replaces tags, specs, data and blocks as a whole, and removes with null or $drop',
    ...replacing,
  ),
  parted(
    'wire.paths/provider no diff',
    'the provider reads what it wrote, and writing it again changes nothing',
    ownPart('each resource after its creation and after an update', {}, async (wire) => {
      await makeTargets(wire);
      for (const resource of resources) await noDiff(wire, resource);
    }),
  ),
  parted('wire.paths/provider routes', 'routes of a domain by several writers, each under the version that it read', [
    '409, read again, done',
    async (wire) => {
      const name = `www.${wire.name('shop')}.com`;
      await wire.ok('POST', 'domain', { name, spec: { ports: [{ ...onePort, routes: [] }] } });
      const add = ({ version = 0, id = '' }: JsonObject, prefix: string) => {
        const route = { prefix, workloadLink: '//gvc/shop/workload/none', port: 80 };
        const spec = { '$patch/ports': [{ number: 80, '$append/routes': [route] }] };
        return wire.call('PATCH', `domain/${name}`, { version, id, spec });
      };
      const read = await wire.get(`domain/${name}`);
      expect((await add(read, '/a')).status).toBe(200);
      expect((await add(read, '/abc')).status).toBe(409);
      const { body } = await add(await wire.get(`domain/${name}`), '/abc');
      expect(at(body, 'spec/ports')).toMatchObject([{ routes: [{ prefix: '/abc' }, { prefix: '/a' }] }]);
    },
  ]),
];
