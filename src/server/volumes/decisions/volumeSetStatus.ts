import { type JsonObject, objectAt, stringAt } from '../../../base/json/json.ts';
import { nonEmpty, present } from '../../../base/json/present.ts';
import { bytesPerGb } from '../../../schema/facts/limits.ts';
import { type DeviceMaker, deviceFields, pseudoRandomHex } from './device.ts';
import { usedGb } from './growth.ts';
import { isShared, type Mounter, neededVolumes } from './reconcileVolumes.ts';
import { type Snapshot, type Volume, volumeKey } from './volume.ts';

export interface VolumeSetFacts {
  readonly name: string;
  /** The id of the GVC. */
  readonly parentId: string;
  readonly record: JsonObject;
  readonly volumes: readonly Volume[];
  /** The workloads whose replicas need volumes. */
  readonly mounters: readonly Mounter[];
  /** The links of all workloads that mount the set. */
  readonly workloadLinks: readonly string[];
  readonly maker: DeviceMaker;
  readonly nowMs: number;
}

/** `status` of a volume set (platform/volumeset.status). */
export function volumeSetStatus(facts: VolumeSetFacts): JsonObject {
  const { parentId, record, volumes, mounters, workloadLinks, maker } = facts;
  const needed = neededVolumes(record, mounters);
  const [first] = workloadLinks;
  const names = new Set([...needed.values(), ...volumes].map(({ location }) => location));
  return {
    parentId,
    workloadLinks,
    ...present({ usedByWorkload: isShared(record) || first === undefined ? undefined : first }),
    ...present({
      bindingId: first === undefined ? undefined : pseudoRandomHex(maker, `binding/${workloadLinks.join(' ')}`, 16),
    }),
    locations: [...names].toSorted().map((name) => ({
      name,
      desiredVolumeCount: [...needed.values()].filter(({ location }) => location === name).length,
      clusterId: pseudoRandomHex({ ...maker, owner: 'cluster' }, name, 12),
      volumes: volumes
        .filter(({ location }) => location === name)
        .toSorted((a, b) => a.index - b.index)
        .map((volume) => volumeStatus(facts, volume, needed.has(volumeKey(volume)))),
    })),
  };
}

/**
 * The lifecycle of a volume (platform/volumeset.status). `bound`: a replica uses it; `unbound`: a replica used it;
 * `unused`: no replica ever used it.
 */
export function lifecycleOf(volume: Volume, isNeeded: boolean, nowMs: number): string {
  if (volume.deleted) return 'deleted';
  if (volume.inWorkBy !== '') return 'repairing';
  if (nowMs < volume.fromMs) return 'creating';
  if (isNeeded) return 'bound';
  return volume.abandoned ? 'unused' : 'unbound';
}

function volumeStatus({ name, record, maker, nowMs }: VolumeSetFacts, volume: Volume, isNeeded: boolean): JsonObject {
  const { location, index, deviceId, oldDeviceIds, sizeGb, zone, keyId, snapshots } = volume;
  const performanceClass = stringAt(objectAt(record, 'spec'), 'performanceClass') ?? 'shared';
  const lifecycle = lifecycleOf(volume, isNeeded, nowMs);
  const bytesUsed = Math.round(usedGb(volume, nowMs) * bytesPerGb);
  const reservedGb = volume.deleted ? 0 : sizeGb;
  return {
    index,
    lifecycle,
    storageDeviceId: deviceId,
    oldStorageDeviceIds: oldDeviceIds,
    resourceName: `${name}-${location}-${index}`,
    currentSize: reservedGb,
    currentBytesUsed: bytesUsed,
    currentBytesFree: Math.round(reservedGb * bytesPerGb) - bytesUsed,
    ...deviceFields(performanceClass, volume),
    zone,
    ...(lifecycle === 'bound' ? { node: `node-${pseudoRandomHex(maker, `node/${volumeKey(volume)}`, 12)}` } : {}),
    attributes: nonEmpty({ keyId }),
    volumeSnapshots: snapshots.map(snapshotStatus),
  };
}

function snapshotStatus({ name, id, createdMs, expiresMs, sizeGb, tags }: Snapshot): JsonObject {
  return {
    name,
    id,
    created: new Date(createdMs).toISOString(),
    ...present({ expires: expiresMs === 0 ? undefined : new Date(expiresMs).toISOString() }),
    size: sizeGb,
    tags,
  };
}

/**
 * The locations with volumes, for the rule that the key of a set with volumes cannot change
 * (platform/volumeset.encryption).
 */
export function volumesByLocation(volumes: readonly Volume[]): JsonObject {
  const names = new Set(volumes.map(({ location }) => location));
  const locations = [...names].map((name) => ({
    name,
    volumes: volumes
      .filter(({ location }) => location === name)
      .map(({ deleted }) => ({ lifecycle: deleted ? 'deleted' : 'bound' })),
  }));
  return { locations };
}
