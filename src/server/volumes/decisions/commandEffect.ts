import type { JsonObject } from '../../../base/json/json.ts';
import type { VolumeCommand } from './commandSpec.ts';
import { type DeviceMaker, newVolume } from './device.ts';
import { withSnapshot } from './snapshots.ts';
import { restarted } from './usage.ts';
import type { Volume } from './volume.ts';

export interface EffectFacts {
  readonly volumeSet: JsonObject;
  readonly maker: DeviceMaker;
  readonly nowMs: number;
  /** The id of the new snapshot. */
  readonly newId: string;
  /** The platform itself issued the command. */
  readonly byGrowth: boolean;
}

/** The volume after an accepted command (platform/volumeset.classes, platform/commands). */
export function commandEffect(command: VolumeCommand, volume: Volume, facts: EffectFacts): Volume {
  const { volumeSet, maker, nowMs, newId, byGrowth } = facts;
  const { capacityGb, snapshotName, expiresMs, tags } = command;
  switch (command.type) {
    case 'expandVolume':
      return { ...volume, sizeGb: capacityGb, grown: byGrowth };
    case 'shrinkVolume':
      // Rule 8: the data is lost. The volume is created again, empty and smaller; its snapshots remain.
      return newVolume(maker, volumeSet, volume, { fromMs: nowMs, sizeGb: capacityGb, before: volume });
    case 'replaceVolume':
      return newVolume(maker, volumeSet, volume, { fromMs: nowMs, sizeGb: volume.sizeGb, before: volume });
    case 'deleteVolume':
      return { ...volume, deleted: true };
    case 'createVolumeSnapshot': {
      const wish = { name: snapshotName, id: newId, expiresMs, tags, scheduled: false };
      return withSnapshot(volumeSet, volume, wish, nowMs);
    }
    case 'deleteVolumeSnapshot':
      return { ...volume, snapshots: volume.snapshots.filter(({ name }) => name !== snapshotName) };
    case 'restoreVolume':
      return restored(command, volume, facts);
    default:
      return volume;
  }
}

/** The content of the snapshot on new storage, which is never smaller than the snapshot; later writes are lost. */
function restored({ snapshotName, zone }: VolumeCommand, volume: Volume, facts: EffectFacts): Volume {
  const snapshot = volume.snapshots.find(({ name }) => name === snapshotName);
  if (snapshot === undefined) return volume;
  const { volumeSet, maker, nowMs } = facts;
  const sizeGb = Math.max(volume.sizeGb, snapshot.sizeGb);
  const empty = newVolume(maker, volumeSet, volume, { fromMs: nowMs, sizeGb, before: volume });
  return {
    ...empty,
    abandoned: volume.abandoned,
    zone: zone === '' ? volume.zone : zone,
    usage: restarted(empty.usage, nowMs, snapshot.usedGb),
  };
}
