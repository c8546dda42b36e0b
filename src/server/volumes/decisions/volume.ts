import {
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  listAt,
  own,
  stringAt,
} from '../../../base/json/json.ts';
import { instantOf } from '../../../base/text/instant.ts';
import { available } from '../../../base/text/suggestion.ts';
import { bytesPerGb } from '../../../schema/facts/limits.ts';
import type { BodyProblem } from '../../../schema/record/problem.ts';
import { lastSegment } from '../../../schema/record/ref.ts';
import { readSizes, readUsage, type SizeSpan, type UsageSpan, usedAt } from './usage.ts';

/** A copy of a volume at one moment (platform/volumeset.status). */
export type Snapshot = {
  readonly name: string;
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly createdMs: number;
  /** 0 if it never expires. */
  readonly expiresMs: number;
  readonly sizeGb: number;
  readonly usedGb: number;
  /** Objects with one member each, as sent (platform/commands). */
  readonly tags: JsonArray;
  /** Whether the schedule of the volume set created it. */
  readonly scheduled: boolean;
};

/** A stored volume: for ext4 and xfs one per replica, for shared one per location (platform/volumeset). */
export type Volume = {
  readonly location: string;
  readonly index: number;
  /** The id of the storage, which changes with each loss of data. */
  readonly deviceId: string;
  readonly oldDeviceIds: readonly string[];
  /** The end of its creation, from which it can be used, in milliseconds since 1970. */
  readonly fromMs: number;
  readonly sizeGb: number;
  readonly zone: string;
  /** The customer's encryption key at its creation; empty if the provider encrypts it. */
  readonly keyId: string;
  /** Ordered by time. */
  readonly usage: readonly UsageSpan[];
  /** Its sizes, ordered by time; the last one is `sizeGb`. */
  readonly sizes: readonly SizeSpan[];
  readonly snapshots: readonly Snapshot[];
  /** The times of clients' expansions in the last 24 hours (platform/commands). */
  readonly expandedMs: readonly number[];
  /** Whether its storage is deleted. It is still shown, and recreated when a replica needs it. */
  readonly deleted: boolean;
  /** Whether its replica was removed before the volume could be used, and no other replica needs it. */
  readonly abandoned: boolean;
  /** Whether its size results from a growth law. */
  readonly grown: boolean;
  /** The id of the command that is detaching it, or empty. */
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

/** The volumes after replacing one of them. */
export function withVolume(volumes: readonly Volume[], changed: Volume): readonly Volume[] {
  const key = volumeKey(changed);
  return volumes.map((volume) => (volumeKey(volume) === key ? changed : volume));
}

/** Reads the volumes of `row.state`, ignoring everything else. */
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

/** Simulated usage for the volumes of one location and index, or for all if both are omitted. */
export interface SimulatedUsage {
  readonly location: string | undefined;
  readonly index: number | undefined;
  readonly by: 'course' | 'sample';
  readonly fromMs: number;
  /** Undefined for the current usage. */
  readonly usedGb: number | undefined;
  readonly gbPerHour: number;
}

/** Exceeds the need of a simulation, but fits into one state. */
const maxSimulatedUsages = 10_000;

/**
 * Reads the body of `POST <volumeset>/-simulate`, or returns its problems:
 *
 * - `samples: [{location?, volumeIndex?, at?, usedGb | usedBytes}]`, single measurements;
 * - `growth: [{location?, volumeIndex?, at?, usedGb?, gbPerHour}]`, straight lines, measured every five minutes.
 *
 * The body may also be one sample or line. `at` is an ISO 8601 time or milliseconds since 1970, past or future;
 * default: now.
 */
export function readSimulation(sent: JsonObject, nowMs: number): readonly SimulatedUsage[] | readonly BodyProblem[] {
  const body = Object.hasOwn(sent, 'gbPerHour') ? { growth: [sent] } : isSample(sent) ? { samples: [sent] } : sent;
  const problems: BodyProblem[] = [];
  for (const key of Object.keys(body)) {
    if (key !== 'samples' && key !== 'growth')
      problems.push({ path: key, message: 'is not known; use samples or growth' });
  }
  const usages: SimulatedUsage[] = [];
  for (const [key, by] of [
    ['samples', 'sample'],
    ['growth', 'course'],
  ] as const) {
    const value = own(body, key);
    if (value !== undefined && !Array.isArray(value)) problems.push({ path: key, message: 'must be a list' });
    for (const [index, item] of listAt(body, key).slice(0, maxSimulatedUsages).entries()) {
      const read = isObject(item) ? readSimulatedUsage(item, by, nowMs) : 'must be an object';
      if (typeof read === 'string') problems.push({ path: `${key}.${index}`, message: read });
      else usages.push(read);
    }
    if (listAt(body, key).length > maxSimulatedUsages)
      problems.push({ path: key, message: `has more than ${maxSimulatedUsages} items` });
  }
  if (problems.length === 0 && usages.length === 0) problems.push({ path: '', message: 'needs samples or growth' });
  return problems.length > 0 ? problems : usages;
}

function isSample(sent: JsonObject): boolean {
  return usedNames.some((name) => Object.hasOwn(sent, name));
}

/** In GB, or in bytes like in the status. */
const usedNames = ['usedGb', 'usedGB', 'usedBytes'] as const;

const knownFields: Readonly<Record<SimulatedUsage['by'], readonly string[]>> = {
  sample: ['location', 'volumeIndex', 'at', ...usedNames],
  course: ['location', 'volumeIndex', 'at', ...usedNames, 'gbPerHour'],
};

function readSimulatedUsage(item: JsonObject, by: SimulatedUsage['by'], nowMs: number): SimulatedUsage | string {
  const other = Object.keys(item).find((key) => !knownFields[by].includes(key));
  if (other !== undefined) return `${JSON.stringify(other)} is not known. ${available(knownFields[by])}`;
  const fromMs = timeOf(own(item, 'at'), nowMs);
  if (fromMs === undefined) return 'at must be an ISO 8601 time, or milliseconds since 1970';
  const usedGb = usedOf(item);
  if (usedGb === undefined ? by === 'sample' : !(usedGb >= 0 && usedGb <= maxGb))
    return 'usedGb must be a number of GB';
  const gbPerHour = own(item, 'gbPerHour') ?? 0;
  if (
    typeof gbPerHour !== 'number' ||
    Math.abs(gbPerHour) > maxGb ||
    (by === 'course' && !Object.hasOwn(item, 'gbPerHour'))
  ) {
    return 'gbPerHour must be a number of GB';
  }
  const index = own(item, 'volumeIndex');
  if (index !== undefined && !(typeof index === 'number' && Number.isInteger(index) && index >= 0)) {
    return 'volumeIndex must be a whole number, 0 or more';
  }
  const place = own(item, 'location');
  if (place !== undefined && typeof place !== 'string') return 'location must be the name of a location';
  const location = stringAt(item, 'location');
  return { location: location === undefined ? undefined : lastSegment(location), index, by, fromMs, usedGb, gbPerHour };
}

/** Limits of usage and growth; times must be valid dates. */
const maxGb = 1_000_000;
const lastMs = 8.64e15;

function usedOf(item: JsonObject): number | undefined {
  const [usedGb, usedBytes] = [own(item, 'usedGb') ?? own(item, 'usedGB'), own(item, 'usedBytes')];
  if (usedGb !== undefined) return typeof usedGb === 'number' ? usedGb : Number.NaN;
  return usedBytes === undefined ? undefined : typeof usedBytes === 'number' ? usedBytes / bytesPerGb : Number.NaN;
}

function timeOf(value: JsonValue | undefined, nowMs: number): number | undefined {
  if (value === undefined) return nowMs;
  const ms = typeof value === 'string' ? instantOf(value, 'UTC') : value;
  return typeof ms === 'number' && ms >= 0 && ms < lastMs ? Math.round(ms) : undefined;
}

export function appliesTo({ location, index }: SimulatedUsage, volume: Volume): boolean {
  return (location === undefined || location === volume.location) && (index === undefined || index === volume.index);
}

/** The simulated usage of one volume. */
export function simulatedSpan({ by, fromMs, usedGb, gbPerHour }: SimulatedUsage, { usage }: Volume): UsageSpan {
  return { by, fromMs, usedGb: usedGb ?? usedAt(usage, fromMs), gbPerHour: by === 'course' ? gbPerHour : 0 };
}
