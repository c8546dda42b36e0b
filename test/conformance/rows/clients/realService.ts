import { expect } from 'vitest';
import type { JsonObject } from '../../../../src/schema/json/json.ts';
import { container, makeGvc, makeSecret, makeVolumeSet, makeWorkload, specOf, town } from '../../harness/fixtures.ts';
import { at, itemsAt, nest } from '../../harness/place.ts';
import { type Part, parted, type Row, row } from '../../harness/row.ts';
import { alone, type Wire } from '../../harness/wire.ts';

/** A write that the platform takes, and names the rule in the header of warnings. The body of the answer. */
async function warned(wire: Wire, rule: string, collection: string, body: JsonObject): Promise<JsonObject> {
  const reply = await wire.call('POST', collection, body);
  expect(reply.status, reply.text).toBe(201);
  expect(reply.headers.get('x-scheme-warning')).toMatch(new RegExp(`(^|, )${rule};path="`));
  return reply.body;
}

const shared = { fileSystemType: 'shared', performanceClass: 'shared', initialCapacity: 10 };
const ext4 = { fileSystemType: 'ext4', performanceClass: 'general-purpose-ssd', initialCapacity: 10 };

const withKeda = (autoscaling: JsonObject) =>
  specOf('standard', {
    defaultOptions: {
      capacityAI: false,
      autoscaling: { metric: 'keda', keda: { triggers: [{ type: 'redis', name: 'q' }] }, ...autoscaling },
    },
  });

const volumeSet = (rule: string, it: string, spec: JsonObject): Part => [
  it,
  async (wire) => {
    await warned(wire, rule, `gvc/${await town(wire)}/volumeset`, { name: wire.name('disk'), spec });
  },
];

const inOrg = (rule: string, it: string, kind: string, body: JsonObject): Part => [
  it,
  async (wire) => {
    const name = kind === 'domain' ? `${wire.name('shop')}.com` : wire.name('record');
    await warned(wire, rule, kind, { name, ...body });
  },
];

