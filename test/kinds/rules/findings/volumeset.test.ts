import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { mountersOf, volumeSetMounts } from '../../../../src/kinds/volumeset/mounts.ts';
import { capacityBounds } from '../../../../src/kinds/volumeset/rules.ts';
import { other } from '../ruleCase.ts';
import { findings } from './findings.ts';

const set = (spec: JsonObject, fields: JsonObject = {}): JsonObject => ({
  name: 'data',
  ...fields,
  spec: { performanceClass: 'general-purpose-ssd', initialCapacity: 10, ...spec },
});
const shared = (spec: JsonObject = {}): JsonObject => ({
  name: 'data',
  spec: { fileSystemType: 'shared', initialCapacity: 10, ...spec },
});
const mount = (resources: JsonObject) => shared({ mountOptions: { resources } });
const keys = (...regions: readonly string[]) =>
  set({ customEncryption: { regions: Object.fromEntries(regions.map((region) => [region, { keyId: 'k' }])) } });
const located = (...volumes: readonly JsonObject[]) => ({
  ...keys('aws-us-east-1'),
  status: { locations: [{ name: 'aws-us-east-1', volumes }] },
});
const workload = (name: string, type: string | undefined, ...uris: readonly string[]) =>
  other('workload', name, {
    spec: {
      ...(type === undefined ? {} : { type }),
      containers: [{ name: 'main', volumes: uris.map((uri) => ({ uri, path: '/data' })) }],
    },
  });
const mounting = (name: string, type?: string) => workload(name, type, 'scheme://volumeset/data');

// biome-ignore format: a row is a case
findings('volumeset', {
  V1: [
    ['names the field, the class and its range (platform/volumeset.classes)', set({ initialCapacity: 9 }),
      { 'spec.initialCapacity': 'initialCapacity is 9 GB; general-purpose-ssd must have 10 to 65536 GB' }],
    ['has a range if the class is missing too', { name: 'data', spec: { initialCapacity: 9 } },
      { 'spec.initialCapacity': 'initialCapacity is 9 GB; a volume set must have 10 to 65536 GB' }],
    ['names the largest one too', set({ autoscaling: { maxCapacity: 65_537 } }),
      { 'spec.autoscaling.maxCapacity': 'maxCapacity is 65537 GB' }],
    ['accepts both bounds', set({ initialCapacity: 10, autoscaling: { maxCapacity: 65_536 } }), {}],
  ],
  V3: [
    ['accepts a capacity that may not grow', set({ initialCapacity: 20 }), {}],
    ['accepts a maximum alone', { name: 'data', spec: { autoscaling: { maxCapacity: 20 } } }, {}],
  ],
  V4: [
    ['accepts a prediction that is off', set({ autoscaling: { predictive: { enabled: false } } }), {}],
    ['accepts growth without a prediction', set({ autoscaling: { maxCapacity: 20 } }), {}],
    ['names both that are missing (platform/volumeset.growth)', set({ autoscaling: { predictive: { enabled: true } } }),
      { 'spec.autoscaling.minFreePercentage': 'needs minFreePercentage',
        'spec.autoscaling.scalingFactor': 'needs scalingFactor' }],
  ],
  V7: [
    ['accepts resources without bounds', mount({}), {}],
    ['reports which quantities are wrong', mount({ minCpu: 'many', maxCpu: '1' }),
      { 'spec.mountOptions.resources.maxCpu': '"many" or "1" is not a valid quantity' }],
    ['refuses a truth as quantity', mount({ minCpu: true }), { 'spec.mountOptions.resources.minCpu': 'true' }],
  ],
  V8: [
    ['names the providers in order (platform/volumeset.encryption)', keys('gcp-us-east1', 'aws-us-east-1'),
      { 'spec.customEncryption.regions': 'must be of one provider, not of aws and gcp' }],
    ...['us', 'AWS-us-east-1', 'aws-us_east', '-us-east-1'].map(
      (region) =>
        [
          `refuses the region ${region} (platform/volumeset.encryption)`,
          keys(region),
          { [`spec.customEncryption.regions.${region}`]: `"${region}" is not <provider>-<region>` },
        ] as const,
    ),
    ['accepts another key if all volumes are deleted (platform/volumeset.encryption)', set({}), {},
      { before: located({ index: 0, lifecycle: 'deleted' }, { index: 1, lifecycle: 'deleted' }) }],
    ['refuses to drop the key if one volume of two is left (platform/volumeset.encryption)', set({}),
      { 'spec.customEncryption.regions.aws-us-east-1': 'its key cannot change' },
      { before: located({ index: 0, lifecycle: 'deleted' }, { index: 1, lifecycle: 'unused' }) }],
    ['accepts another key if there never was a volume', set({}), {}, { before: located() }],
  ],
  V9: [
    ['accepts one stateful workload (platform/volumeset.volumes)',
      set({}), {}, { others: [mounting('db', 'stateful')] }],
    ['leaves a vm to V9.vm', set({}), {}, { others: [mounting('machine', 'vm')] }],
    ['names all workloads that mount it, in order', set({}),
      { 'spec.fileSystemType': 'the ext4 volume set may be mounted by one workload, not by 2: a, b' },
      { others: [mounting('b', 'stateful'), mounting('a', 'stateful')] }],
    [
      'accepts a workload without a type for serverless (platform/concepts.filled)',
      set({ fileSystemType: 'xfs' }),
      {
        'spec.fileSystemType':
          'the xfs volume set may be mounted by a stateful workload only, not by "web", a serverless workload',
      },
      { others: [mounting('web')] },
    ],
    ['reports nothing if the GVC is unknown', set({}), {},
      { others: [mounting('web')], context: { org: 'acme' } }],
  ],
  'V9.vm': [
    ['leaves all others to V9', set({}), {}, { others: [mounting('db', 'stateful'), mounting('web')] }],
    ['reports nothing if the GVC is unknown', set({}), {},
      { others: [mounting('machine', 'vm')], context: { org: 'acme' } }],
  ],
});

test('only URIs of volume sets are mounts of one (platform/volumeset.mounting)', () => {
  const { record } = workload('web', 'stateful', 's3://a-bucket-of-some-length', 'scheme://volumeset/rows');
  expect(volumeSetMounts(record)).toEqual([
    { volumeSet: 'rows', pointer: ['spec', 'containers', 0, 'volumes', 1, 'uri'] },
  ]);
  const withoutUri = { spec: { containers: [{ name: 'main', volumes: [{ path: '/data' }] }] } };
  expect(volumeSetMounts(withoutUri)).toEqual([]);
});

test('the workloads that mount a volume set, each once, for any number of queries', () => {
  const twice = workload('b', 'stateful', 'scheme://volumeset/data', 'scheme://volumeset/data');
  const workloads = [mounting('a'), twice, workload('c', 'standard', 'scheme://volumeset/rows')];
  const related = { get: () => undefined, list: () => workloads };
  const names = (volumeSet: string) => mountersOf(volumeSet, 'shop', related).map(({ ref }) => ref.name);
  expect([names('data'), names('rows'), names('none')]).toEqual([['a', 'b'], ['c'], []]);
});

test.each([
  ['general-purpose-ssd', 10],
  ['high-throughput-ssd', 200],
  ['shared', 10],
  [undefined, 10],
])('a volume of %s has %i to 65536 GB (platform/volumeset.classes)', (performanceClass, least) => {
  expect(capacityBounds(performanceClass)).toEqual({ least, most: 65_536 });
});
