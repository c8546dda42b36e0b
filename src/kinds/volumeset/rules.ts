import { isObject, type JsonObject, numberAt, objectAt, own, stringAt } from '../../base/json/json.ts';
import { cpuMillicores, memoryBytes } from '../../base/text/quantity.ts';
import { workloadTypeOf } from '../../schema/facts/workloadTypes.ts';
import { holdsSomething, isTrue, itemsAt, show } from '../../schema/rules/reading.ts';
import { type Known, type Related, type RuleOf, ruleGroup, type Subject } from '../../schema/rules/rule.ts';
import { isAtMostHourly, parseCron } from '../common/expressions.ts';
import { fileSystemOf, mountersOf } from './mounts.ts';

const capacity: RuleOf<VolumeSetView> = {
  id: 'V1',
  section: 'volumeset.classes',
  title: 'Capacities are 10 to 65536 GB, 200 to 65536 GB for high-throughput-ssd.',
  severity: 'error',
  fix: 'Use a capacity in the range of the performance class.',
  record({ spec, autoscaling, performanceClass }, report) {
    const { least, most } = capacityBounds(performanceClass);
    const check = (gigabytes: number | undefined, pointer: readonly string[]) => {
      if (gigabytes === undefined || (gigabytes >= least && gigabytes <= most)) return;
      report(
        pointer,
        `${pointer.at(-1)} is ${gigabytes} GB; ${performanceClass ?? 'a volume set'} must have ${least} to ${most} GB`,
      );
    };
    check(numberAt(spec, 'initialCapacity'), ['spec', 'initialCapacity']);
    check(numberAt(autoscaling, 'maxCapacity'), ['spec', 'autoscaling', 'maxCapacity']);
  },
};

const sharedClass: RuleOf<VolumeSetView> = {
  id: 'V2',
  section: 'volumeset.shared',
  title: 'The file system shared goes with the performance class shared, and only with it.',
  severity: 'error',
  fix: 'Leave performanceClass out for shared; choose general-purpose-ssd or high-throughput-ssd for ext4 and xfs.',
  record({ isShared, performanceClass, fileSystem }, report) {
    if (isShared !== (performanceClass === 'shared')) {
      report(
        ['spec', 'performanceClass'],
        `the performance class ${show(performanceClass)} cannot be combined with the file system ${fileSystem}`,
      );
    }
  },
};

const classRequired: RuleOf<VolumeSetView> = {
  id: 'volumeset.class-required',
  section: 'volumeset.classes',
  title: 'An ext4 or xfs volume set names its performance class.',
  severity: 'error',
  fix: 'Set performanceClass to general-purpose-ssd or high-throughput-ssd; it cannot be changed later.',
  record({ performanceClass, fileSystem }, report) {
    if (performanceClass === undefined)
      report(['spec', 'performanceClass'], `the ${fileSystem} volume set needs a performance class`);
  },
};

const initialBelowMost: RuleOf<VolumeSetView> = {
  id: 'V3',
  section: 'volumeset.classes',
  title: 'initialCapacity is at most autoscaling.maxCapacity.',
  severity: 'error',
  fix: 'Raise maxCapacity, or lower initialCapacity.',
  record({ spec, autoscaling }, report) {
    const initial = numberAt(spec, 'initialCapacity') ?? 0;
    const most = numberAt(autoscaling, 'maxCapacity') ?? Number.POSITIVE_INFINITY;
    if (initial > most) {
      report(['spec', 'initialCapacity'], `initialCapacity ${initial} GB must not be more than maxCapacity ${most} GB`);
    }
  },
};

