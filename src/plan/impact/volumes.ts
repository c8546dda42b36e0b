import {
  fieldIn,
  isArray,
  isObject,
  type JsonObject,
  numberAt,
  objectAt,
  own,
  stringAt,
} from '../../base/json/json.ts';
import { mostCapacity } from '../../kinds/volumeset/capacityBounds.ts';
import { fileSystemOf } from '../../kinds/volumeset/mounts.ts';
import { isSuspendedIn, replicaBounds } from '../../kinds/workload/replicaBounds.ts';
import { lastSegment } from '../../schema/record/ref.ts';

/** Volumes that are there: GB by index, by location. */
export type Volumes = ReadonlyMap<string, ReadonlyMap<number, number>>;

/** The facts that decide how much a volume set reserves. */
export interface Situation {
  readonly set: JsonObject;
  /** The workloads that mount it. */
  readonly mounters: readonly JsonObject[];
  /** Of its GVC. */
  readonly locations: readonly string[];
  /** They stay: no volume is deleted with a replica, a mount or a location (platform/volumeset.volumes). */
  readonly there: Volumes;
}

export interface Reserved {
  readonly gb: number;
  readonly ceilingGb: number;
  readonly volumes: Volumes;
  readonly performanceClass: string;
}

/**
 * The reservation of a volume set: the volumes that are there, and a new one of `initialCapacity` for each replica of its
 * workload in each location that has none; of a shared set one for each location (platform/volumeset.volumes,
 * platform/volumeset.shared, platform/volumeset.classes). The ceiling: as many replicas as may be, and every volume as
 * large as it may grow.
 */
export function reserve({ set, mounters, locations, there }: Situation): Reserved {
  const spec = objectAt(set, 'spec');
  const shared = fileSystemOf(set) === 'shared';
  const initialGb = numberAt(spec, 'initialCapacity') ?? 0;
  const mostGb = mostGrowth(spec);

  const volumes = new Map<string, Map<number, number>>();
  let gb = 0;
  let ceilingGb = 0;
  for (const location of new Set([...there.keys(), ...locations])) {
    const present = there.get(location) ?? new Map<number, number>();
    const [least, most] = locations.includes(location) ? neededIn(location, mounters, shared) : [0, 0];
    const sizes = new Map(present);
    for (let index = 0; index < least; index += 1) if (!sizes.has(index)) sizes.set(index, initialGb);
    const ceilings = new Map(sizes);
    for (let index = 0; index < most; index += 1) if (!ceilings.has(index)) ceilings.set(index, initialGb);
    volumes.set(location, sizes);
    for (const size of sizes.values()) gb += size;
    for (const size of ceilings.values()) ceilingGb += Math.max(size, mostGb);
  }
  const performanceClass = stringAt(spec, 'performanceClass') ?? (shared ? 'shared' : '');
  return { gb, ceilingGb, volumes, performanceClass };
}

/** How many volumes the mounters need in a location, at least and at most. */
function neededIn(location: string, mounters: readonly JsonObject[], shared: boolean): readonly [number, number] {
  if (shared) return mounters.length === 0 ? [0, 0] : [1, 1];
  let [least, most] = [0, 0];
  for (const workload of mounters) {
    const bounds = replicaBounds(workload, location);
    least = Math.max(least, isSuspendedIn(workload, location) ? 0 : bounds.least);
    most = Math.max(most, bounds.most);
  }
  return [least, most];
}

/**
 * GB that a volume may grow to by itself; 0: it does not grow. Without a bound of its own that of every class counts.
 */
function mostGrowth(spec: JsonObject): number {
  const autoscaling = objectAt(spec, 'autoscaling');
  const stated = numberAt(autoscaling, 'maxCapacity');
  if (stated !== undefined) return Math.min(stated, mostCapacity);
  const grows =
    typeof autoscaling['minFreePercentage'] === 'number' && typeof autoscaling['scalingFactor'] === 'number';
  return grows ? mostCapacity : 0;
}

/**
 * The volumes that its status shows and that are not deleted (platform/volumeset.status); undefined: it shows none it
 * could.
 */
export function readVolumes(set: JsonObject): Volumes | undefined {
  const locations = own(objectAt(set, 'status'), 'locations');
  if (!isArray(locations)) return undefined;
  const initialGb = numberAt(objectAt(set, 'spec'), 'initialCapacity') ?? 0;
  const found = new Map<string, Map<number, number>>();
  for (const place of locations) {
    const volumes = fieldIn(place, 'volumes');
    if (!isObject(place) || !isArray(volumes)) return undefined;
    const sizes = new Map<number, number>();
    volumes.forEach((volume, position) => {
      if (!isObject(volume) || own(volume, 'lifecycle') === 'deleted') return;
      sizes.set(numberAt(volume, 'index') ?? position, numberAt(volume, 'currentSize') ?? initialGb);
    });
    found.set(lastSegment(stringAt(place, 'name') ?? ''), sizes);
  }
  return found;
}
