import type { JsonObject } from '../../../base/json/json.ts';
import { fileSystemOf } from '../../../kinds/volumeset/mounts.ts';
import { type DeviceMaker, initialGb, newVolume } from './device.ts';
import { findVolume, type Volume, type VolumeAddress, volumeKey } from './volume.ts';

/** A workload that mounts a volume set. */
export interface Mounter {
  readonly link: string;
  readonly locations: readonly { readonly name: string; readonly replicas: number }[];
}

export function isShared(volumeSet: JsonObject): boolean {
  return fileSystemOf(volumeSet) === 'shared';
}

/** The volumes that replicas need: for ext4 and xfs one per replica, for a shared set one per location (rules 1, 2). */
export function neededVolumes(volumeSet: JsonObject, mounters: readonly Mounter[]): ReadonlyMap<string, VolumeAddress> {
  const shared = isShared(volumeSet);
  const needed = new Map<string, VolumeAddress>();
  for (const { locations } of mounters) {
    for (const { name: location, replicas } of locations) {
      const count = shared ? 1 : replicas;
      for (let index = 0; index < count; index += 1) needed.set(volumeKey({ location, index }), { location, index });
    }
  }
  return needed;
}

export interface ReconcileInput {
  readonly volumeSet: JsonObject;
  readonly volumes: readonly Volume[];
  readonly mounters: readonly Mounter[];
  readonly maker: DeviceMaker;
  readonly nowMs: number;
  readonly readyAfterMs: number;
}

/**
 * The volumes after a change of mounts: new replicas get new volumes, which also replace deleted ones. Existing volumes
 * always remain (platform/volumeset.volumes).
 */
export function reconcileVolumes({
  volumeSet,
  volumes,
  mounters,
  maker,
  nowMs,
  readyAfterMs,
}: ReconcileInput): readonly Volume[] {
  const needed = neededVolumes(volumeSet, mounters);
  const fromMs = nowMs + readyAfterMs;
  const reconciled = volumes.map((volume) => {
    const isNeeded = needed.has(volumeKey(volume));
    if (volume.deleted && isNeeded && volume.inWorkBy === '') {
      return newVolume(maker, volumeSet, volume, { fromMs, sizeGb: initialGb(volumeSet), before: volume });
    }
    const abandoned = !isNeeded && (volume.abandoned || nowMs < volume.fromMs);
    return abandoned === volume.abandoned ? volume : { ...volume, abandoned };
  });
  const added = [...needed.values()]
    .filter((address) => findVolume(volumes, address) === undefined)
    .map((address) => newVolume(maker, volumeSet, address, { fromMs, sizeGb: initialGb(volumeSet) }));
  return [...reconciled, ...added];
}
