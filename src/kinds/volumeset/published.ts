import { type Published, typed } from '../common/words.ts';

export const published: Published = {
  types: {
    VolumeSetFields: {
      about: 'Storage volumes for the workloads of one GVC.',
      section: 'volumeset.volumes',
      fields: { spec: typed('VolumeSetSpec', 'Settings of the volume set.') },
    },
    VolumeSetSpec: {
      about: 'Settings of a volume set.',
      section: 'volumeset.classes',
      fields: {
        fileSystemType: {
          words:
            '`ext4` and `xfs` have a volume for each replica of one stateful workload; `shared` has one in each ' +
            'location, for any number of workloads. It cannot be changed.',
          section: 'volumeset.volumes',
        },
        performanceClass:
          'Kind of disk. It cannot be changed. Required for `ext4` and `xfs`; `shared` volume sets have none to choose.',
        initialCapacity:
          'Size of a new volume in GB: 10 to 65536, from 200 with `high-throughput-ssd`. At most ' +
          '`autoscaling.maxCapacity`.',
        autoscaling: typed('VolumeGrowth', 'Grows volumes before they are full.', { section: 'volumeset.growth' }),
        snapshots: typed(
          'VolumeSnapshots',
          'When snapshots are made, and how long they are retained. Not for `shared`.',
          {
            section: 'volumeset.snapshots',
          },
        ),
        mountOptions: typed('MountOptions', 'Resources of the mounts of a `shared` volume set.', {
          section: 'volumeset.mount-resources',
        }),
        customEncryption: typed('CustomEncryption', 'Encryption with keys of your own. Not for `shared`.', {
          section: 'volumeset.encryption',
        }),
        storageClassSuffix: 'Suffix of the name of the storage class in a self-hosted location.',
      },
    },
    VolumeGrowth: {
      about:
        'Growth of volumes. With less than `minFreePercentage` free, a volume grows to used ÷ (1 − minFreePercentage ÷ ' +
        '100) × scalingFactor.',
      section: 'volumeset.growth',
      fields: {
        maxCapacity: 'Largest size of a volume in GB, in the range of the performance class.',
        minFreePercentage: 'Percentage of a volume that stays free. Nothing grows without it and `scalingFactor`.',
        scalingFactor: 'Factor by which the needed size is multiplied.',
        predictive: typed(
          'PredictiveGrowth',
          'Grows volumes by how fast they fill. Needs `minFreePercentage` and `scalingFactor`.',
        ),
      },
    },
    PredictiveGrowth: {
      about: 'Growth of volumes by how fast they fill.',
      section: 'volumeset.growth',
      fields: {
        enabled: 'Switches the prediction on.',
        lookbackHours: 'Hours of the past from which the growth rate is computed.',
        projectionHours: 'Hours for which the use is projected.',
        minDataPoints: 'Fewest measurements for a prediction.',
        minGrowthRateGBPerHour: 'Slowest growth, in GB per hour, that is predicted.',
        scalingFactor:
          'Factor by which the predicted size is multiplied. The one of the reactive growth, when omitted.',
      },
    },
    VolumeSnapshots: {
      about: 'Snapshots of volumes.',
      section: 'volumeset.snapshots',
      fields: {
        createFinalSnapshot: 'Makes a last snapshot when a volume is deleted.',
        retentionDuration: 'How long a snapshot is retained: a number followed by `d`, `h` or `m`.',
        schedule: 'Cron expression of five fields in UTC; at most once an hour.',
      },
    },
    MountOptions: {
      about: 'Options of the mounts of a shared volume set.',
      section: 'volumeset.mount-resources',
      fields: { resources: typed('MountResources', 'CPU and memory of each mount.') },
    },
    MountResources: {
      about:
        'CPU and memory of each mount. A maximum is at most 4000m or 4096Mi above its minimum, and at most 4 times it.',
      section: 'volumeset.mount-resources',
      fields: {
        minCpu: 'CPU that is reserved for each mount: cores or millicores.',
        maxCpu: 'CPU limit of each mount: cores or millicores.',
        minMemory: 'Memory that is reserved for each mount, in bytes with a unit.',
        maxMemory: 'Memory limit of each mount, in bytes with a unit.',
      },
    },
    CustomEncryption: {
      about: 'Encryption with keys of your own.',
      section: 'volumeset.encryption',
      fields: {
        regions: typed(
          'EncryptionKey',
          'Keys by region, `<provider>-<region>`; all of one provider. The key of a region with volumes cannot be ' +
            'changed.',
        ),
      },
    },
    EncryptionKey: {
      about: 'A key of a cloud provider.',
      section: 'volumeset.encryption',
      fields: { keyId: 'Id of the key at the provider.' },
    },
  },
  example: {
    name: 'uploads',
    description: 'Files that customers send',
    spec: { initialCapacity: 10, performanceClass: 'general-purpose-ssd', fileSystemType: 'ext4' },
  },
};
