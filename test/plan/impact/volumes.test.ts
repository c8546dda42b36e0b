import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { readVolumes, reserve, type Situation, type Volumes } from '../../../src/plan/consequences/storage.ts';

const set = (spec: JsonObject = {}): JsonObject => ({
  spec: { fileSystemType: 'ext4', initialCapacity: 10, performanceClass: 'general-purpose-ssd', ...spec },
});
const shared = set({ fileSystemType: 'shared' });
const replicas = (minScale: number, maxScale: number, more: JsonObject = {}): JsonObject => ({
  spec: { type: 'stateful', defaultOptions: { autoscaling: { minScale, maxScale }, ...more } },
});
const there = (sizes: Readonly<Record<string, readonly number[]>>): Volumes =>
  new Map(Object.entries(sizes).map(([location, gb]) => [location, new Map(gb.entries())]));

interface Case {
  readonly it: string;
  readonly of: Partial<Situation>;
  readonly gb: number;
  readonly ceilingGb: number;
}

// biome-ignore format: one case a line
const cases: readonly Case[] = [
  { it: 'no workload mounts it', of: { mounters: [] }, gb: 0, ceilingGb: 0 },
  { it: 'one replica mounts it', of: {}, gb: 10, ceilingGb: 10 },
  { it: 'one to three replicas mount it', of: { mounters: [replicas(1, 3)] }, gb: 10, ceilingGb: 30 },
  { it: 'the larger of two workloads mounts it', of: { mounters: [replicas(2, 2), replicas(1, 4)] }, gb: 20,
    ceilingGb: 40 },
  { it: 'a suspended workload may mount it',
    of: { mounters: [replicas(2, 3, { suspend: true })] }, gb: 0, ceilingGb: 30 },
  { it: 'replicas in two locations mount it', of: { locations: ['a', 'b'] }, gb: 20, ceilingGb: 20 },
  { it: 'volumes exist and are kept', of: { there: there({ a: [15, 25] }) }, gb: 40, ceilingGb: 40 },
  { it: 'one volume exists and two are needed', of: { mounters: [replicas(2, 3)], there: there({ a: [15] }) }, gb: 25,
    ceilingGb: 35 },
  { it: 'its location is removed', of: { locations: [], there: there({ a: [15] }) }, gb: 15, ceilingGb: 15 },
  { it: 'it is shared and mounted', of: { set: shared, mounters: [replicas(3, 5)] }, gb: 10, ceilingGb: 10 },
  { it: 'it is shared and not mounted', of: { set: shared, mounters: [] }, gb: 0, ceilingGb: 0 },
  { it: 'it grows to its own bound', of: { set: set({ autoscaling: { maxCapacity: 50 } }) }, gb: 10, ceilingGb: 50 },
  { it: 'it grows to the bound of every class (platform/volumeset.classes)',
    of: { set: set({ autoscaling: { minFreePercentage: 10, scalingFactor: 1.5 } }) }, gb: 10, ceilingGb: 65_536 },
  { it: 'it has no factor, and does not grow', of: { set: set({ autoscaling: { minFreePercentage: 10 } }) }, gb: 10,
    ceilingGb: 10 },
  { it: 'it has no share, and does not grow', of: { set: set({ autoscaling: { scalingFactor: 1.5 } }) }, gb: 10,
    ceilingGb: 10 },
  { it: 'it is larger than its bound',
    of: { set: set({ autoscaling: { maxCapacity: 12 } }), there: there({ a: [15] }) }, gb: 15, ceilingGb: 15 },
];

test.each(cases)('a volume set reserves, if $it: $gb GB, at most $ceilingGb', ({ of, gb, ceilingGb }) => {
  const situation = { set: set(), mounters: [replicas(1, 1)], locations: ['a'], there: there({}), ...of };
  expect(reserve(situation)).toMatchObject({ gb, ceilingGb });
});

test.each([
  [set(), 'general-purpose-ssd'],
  [{ spec: { fileSystemType: 'shared' } }, 'shared'],
  [{ spec: {} }, ''],
])('the class of %j is %j', (record, performanceClass) => {
  expect(reserve({ set: record, mounters: [], locations: [], there: there({}) })).toMatchObject({ performanceClass });
});

test.each<{ it: string; locations: JsonObject[string]; volumes: Volumes | undefined }>(
  // biome-ignore format: a row is a case
  [
    { it: 'each by its index or its position, with its size or the initial one',
      locations: [{ name: '//location/a',
          volumes: [{ index: 4, currentSize: 20 }, {}, { index: 2, lifecycle: 'deleted' }, null] }, { volumes: [] }],
      volumes: new Map([['a', new Map([[4, 20], [1, 10]])], ['', new Map()]]) },
    { it: 'none', locations: [], volumes: new Map() },
    { it: 'unknown: no list of locations', locations: null, volumes: undefined },
    { it: 'unknown: a location that is not an object', locations: [null], volumes: undefined },
    { it: 'unknown: a location without a list of volumes', locations: [{ name: '//location/a' }],
      volumes: undefined },
  ],
)('the volumes that a status shows: $it', ({ locations, volumes }) => {
  expect(readVolumes({ ...set(), status: { locations } })).toEqual(volumes);
});
