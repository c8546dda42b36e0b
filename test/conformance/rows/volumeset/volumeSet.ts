import { expect } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { fieldRow, problemPaths } from '../../harness/fieldRows.ts';
import { makeVolumeSet, makeWorkload, stateful, town } from '../../harness/fixtures.ts';
import { at, itemsAt } from '../../harness/place.ts';
import { parted, partOf, type Row, row } from '../../harness/row.ts';
import { volumeSetWith } from '../../harness/subjects.ts';
import { until, type Wire } from '../../harness/wire.ts';

const disk = volumeSetWith();
const shared = { fileSystemType: 'shared', performanceClass: 'shared' };
const growing = volumeSetWith({ autoscaling: { maxCapacity: 100, minFreePercentage: 10, scalingFactor: 1.5 } });

/** Demands that a volume set with this spec is refused, with a problem at the field. */
async function refusedSet(wire: Wire, spec: JsonObject, field: string): Promise<void> {
  const least = { fileSystemType: 'ext4', performanceClass: 'general-purpose-ssd', initialCapacity: 10 };
  const body = { name: wire.name('disk'), spec: { ...least, ...spec } };
  const error = await wire.refused(400, 'POST', `gvc/${await town(wire)}/volumeset`, body);
  expect(problemPaths(error)).toContain(field);
}

/** The record of a new volume set with this spec. */
async function accepted(wire: Wire, spec: JsonObject): Promise<JsonObject> {
  const gvc = await town(wire);
  return wire.get(`gvc/${gvc}/volumeset/${await makeVolumeSet(wire, gvc, spec)}`);
}