const predictiveNeeds: RuleOf<VolumeSetView> = {
  id: 'V4',
  section: 'volumeset.growth',
  title: 'Predictive growth needs minFreePercentage and scalingFactor.',
  severity: 'error',
  fix: 'Set autoscaling.minFreePercentage and autoscaling.scalingFactor.',
  record({ autoscaling }, report) {
    if (!isTrue(objectAt(autoscaling, 'predictive'), 'enabled')) return;
    for (const key of ['minFreePercentage', 'scalingFactor'] as const) {
      if (numberAt(autoscaling, key) === undefined) {
        report(['spec', 'autoscaling', key], `predictive growth needs ${key}`);
      }
    }
  },
};

const sharedLacks: RuleOf<VolumeSetView> = {
  id: 'V5',
  section: 'volumeset.shared',
  title: 'A shared volume set has no snapshots and no custom encryption.',
  severity: 'error',
  lenient: true,
  offline: 'warning',
  fix: 'Remove it, or use ext4 or xfs.',
  record({ spec, isShared }, report) {
    if (!isShared) return;
    for (const key of ['snapshots', 'customEncryption'] as const) {
      if (holdsSomething(spec, key)) report(['spec', key], `a shared volume set cannot have ${key}`);
    }
  },
};

const mountOptionsOfShared: RuleOf<VolumeSetView> = {
  id: 'V6',
  section: 'volumeset.mount-resources',
  title: 'Mount options are for shared volume sets.',
  severity: 'error',
  lenient: true,
  offline: 'warning',
  fix: 'Remove mountOptions, or use the file system shared.',
  record({ spec, isShared, fileSystem }, report) {
    if (!isShared && holdsSomething(spec, 'mountOptions')) {
      report(['spec', 'mountOptions'], `a volume set with the file system ${fileSystem} cannot have mount options`);
    }
  },
};

const mebibyte = 1024 ** 2;

/** An omitted bound counts with its default (platform/volumeset.mount-resources). */
const mountRanges = [
  {
    least: 'minCpu',
    most: 'maxCpu',
    otherwise: ['500m', '2000m'],
    parse: cpuMillicores,
    distance: 4000,
    text: '4000m',
  },
  {
    least: 'minMemory',
    most: 'maxMemory',
    otherwise: ['1Gi', '2Gi'],
    parse: memoryBytes,
    distance: 4096 * mebibyte,
    text: '4096Mi',
  },
] as const;

const mountResources: RuleOf<VolumeSetView> = {
  id: 'V7',
  section: 'volumeset.mount-resources',
  title:
    'Mount resources: the maximum is at least the minimum, at most 4000m or 4096Mi above it, and at most 4 times it.',
  severity: 'error',
  fix: 'Move the two bounds together; they are 500m to 2000m and 1Gi to 2Gi where they are left out.',
  record({ spec }, report) {
    const resources = own(objectAt(spec, 'mountOptions'), 'resources');
    if (!isObject(resources)) return;
    for (const { least, most, otherwise, parse, distance, text } of mountRanges) {
      const pointer = ['spec', 'mountOptions', 'resources', Object.hasOwn(resources, most) ? most : least];
      const [lower, upper] = [own(resources, least) ?? otherwise[0], own(resources, most) ?? otherwise[1]];
      const from = typeof lower === 'string' || typeof lower === 'number' ? parse(lower) : undefined;
      const to = typeof upper === 'string' || typeof upper === 'number' ? parse(upper) : undefined;
      if (from === undefined || to === undefined)
        report(pointer, `${show(lower)} or ${show(upper)} is not a valid quantity`);
      else if (to < from) report(pointer, `${most} ${show(upper)} must not be less than ${least} ${show(lower)}`);
      else if (to - from > distance || to > from * 4) {
        report(
          pointer,
          `${most} ${show(upper)} is too far above ${least} ${show(lower)}: at most ${text}, and at most 4:1`,
        );
      }
    }
  },
};

const regionPattern = /^([a-z0-9]+)-[a-z0-9-]+$/;

