import type { Volume } from '../../../src/server/volumes/decisions/volume.ts';

/** A full hour. */
export const start = Date.UTC(2027, 0, 1);
export const hour = 3_600_000;
export const minute = 60_000;

/** A volume of 10 GB since `start`. Its usage follows its spans. */
export function volume(more: Partial<Volume> = {}): Volume {
  return {
    location: 'aws-us-east-1',
    index: 0,
    deviceId: 'vol-0',
    oldDeviceIds: [],
    fromMs: start,
    sizeGb: 10,
    zone: 'us-east-1a',
    keyId: '',
    usage: [],
    sizes: [],
    snapshots: [],
    expandedMs: [],
    deleted: false,
    abandoned: false,
    grown: false,
    inWorkBy: '',
    ...more,
  };
}
