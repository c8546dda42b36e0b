import type { JsonObject } from '../../../../src/schema/json.ts';
import { other, type RuleCase } from '../ruleCase.ts';

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

export const volumeSetCases: readonly RuleCase[] = [
  {
    rule: 'V1',
    it: '9 GB of general-purpose-ssd (specification 2.6)',
    kind: 'volumeset',
    passes: set(ssd),
    fails: set(ssd, { initialCapacity: 9 }),
    path: 'spec.initialCapacity',
  },
  {
    rule: 'V1',
    it: '199 GB of high-throughput-ssd (specification 2.6)',
    kind: 'volumeset',
    passes: set(fast),
    fails: set(fast, { initialCapacity: 199 }),
    path: 'spec.initialCapacity',
  },
  {
    rule: 'V1',
    it: '65537 GB as the largest (specification 2.6)',
    kind: 'volumeset',
    passes: set(ssd, { autoscaling: { maxCapacity: 65_536 } }),
    fails: set(ssd, { autoscaling: { maxCapacity: 65_537 } }),
    path: 'spec.autoscaling.maxCapacity',
  },
  {
    rule: 'V2',
    it: 'shared with another class',
    kind: 'volumeset',
    passes: set(shared, { performanceClass: 'shared' }),
    fails: set(shared, { performanceClass: 'general-purpose-ssd' }),
    path: 'spec.performanceClass',
  },
  {
    rule: 'V2',
    it: 'the class shared on ext4',
    kind: 'volumeset',
    passes: set(ssd),
    fails: set(ssd, { performanceClass: 'shared' }),
    path: 'spec.performanceClass',
  },
  {
    rule: 'volumeset.class-required',
    it: 'ext4 without a class',
    kind: 'volumeset',
    passes: set(shared),
    fails: { name: 'data', spec: { initialCapacity: 10 } },
    path: 'spec.performanceClass',
  },
  {
    rule: 'V3',
    it: 'more at first than ever',
    kind: 'volumeset',
    passes: set(ssd, { autoscaling: { maxCapacity: 10 } }),
    fails: set(ssd, { initialCapacity: 20, autoscaling: { maxCapacity: 19 } }),
    path: 'spec.initialCapacity',
  },
  {
    rule: 'V4',
    it: 'predictive growth without minFreePercentage (specification 2.6, rule 7)',
    kind: 'volumeset',
    passes: set(ssd, { autoscaling: { predictive: { enabled: true }, minFreePercentage: 20, scalingFactor: 1.5 } }),
    fails: set(ssd, { autoscaling: { predictive: { enabled: true }, scalingFactor: 1.5 } }),
    path: 'spec.autoscaling.minFreePercentage',
  },
  {
    rule: 'V5',
    it: 'snapshots on shared (specification 2.6, rule 3)',
    kind: 'volumeset',
    passes: set(ssd, { snapshots: { retentionDuration: '7d' } }),
    fails: set(shared, { snapshots: { retentionDuration: '7d' } }),
    path: 'spec.snapshots',
  },
  {
    rule: 'V5',
    it: 'encryption on shared (specification 2.6, rule 3)',
    kind: 'volumeset',
    passes: set(shared, { customEncryption: {} }),
    fails: set(shared, { customEncryption: { regions: { 'aws-us-east-1': { keyId: 'k' } } } }),
    path: 'spec.customEncryption',
  },
  {
    rule: 'V6',
    it: 'mount options on ext4 (specification 2.6)',
    kind: 'volumeset',
    passes: mount({ minCpu: '500m' }),
    fails: set(ssd, { mountOptions: { resources: { minCpu: '500m' } } }),
    path: 'spec.mountOptions',
  },
  {
    rule: 'V7',
    it: 'a ratio over 1:4 (specification 2.6, rule 10)',
    kind: 'volumeset',
    passes: mount({ minCpu: '500m', maxCpu: '2000m' }),
    fails: mount({ minCpu: '500m', maxCpu: '2001m' }),
    path: 'spec.mountOptions.resources.maxCpu',
  },
  {
    rule: 'V7',
    it: 'more than 4096Mi apart (specification 2.6, rule 10)',
    kind: 'volumeset',
    passes: mount({ minMemory: '2Gi', maxMemory: '6Gi' }),
    fails: mount({ minMemory: '2Gi', maxMemory: '6145Mi' }),
    path: 'spec.mountOptions.resources.maxMemory',
  },
  {
    rule: 'V7',
    it: 'a maximum below the default minimum (B4)',
    kind: 'volumeset',
    passes: mount({ maxCpu: '500m' }),
    fails: mount({ maxCpu: '499m' }),
    path: 'spec.mountOptions.resources.maxCpu',
  },
  {
    rule: 'V8',
    it: 'two providers (specification 2.6, rule 9)',
    kind: 'volumeset',
    passes: keys({ 'aws-us-east-1': 'k', 'aws-us-west-2': 'l' }),
    fails: keys({ 'aws-us-east-1': 'k', 'gcp-us-east1': 'l' }),
    path: 'spec.customEncryption.regions',
  },
  {
    rule: 'V8',
    it: 'another key once there are volumes (specification 2.6, rule 9)',
    kind: 'volumeset',
    before: { ...keys({ 'aws-us-east-1': 'k' }), ...bound },
    passes: keys({ 'aws-us-east-1': 'k', 'aws-us-west-2': 'l' }),
    fails: keys({ 'aws-us-east-1': 'other' }),
    path: 'spec.customEncryption.regions.aws-us-east-1',
  },
  {
    rule: 'V9',
    it: 'ext4 mounted by two workloads (specification 2.6, rule 1)',
    kind: 'volumeset',
    others: [mounting('db', 'stateful'), mounting('second', 'stateful')],
    passes: set(shared),
    fails: set(ssd),
    path: 'spec.fileSystemType',
  },
  {
    rule: 'V9',
    it: 'ext4 mounted by a standard workload (specification 2.6, rule 1)',
    kind: 'volumeset',
    others: [mounting('web', 'standard')],
    passes: { name: 'other', spec: ssd },
    fails: set(ssd),
    path: 'spec.fileSystemType',
  },
  {
    rule: 'V14',
    it: 'another performance class (specification 2.6)',
    kind: 'volumeset',
    before: set(fast),
    passes: set(fast, { initialCapacity: 300 }),
    fails: set(fast, { performanceClass: 'general-purpose-ssd' }),
    path: 'spec.performanceClass',
  },
  {
    rule: 'V14',
    it: 'another file system (B4)',
    kind: 'volumeset',
    before: { name: 'data', spec: { performanceClass: 'general-purpose-ssd', initialCapacity: 10 } },
    passes: set(ssd),
    fails: set(ssd, { fileSystemType: 'xfs' }),
    path: 'spec.fileSystemType',
  },
  {
    rule: 'V15',
    it: 'a scaling factor of 1.0 (F.1)',
    kind: 'volumeset',
    passes: set(ssd, { autoscaling: { scalingFactor: 1.1 } }),
    fails: set(ssd, { autoscaling: { scalingFactor: 1 } }),
    path: 'spec.autoscaling.scalingFactor',
  },
  {
    rule: 'V15',
    it: 'a predictive scaling factor of 1.09 (specification 2.6)',
    kind: 'volumeset',
    passes: set(ssd, { autoscaling: { predictive: { scalingFactor: 1.1 } } }),
    fails: set(ssd, { autoscaling: { predictive: { scalingFactor: 1.09 } } }),
    path: 'spec.autoscaling.predictive.scalingFactor',
  },
  {
    rule: 'volumeset.snapshot-schedule',
    it: 'every 10 minutes (specification 8)',
    kind: 'volumeset',
    passes: set(ssd, { snapshots: { schedule: '0 * * * *' } }),
    fails: set(ssd, { snapshots: { schedule: '*/10 * * * *' } }),
    path: 'spec.snapshots.schedule',
  },
  {
    rule: 'volumeset.snapshot-schedule',
    it: 'no cron expression',
    kind: 'volumeset',
    passes: set(ssd, { snapshots: { schedule: '30 2 * * mon-fri' } }),
    fails: set(ssd, { snapshots: { schedule: 'hourly' } }),
    path: 'spec.snapshots.schedule',
  },
];
