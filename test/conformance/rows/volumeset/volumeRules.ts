import { expect } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import {
  container,
  east,
  link,
  makeGvc,
  makeVolumeSet,
  makeWorkload,
  specOf,
  stateful,
} from '../../harness/fixtures.ts';
import { at, itemsAt } from '../../harness/place.ts';
import { ownPart, parted, partOf, type Row, row } from '../../harness/row.ts';
import { command, mounted, sizeOf, volumesOf } from '../../harness/volumes.ts';
import { until, type Wire } from '../../harness/wire.ts';

const shared = { fileSystemType: 'shared', performanceClass: 'shared' };

/** A standard workload that mounts the set. */
function mounting(set: string, replicas: number): JsonObject {
  const volumes = [{ uri: `scheme://volumeset/${set}`, path: '/data' }];
  const defaultOptions = { autoscaling: { metric: 'cpu', minScale: replicas, maxScale: replicas }, capacityAI: false };
  return specOf('standard', { containers: [container({ volumes })], defaultOptions });
}

async function sharedBy(wire: Wire, workloads: number, replicas: number, spec: JsonObject = {}): Promise<string> {
  const gvc = await makeGvc(wire, { staticPlacement: { locationLinks: [link.east] } });
  const name = await makeVolumeSet(wire, gvc, { ...shared, ...spec });
  for (let index = 0; index < workloads; index += 1) await makeWorkload(wire, gvc, mounting(name, replicas));
  const set = `gvc/${gvc}/volumeset/${name}`;
  await until(
    wire,
    () => volumesOf(wire, set),
    (volumes) => volumes.length > 0,
  );
  await wire.advance('10m');
  return set;
}

export const volumeRuleRows: readonly Row[] = [
  parted(
    'volumeset/one volume for each replica',
    'ext4 and xfs have a volume for each replica of one stateful workload, which is kept until it is deleted',
    partOf('a second workload, and one that is not stateful, may not use the set', async (wire) => {
      const gvc = await makeGvc(wire);
      const name = await makeVolumeSet(wire, gvc);
      await wire.refused(400, 'POST', `gvc/${gvc}/workload`, { name: wire.name('work'), spec: mounting(name, 1) });
      await makeWorkload(wire, gvc, stateful(name));
      await wire.refused(400, 'POST', `gvc/${gvc}/workload`, { name: wire.name('work'), spec: stateful(name) });
    }),
  ),
  parted(
    'volumeset/shared volumes',
    'shared has a volume for each location, for any number of workloads, with a charge for each mount point',
    ownPart('three workloads of any type use the same volume of the location', {}, async (wire) => {
      const set = await sharedBy(wire, 3, 2);
      expect(await volumesOf(wire, set)).toMatchObject([{ index: 0, lifecycle: 'bound', diskType: 'file' }]);
      const { status } = await wire.get(set);
      expect(at(status, 'workloadLinks')).toHaveLength(3);
      expect(at(status, 'locations')).toMatchObject([{ desiredVolumeCount: 1 }]);
      expect(status).not.toHaveProperty('usedByWorkload');
    }),
  ),
  parted(
    'volumeset/what shared volumes do not support',
    'shared supports no snapshots, no encryption, and only the command expandVolume',
    ownPart(
      'a schedule of snapshots of a shared set is stored in lenient mode, and none is ever taken',
      { lenient: true },
      async (wire) => {
        const gvc = await makeGvc(wire);
        const name = await makeVolumeSet(wire, gvc, { ...shared, snapshots: { schedule: '0 * * * *' } });
        const volumes = [{ uri: `scheme://volumeset/${name}`, path: '/data' }];
        await makeWorkload(wire, gvc, specOf('standard', { containers: [container({ volumes })] }));
        await wire.advance('3h');
        const locations = itemsAt(await wire.get(`gvc/${gvc}/volumeset/${name}`), 'status/locations');
        expect(locations.flatMap((location) => itemsAt(location, 'volumes')).length).toBeGreaterThan(0);
        for (const volume of locations.flatMap((location) => itemsAt(location, 'volumes'))) {
          expect(itemsAt(volume, 'volumeSnapshots')).toEqual([]);
        }
      },
    ),
  ),
  row('volumeset/mounting', 'a volume uri names a set of the same GVC, and a workload may use many', async (wire) => {
    const gvc = await makeGvc(wire);
    const [first, second] = [await makeVolumeSet(wire, gvc), await makeVolumeSet(wire, gvc)];
    const volumes = [
      { uri: `scheme://volumeset/${first}`, path: '/one' },
      { uri: `scheme://volumeset/${second}`, path: '/two' },
    ];
    await makeWorkload(wire, gvc, specOf('stateful', { containers: [container({ volumes })] }));
    const elsewhere = await makeVolumeSet(wire, await makeGvc(wire));
    for (const name of ['none', elsewhere]) {
      await wire.refused(400, 'POST', `gvc/${gvc}/workload`, { name: wire.name('work'), spec: stateful(name) });
    }
  }),
  parted(
    'volumeset/expanding and shrinking',
    'expandVolume raises and shrinkVolume lowers the capacity, and the bill is the sum of reserved capacities',
    ownPart('expandVolume raises the capacity, shrinkVolume lowers it, and the bill follows', {}, async (wire) => {
      const { set } = await mounted(wire, {}, 2);
      const volume = { location: east, volumeIndex: 0 };
      await command(wire, set, 'expandVolume', { ...volume, newStorageCapacity: 40, timeoutSeconds: 600 });
      expect([await sizeOf(wire, set, 0), await sizeOf(wire, set, 1)]).toEqual([40, 10]);
      expect(await wire.get(`${set}/-bill`)).toMatchObject({ reservedGb: 50 });
      await command(wire, set, 'shrinkVolume', { ...volume, newStorageCapacity: 15 });
      expect(await sizeOf(wire, set)).toBe(15);
      expect(await wire.get(`${set}/-bill`)).toMatchObject({ reservedGb: 25 });
    }),
  ),
  parted(
    'volumeset/encryption by a key of your own',
    'custom encryption has one provider, ext4 or xfs, and a key that cannot change once there is a volume',
    partOf('regions of two providers are refused', async (wire) => {
      const regions = { 'aws-us-east-1': { keyId: 'one' }, 'gcp-us-east1': { keyId: 'two' } };
      const spec = { fileSystemType: 'ext4', performanceClass: 'general-purpose-ssd', initialCapacity: 10 };
      await wire.refused(400, 'POST', `gvc/${await makeGvc(wire)}/volumeset`, {
        name: wire.name('disk'),
        spec: { ...spec, customEncryption: { regions } },
      });
    }),
  ),
  parted(
    'volumeset/resources of mounts',
    'least and most of mountOptions differ by at most 4000m and 4096Mi, and at most 1:4',
    ...resourceParts(),
  ),
];

