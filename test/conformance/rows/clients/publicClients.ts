import { expect } from 'vitest';
import type { JsonObject } from '../../../../src/schema/json/json.ts';
import { allow, link, makeCaller, makeGvc, makeSecret, makeWorkload, specOf, town } from '../../harness/fixtures.ts';
import { at, itemsAt } from '../../harness/place.ts';
import { parted, type Row, row } from '../../harness/row.ts';
import { alone, until, type Wire } from '../../harness/wire.ts';

/** Operations, as public clients use them (platform/patch.clients, platform/clients.apply, platform/wire.writes). */
export const publicClientRows: readonly Row[] = [
  parted(
    'wire.paths/apply',
    'apply: PUT of each document to the collection, with whatever the document carries; 201 and Location, or 200',
    [
      'a GVC, an identity, a volume set and a workload are made, then nothing is changed by the same documents',
      alone({}, async (wire) => {
        const documents = (gvc: string): readonly (readonly [collection: string, document: JsonObject])[] => [
          [
            'gvc',
            { kind: 'gvc', name: gvc, spec: { staticPlacement: { locationLinks: ['//location/aws-us-east-1'] } } },
          ],
          [`gvc/${gvc}/identity`, { kind: 'identity', name: 'reader', gvc }],
          [
            `gvc/${gvc}/volumeset`,
            {
              kind: 'volumeset',
              name: 'data',
              gvc,
              spec: { initialCapacity: 10, performanceClass: 'general-purpose-ssd', fileSystemType: 'xfs' },
            },
          ],
          [
            `gvc/${gvc}/workload`,
            { kind: 'workload', name: 'web', gvc, spec: specOf('standard', { identityLink: '//identity/reader' }) },
          ],
        ];
        for (const status of [201, 200]) {
          for (const [collection, document] of documents('shop')) {
            const reply = await wire.call('PUT', collection, document);
            expect(reply.status, `${collection}: ${reply.text}`).toBe(status);
            if (status === 201)
              expect(reply.headers.get('location')).toBe(`/org/local/${collection}/${document['name']}`);
            expect((await wire.get(`${collection}/${document['name']}`))['version']).toBe(1);
          }
        }
      }),
    ],
    [
      'a record that was read is applied again, stale or not, without a conflict and without a new version',
      async (wire) => {
        const gvc = await town(wire);
        const workload = await makeWorkload(wire, gvc, specOf('standard'));
        const record = await wire.get(workload);
        expect((await wire.call('PUT', `gvc/${gvc}/workload`, { ...record, gvc })).status).toBe(200);
        await wire.ok('PATCH', workload, { description: 'between' });
        expect((await wire.call('PUT', `gvc/${gvc}/workload`, record)).status).toBe(200);
        expect(await wire.get(workload)).toMatchObject({ version: 3, description: record['description'] });
      },
    ],
    [
      'a slim document, without id, version, links and status, is the same',
      async (wire) => {
        const gvc = await makeGvc(wire);
        const { kind, name, description, tags, spec } = await wire.get(`gvc/${gvc}`);
        expect((await wire.call('PUT', 'gvc', { kind, name, description, tags, spec })).status).toBe(200);
        expect((await wire.get(`gvc/${gvc}`))['version']).toBe(1);
      },
    ],
  ),
  row(
    'wire.paths/apply readiness',
    'apply --ready: the deployments tell when the latest version runs in each location',
    async (wire) => {
      const gvc = await makeGvc(wire);
      const workload = await makeWorkload(wire, gvc, specOf('standard'));
      await wire.ok('PATCH', workload, { spec: { defaultOptions: { timeoutSeconds: 20 } } });
      const latest = (deployment: JsonObject): boolean => {
        const expected = at(deployment, 'status/expectedDeploymentVersion');
        const running = itemsAt(deployment, 'status/versions').find((version) => version['workload'] === expected);
        return Number(at(deployment, 'status/lastProcessedVersion')) >= 2 && running?.['ready'] === true;
      };
      const list = await until(
        wire,
        () => wire.get(`${workload}/deployment`),
        (found) => itemsAt(found, 'items').length === 2 && itemsAt(found, 'items').every(latest),
      );
      expect(list).toMatchObject({ kind: 'list', itemKind: 'deployment' });
      for (const deployment of itemsAt(list, 'items')) {
        expect(deployment).toMatchObject({
          kind: 'deployment',
          name: expect.stringMatching(/^(aws-us-east-1|gcp-us-east1)$/),
          lastModified: expect.any(String),
          links: expect.arrayContaining([
            { rel: 'self', href: `/org/local/${workload}/deployment/${deployment['name']}` },
          ]),
          status: {
            endpoint: expect.stringMatching(/^https:\/\//),
            remote: expect.any(String),
            ready: true,
            deploying: false,
            internal: { syncFailed: false },
            versions: [
              {
                workload: 2,
                containers: {
                  main: { name: 'main', image: 'shop/web:1', resources: { replicas: 1, replicasReady: 1 } },
                },
              },
            ],
          },
        });
      }
      const self = itemsAt(await wire.get(workload), 'links').find(({ rel }) => rel === 'deployment');
      expect(self?.['href']).toBe(`/org/local/${workload}/deployment`);
    },
  ),
  row(
    'wire.paths/create workload',
    'workload create sends empty lists, and --public opens it to the world',
    async (wire) => {
      const body = {
        name: wire.name('work'),
        description: 'shop',
        tags: {},
        spec: {
          type: 'standard',
          containers: [
            {
              name: 'web',
              image: 'shop/web:1',
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
      const reply = await wire.call('POST', `gvc/${await town(wire)}/workload`, body);
      expect(reply.status, reply.text).toBe(201);
      expect(await wire.get(reply.headers.get('location') ?? '')).toMatchObject(body);
    },
  ),
  row('wire.paths/create volumeset', 'volumeset create sends the defaults of the client', async (wire) => {
    const body = {
      name: wire.name('disk'),
      description: 'd',
      tags: {},
      spec: {
        initialCapacity: 10,
        performanceClass: 'general-purpose-ssd',
        fileSystemType: 'xfs',
        snapshots: { createFinalSnapshot: true, retentionDuration: '7d' },
      },
    };
    const reply = await wire.call('POST', `gvc/${await town(wire)}/volumeset`, body);
    expect(reply.status, reply.text).toBe(201);
    expect(await wire.get(reply.headers.get('location') ?? '')).toMatchObject(body);
  }),
  parted(
    'wire.paths/provider',
    'the provider replaces tags, specs, data and blocks as a whole, and removes with null or $drop',
    [
      '$replace/spec and $replace/tags of a workload',
      async (wire) => {
        const workload = await makeWorkload(
          wire,
          await town(wire),
          specOf('standard', { defaultOptions: { debug: true } }),
        );
        const body = { description: 'x', '$replace/tags': { a: '1' }, '$replace/spec': specOf('standard') };
        const patched = await wire.ok('PATCH', workload, body);
        expect(patched).toMatchObject({ description: 'x', tags: { a: '1' }, version: 2 });
        expect(at(patched, 'spec/defaultOptions')).toBeUndefined();
      },
    ],
    [
      '$replace/data of a secret, read by -reveal',
      async (wire) => {
        const secret = await makeSecret(wire, 'dictionary');
        const patched = await wire.ok('PATCH', secret, { '$replace/data': { third: '3' } });
        expect(patched).not.toHaveProperty('data');
        expect(await wire.get(secret)).not.toHaveProperty('data');
        expect(await wire.get(`${secret}/-reveal`)).toMatchObject({ type: 'dictionary', data: { third: '3' } });
        expect(Object.keys(Object(at(await wire.get(`${secret}/-reveal`), 'data')))).toEqual(['third']);
      },
    ],
    [
      '$replace and $drop of the blocks of an identity',
      async (wire) => {
        const account = wire.name('account');
        const data = { roleArn: 'arn:aws:iam::123456789012:role/shop' };
        await wire.ok('POST', 'cloudaccount', { name: account, provider: 'aws', data });
        const cloudAccountLink = `/org/local/cloudaccount/${account}`;
        const identity = `gvc/${await town(wire)}/identity/${wire.name('identity')}`;
        const [collection, name = ''] = [identity.slice(0, identity.lastIndexOf('/')), identity.split('/').at(-1)];
        const aws = { cloudAccountLink, policyRefs: ['aws::ReadOnlyAccess'] };
        expect(await wire.ok('POST', collection, { name, aws })).toMatchObject({ aws });
        const replaced = await wire.ok('PATCH', identity, { '$replace/aws': { cloudAccountLink, roleName: 'reader' } });
        expect(replaced['aws']).toEqual({ cloudAccountLink, roleName: 'reader' });
        expect(await wire.ok('PATCH', identity, { $drop: ['aws'] })).not.toHaveProperty('aws');
      },
    ],
    [
      'target: null and targetQuery: null of a policy',
      async (wire) => {
        const { link: principal } = await makeCaller(wire);
        await allow(wire, 'gvc', 'view', principal);
        const name = wire.name('policy');
        await wire.ok('POST', 'policy', { name, targetKind: 'location', target: 'all' });
        const bindings = [{ permissions: ['view'], principalLinks: [principal] }];
        const body = { target: null, targetQuery: null, targetLinks: [link.east], bindings };
        const patched = await wire.ok('PATCH', `policy/${name}`, body);
        expect(patched).not.toHaveProperty('target');
        expect(patched).toMatchObject({ targetLinks: [link.east], bindings });
      },
    ],
    [
      'the logging of the org, replaced and removed by null',
      async (wire) => {
        const credentials = await makeSecret(wire, 'opaque');
        const tracing = { sampling: 10, provider: { tracer: { endpoint: 'collector.example.com:443', credentials } } };
        const patched = await wire.ok('PATCH', '/org/local', { spec: { '$replace/tracing': tracing } });
        expect(at(patched, 'spec/tracing')).toMatchObject({ sampling: 10 });
        const removed = await wire.ok('PATCH', '/org/local', {
          spec: { '$replace/tracing': null, '$replace/logging': null },
        });
        expect([at(removed, 'spec/tracing'), at(removed, 'spec/logging')]).toEqual([undefined, undefined]);
      },
    ],
  ),
  parted(
    'wire.paths/links',
    'links are given in full, whatever form was sent, and compared in full',
    [
      'a short link is resolved in a list, in $append and in $drop',
      async (wire) => {
        const gvc = await makeGvc(wire);
        const change = (patch: JsonObject): Promise<JsonObject> =>
          wire.ok('PATCH', `gvc/${gvc}`, { spec: { staticPlacement: patch } });
        const appended = await change({ '$append/locationLinks': ['//location/azure-eastus2'] });
        expect(at(appended, 'spec/staticPlacement/locationLinks')).toContain('/org/local/location/azure-eastus2');
        const dropped = await change({ '$drop/locationLinks': ['//location/azure-eastus2'] });
        expect(at(dropped, 'spec/staticPlacement/locationLinks')).toEqual([link.east, link.south]);
      },
    ],
    ['a link to another org is refused', (wire) => refusedLink(wire, '/org/other/location/aws-us-east-1')],
    ['a link to another kind is refused', (wire) => refusedLink(wire, '//secret/aws-us-east-1')],
  ),
];

async function refusedLink(wire: Wire, location: string): Promise<void> {
  const spec = { staticPlacement: { locationLinks: [location] } };
  await wire.refused(400, 'POST', 'gvc', { name: wire.name('gvc'), spec });
}
