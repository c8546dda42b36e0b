import { isObject, type JsonArray, type JsonObject, listAt, own, stringAt } from '../../../base/json/json.ts';
import { readSizes, readUsage, type SizeSpan, type UsageSpan } from './usage.ts';

/** A copy of a volume at one moment (platform/volumeset.status). */
export type Snapshot = {
  readonly name: string;
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly createdMs: number;
  /** 0: it never expires. */
  readonly expiresMs: number;
  readonly sizeGb: number;
  readonly usedGb: number;
  /** Objects with one member each, as they were sent (platform/commands). */
  readonly tags: JsonArray;
  /** Taken by the schedule of the volume set. */
  readonly scheduled: boolean;
};

/** A stored volume: for ext4 and xfs one of each replica, for shared one of each location (platform/volumeset). */
export type Volume = {
  readonly location: string;
  readonly index: number;
  /** The id of its storage, which changes with each loss of data. */
  readonly deviceId: string;
  readonly oldDeviceIds: readonly string[];
  /** The end of its creation; it can be used from then on. Milliseconds since 1970. */
  readonly fromMs: number;
  readonly sizeGb: number;
  readonly zone: string;
  /** The customer's encryption key at its creation; empty: encryption by the provider. */
  readonly keyId: string;
  /** Ordered by time. */
  readonly usage: readonly UsageSpan[];
  /** Its sizes so far, ordered by time; the last one is `sizeGb`. */
  readonly sizes: readonly SizeSpan[];
  readonly snapshots: readonly Snapshot[];
  /** The times of clients' expansions in the last 24 hours (platform/commands). */
  readonly expandedMs: readonly number[];
  /** Its storage is deleted. It is still shown, and created again when a replica needs it. */
  readonly deleted: boolean;
  /** Its replica was removed before the volume could be used, and no other needs it. */
  readonly abandoned: boolean;
  /** Its size results from a growth law. */
  readonly grown: boolean;
  /** The id of the command that is taking it apart; empty: none. */
  readonly inWorkBy: string;
};

/** The address of a volume in its set. */
export interface VolumeAddress {
  readonly location: string;
  readonly index: number;
}

export function volumeKey({ location, index }: VolumeAddress): string {
  return `${location}/${index}`;
}

export function findVolume(volumes: readonly Volume[], address: VolumeAddress): Volume | undefined {
  const key = volumeKey(address);
  return volumes.find((volume) => volumeKey(volume) === key);
}

/** The volumes with one of them replaced. */
export function withVolume(volumes: readonly Volume[], changed: Volume): readonly Volume[] {
  const key = volumeKey(changed);
  return volumes.map((volume) => (volumeKey(volume) === key ? changed : volume));
}

/** The volumes of `row.state`; anything else in it is ignored. */
export function readVolumes(state: JsonObject): readonly Volume[] {
  return listAt(state, 'volumes').flatMap((volume) => (isObject(volume) ? readVolume(volume) : []));
}

function readVolume(volume: JsonObject): readonly Volume[] {
  const location = stringAt(volume, 'location');
  const [index, fromMs, sizeGb] = ['index', 'fromMs', 'sizeGb'].map((key) => own(volume, key));
  if (location === undefined || typeof index !== 'number') return [];
  if (typeof fromMs !== 'number' || typeof sizeGb !== 'number') return [];
  return [
    {
      location,
      index,
      deviceId: stringAt(volume, 'deviceId') ?? '',
      oldDeviceIds: listAt(volume, 'oldDeviceIds').filter((id) => typeof id === 'string'),
      fromMs,
      sizeGb,
      zone: stringAt(volume, 'zone') ?? '',
      keyId: stringAt(volume, 'keyId') ?? '',
      usage: readUsage(volume),
      sizes: readSizes(volume),
      snapshots: listAt(volume, 'snapshots').flatMap((snapshot) => (isObject(snapshot) ? readSnapshot(snapshot) : [])),
      expandedMs: listAt(volume, 'expandedMs').filter((atMs) => typeof atMs === 'number'),
      deleted: own(volume, 'deleted') === true,
      abandoned: own(volume, 'abandoned') === true,
      grown: own(volume, 'grown') === true,
      inWorkBy: stringAt(volume, 'inWorkBy') ?? '',
    },
  ];
}

function readSnapshot(snapshot: JsonObject): readonly Snapshot[] {
  const [name, id] = [stringAt(snapshot, 'name'), stringAt(snapshot, 'id')];
  const [createdMs, expiresMs, sizeGb, usedGb] = ['createdMs', 'expiresMs', 'sizeGb', 'usedGb'].map((key) =>
    own(snapshot, key),
  );
  if (name === undefined || id === undefined || typeof createdMs !== 'number') return [];
  if (typeof expiresMs !== 'number' || typeof sizeGb !== 'number' || typeof usedGb !== 'number') return [];
  const [tags, scheduled] = [listAt(snapshot, 'tags'), own(snapshot, 'scheduled') === true];
  return [{ name, id, createdMs, expiresMs, sizeGb, usedGb, tags, scheduled }];
}
