import { expect } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import {
  container,
  makeCaller,
  makeGvc,
  makeIdentity,
  makeSecret,
  makeWorkload,
  specOf,
  town,
} from '../harness/fixtures.ts';
import { at } from '../harness/place.ts';
import { type Part, parted, type Row } from '../harness/row.ts';
import type { Wire } from '../harness/wire.ts';

interface Reference {
  readonly it: string;
  readonly collection: (gvc: string) => string;
  readonly body: JsonObject;
}

const inOrg = (kind: string) => (): string => kind;
const inGvc =
  (kind: string) =>
  (gvc: string): string =>
    `gvc/${gvc}/${kind}`;
const mounting = (uri: string): JsonObject =>
  specOf('standard', { containers: [container({ volumes: [{ uri, path: '/data' }] })] });
const tracer = { endpoint: 'collector:443', credentials: '//secret/none' };

const refused: readonly Reference[] = [
  {
    it: 'the identity of a workload',
    collection: inGvc('workload'),
    body: { spec: specOf('standard', { identityLink: '//identity/none' }) },
  },
  {
    it: 'the volume set of a workload',
    collection: inGvc('workload'),
    body: { spec: mounting('scheme://volumeset/none') },
  },
  {
    it: 'the location of local options',
    collection: inGvc('workload'),
    body: { spec: specOf('standard', { localOptions: [{ location: 'none' }] }) },
  },
  { it: 'a pull secret', collection: inOrg('gvc'), body: { spec: { pullSecretLinks: ['//secret/none'] } } },
  {
    it: 'the credentials of tracing',
    collection: inOrg('gvc'),
    body: { spec: { tracing: { sampling: 1, provider: { tracer } } } },
  },
  {
    it: 'the cloud account of an identity',
    collection: inGvc('identity'),
    body: { aws: { cloudAccountLink: '//cloudaccount/none', roleName: 'r' } },
  },
  {
    it: 'the agent of an identity',
    collection: inGvc('identity'),
    body: { networkResources: [{ name: 'db', IPs: ['10.0.0.1'], ports: [1], agentLink: '//agent/none' }] },
  },
  {
    it: 'a location of an IP set',
    collection: inOrg('ipset'),
    body: { spec: { locations: [{ name: '//location/none', retentionPolicy: 'keep' }] } },
  },
  { it: 'a member of a group', collection: inOrg('group'), body: { memberLinks: ['//serviceaccount/none'] } },
];

const accepted: readonly Reference[] = [
  {
    it: 'a secret of keda',
    collection: inOrg('gvc'),
    body: { spec: { keda: { enabled: true, secrets: ['//secret/none'] } } },
  },
  {
    it: 'the secret of a cloud account',
    collection: inOrg('cloudaccount'),
    body: { provider: 'azure', data: { secretLink: '//secret/none' } },
  },
  {
    it: 'a secret in a variable',
    collection: inGvc('workload'),
    body: {
      spec: specOf('standard', {
        containers: [container({ env: [{ name: 'A', value: 'scheme://secret/none.key' }] })],
      }),
    },
  },
  { it: 'a secret as a volume', collection: inGvc('workload'), body: { spec: mounting('scheme://secret/none') } },
  {
    it: 'a workload of a firewall',
    collection: inGvc('workload'),
    body: {
      spec: specOf('standard', {
        firewallConfig: {
          internal: { inboundAllowType: 'workload-list', inboundAllowWorkload: ['//gvc/none/workload/none'] },
        },
      }),
    },
  },
  {
    it: 'an image',
    collection: inGvc('workload'),
    body: { spec: specOf('standard', { containers: [container({ image: '//image/none:1' })] }) },
  },
  {
    it: 'the IP set of a GVC',
    collection: inOrg('gvc'),
    body: { spec: { loadBalancer: { dedicated: true, ipSet: '//ipset/none' } } },
  },
  { it: 'the link of an IP set', collection: inOrg('ipset'), body: { spec: { link: '//gvc/none' } } },
  { it: 'a target of a policy', collection: inOrg('policy'), body: { targetKind: 'gvc', targetLinks: ['//gvc/none'] } },
  {
    it: 'a principal of a policy',
    collection: inOrg('policy'),
    body: { targetKind: 'gvc', target: 'all', bindings: [{ permissions: ['view'], principalLinks: ['//group/none'] }] },
  },
];

