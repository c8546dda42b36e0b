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
import { present } from '../../base/json/present.ts';
import { addTo } from '../../base/multimap.ts';
import { gvcLocations, linkedLocations } from '../../kinds/gvc/gvcView.ts';
import { storesData } from '../../kinds/kindFacts.ts';
import { fileSystemOf, volumeSetMounts } from '../../kinds/volumeset/mounts.ts';
import { mostCapacity } from '../../kinds/volumeset/rules.ts';
import { isSuspendedIn, replicaBounds } from '../../kinds/workload/replicaBounds.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { formatRef, lastSegment, type ResourceId } from '../../schema/record/ref.ts';
import { type Draft, writes } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';
import { priceOf, type SetUse, type StorageAmount, type StoragePrice, type StorageUse } from '../model/storageUse.ts';

type Drafts = ReadonlyMap<ResourceId, Draft>;
type Known = ReadonlyMap<ResourceId, LiveResource>;

/** Undefined if nothing is reserved, before or after. */
export function storageUse(drafts: Drafts, planning: PlanContext): StorageUse | undefined {
  const sets = [...drafts.values()].filter(({ kind }) => storesData(kind));
  if (sets.length === 0) return undefined;
  const { known } = planning;
  const mounters = findMounters(new Set(sets.map(({ gvc }) => gvc)), drafts, known);
  const measured = sets.map((set) => measure(set, mounters.get(set.id) ?? [], drafts, known));
  if (measured.every(({ before, after, ceiling }) => before + after + ceiling === 0)) return undefined;

  const price = planning.options.storagePrice;
  return {
    before: total(measured, 'before', price),
    after: total(measured, 'after', price),
    ceiling: total(measured, 'ceiling', price),
    ...present({ currency: price?.currency }),
    ...(measured.some(({ atLeast }) => atLeast) ? { atLeast: true as const } : {}),
    sets: measured.map(({ id, before, after, ceiling, concerned }) => ({ id, before, after, ceiling, concerned })),
  };
}

interface Measured extends SetUse {
  readonly performanceClass: string;
  readonly atLeast: boolean;
}

/** A record before and after the plan; undefined if it does not exist then. */
interface Course {
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
  readonly changes: boolean;
}

function courseOf(draft: Draft): Course {
  const before = draft.live?.record;
  return { before, after: recordAfter(draft), changes: draft.action !== 'keep' };
}

function recordAfter(draft: Draft): JsonObject | undefined {
  if (draft.action === 'delete') return undefined;
  const written = writes(draft) ? (draft.expectedThen ?? draft.expected)?.expose() : undefined;
  return written ?? draft.live?.record ?? draft.desired?.record;
}

function measure(set: Draft, mounters: readonly Course[], drafts: Drafts, known: Known): Measured {
  const gvcId = formatRef({ kind: 'gvc', name: set.gvc ?? '' });
  const gvc = courseIn(gvcId, drafts, known);
  const own = courseOf(set);
  const live = own.before === undefined ? undefined : readVolumes(own.before);

  const courses = { set: own, gvc, mounters };
  const before = reservedIn('before', courses, live);
  const stays = set.action === 'replace' ? undefined : (live ?? before.volumes);
  const after = reservedIn('after', courses, stays);
  const { performanceClass } = after.known ? after : before;
  return {
    id: set.id,
    before: live === undefined ? before.gb : sum(live),
    after: after.gb,
    ceiling: after.ceilingGb,
    performanceClass,
    concerned: own.changes || gvc.changes || mounters.some(({ changes }) => changes),
    atLeast: after.atLeast,
  };
}

interface ReservedThen extends Reserved {
  /** False if the set does not exist at that time. */
  readonly known: boolean;
  readonly atLeast: boolean;
}

function reservedIn(
  time: 'before' | 'after',
  { set, gvc, mounters }: { readonly set: Course; readonly gvc: Course; readonly mounters: readonly Course[] },
  there: Volumes = new Map(),
): ReservedThen {
  const record = set[time];
  if (record === undefined) {
    return { gb: 0, ceilingGb: 0, volumes: new Map(), performanceClass: '', known: false, atLeast: false };
  }
  const gvcRecord = gvc[time] ?? {};
  const queried = gvcLocations(gvcRecord) === undefined;
  const situation: Situation = {
    set: record,
    mounters: mounters.map((mounter) => mounter[time]).filter((mounter) => mounter !== undefined),
    locations: [...new Set([...linkedLocations(gvcRecord), ...(queried ? there.keys() : [])])],
    there,
  };
  return { ...reserve(situation), known: true, atLeast: queried };
}

