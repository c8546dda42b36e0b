import { type Gvc, VolumeSet } from 'gantry';

/** Volumes for a stateful workload: they grow before they are full, and have a snapshot every night. */
export function addSample(gvc: Gvc): VolumeSet {
  return new VolumeSet(gvc, 'sample', {
    fileSystemType: 'ext4',
    performanceClass: 'general-purpose-ssd',
    initialCapacity: 20,
    autoscaling: { maxCapacity: 200, minFreePercentage: 20, scalingFactor: 1.5 },
    snapshots: { schedule: '0 3 * * *', retentionDuration: '7d' },
  });
}
