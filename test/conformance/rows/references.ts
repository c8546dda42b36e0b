import { expect } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { container, makeCaller, makeGvc, specOf, town } from '../harness/fixtures.ts';
import { at, itemsAt } from '../harness/place.ts';
import { ownPart, type Part, parted, partOf, type Row } from '../harness/row.ts';

/** A reference of platform/deletion.references, from a holder to a target. `none` does not exist, `target` does. */
interface Edge {
  readonly it: string;
  /** The collection of the holder. */
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

const key = { type: 'opaque', data: { payload: 'x' } };
const pem = '-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n';
const pair = { type: 'keypair', data: { secretKey: pem } };
const docker = { type: 'docker', data: '{"auths": {"example.com": {}}}' };
const connector = { type: 'azure-connector', data: { url: 'https://a.example', code: 'c' } };
const account = { provider: 'aws', data: { roleArn: 'arn:aws:iam::123456789012:role/x' } };
const disk = { spec: { initialCapacity: 10, performanceClass: 'general-purpose-ssd' } };
const byok = { provider: 'byok' };
const work = 'gvc/shop/workload';

const holder = (spec: JsonObject): JsonObject => ({ name: 'holder', spec });
const workload = (more: JsonObject): JsonObject => holder(specOf('standard', more));
const mounting = (uri: string): JsonObject =>
  holder(specOf('stateful', { containers: [container({ volumes: [{ uri, path: '/data' }] })] }));
const domain = (port: JsonObject): JsonObject => ({
  name: 'example.com',
  spec: { ports: [{ number: 443, protocol: 'http2', ...port }] },
});
const internal = (name: string): JsonObject => ({
  inboundAllowType: 'workload-list',
  inboundAllowWorkload: [`//${work}/${name}`],
});
const direct = (name: string): JsonObject => ({
  enabled: true,
  ipSet: `//ipset/${name}`,
  ports: [{ externalPort: 443, protocol: 'TCP', containerPort: 8080 }],
});
const tracing = (name: string): JsonObject => ({
  sampling: 5,
  provider: { tracer: { endpoint: 'a.example:443', credentials: `//secret/${name}` } },
});
const resource = (name: string): JsonObject => ({
  name: 'db',
  agentLink: `//agent/${name}`,
  FQDN: 'db.example.com',
  ports: [5432],
});
const binding = (name: string): JsonObject => ({ permissions: ['view'], principalLinks: [`//group/${name}`] });
const variables = (name: string): JsonObject[] =>
  ['', '.key'].map((part, at) => ({ name: `A${at}`, value: `scheme://secret/${name}${part}` }));
const keptIn = (name: string): JsonObject => ({ name: `//location/${name}`, retentionPolicy: 'keep' });

// biome-ignore format: one reference a line
const edges: readonly Edge[] = [
  { it: 'workload -> identity', path: work, to: 'gvc/shop/identity', target: {}, dangling: 400, deletion: 400,
    body: (name) => workload({ identityLink: `//identity/${name}` }) },
  { it: 'variable -> secret', path: work, to: 'secret', target: key, dangling: 201, deletion: 202,
    body: (name) => workload({ containers: [container({ env: variables(name) })] }) },
  { it: 'volume -> secret', path: work, to: 'secret', target: key, dangling: 201, deletion: 202,
    body: (name) => mounting(`scheme://secret/${name}`) },
  { it: 'volume -> volume set', path: work, to: 'gvc/shop/volumeset', target: disk, dangling: 400, deletion: 400,
    body: (name) => mounting(`scheme://volumeset/${name}`) },
  { it: 'firewall -> workload', path: work, to: work, target: workload({}), dangling: 201, deletion: 202,
    body: (name) => workload({ firewallConfig: { internal: internal(name) } }) },
  { it: 'workload -> IP set', path: work, to: 'ipset', target: {}, dangling: 201, deletion: 202,
    body: (name) => workload({ loadBalancer: { direct: direct(name) } }) },
  { it: 'GVC -> location', path: 'gvc', to: 'location', target: byok, dangling: 400, deletion: 400,
    body: (name) => holder({ staticPlacement: { locationLinks: [`//location/${name}`] } }) },
  { it: 'GVC -> pull secret', path: 'gvc', to: 'secret', target: docker, dangling: 400, deletion: 400,
    body: (name) => holder({ pullSecretLinks: [`//secret/${name}`] }) },
  { it: 'GVC tracing -> secret', path: 'gvc', to: 'secret', target: key, dangling: 400, deletion: 400,
    body: (name) => holder({ tracing: tracing(name) }) },
  { it: 'GVC -> IP set', path: 'gvc', to: 'ipset', target: {}, dangling: 201, deletion: 202,
    body: (name) => holder({ loadBalancer: { dedicated: true, ipSet: `//ipset/${name}` } }) },
  { it: 'GVC keda -> secret', path: 'gvc', to: 'secret', target: key, dangling: 201, deletion: 400,
    body: (name) => holder({ keda: { enabled: true, secrets: [`//secret/${name}`] } }) },
  { it: 'domain -> GVC', path: 'domain', to: 'gvc', target: {}, dangling: 201, deletion: 202,
    body: (name) => ({ name: 'sub.example.org', spec: { dnsMode: 'ns', gvcLink: `//gvc/${name}` } }) },
  { it: 'route -> workload', path: 'domain', to: work, target: workload({}), dangling: 201, deletion: 202,
    body: (name) => domain({ routes: [{ workloadLink: `//${work}/${name}` }] }) },
  { it: 'domain tls -> secret', path: 'domain', to: 'secret', target: pair, dangling: 400, deletion: 400,
    body: (name) => domain({ tls: { serverCertificate: { secretLink: `//secret/${name}` } } }) },
  { it: 'identity -> cloud account', path: 'gvc/shop/identity', to: 'cloudaccount', target: account, dangling: 400, deletion: 400,
    body: (name) => ({ name: 'holder', aws: { cloudAccountLink: `//cloudaccount/${name}`, roleName: 'r' } }) },
  { it: 'network resource -> agent', path: 'gvc/shop/identity', to: 'agent', target: {}, dangling: 400, deletion: 400,
    body: (name) => ({ name: 'holder', networkResources: [resource(name)] }) },
  { it: 'IP set -> GVC', path: 'ipset', to: 'gvc', target: {}, dangling: 201, deletion: 202,
    body: (name) => holder({ link: `//gvc/${name}` }) },
  { it: 'IP set -> location', path: 'ipset', to: 'location', target: byok, dangling: 400, deletion: 400,
    body: (name) => holder({ locations: [keptIn(name)] }) },
  { it: 'group -> service account', path: 'group', to: 'serviceaccount', target: {}, dangling: 400, deletion: 202,
    body: (name) => ({ name: 'holder', memberLinks: [`//serviceaccount/${name}`] }) },
  { it: 'policy -> target', path: 'policy', to: 'secret', target: key, dangling: 201, deletion: 202,
    body: (name) => ({ name: 'holder', targetKind: 'secret', targetLinks: [`//secret/${name}`] }) },
  { it: 'policy -> principal', path: 'policy', to: 'group', target: {}, dangling: 201, deletion: 202,
    body: (name) => ({ name: 'holder', targetKind: 'secret', target: 'all', bindings: [binding(name)] }) },
  { it: 'cloud account -> secret', path: 'cloudaccount', to: 'secret', target: connector, dangling: 201, deletion: 400,
    body: (name) => ({ name: 'holder', provider: 'azure', data: { secretLink: `//secret/${name}` } }) },
];

function decided({ it, path, body, to, target, dangling, deletion }: Edge): Part {
  return ownPart(`${it}: ${dangling} without its target, ${deletion} for deleting it`, {}, async (wire) => {
    await wire.ok('POST', 'gvc', { name: 'shop' });
    await wire.ok('POST', 'domain', { name: 'example.org' });
    await wire.ok('POST', to, { ...target, name: 'target' });
    const self = `${path}/${body('none')['name']}`;
    const missing = await wire.call('POST', path, body('none'));
    expect(missing.status, missing.text).toBe(dangling);
    if (dangling === 400) expect(missing.body['message']).toContain('none');
    else await wire.ok('DELETE', self);

    await wire.ok('POST', path, body('target'));
    const first = await wire.call('DELETE', `${to}/target`);
    expect(first.status, first.text).toBe(deletion);
    if (deletion === 400) {
      expect(first.body['message']).toContain(body('target')['name']);
      expect(itemsAt(first.body, 'details/problems')).toMatchObject([{ message: `/org/local/${self}` }]);
    }
    // Without the holder nothing prevents the deletion.
    await wire.ok('DELETE', self);
    expect((await wire.call('DELETE', `${to}/target`)).status).toBe(deletion === 202 ? 404 : 202);
  });
}

/**
 * Rules between records (platform/deletion.cascade, platform/errors.body), with the references of
 * platform/deletion.references.
 */
export const referenceRows: readonly Row[] = [
  parted(
    'deletion/references',
    'the kind of a reference determines whether it can be written without its target, and the target deleted',
    ...edges.map(decided),
    [
      'local options of a missing location are refused, and a missing image is accepted',
      async (wire) => {
        const [path, name] = [`gvc/${await town(wire)}/workload`, wire.name('work')];
        const localOptions = [{ location: 'none' }];
        await wire.refused(400, 'POST', path, { name, spec: specOf('standard', { localOptions }) });
        await wire.ok('POST', path, {
          name,
          spec: specOf('standard', { containers: [container({ image: '//image/none:1' })] }),
        });
      },
    ],
    partOf('a missing target in a new GVC is a warning, and cannot be deleted once it exists', async (wire) => {
      const name = wire.name('gvc');
      const keda = { enabled: true, identityLink: '//identity/own' };
      const spec = { keda, aliasWorkloadLink: `//gvc/${name}/workload/web` };
      const made = await wire.call('POST', 'gvc', { name, spec });
      expect(made.status).toBe(201);
      expect(made.headers.get('x-scheme-warning')?.match(/reference\.dangling/g)).toHaveLength(2);
      await wire.ok('POST', `gvc/${name}/identity`, { name: 'own' });
      await wire.ok('POST', `gvc/${name}/workload`, { name: 'web', spec: specOf('standard') });
      expect((await wire.call('PATCH', `gvc/${name}`, { spec })).status).toBe(200);
      for (const held of ['identity/own', 'workload/web']) await wire.refused(400, 'DELETE', `gvc/${name}/${held}`);
      expect((await wire.call('DELETE', `gvc/${name}`)).status).toBe(202);
    }),
    partOf('the domain that a GVC names is shown as used by it, and goes', async (wire) => {
      const domain = `${wire.name('shop')}.net`;
      await wire.ok('POST', 'domain', { name: domain });
      await makeGvc(wire, { domain });
      expect(at(await wire.get(`domain/${domain}`), 'status/status')).toBe('usedByGvc');
      expect((await wire.call('DELETE', `domain/${domain}`)).status).toBe(202);
    }),
  ),
  parted(
    'errors/deletions',
    'the effects of a deletion on other records',
    partOf('an apex with sub-domains is not deleted, and the refusal names them', async (wire) => {
      const apex = `${wire.name('shop')}.com`;
      await wire.ok('POST', 'domain', { name: apex });
      await wire.ok('POST', 'domain', { name: `a.${apex}`, spec: { dnsMode: 'ns' } });
      const error = await wire.refused(400, 'DELETE', `domain/${apex}`);
      expect(error['message']).toContain(`a.${apex}`);
      expect(itemsAt(error, 'details/problems')).toMatchObject([{ message: `/org/local/domain/a.${apex}` }]);
    }),
    partOf('a deleted member is removed from its groups, which is a change of the groups', async (wire) => {
      const [gone, stays] = [await makeCaller(wire), await makeCaller(wire)].map(({ link }) => link);
      const name = wire.name('group');
      await wire.ok('POST', 'group', { name, memberLinks: [gone ?? '', stays ?? ''] });
      await wire.ok('DELETE', gone ?? '');
      expect(await wire.get(`group/${name}`)).toMatchObject({ version: 2, memberLinks: [stays] });
    }),
    partOf('a deleted principal stays in its policies, which grant it nothing', async (wire) => {
      const { link } = await makeCaller(wire);
      const name = wire.name('policy');
      const bindings = [{ permissions: ['view'], principalLinks: [link] }];
      await wire.ok('POST', 'policy', { name, targetKind: 'gvc', target: 'all', bindings });
      await wire.ok('DELETE', link);
      expect(at(await wire.get(`policy/${name}`), 'bindings/0/principalLinks')).toEqual([link]);
    }),
  ),
];