function dangling(status: 201 | 400): ({ it, collection, body }: Reference) => Part {
  return ({ it, collection, body }) => [
    `${it} that is not there is ${status === 201 ? 'accepted' : 'refused'}`,
    async (wire) => {
      const reply = await wire.call('POST', collection(await town(wire)), { name: wire.name('record'), ...body });
      expect(reply.status, reply.text).toBe(status);
    },
  ];
}

/**
 * Rules between records: platform/deletion.cascade, platform/errors.body, with the references of
 * platform/deletion.references.
 */
export const referenceRows: readonly Row[] = [
  parted(
    'deletion/references',
    'a reference to what is not there is refused or accepted by its kind',
    ...refused.map(dangling(400)),
    ...accepted.map(dangling(201)),
  ),
  parted(
    'errors/deletions',
    'a deletion of what is referred to is refused or accepted by the kind of the reference',
    [
      'an identity that a workload uses is kept',
      async (wire) => {
        const gvc = await makeGvc(wire);
        const identityLink = await makeIdentity(wire, gvc);
        const workload = await makeWorkload(wire, gvc, specOf('standard', { identityLink }));
        await namesBlocker(wire, identityLink, workload);
      },
    ],
    [
      'an agent that an identity uses is kept',
      async (wire) => {
        const agent = wire.name('agent');
        await wire.ok('POST', 'agent', { name: agent });
        const name = wire.name('identity');
        const networkResources = [{ name: 'db', IPs: ['10.0.0.1'], ports: [1], agentLink: `//agent/${agent}` }];
        await wire.ok('POST', `gvc/${await town(wire)}/identity`, { name, networkResources });
        await namesBlocker(wire, `agent/${agent}`, name);
      },
    ],
    [
      'an apex with sub-domains is kept',
      async (wire) => {
        const apex = `${wire.name('shop')}.com`;
        await wire.ok('POST', 'domain', { name: apex });
        await wire.ok('POST', 'domain', { name: `a.${apex}`, spec: { dnsMode: 'ns' } });
        await namesBlocker(wire, `domain/${apex}`, `a.${apex}`);
      },
    ],
    [
      'a secret that a variable names goes',
      async (wire) => {
        const secret = await makeSecret(wire, 'opaque');
        const env = [{ name: 'A', value: `scheme://secret/${secret.split('/').at(-1)}` }];
        await makeWorkload(wire, await town(wire), specOf('standard', { containers: [container({ env })] }));
        await wire.ok('DELETE', secret);
      },
    ],
    [
      'a member that is deleted leaves its groups',
      async (wire) => {
        const { link } = await makeCaller(wire);
        const name = wire.name('group');
        await wire.ok('POST', 'group', { name, memberLinks: [link] });
        await wire.ok('DELETE', link);
        expect(at(await wire.get(`group/${name}`), 'memberLinks')).toEqual([]);
      },
    ],
    [
      'a principal that is deleted stays in its policies, and grants nothing',
      async (wire) => {
        const { link } = await makeCaller(wire);
        const name = wire.name('policy');
        const bindings = [{ permissions: ['view'], principalLinks: [link] }];
        await wire.ok('POST', 'policy', { name, targetKind: 'gvc', target: 'all', bindings });
        await wire.ok('DELETE', link);
        expect(at(await wire.get(`policy/${name}`), 'bindings/0/principalLinks')).toEqual([link]);
      },
    ],
  ),
];

/** The deletion is refused for good, and the message names what blocks it. */
async function namesBlocker(wire: Wire, path: string, blocker: string): Promise<void> {
  const error = await wire.refused(400, 'DELETE', path);
  expect(error['message']).toContain(blocker.split('/').at(-1));
}
