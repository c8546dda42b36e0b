import { type JsonObject, numberAt, objectAt, stringAt } from '../../../base/json/json.ts';
import { seededUsage, usageAfterReset, withoutOldSpans } from './usage.ts';
import { type Volume, type VolumeAddress, volumeKey } from './volume.ts';

/** The input for the simulated storage of a set. Equal seeds give equal volumes, so that a run can be repeated. */
export interface DeviceMaker {
  readonly seed: string;
  /** `org/gvc/name` of the volume set. */
  readonly owner: string;
  /** Returns hexadecimal digits. */
  readonly digest: (text: string) => string;
}

interface Installation {
  readonly org: string;
  readonly digest: DeviceMaker['digest'];
  readonly settings: { readonly seed: string };
}

export function deviceMaker(
  { org, digest, settings: { seed } }: Installation,
  { gvc, name }: { readonly gvc: string; readonly name: string },
): DeviceMaker {
  return { seed, owner: `${org}/${gvc}/${name}`, digest };
}

/** Pseudo-random hexadecimal digits of this length, for a purpose in this set. */
export function pseudoRandomHex({ seed, owner, digest }: DeviceMaker, purpose: string, length: number): string {
  return digest(`${seed}/${owner}/${purpose}`).slice(0, length);
}

/** A pseudo-random number from 0 to 1. */
function pseudoRandomFraction(maker: DeviceMaker, purpose: string): number {
  return Number.parseInt(pseudoRandomHex(maker, purpose, 8), 16) / 0xffff_ffff;
}

/** The size of a new volume in GB: `initialCapacity`, or 10 for an old record without it. */
export function initialGb(volumeSet: JsonObject): number {
  return numberAt(objectAt(volumeSet, 'spec'), 'initialCapacity') ?? 10;
}

/** A volume on new storage (platform/volumeset). It keeps the snapshots of `before`, which it replaces. */
export function newVolume(
  maker: DeviceMaker,
  volumeSet: JsonObject,
  address: VolumeAddress,
  { fromMs, sizeGb, before }: { readonly fromMs: number; readonly sizeGb: number; readonly before?: Volume },
): Volume {
  const { location, index } = address;
  const oldDeviceIds = before === undefined ? [] : [...before.oldDeviceIds, before.deviceId];
  const purpose = `${volumeKey(address)}/${oldDeviceIds.length}`;
  const seeded = seededUsage(fromMs, sizeGb, pseudoRandomFraction(maker, `usage/${purpose}`));
  const regions = objectAt(objectAt(objectAt(volumeSet, 'spec'), 'customEncryption'), 'regions');
  return {
    location,
    index,
    deviceId: `vol-${pseudoRandomHex(maker, `device/${purpose}`, 17)}`,
    oldDeviceIds,
    fromMs,
    sizeGb,
    zone: before?.zone ?? `${regionOf(location)}${'abc'.charAt(index % 3)}`,
    keyId: stringAt(objectAt(regions, location), 'keyId') ?? '',
    usage: before === undefined ? [seeded] : usageOfEmptyVolume(before, fromMs, seeded.usedGb),
    sizes: before?.sizes ?? [],
    snapshots: before?.snapshots ?? [],
    expandedMs: before?.expandedMs ?? [],
    deleted: false,
    abandoned: false,
    grown: false,
    inWorkBy: '',
  };
}

/** The usage of the new volume, which has only a file system. Simulated growth continues in it. */
function usageOfEmptyVolume(before: Volume, fromMs: number, usedGb: number): Volume['usage'] {
  return usageAfterReset(withoutOldSpans(before.usage, fromMs), fromMs, usedGb);
}

/** The region of a location, which is named `<provider>-<region>`. */
function regionOf(location: string): string {
  return location.slice(location.indexOf('-') + 1);
}

function providerOf(location: string): string {
  return location.slice(0, Math.max(0, location.indexOf('-')));
}

interface Performance {
  readonly iops: number;
  /** In MiB/s. */
  readonly throughput: number;
}

/**
 * The properties of a storage class. The specification has the fields (platform/volumeset.status) but not these
 * numbers.
 */
const performanceByClass: ReadonlyMap<string, (sizeGb: number) => Performance> = new Map<
  string,
  (sizeGb: number) => Performance
>([
  ['general-purpose-ssd', () => ({ iops: 3_000, throughput: 125 })],
  ['high-throughput-ssd', (sizeGb) => ({ iops: Math.min(64_000, Math.round(50 * sizeGb)), throughput: 1_000 })],
  ['shared', () => ({ iops: 7_000, throughput: 300 })],
]);

/** The status fields of a volume that depend on its class and location. */
export function deviceFields(performanceClass: string, { location, sizeGb }: Volume): JsonObject {
  const isShared = performanceClass === 'shared';
  const most = performanceByClass.get(performanceClass)?.(sizeGb) ?? { iops: 0, throughput: 0 };
  return {
    ...most,
    driver: `${isShared ? 'file' : 'block'}.csi.${providerOf(location)}`,
    diskType: isShared ? 'file' : performanceClass,
  };
}
