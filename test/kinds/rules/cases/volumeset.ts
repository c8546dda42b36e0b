import type { JsonObject } from '../../../../src/base/json/json.ts';
import { casesOf, other, type RuleCase } from '../ruleCase.ts';

const ssd = { fileSystemType: 'ext4', performanceClass: 'general-purpose-ssd', initialCapacity: 10 };
const fast = { fileSystemType: 'xfs', performanceClass: 'high-throughput-ssd', initialCapacity: 200 };
const shared = { fileSystemType: 'shared', initialCapacity: 10 };
const set = (base: JsonObject, spec: JsonObject = {}, fields: JsonObject = {}): JsonObject => ({
  name: 'data',
  ...fields,
  spec: { ...base, ...spec },
});
const mount = (resources: JsonObject) => set(shared, { mountOptions: { resources } });
const keys = (regions: Readonly<Record<string, string>>) =>
  set(ssd, {
    customEncryption: {
      regions: Object.fromEntries(Object.entries(regions).map(([region, keyId]) => [region, { keyId }])),
    },
  });
const bound = { status: { locations: [{ name: 'aws-us-east-1', volumes: [{ index: 0, lifecycle: 'bound' }] }] } };
const mounting = (name: string, type: string) =>
  other('workload', name, {
    spec: { type, containers: [{ name: 'main', volumes: [{ uri: 'scheme://volumeset/data', path: '/data' }] }] },
  });

