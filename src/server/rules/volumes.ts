import { bytesPerGb } from '../../schema/decisions.ts';
import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../../schema/json.ts';
import { replicasIn } from './deployments.ts';

/** A volume that the platform keeps: of one replica of ext4 and xfs, of the location when shared (specification 2.6). */
export interface Volume {
  readonly location: string;
  readonly index: number;
  /** When the mounting workload is deployed; not there before. */
  readonly fromMs: number;
  readonly sizeGb: number;
}

export interface Mounter {
  readonly record: JsonObject;
  readonly locations: readonly { readonly name: string; readonly sinceMs: number }[];
}

export function readVolumes(state: JsonObject): readonly Volume[] {
  return listAt(state, 'volumes').flatMap((volume) => {
    if (!isObject(volume)) return [];
    const [location, index, fromMs, sizeGb] = ['location', 'index', 'fromMs', 'sizeGb'].map((key) => own(volume, key));
    if (typeof location !== 'string' || typeof index !== 'number') return [];
    if (typeof fromMs !== 'number' || typeof sizeGb !== 'number') return [];
    return [{ location, index, fromMs, sizeGb }];
  });
}

/** The volumes after a change of who mounts the set: new ones for new replicas; those that are there stay. */
export function settleVolumes(
  volumeSet: JsonObject,
  volumes: readonly Volume[],
  mounters: readonly Mounter[],
  nowMs: number,
  readyAfterMs: number,
): readonly Volume[] {
  const spec = objectAt(volumeSet, 'spec');
  const size = own(spec, 'initialCapacity');
  const sizeGb = typeof size === 'number' ? size : 10;
  const wanted = wantedVolumes(stringAt(spec, 'fileSystemType') === 'shared', mounters, nowMs + readyAfterMs);
  const kept = volumes.filter(({ location, index, fromMs }) => fromMs <= nowMs || wanted.has(`${location}/${index}`));
  const known = new Set(kept.map(({ location, index }) => `${location}/${index}`));
  const added = [...wanted].filter(([key]) => !known.has(key)).map(([, volume]) => ({ ...volume, sizeGb }));
  return [...kept, ...added];
}

function wantedVolumes(
  shared: boolean,
  mounters: readonly Mounter[],
  fromMs: number,
): ReadonlyMap<string, Omit<Volume, 'sizeGb'>> {
  const wanted = new Map<string, Omit<Volume, 'sizeGb'>>();
  for (const { record, locations } of mounters) {
    for (const { name: location } of locations) {
      const count = shared ? 1 : replicasIn(record, location);
      for (let index = 0; index < count; index += 1) wanted.set(`${location}/${index}`, { location, index, fromMs });
    }
  }
  return wanted;
}

export interface VolumeSetFacts {
  readonly name: string;
  readonly parentId: string;
  readonly record: JsonObject;
  readonly volumes: readonly Volume[];
  /** Links of the workloads that mount it. */
  readonly workloadLinks: readonly string[];
  readonly mounters: readonly Mounter[];
  readonly nowMs: number;
}

/** `status` of a volume set (protocol 8.5). */
export function volumeSetStatus(facts: VolumeSetFacts): JsonObject {
  const { name, parentId, record, volumes, workloadLinks, mounters, nowMs } = facts;
  const shared = stringAt(objectAt(record, 'spec'), 'fileSystemType') === 'shared';
  const bound = wantedVolumes(shared, mounters, nowMs);
  const there = volumes.filter(({ fromMs }) => fromMs <= nowMs);
  const locations = [...new Set([...bound.values(), ...there].map(({ location }) => location))].toSorted();
  const [first] = workloadLinks;
  return {
    parentId,
    workloadLinks,
    ...(shared || first === undefined ? {} : { usedByWorkload: first }),
    locations: locations.map((location) => ({
      name: location,
      desiredVolumeCount: [...bound.values()].filter((volume) => volume.location === location).length,
      volumes: there
        .filter((volume) => volume.location === location)
        .map(({ index, sizeGb }) => ({
          index,
          lifecycle: bound.has(`${location}/${index}`) ? 'bound' : 'unbound',
          resourceName: `${name}-${location}-${index}`,
          currentSize: sizeGb,
          currentBytesUsed: 0,
          currentBytesFree: sizeGb * bytesPerGb,
          volumeSnapshots: [],
        })),
    })),
  };
}
