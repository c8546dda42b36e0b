import { itemsAt } from '../../schema/rules/reading.ts';
import { type RuleOf, ruleGroup } from '../../schema/rules/rule.ts';
import { type WorkloadView, workloadView } from './workloadView.ts';

const image: RuleOf<WorkloadView> = {
  id: 'workload.image-needed',
  section: 'workload.types',
  title: 'Every container has an image, except in a vm.',
  severity: 'error',
  fix: 'Add the image, such as registry.example.com/web:1.',
  record({ type, containers }, report) {
    if (type === 'vm') return;
    for (const { value, pointer, label } of containers) {
      if (!Object.hasOwn(value, 'image')) report([...pointer, 'image'], `the container ${label} needs an image`);
    }
  },
};

const path: RuleOf<WorkloadView> = {
  id: 'workload.volume-path',
  section: 'workload.types',
  title: 'Every volume of a container has a path, except the disks of a vm.',
  severity: 'error',
  fix: 'Set the path at which it is mounted, such as path: /data.',
  record({ type, containers }, report) {
    if (type === 'vm') return;
    for (const { value, pointer, label } of containers) {
      for (const { index, value: volume } of itemsAt(value, 'volumes')) {
        if (Object.hasOwn(volume, 'path')) continue;
        report(
          [...pointer, 'volumes', index, 'path'],
          `the volume ${index + 1} of the container ${label} needs a path`,
        );
      }
    }
  },
};

const disk: RuleOf<WorkloadView> = {
  id: 'workload.disk',
  section: 'workload.types',
  title: 'Only the volumes of a vm have name, bus and bootOrder.',
  severity: 'error',
  fix: 'Remove the field.',
  record({ type, containers }, report) {
    if (type === 'vm') return;
    for (const { value, pointer } of containers) {
      for (const { index, value: volume } of itemsAt(value, 'volumes')) {
        for (const key of ['name', 'bus', 'bootOrder'] as const) {
          if (!Object.hasOwn(volume, key)) continue;
          report([...pointer, 'volumes', index, key], `a volume of a ${type} workload may not have ${key}`);
        }
      }
    }
  },
};

/** Rules for the fields that only the disks of a vm may omit or set (platform/workload.types). */
export const vmRules = ruleGroup(['workload'], workloadView, [image, path, disk]);