function courseIn(id: ResourceId, drafts: Drafts, known: Known): Course {
  const draft = drafts.get(id);
  if (draft !== undefined) return courseOf(draft);
  const record = known.get(id)?.record;
  return { before: record, after: record, changes: false };
}

/** The workloads that mount each volume set of these GVCs, before or after. */
function findMounters(
  gvcs: ReadonlySet<string | undefined>,
  drafts: Drafts,
  known: Known,
): ReadonlyMap<ResourceId, readonly Course[]> {
  const found = new Map<ResourceId, Course[]>();
  const ids = new Set([...drafts.keys(), ...known.keys()]);
  for (const id of ids) {
    const ref = drafts.get(id)?.ref ?? known.get(id)?.ref;
    if (ref?.gvc === undefined || !gvcs.has(ref.gvc)) continue;
    const course = courseIn(id, drafts, known);
    const before = mountedBy(course.before);
    const after = course.after === course.before ? before : mountedBy(course.after);
    for (const name of new Set([...before, ...after])) {
      const target = formatRef({ kind: 'volumeset', name, gvc: ref.gvc });
      addTo(found, target, {
        before: before.has(name) ? course.before : undefined,
        after: after.has(name) ? course.after : undefined,
        changes: course.changes,
      });
    }
  }
  return found;
}

function mountedBy(record: JsonObject | undefined): ReadonlySet<string> {
  return new Set(record === undefined ? [] : volumeSetMounts(record).map(({ volumeSet }) => volumeSet));
}

function total(
  measured: readonly Measured[],
  time: 'before' | 'after' | 'ceiling',
  price: StoragePrice | undefined,
): StorageAmount {
  const gb = measured.reduce((all, set) => all + set[time], 0);
  if (price === undefined) return { gb };
  let cost = 0;
  for (const set of measured) {
    const each = set[time] === 0 ? 0 : priceOf(price, set.performanceClass);
    if (each === undefined) return { gb };
    cost += set[time] * each;
  }
  return { gb, cost: Math.round(cost * 100) / 100 };
}

function sum(volumes: Volumes): number {
  return [...volumes.values()].flatMap((sizes) => [...sizes.values()]).reduce((all, gb) => all + gb, 0);
}

/** Existing volumes: GB by index, by location. */
export type Volumes = ReadonlyMap<string, ReadonlyMap<number, number>>;

/** The facts that decide how much a volume set reserves. */
export interface Situation {
  readonly set: JsonObject;
  readonly mounters: readonly JsonObject[];
  /** The locations of its GVC. */
  readonly locations: readonly string[];
  /** Existing volumes stay: none is deleted with a replica, a mount or a location (platform/volumeset.volumes). */
  readonly there: Volumes;
}

interface Reserved {
  readonly gb: number;
  readonly ceilingGb: number;
  readonly volumes: Volumes;
  readonly performanceClass: string;
}

/**
 * The reservation of a volume set: the existing volumes, and a new one of `initialCapacity` for each replica of its
 * workload in each location that lacks one; for a shared set, one for each location (platform/volumeset.volumes,
 * platform/volumeset.shared, platform/volumeset.classes). The ceiling: the maximum of replicas, and each volume at its
 * maximum size.
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

/** The minimum and maximum number of volumes that the mounters need in a location. */
function neededIn(location: string, mounters: readonly JsonObject[], shared: boolean): readonly [number, number] {
  if (shared) return mounters.length === 0 ? [0, 0] : [1, 1];
  let [least, most] = [0, 0];
  for (const workload of mounters) {
    const bounds = replicaBounds(workload, location);
    least = Math.max(least, isSuspendedIn(workload, location) ? 0 : bounds.min);
    most = Math.max(most, bounds.max);
  }
  return [least, most];
}

/** GB that a volume may grow to automatically; 0 if it does not grow. The default bound is that of every class. */
function mostGrowth(spec: JsonObject): number {
  const autoscaling = objectAt(spec, 'autoscaling');
  const stated = numberAt(autoscaling, 'maxCapacity');
  if (stated !== undefined) return Math.min(stated, mostCapacity);
  const grows =
    typeof autoscaling['minFreePercentage'] === 'number' && typeof autoscaling['scalingFactor'] === 'number';
  return grows ? mostCapacity : 0;
}

/**
 * The volumes in its status that are not deleted (platform/volumeset.status); undefined if the status has no list of
 * locations, or of the volumes in one.
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