// biome-ignore format: a row is a case
export const volumeSetCases: readonly RuleCase[] = [
  ...casesOf('V1', 'volumeset', [
    { it: '9 GB of general-purpose-ssd (platform/volumeset.classes)', passes: set(ssd),
      fails: set(ssd, { initialCapacity: 9 }), path: 'spec.initialCapacity' },
    { it: '199 GB of high-throughput-ssd (platform/volumeset)', passes: set(fast),
      fails: set(fast, { initialCapacity: 199 }), path: 'spec.initialCapacity' },
    { it: '65537 GB as the largest (platform/volumeset.classes)',
      passes: set(ssd, { autoscaling: { maxCapacity: 65_536 } }),
      fails: set(ssd, { autoscaling: { maxCapacity: 65_537 } }), path: 'spec.autoscaling.maxCapacity' },
  ]),
  ...casesOf('V2', 'volumeset', [
    { it: 'shared with another class', passes: set(shared, { performanceClass: 'shared' }),
      fails: set(shared, { performanceClass: 'general-purpose-ssd' }), path: 'spec.performanceClass' },
    { it: 'the class shared on ext4', passes: set(ssd), fails: set(ssd, { performanceClass: 'shared' }),
      path: 'spec.performanceClass' },
  ]),
  ...casesOf('volumeset.class-required', 'volumeset', [
    { it: 'ext4 without a class', passes: set(shared), fails: { name: 'data', spec: { initialCapacity: 10 } },
      path: 'spec.performanceClass' },
  ]),
  ...casesOf('V3', 'volumeset', [
    { it: 'more at first than ever', passes: set(ssd, { autoscaling: { maxCapacity: 10 } }),
      fails: set(ssd, { initialCapacity: 20, autoscaling: { maxCapacity: 19 } }), path: 'spec.initialCapacity' },
  ]),
  ...casesOf('V4', 'volumeset', [
    { it: 'predictive growth without minFreePercentage (platform/volumeset.growth)',
      passes: set(ssd, { autoscaling: { predictive: { enabled: true }, minFreePercentage: 20, scalingFactor: 1.5 } }),
      fails: set(ssd, { autoscaling: { predictive: { enabled: true }, scalingFactor: 1.5 } }),
      path: 'spec.autoscaling.minFreePercentage' },
  ]),
  ...casesOf('V5', 'volumeset', [
    { it: 'snapshots on shared (platform/volumeset.shared)',
      passes: set(ssd, { snapshots: { retentionDuration: '7d' } }),
      fails: set(shared, { snapshots: { retentionDuration: '7d' } }), path: 'spec.snapshots' },
    { it: 'encryption on shared (platform/volumeset.shared)', passes: set(shared, { customEncryption: {} }),
      fails: set(shared, { customEncryption: { regions: { 'aws-us-east-1': { keyId: 'k' } } } }),
      path: 'spec.customEncryption' },
  ]),
  ...casesOf('V6', 'volumeset', [
    { it: 'mount options on ext4 (platform/volumeset)', passes: mount({ minCpu: '500m' }),
      fails: set(ssd, { mountOptions: { resources: { minCpu: '500m' } } }), path: 'spec.mountOptions' },
  ]),
  ...casesOf('V7', 'volumeset', [
    { it: 'a ratio over 1:4 (platform/volumeset.mount-resources)', passes: mount({ minCpu: '500m', maxCpu: '2000m' }),
      fails: mount({ minCpu: '500m', maxCpu: '2001m' }), path: 'spec.mountOptions.resources.maxCpu' },
    { it: 'more than 4096Mi apart (platform/volumeset.mount-resources)',
      passes: mount({ minMemory: '2Gi', maxMemory: '6Gi' }), fails: mount({ minMemory: '2Gi', maxMemory: '6145Mi' }),
      path: 'spec.mountOptions.resources.maxMemory' },
    { it: 'a maximum below the default minimum (B4)', passes: mount({ maxCpu: '500m' }),
      fails: mount({ maxCpu: '499m' }), path: 'spec.mountOptions.resources.maxCpu' },
    { it: 'more than 4000m apart (platform/volumeset.mount-resources)',
      passes: mount({ minCpu: '2000m', maxCpu: '6000m' }), fails: mount({ minCpu: '2000m', maxCpu: '6001m' }),
      path: 'spec.mountOptions.resources.maxCpu' },
    { it: 'a maximum, in numbers, that is too far above the minimum', passes: mount({ minCpu: 1, maxCpu: 4 }),
      fails: mount({ minCpu: 1, maxCpu: 5 }), path: 'spec.mountOptions.resources.maxCpu' },
    { it: 'a minimum above the default maximum (B4)', passes: mount({ minMemory: '2Gi' }),
      fails: mount({ minMemory: '2049Mi' }), path: 'spec.mountOptions.resources.minMemory' },
    { it: 'a maximum that is no quantity', passes: mount({ maxMemory: '2Gi' }), fails: mount({ maxMemory: true }),
      path: 'spec.mountOptions.resources.maxMemory' },
    { it: 'a minimum that is no quantity', passes: mount({ minMemory: '1Gi' }), fails: mount({ minMemory: true }),
      path: 'spec.mountOptions.resources.minMemory' },
  ]),
  ...casesOf('V8', 'volumeset', [
    { it: 'two providers (platform/volumeset.encryption)', passes: keys({ 'aws-us-east-1': 'k', 'aws-us-west-2': 'l' }),
      fails: keys({ 'aws-us-east-1': 'k', 'gcp-us-east1': 'l' }), path: 'spec.customEncryption.regions' },
    { it: 'another key after volumes exist (platform/volumeset.encryption)',
      before: { ...keys({ 'aws-us-east-1': 'k' }), ...bound },
      passes: keys({ 'aws-us-east-1': 'k', 'aws-us-west-2': 'l' }), fails: keys({ 'aws-us-east-1': 'other' }),
      path: 'spec.customEncryption.regions.aws-us-east-1' },
  ]),
  ...casesOf('V9', 'volumeset', [
    { it: 'ext4 mounted by two workloads (platform/volumeset.volumes)',
      others: [mounting('db', 'stateful'), mounting('second', 'stateful')], passes: set(shared), fails: set(ssd),
      path: 'spec.fileSystemType' },
    { it: 'ext4 mounted by a standard workload (platform/volumeset.volumes)', others: [mounting('web', 'standard')],
      passes: { name: 'other', spec: ssd }, fails: set(ssd), path: 'spec.fileSystemType' },
  ]),
  ...casesOf('V9.vm', 'volumeset', [
    { it: 'ext4 mounted by a vm (platform/volumeset.volumes)', others: [mounting('machine', 'vm')], passes: set(shared),
      fails: set(ssd), path: 'spec.fileSystemType' },
  ]),
  ...casesOf('V14', 'volumeset', [
    { it: 'another performance class (platform/volumeset.classes)', before: set(fast),
      passes: set(fast, { initialCapacity: 300 }), fails: set(fast, { performanceClass: 'general-purpose-ssd' }),
      path: 'spec.performanceClass' },
    { it: 'another file system (B4)',
      before: { name: 'data', spec: { performanceClass: 'general-purpose-ssd', initialCapacity: 10 } },
      passes: set(ssd), fails: set(ssd, { fileSystemType: 'xfs' }), path: 'spec.fileSystemType' },
  ]),
  ...casesOf('V15', 'volumeset', [
    { it: 'a scaling factor of 1.0 (F.1)', passes: set(ssd, { autoscaling: { scalingFactor: 1.1 } }),
      fails: set(ssd, { autoscaling: { scalingFactor: 1 } }), path: 'spec.autoscaling.scalingFactor' },
    { it: 'a predictive scaling factor of 1.09 (platform/volumeset)',
      passes: set(ssd, { autoscaling: { predictive: { scalingFactor: 1.1 } } }),
      fails: set(ssd, { autoscaling: { predictive: { scalingFactor: 1.09 } } }),
      path: 'spec.autoscaling.predictive.scalingFactor' },
  ]),
  ...casesOf('volumeset.snapshot-schedule', 'volumeset', [
    { it: 'every 10 minutes (platform/volumeset.snapshots)', passes: set(ssd, { snapshots: { schedule: '0 * * * *' } }),
      fails: set(ssd, { snapshots: { schedule: '*/10 * * * *' } }), path: 'spec.snapshots.schedule' },
    { it: 'no cron expression', passes: set(ssd, { snapshots: { schedule: '30 2 * * mon-fri' } }),
      fails: set(ssd, { snapshots: { schedule: 'hourly' } }), path: 'spec.snapshots.schedule' },
  ]),
];