// biome-ignore format: a row is a case
export const volumeSetRows: readonly Row[] = [
  parted(
    'volumeset/fileSystemType',
    'fileSystemType is ext4, xfs or shared',
    partOf('fileSystemType is ext4, xfs or shared', async (wire) => {
      for (const spec of [{ fileSystemType: 'ext4' }, { fileSystemType: 'xfs' }, shared]) {
        expect(at(await accepted(wire, spec), 'spec/fileSystemType')).toBe(spec.fileSystemType);
      }
      await refusedSet(wire, { fileSystemType: 'ntfs' }, 'fileSystemType');
    }),
    partOf('fileSystemType is ext4 by default, and cannot change', async (wire) => {
      const name = wire.name('disk');
      const spec = { performanceClass: 'general-purpose-ssd', initialCapacity: 10 };
      const collection = `gvc/${await town(wire)}/volumeset`;
      expect(at(await wire.ok('POST', collection, { name, spec }), 'spec/fileSystemType')).toBe('ext4');
      await wire.refused(400, 'PATCH', `${collection}/${name}`, { spec: { fileSystemType: 'xfs' } });
    }),
  ),
  fieldRow('volumeset/initialCapacity', 'initialCapacity is a number of GB', disk, 'spec/initialCapacity',
    { value: 20, next: 30, wrong: 'large' }),
  parted(
    'volumeset/performanceClass',
    'performanceClass bounds the capacity, and never changes',
    partOf('a shared set has the class shared, which is the default', async (wire) => {
      const name = wire.name('disk');
      const spec = { fileSystemType: 'shared', initialCapacity: 10 };
      const created = await wire.ok('POST', `gvc/${await town(wire)}/volumeset`, { name, spec });
      expect(at(created, 'spec/performanceClass')).toBe('shared');
    }),
    partOf('performanceClass is immutable, and an unknown one is refused', async (wire) => {
      const gvc = await town(wire);
      const path = `gvc/${gvc}/volumeset/${await makeVolumeSet(wire, gvc, { initialCapacity: 300 })}`;
      await wire.refused(400, 'PATCH', path, { spec: { performanceClass: 'high-throughput-ssd' } });
      await refusedSet(wire, { performanceClass: 'tape' }, 'performanceClass');
    }),
  ),
  fieldRow('volumeset/autoscaling', 'autoscaling holds the policy of growth', disk, 'spec/autoscaling',
    { value: { maxCapacity: 100, minFreePercentage: 20, scalingFactor: 1.5 }, next: { maxCapacity: 200 },
      wrong: true }),
  parted(
    'volumeset/snapshots',
    'snapshots have a retention and a schedule of at most one an hour',
    ...['1d', '36h', '90m', '1.5d'].map(
      (retentionDuration) =>
        partOf(`a retention may be ${retentionDuration}`, async (wire: Wire) => {
          const snapshots = { retentionDuration, schedule: '0 * * * *' };
          expect(at(await accepted(wire, { snapshots }), 'spec/snapshots')).toMatchObject(snapshots);
        }),
    ),
    partOf('another unit of retention, and a schedule of every ten minutes, are refused', async (wire) => {
      await refusedSet(wire, { snapshots: { retentionDuration: '1w' } }, 'retentionDuration');
      await refusedSet(wire, { snapshots: { retentionDuration: '1d', schedule: '*/10 * * * *' } }, 'schedule');
    }),
  ),
  parted(
    'volumeset/mountOptions',
    'mountOptions are resources of a shared set',
    partOf('mountOptions has resources, on a shared set', async (wire) => {
      const resources = { minCpu: '500m', maxCpu: '2000m', minMemory: '1Gi', maxMemory: '2Gi' };
      const created = await accepted(wire, { ...shared, mountOptions: { resources } });
      expect(at(created, 'spec/mountOptions/resources')).toEqual(resources);
    }),
    ['mountOptions other than resources are refused',
      (wire) => refusedSet(wire, { mountOptions: { maxCpu: '1' } }, 'mountOptions')],
  ),
  row('volumeset/customEncryption', 'customEncryption has a key for each region (provider-region)', async (wire) => {
      const regions = { 'aws-us-east-1': { keyId: 'arn:key/one' }, 'aws-us-west-2': { keyId: 'arn:key/two' } };
      expect(at(await accepted(wire, { customEncryption: { regions } }), 'spec/customEncryption/regions')).toEqual(
        regions,
      );
      await refusedSet(wire, { customEncryption: { regions: { 'aws-us-east-1': 'arn:key/one' } } }, 'regions');
  }),
  fieldRow('volumeset/autoscaling.maxCapacity', 'maxCapacity is a number of GB', growing,
    'spec/autoscaling/maxCapacity', { value: 50, next: 60, wrong: 65537 }),
  fieldRow('volumeset/autoscaling.minFreePercentage', 'minFreePercentage is 1 to 100', growing,
    'spec/autoscaling/minFreePercentage', { value: 1, next: 100, wrong: 101 }),
  fieldRow('volumeset/autoscaling.scalingFactor', 'scalingFactor is at least 1.1', growing,
    'spec/autoscaling/scalingFactor', { value: 1.1, next: 2, wrong: 1.05 }),
  fieldRow('volumeset/autoscaling.predictive', 'predictive holds the policy of predictive growth', growing,
    'spec/autoscaling/predictive',
    { value: { enabled: true, lookbackHours: 48 }, next: { enabled: false }, wrong: 'on' }),
  predictiveRow('enabled', 'enabled is a boolean', true, 'often'),
  predictiveRow('lookbackHours', 'lookbackHours is 1 to 168', 168, 169),
  predictiveRow('projectionHours', 'projectionHours is 1 to 72', 72, 73),
  predictiveRow('minDataPoints', 'minDataPoints is a number, 2 to 100', 2.5, 1),
  predictiveRow('minGrowthRateGBPerHour', 'minGrowthRateGBPerHour is a number, not negative', 0.5, -1),
  predictiveRow('scalingFactor', 'scalingFactor of predictive is at least 1.1', 1.1, 1),
  row(
    'volumeset/autoscaling.predictive defaults',
    'omitted members of predictive have the defaults of the table, and scalingFactor is inherited',
    async (wire) => {
      const autoscaling = {
        maxCapacity: 100,
        minFreePercentage: 10,
        scalingFactor: 1.5,
        predictive: {},
      };
      const shown = at(await accepted(wire, { autoscaling }), 'spec/autoscaling/predictive');
      expect(shown).toEqual({
        enabled: false,
        lookbackHours: 24,
        projectionHours: 6,
        minDataPoints: 10,
        minGrowthRateGBPerHour: 0.01,
      });
    },
  ),
  row('volumeset/status', 'the status shows the users of the set, and its volumes in each location', async (wire) => {
    const gvc = await town(wire);
    const name = await makeVolumeSet(wire, gvc);
    const path = `gvc/${gvc}/volumeset/${name}`;
    const workload = await makeWorkload(wire, gvc, stateful(name));
    const shown = await until(
      wire,
      () => wire.get(path),
      (record) => itemsAt(record, 'status/locations/0/volumes').length > 0,
    );
    expect(shown['status']).toMatchObject({
      parentId: (await wire.get(`gvc/${gvc}`))['id'],
      usedByWorkload: `/org/local/${workload}`,
      workloadLinks: [`/org/local/${workload}`],
      bindingId: expect.any(String),
    });
    const locations = itemsAt(shown, 'status/locations');
    expect(locations.map((location) => location['name'])).toEqual(['aws-us-east-1', 'gcp-us-east1']);
    for (const location of locations) {
      const volumes = [{ index: 0, currentSize: 10, lifecycle: expect.any(String) }];
      expect(location).toMatchObject({ desiredVolumeCount: 1, clusterId: expect.any(String), volumes });
    }
  }),
];

function predictiveRow(field: string, statement: string, value: number | boolean, wrong: number | string): Row {
  return fieldRow(`volumeset/predictive.${field}`, statement, growing, `spec/autoscaling/predictive/${field}`, {
    value,
    wrong,
  });
}
