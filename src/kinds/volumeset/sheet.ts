import { listAt, stringAt } from '../../base/json/json.ts';
import { patterns } from '../../base/text/patterns.ts';
import {
  constant,
  decimal,
  fields,
  flag,
  map,
  oneOf,
  optional,
  quantity,
  responseOnly,
  stored,
  text,
} from '../../schema/facts/define.ts';
import { longestSchedule } from '../../schema/facts/limits.ts';
import {
  keepsLastSnapshot,
  losesData,
  movesCapacity,
  onlyMetadata,
  reserves,
  reservesIfSet,
} from '../../schema/facts/riskFacts.ts';
import { volumeSetStatus } from '../common/answers.ts';
import { usualPermissions } from '../common/facts.ts';
import { envelope, inGvc } from '../common/fields.ts';
import type { Sheet } from '../common/sheet.ts';

/** Client commands on a volume set (platform/commands.types); each is a separate permission. */
const volumeCommands = [
  'createVolumeSnapshot',
  'deleteVolume',
  'deleteVolumeSnapshot',
  'expandVolume',
  'replaceVolume',
  'restoreVolume',
  'shrinkVolume',
] as const;

const predictive = fields({
  enabled: optional(flag({ ...stored(false), ...reserves })),
  lookbackHours: optional(decimal({ ...stored(24), ...movesCapacity }, { minimum: 1, maximum: 168 })),
  projectionHours: optional(decimal({ ...stored(6), ...movesCapacity }, { minimum: 1, maximum: 72 })),
  minDataPoints: optional(decimal({ ...stored(10), ...movesCapacity }, { minimum: 2, maximum: 100 })),
  minGrowthRateGBPerHour: optional(decimal({ ...stored(0.01), ...movesCapacity }, { minimum: 0 })),
  scalingFactor: optional(decimal({ fill: 'derived', derive: 'predictiveScalingFactor' }, { minimum: 1.1 })),
});

const autoscaling = fields(
  {
    maxCapacity: optional(decimal({}, { minimum: 10 })),
    minFreePercentage: optional(decimal({}, { minimum: 1, maximum: 100 })),
    scalingFactor: optional(decimal({}, { minimum: 1.1 })),
    predictive: optional(predictive),
  },
  reservesIfSet,
);

const snapshots = fields(
  {
    createFinalSnapshot: optional(flag({ ...constant(true), ...keepsLastSnapshot })),
    retentionDuration: optional(text({}, { pattern: patterns.retention.pattern })),
    schedule: optional(text({}, { maxLength: longestSchedule })),
  },
  { presence: true },
);

const mountResources = fields(
  {
    minCpu: optional(quantity('cpu', constant('500m'))),
    maxCpu: optional(quantity('cpu', constant('2000m'))),
    minMemory: optional(quantity('memory', constant('1Gi'))),
    maxMemory: optional(quantity('memory', constant('2Gi'))),
  },
  reserves,
);

const volumeSetSpec = fields({
  fileSystemType: optional(oneOf(['ext4', 'xfs', 'shared'], { ...stored('ext4'), ...losesData, immutable: true })),
  performanceClass: optional(
    oneOf(['general-purpose-ssd', 'high-throughput-ssd', 'shared'], {
      fill: 'derived',
      derive: 'performanceClass',
      stored: true,
      immutable: true,
      ...losesData,
    }),
  ),
  initialCapacity: decimal(reserves),
  autoscaling: optional(autoscaling),
  snapshots: optional(snapshots),
  mountOptions: optional(fields({ resources: optional(mountResources) })),
  customEncryption: optional(
    fields({
      regions: optional(map(fields({ keyId: text() }))),
    }),
  ),
  storageClassSuffix: optional(text({}, { pattern: patterns.storageClassSuffix.pattern })),
});

/** Storage volumes for the workloads of one GVC (platform/volumeset). */
const volumesetFields = fields(
  { ...envelope, status: responseOnly(volumeSetStatus), ...inGvc, spec: volumeSetSpec },
  onlyMetadata,
);

export const volumeset = {
  singular: 'volume set',
  plural: 'volume sets',
  about: 'Persistent volumes of the replicas of a stateful workload.',
  className: 'VolumeSet',
  props: 'spec',
  typeName: 'VolumeSetFields',
  exampleName: 'files',
  hasQuota: true,
  permissions: [...usualPermissions, 'exec', ...volumeCommands.map((command) => `exec.${command}`)],
  /** All its volumes and snapshots are deleted; new ones are charged by the GB (platform/volumeset.classes). */
  risks: { create: 'cost-up', write: 'metadata', delete: 'data-loss' },
  storesData: true,
  renaming: { why: 'its data would be deleted with the old one', allowed: true },
  stillInUse: (status) => {
    const user = stringAt(status, 'usedByWorkload') ?? '';
    const used = listAt(status, 'workloadLinks').length > 0 || user !== '';
    return used ? 'its volumes to be unmounted' : undefined;
  },
  definition: volumesetFields,
  client: async () => (await import('./client.ts')).volumesetClient,
} satisfies Sheet;
