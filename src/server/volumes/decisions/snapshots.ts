import { type JsonObject, objectAt, stringAt } from '../../../base/json/json.ts';
import { usedGb } from './growth.ts';
import { hourMs } from './usage.ts';
import type { Snapshot, Volume } from './volume.ts';

const unitMs: ReadonlyMap<string, number> = new Map([
  ['d', 24 * hourMs],
  ['h', hourMs],
  ['m', 60_000],
]);

/** `7d`, `1.5h`, `90m` in milliseconds; undefined if snapshots do not expire (platform/volumeset.snapshots). */
export function retentionMs(volumeSet: JsonObject): number | undefined {
  const text = stringAt(objectAt(objectAt(volumeSet, 'spec'), 'snapshots'), 'retentionDuration') ?? '';
  const [, amount, unit] = /^(\d+(?:\.\d+)?)([dhm])$/.exec(text) ?? [];
  const each = unitMs.get(unit ?? '');
  return amount === undefined || each === undefined ? undefined : Math.round(Number(amount) * each);
}

/** The maximum time of a Date, which ends longer retentions. */
const lastMs = 8.64e15;

export interface SnapshotRequest {
  readonly name: string;
  readonly id: string;
  /** 0: it expires after `retentionDuration`, if the set has one. */
  readonly expiresMs: number;
  readonly tags: Snapshot['tags'];
  readonly scheduled: boolean;
}

/** The volume with a new snapshot of its current content. */
export function withSnapshot(volumeSet: JsonObject, volume: Volume, request: SnapshotRequest, nowMs: number): Volume {
  const retained = retentionMs(volumeSet);
  const snapshot: Snapshot = {
    ...request,
    createdMs: nowMs,
    expiresMs:
      request.expiresMs !== 0 || retained === undefined ? request.expiresMs : Math.min(nowMs + retained, lastMs),
    sizeGb: volume.sizeGb,
    usedGb: usedGb(volume, nowMs),
  };
  return { ...volume, snapshots: [...volume.snapshots, snapshot] };
}

/** Whether the volume can be copied: it exists, and no command is detaching it. */
export function isCopyable(volume: Volume, nowMs: number): boolean {
  return !volume.deleted && volume.inWorkBy === '' && volume.fromMs <= nowMs;
}

/**
 * Whether the last scheduled snapshot is too recent: these are at least an hour apart, even if their schedule changes
 * (platform/volumeset.snapshots).
 */
export function isScheduledTooSoon({ snapshots }: Volume, nowMs: number): boolean {
  return snapshots.some(({ scheduled, createdMs }) => scheduled && nowMs - createdMs < hourMs);
}

/** For example `scheduled-2027-01-31-04-05`, in UTC: unique, because these snapshots are at least 60 minutes apart. */
export function scheduledName(atMs: number): string {
  const minute = new Date(atMs).toISOString().slice(0, 16);
  return `scheduled-${minute.replaceAll(/[T:]/g, '-')}`;
}

export function expireSnapshots(volumes: readonly Volume[], nowMs: number): readonly Volume[] {
  return volumes.map((volume) => {
    const valid = volume.snapshots.filter(({ expiresMs }) => expiresMs === 0 || expiresMs > nowMs);
    return valid.length === volume.snapshots.length ? volume : { ...volume, snapshots: valid };
  });
}

/** The next expiry of a snapshot; undefined if none expires. */
export function nextExpiryMs(volumes: readonly Volume[]): number | undefined {
  const times = volumes.flatMap(({ snapshots }) => snapshots.map(({ expiresMs }) => expiresMs)).filter((ms) => ms > 0);
  return times.length === 0 ? undefined : Math.min(...times);
}

/**
 * Whether each volume gets a final snapshot before its set is deleted: true unless the set is shared or disables it
 * (platform/volumeset.snapshots).
 */
export function wantsFinalSnapshot(volumeSet: JsonObject): boolean {
  const spec = objectAt(volumeSet, 'spec');
  return stringAt(spec, 'fileSystemType') !== 'shared' && objectAt(spec, 'snapshots')['createFinalSnapshot'] !== false;
}