const encryption: RuleOf<VolumeSetView> = {
  id: 'V8',
  section: 'volumeset.encryption',
  title: 'Custom encryption names regions of one provider; the key of a region cannot change once it has volumes.',
  severity: 'error',
  fix: 'Name regions <provider>-<region> of one provider; for other keys create another volume set.',
  record({ spec }, report) {
    const regions = objectAt(objectAt(spec, 'customEncryption'), 'regions');
    const at = ['spec', 'customEncryption', 'regions'];
    const providers = new Set<string>();
    for (const region of Object.keys(regions)) {
      const provider = regionPattern.exec(region)?.[1];
      if (provider === undefined) report([...at, region], `the region ${show(region)} is not <provider>-<region>`);
      else providers.add(provider);
    }
    if (providers.size > 1)
      report(at, `the regions must be of one provider, not of ${[...providers].sort().join(' and ')}`);
  },
  change(before, after, report) {
    const was = objectAt(objectAt(before.spec, 'customEncryption'), 'regions');
    const is = objectAt(objectAt(after.spec, 'customEncryption'), 'regions');
    for (const { value: location } of itemsAt(objectAt(before.record, 'status'), 'locations')) {
      const region = stringAt(location, 'name') ?? '';
      if (!hasVolumes(location)) continue;
      if (stringAt(objectAt(was, region), 'keyId') !== stringAt(objectAt(is, region), 'keyId')) {
        report(
          ['spec', 'customEncryption', 'regions', region],
          `there are volumes in ${show(region)}: its key cannot change`,
        );
      }
    }
  },
};

function hasVolumes(location: JsonObject): boolean {
  return itemsAt(location, 'volumes').some(({ value }) => stringAt(value, 'lifecycle') !== 'deleted');
}

/** The workloads that mount a volume set whose volumes have one user each. */
function usersOfExclusive({ record, gvc, isShared }: VolumeSetView, related: Related): readonly Known[] {
  const name = stringAt(record, 'name');
  if (isShared || gvc === undefined || name === undefined) return [];
  return mountersOf(name, gvc, related);
}

const users: RuleOf<VolumeSetView> = {
  id: 'V9',
  section: 'volumeset.mounting',
  title: 'An ext4 or xfs volume set is used by at most one workload, a stateful one.',
  severity: 'error',
  fix: 'Use the file system shared, or give each workload a volume set of its own.',
  related(view, related, report) {
    const { fileSystem } = view;
    const users = usersOfExclusive(view, related);
    const names = users.map(({ ref }) => ref.name).sort();
    if (names.length > 1) {
      report(
        ['spec', 'fileSystemType'],
        `the ${fileSystem} volume set may be mounted by one workload, not by ${names.length}: ${names.join(', ')}`,
      );
    }
    for (const { ref, record: workload } of users) {
      const type = workloadTypeOf(workload);
      if (type !== 'stateful' && type !== 'vm') {
        report(
          ['spec', 'fileSystemType'],
          `the ${fileSystem} volume set may be mounted by a stateful workload only, not by ${show(ref.name)}, a ${type} workload`,
        );
      }
    }
  },
};

const usedByVm: RuleOf<VolumeSetView> = {
  id: 'V9.vm',
  section: 'volumeset.mounting',
  title: 'An ext4 or xfs volume set is not used by a vm.',
  severity: 'error',
  lenient: true,
  fix: 'Use the file system shared.',
  related(view, related, report) {
    for (const { ref, record: workload } of usersOfExclusive(view, related)) {
      if (stringAt(objectAt(workload, 'spec'), 'type') !== 'vm') continue;
      report(
        ['spec', 'fileSystemType'],
        `the ${view.fileSystem} volume set cannot be mounted by ${show(ref.name)}, a vm`,
      );
    }
  },
};

/** The data for the rules of a volume set (platform/volumeset), read lazily, when a rule needs it. */
class VolumeSetView {
  readonly record: JsonObject;
  readonly gvc: string | undefined;

  constructor({ record, context }: Subject) {
    this.record = record;
    this.gvc = context.gvc;
  }

  get spec(): JsonObject {
    return objectAt(this.record, 'spec');
  }