function resourceParts(): readonly (readonly [string, (wire: Wire) => Promise<void>])[] {
  const cases: Readonly<Record<string, readonly [resources: JsonObject, status: 201 | 400]>> = {
    'CPU at the ratio of 1:4 is accepted': [{ minCpu: '500m', maxCpu: '2000m' }, 201],
    'CPU above the ratio is refused': [{ minCpu: '500m', maxCpu: '2001m' }, 400],
    'CPU 4000m apart is accepted': [{ minCpu: '2000m', maxCpu: '6000m' }, 201],
    'CPU more than 4000m apart is refused': [{ minCpu: '2000m', maxCpu: '6001m' }, 400],
    'memory at the ratio of 1:4 is accepted': [{ minMemory: '512Mi', maxMemory: '2Gi' }, 201],
    'memory above the ratio is refused': [{ minMemory: '512Mi', maxMemory: '2049Mi' }, 400],
    'memory 4096Mi apart is accepted': [{ minMemory: '2Gi', maxMemory: '6Gi' }, 201],
    'memory more than 4096Mi apart is refused': [{ minMemory: '2Gi', maxMemory: '6145Mi' }, 400],
    'least above most is refused': [{ minCpu: '2', maxCpu: '1' }, 400],
  };
  return Object.entries(cases).map(
    ([words, [resources, status]]) =>
      [
        words,
        async (wire: Wire) => {
          const spec = { ...shared, initialCapacity: 10, mountOptions: { resources } };
          const body = { name: wire.name('disk'), spec };
          const reply = await wire.call('POST', `gvc/${await makeGvc(wire)}/volumeset`, body);
          expect(reply.status, reply.text).toBe(status);
        },
      ] as const,
  );
}