/** What the real service accepts: a row for each ruling, in strict mode but where it says otherwise. */
export const realServiceRows: readonly Row[] = [
  parted(
    'concepts.real-service/V5 and V6',
    'fields that a volume set of this file system cannot use are stored with a warning; commands stay refused',
    volumeSet('V5', 'snapshots of a shared set', { ...shared, snapshots: { schedule: '0 * * * *' } }),
    volumeSet('V5', 'encryption of a shared set', {
      ...shared,
      customEncryption: { regions: { 'aws-us-east-1': { keyId: 'k' } } },
    }),
    volumeSet('V6', 'mount options of an ext4 set', { ...ext4, mountOptions: { resources: { maxCpu: '1' } } }),
    [
      'a snapshot by command is refused',
      async (wire) => {
        const gvc = await town(wire);
        const name = await makeVolumeSet(wire, gvc, shared);
        const spec = { location: 'aws-us-east-1', volumeIndex: 0, snapshotName: 'first' };
        await wire.refused(400, 'POST', `gvc/${gvc}/volumeset/${name}/-command`, {
          type: 'createVolumeSnapshot',
          spec,
        });
      },
    ],
  ),
  row('concepts.real-service/W19', 'a target beside keda is stored with a warning', async (wire) => {
    const gvc = await makeGvc(wire, { keda: { enabled: true } });
    const body = { name: wire.name('work'), spec: withKeda({ target: 50 }) };
    const record = await warned(wire, 'W19', `gvc/${gvc}/workload`, body);
    expect(at(record, 'spec/defaultOptions/autoscaling/target')).toBe(50);
  }),
  row('concepts.real-service/W36', 'keda where the GVC has none is stored with a warning', async (wire) => {
    const gvc = await makeGvc(wire);
    await warned(wire, 'W36', `gvc/${gvc}/workload`, { name: wire.name('work'), spec: withKeda({}) });
  }),
  row(
    'concepts.real-service/W37',
    'a secret of a trigger that the GVC does not list is stored with a warning',
    async (wire) => {
      const gvc = await makeGvc(wire, { keda: { enabled: true } });
      const triggers = [{ type: 'redis', name: 'q', authenticationRef: { name: 'key' } }];
      const body = { name: wire.name('work'), spec: withKeda({ keda: { triggers } }) };
      await warned(wire, 'W37', `gvc/${gvc}/workload`, body);
    },
  ),
  parted(
    'concepts.real-service/G5',
    'a redirect without a dedicated load balancer is stored with a warning',
    inOrg('G5', 'in a GVC', 'gvc', {
      spec: { loadBalancer: { redirect: { class: { status401: 'https://a.example.com' } } } },
    }),
  ),
  parted(
    'concepts.real-service/D8',
    'both accept-all switches, or one without a dedicated load balancer, are stored with a warning',
    inOrg('D8', 'both', 'domain', { spec: { acceptAllHosts: true, acceptAllSubdomains: true } }),
    [
      'one, in front of a GVC without a balancer of its own',
      async (wire) => {
        const name = `${wire.name('shop')}.com`;
        const workload = await makeWorkload(wire, await town(wire), specOf('standard'));
        const ports = [{ number: 443, routes: [{ prefix: '/', workloadLink: `//${workload}` }] }];
        await warned(wire, 'D8', 'domain', { name, spec: { acceptAllHosts: true, ports } });
      },
    ],
  ),
  row(
    'concepts.real-service/D19',
    'a replica of a workload that is not stateful is stored with a warning',
    async (wire) => {
      const workload = await makeWorkload(wire, await town(wire), specOf('standard'));
      const ports = [{ number: 443, routes: [{ prefix: '/', workloadLink: `//${workload}`, replica: 0 }] }];
      await warned(wire, 'D19', 'domain', { name: `${wire.name('shop')}.com`, spec: { ports } });
    },
  ),
  parted(
    'concepts.real-service/lenient',
    'lenient mode also lets pass: W38, the ports of W8, and ext4 on a vm (W31)',
    ...(['W38', 'W8.ports', 'W31.vm'] as const).map(
      (rule): Part => [
        rule,
        alone({ lenient: true }, async (wire) => {
          const gvc = await makeGvc(wire);
          const disk = await makeVolumeSet(wire, gvc);
          const specs = {
            W38: specOf('standard', { localOptions: [{ location: 'azure-eastus2', spot: true }] }),
            'W8.ports': specOf('cron', { containers: [container()] }),
            'W31.vm': { type: 'vm', containers: [{ name: 'main', volumes: [{ uri: `scheme://volumeset/${disk}` }] }] },
          };
          await warned(wire, rule, `gvc/${gvc}/workload`, { name: wire.name('work'), spec: specs[rule] });
        }),
      ],
    ),
    [
      'ext4 on a vm stays refused in strict mode',
      async (wire) => {
        const gvc = await makeGvc(wire);
        const disk = await makeVolumeSet(wire, gvc);
        const spec = { type: 'vm', containers: [{ name: 'main', volumes: [{ uri: `scheme://volumeset/${disk}` }] }] };
        const error = await wire.refused(400, 'POST', `gvc/${gvc}/workload`, { name: wire.name('work'), spec });
        expect(itemsAt(error, 'details/problems')).toMatchObject([{ rule: 'W31.vm' }]);
      },
    ],
  ),
  parted(
    'concepts.real-service/missing targets',
    'a target that is not there is a warning in four fields',
    inOrg('reference.dangling', 'the secret of a cloud account', 'cloudaccount', {
      provider: 'azure',
      data: { secretLink: '//secret/none' },
    }),
    inOrg('reference.dangling', 'the alias workload of a GVC', 'gvc', {
      spec: { aliasWorkloadLink: '//workload/none' },
    }),
    inOrg('reference.dangling', 'the identity of keda', 'gvc', {
      spec: { keda: { enabled: true, identityLink: '//identity/none' } },
    }),
    inOrg('reference.dangling', 'a secret of keda', 'gvc', {
      spec: { keda: { enabled: true, secrets: ['//secret/none'] } },
    }),
    [
      'what is there is kept while it is referred to',
      async (wire) => {
        const secret = await makeSecret(wire, 'opaque');
        await makeGvc(wire, { keda: { enabled: true, secrets: [secret] } });
        await wire.refused(400, 'DELETE', secret);
      },
    ],
  ),
  row('concepts.real-service/header filter', 'a key keeps its case, and is known in any', async (wire) => {
    const place = 'firewallConfig/external/http';
    const filters = [{ key: 'X-Team', allowedValues: ['a'] }];
    const spec = specOf('standard', nest(`${place}/inboundHeaderFilter`, filters));
    const workload = await makeWorkload(wire, await town(wire), spec);
    expect(itemsAt(await wire.get(workload), `spec/${place}/inboundHeaderFilter`)).toEqual(filters);
    const again = { '$append/inboundHeaderFilter': [{ key: 'x-team', blockedValues: ['b'] }] };
    await wire.refused(400, 'PATCH', workload, { spec: nest(place, again) });
  }),
  row('concepts.real-service/hooks', 'postStart and preStop may be empty objects', async (wire) => {
    const lifecycle = { postStart: {}, preStop: {} };
    const spec = specOf('standard', { containers: [container({ lifecycle })] });
    const workload = await makeWorkload(wire, await town(wire), spec);
    expect(at(await wire.get(workload), 'spec/containers/0/lifecycle')).toEqual(lifecycle);
  }),
  parted(
    'concepts.real-service/vm',
    'a vm needs no image and its volumes no path; name, bus and bootOrder pass through',
    [
      'and are stored as sent',
      async (wire) => {
        const gvc = await town(wire);
        const disk = await makeVolumeSet(wire, gvc, shared);
        const volumes = [{ uri: `scheme://volumeset/${disk}`, name: 'root', bus: 'virtio', bootOrder: 1 }];
        const spec = { type: 'vm', containers: [{ name: 'main', volumes }] };
        const workload = await makeWorkload(wire, gvc, spec);
        expect(at(await wire.get(workload), 'spec/containers/0/volumes')).toEqual(volumes);
      },
    ],
    [
      'but not of another type',
      async (wire) => {
        for (const main of [{ name: 'main' }, container({ volumes: [{ uri: 's3://a' }] })]) {
          const body = { name: wire.name('work'), spec: specOf('standard', { containers: [main] }) };
          await wire.refused(400, 'POST', `gvc/${await town(wire)}/workload`, body);
        }
      },
    ],
  ),
  row('concepts.real-service/byok', 'the region of a self-hosted location is its name', async (wire) => {
    const name = wire.name('rack');
    expect(await wire.ok('POST', 'location', { name, provider: 'byok' })).toMatchObject({ region: name });
  }),
  row(
    'concepts.real-service/agent',
    'bootstrapConfig is in the answer to the creation, and never again',
    async (wire) => {
      const name = wire.name('agent');
      const made = await wire.ok('POST', 'agent', { name });
      expect(at(made, 'status/bootstrapConfig/registrationToken')).toEqual(expect.any(String));
      expect(at(await wire.get(`agent/${name}`), 'status/bootstrapConfig')).toBeUndefined();
    },
  ),
  row('concepts.real-service/userpass', 'base64 of a password may be in the URL-safe alphabet', async (wire) => {
    const data = { username: 'u', password: 'a-_9', encoding: 'base64' };
    await wire.ok('POST', 'secret', { name: wire.name('secret'), type: 'userpass', data });
    const wrong = { ...data, password: 'a!_9' };
    await wire.refused(400, 'POST', 'secret', { name: wire.name('secret'), type: 'userpass', data: wrong });
  }),
  row('concepts.real-service/org', 'a new org keeps its observations for 30 days each', async (wire) => {
    const made = await wire.ok('POST', '/org', { name: wire.name('org') });
    expect(at(made, 'spec/observability')).toEqual({
      logsRetentionDays: 30,
      metricsRetentionDays: 30,
      tracesRetentionDays: 30,
    });
  }),
  row(
    'concepts.real-service/locations',
    'a built-in location is described by provider, region (place)',
    async (wire) => {
      expect(await wire.get('location/aws-eu-central-1')).toMatchObject({ description: 'AWS, Europe (Frankfurt)' });
    },
  ),
  row('concepts.real-service/trailing slash', 'one slash at the end of a path is ignored', async (wire) => {
    const gvc = await town(wire);
    expect(await wire.get(`gvc/${gvc}/`)).toEqual(await wire.get(`gvc/${gvc}`));
    await wire.refused(404, 'GET', `gvc/${gvc}//`);
  }),
  row('concepts.real-service/org references', 'what the org record refers to can be deleted', async (wire) => {
    const secret = await makeSecret(wire, 'opaque');
    await wire.ok('PATCH', '/org/local', { spec: { logging: { s3: { bucket: 'b', credentials: secret } } } });
    await wire.ok('DELETE', secret);
  }),
];