  get autoscaling(): JsonObject {
    return objectAt(this.spec, 'autoscaling');
  }

  get fileSystem(): string {
    return fileSystemOf(this.record);
  }

  get isShared(): boolean {
    return this.fileSystem === 'shared';
  }

  /** `shared` when it is omitted on a shared set (platform/concepts.filled). */
  get performanceClass(): string | undefined {
    return stringAt(this.spec, 'performanceClass') ?? (this.isShared ? 'shared' : undefined);
  }
}

export const volumeSetRules = ruleGroup(['volumeset'], volumeSetView, [
  capacity,
  sharedClass,
  classRequired,
  initialBelowMost,
  predictiveNeeds,
  sharedLacks,
  mountOptionsOfShared,
  mountResources,
  encryption,
  users,
  usedByVm,
]);

const immutableFields: RuleOf<VolumeSetView> = {
  id: 'V14',
  section: 'volumeset.classes',
  title: 'File system and performance class of a volume set cannot be changed.',
  severity: 'error',
  fix: 'Create a new volume set and move the data.',
  change(before, after, report) {
    if (before.fileSystem !== after.fileSystem) {
      report(
        ['spec', 'fileSystemType'],
        `the file system cannot be changed from ${before.fileSystem} to ${after.fileSystem}`,
      );
    }
    if (before.performanceClass !== after.performanceClass) {
      const text =
        'the performance class cannot be changed from ' +
        `${show(before.performanceClass)} to ${show(after.performanceClass)}`;
      report(['spec', 'performanceClass'], text);
    }
  },
};

const leastFactor = 1.1;

const scalingFactor: RuleOf<VolumeSetView> = {
  id: 'V15',
  section: 'volumeset.growth',
  title: `A scaling factor is at least ${leastFactor}.`,
  severity: 'error',
  fix: `Use ${leastFactor} or more.`,
  record({ autoscaling }, report) {
    for (const [owner, at] of [
      [autoscaling, []],
      [objectAt(autoscaling, 'predictive'), ['predictive']],
    ] as const) {
      const factor = numberAt(owner, 'scalingFactor');
      if (factor === undefined || factor >= leastFactor) continue;
      report(
        ['spec', 'autoscaling', ...at, 'scalingFactor'],
        `scalingFactor must be at least ${leastFactor}, not ${factor}`,
      );
    }
  },
};

const snapshotSchedule: RuleOf<VolumeSetView> = {
  id: 'volumeset.snapshot-schedule',
  section: 'volumeset.snapshots',
  title: 'Snapshots are taken at most once per hour.',
  severity: 'error',
  fix: 'Write a cron expression whose first field is one minute, such as "0 * * * *".',
  record({ spec }, report) {
    const text = stringAt(objectAt(spec, 'snapshots'), 'schedule');
    if (text === undefined) return;
    const schedule = parseCron(text);
    const pointer = ['spec', 'snapshots', 'schedule'];
    if (schedule === undefined) report(pointer, `${show(text)} is not a cron expression`);
    else if (!isAtMostHourly(schedule))
      report(pointer, `snapshots may be taken at most once per hour; ${show(text)} takes more`);
  },
};

export const volumeSetLifeRules = ruleGroup(['volumeset'], volumeSetView, [
  immutableFields,
  scalingFactor,
  snapshotSchedule,
]);

function volumeSetView(subject: Subject): VolumeSetView {
  return new VolumeSetView(subject);
}

/** In GB, for every class (platform/volumeset.classes, platform/concepts.limits). */
export const mostCapacity = 65_536;

/** The capacity bounds of a performance class in GB (platform/volumeset.classes, platform/concepts.limits, rule V1). */
export function capacityBounds(performanceClass: string | undefined): {
  readonly least: number;
  readonly most: number;
} {
  return { least: performanceClass === 'high-throughput-ssd' ? 200 : 10, most: mostCapacity };
}
