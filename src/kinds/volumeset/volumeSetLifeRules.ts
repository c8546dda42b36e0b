import { numberAt, objectAt, stringAt } from '../../base/json/json.ts';
import { show } from '../../schema/rules/reading.ts';
import { type RuleOf, ruleGroup } from '../../schema/rules/rule.ts';
import { isAtMostHourly, parseCron } from '../common/cronExpression.ts';
import { type VolumeSetView, volumeSetView } from './volumeSetView.ts';

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
