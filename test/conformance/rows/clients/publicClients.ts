import { expect } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { creates } from '../../harness/client.ts';
import { link, makeGvc, town } from '../../harness/fixtures.ts';
import { at } from '../../harness/place.ts';
import { parted, partOf, type Row, row } from '../../harness/row.ts';
import type { Wire } from '../../harness/wire.ts';

/** Operations, as public clients use them (platform/patch.clients, platform/clients.apply, platform/wire.writes). */
export const publicClientRows: readonly Row[] = [
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
      const made = await creates(wire, `gvc/${await town(wire)}/workload`, body);
      expect(made).toMatchObject({ description: 'shop', tags: {} });
      expect(made['spec']).toEqual(body.spec);
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
    expect(await creates(wire, `gvc/${await town(wire)}/volumeset`, body)).toMatchObject(body);
  }),
  parted(
    'wire.paths/links',
    'links are given in full, whatever form was sent, and compared in full',
    partOf('a short link is resolved in a list, in $append and in $drop', async (wire) => {
      const gvc = await makeGvc(wire);
      const change = (patch: JsonObject): Promise<JsonObject> =>
        wire.ok('PATCH', `gvc/${gvc}`, { spec: { staticPlacement: patch } });
      const appended = await change({ '$append/locationLinks': ['//location/azure-eastus2'] });
      expect(at(appended, 'spec/staticPlacement/locationLinks')).toContain('/org/local/location/azure-eastus2');
      const dropped = await change({ '$drop/locationLinks': ['//location/azure-eastus2'] });
      expect(at(dropped, 'spec/staticPlacement/locationLinks')).toEqual([link.east, link.south]);
    }),
    ['a link to another org is refused', (wire) => refusedLink(wire, '/org/other/location/aws-us-east-1')],
    ['a link to another kind is refused', (wire) => refusedLink(wire, '//secret/aws-us-east-1')],
  ),
];

async function refusedLink(wire: Wire, location: string): Promise<void> {
  const spec = { staticPlacement: { locationLinks: [location] } };
  await wire.refused(400, 'POST', 'gvc', { name: wire.name('gvc'), spec });
}
