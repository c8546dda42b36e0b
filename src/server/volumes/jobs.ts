import type { Job, JobWork } from '../core/job.ts';
import type { Row } from '../store/model/row.ts';
import { expireSnapshots, isCopyable, isScheduledTooSoon, scheduledName, withSnapshot } from './decisions/snapshots.ts';
import type { Volume } from './decisions/volume.ts';
import { findVolumeSet, planSnapshots, storeVolumes } from './state/volumeSetState.ts';
import { growVolumes, stepVolumeCommand } from './volumeCommands.ts';

/** Runs the next step of a command on a volume. */
export const volumeCommand: Job = stepVolumeCommand;

/** Checks the volumes of a set for growth (platform/volumeset.growth). `about`: {uid}. */
export const volumeGrowth: Job = (work, about) => {
  const found = findVolumeSet(work.tx, about);
  if (found !== undefined) growVolumes(work, found.row);
};

/** Deletes expired snapshots. `about`: {uid}. */
export const volumeExpiry: Job = (work, about) => {
  const found = findVolumeSet(work.tx, about);
  if (found !== undefined) storeVolumes(work, found.row, expireSnapshots(found.volumes, work.atMs));
};

/** A run that is later than this was missed because no server ran, and is skipped, like those of cron workloads. */
const maxLateMs = 60_000;

/** Takes the scheduled snapshots (platform/volumeset). `about`: {uid}. */
export const volumeSnapshots: Job = (work, about) => {
  const found = findVolumeSet(work.tx, about);
  if (found === undefined) return;
  const { row, volumes } = found;
  planSnapshots(work, row);
  if (work.lateMs > maxLateMs) return;
  storeVolumes(
    work,
    row,
    volumes.map((volume) => withScheduledSnapshot(work, row, volume)),
  );
};

function withScheduledSnapshot({ platform, atMs }: JobWork, row: Row, volume: Volume): Volume {
  if (!isCopyable(volume, atMs) || isScheduledTooSoon(volume, atMs)) return volume;
  const request = { name: scheduledName(atMs), id: platform.newId(), expiresMs: 0, tags: [], scheduled: true };
  return withSnapshot(row.record, volume, request, atMs);
}
