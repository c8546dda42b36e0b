import { objectAt, stringAt } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { compact } from '../../base/json/present.ts';
import { lastSegment } from '../../schema/record/ref.ts';
import { eachRepeated, itemsAt, show, textsAt } from '../../schema/rules/reading.ts';
import { known, type Related, type RuleOf, ruleGroup } from '../../schema/rules/rule.ts';
import { gvcLocations } from '../gvc/gvcView.ts';
import { fileSystemOf, mountersOf, volumeSetMounts } from '../volumeset/mounts.ts';
import { type WorkloadView, workloadView } from './workloadView.ts';

const volumeSets: RuleOf<WorkloadView> = {
  id: 'W31',
  section: 'volumeset.mounting',
  title: 'An ext4 or xfs volume set is mounted by stateful workloads only, and by at most one.',
  severity: 'error',
  fix: 'Use a volume set of the file system shared, or create a volume set for each stateful workload.',
  related(view, related, report) {
    const { record, context, type } = view;
    const ownName = stringAt(record, 'name');
    for (const { name, fileSystem, pointer } of exclusiveMounts(view, related)) {
      if (type !== 'stateful' && type !== 'vm') {
        report(pointer, `the volume set ${show(name)} is ${fileSystem}; a ${type} workload can mount shared ones only`);
      }
      const mounters = mountersOf(name, context.gvc, related);
      const other = mounters.find(({ ref }) => ref.name !== ownName);
      if (other !== undefined) {
        report(
          pointer,
          `the volume set ${show(name)} is ${fileSystem}, so it cannot be mounted by the workload ${show(other.ref.name)} too`,
        );
      }
    }
  },
};

const volumeSetsOfVm: RuleOf<WorkloadView> = {
  id: 'W31.vm',
  section: 'volumeset.mounting',
  title: 'An ext4 or xfs volume set is not mounted by a vm.',
  severity: 'error',
  lenient: true,
  fix: 'Use a volume set of the file system shared.',
  related(view, related, report) {
    if (view.type !== 'vm') return;
    for (const { name, fileSystem, pointer } of exclusiveMounts(view, related)) {
      report(pointer, `the volume set ${show(name)} is ${fileSystem}; a vm can mount shared ones only`);
    }
  },
};

/** The first mount of each volume set that only one workload may mount. */
function exclusiveMounts({ record, context: { gvc } }: WorkloadView, related: Related) {
  const first = new Map<string, Pointer>();
  for (const { volumeSet, pointer } of volumeSetMounts(record)) {
    if (!first.has(volumeSet)) first.set(volumeSet, pointer);
  }
  return compact([...first], ([name, pointer]) => {
    const volumeSet = gvc === undefined ? undefined : known(related.get({ kind: 'volumeset', name, gvc }));
    if (volumeSet === undefined) return undefined;
    const fileSystem = fileSystemOf(volumeSet);
    return fileSystem === 'shared' ? undefined : { name, fileSystem, pointer };
  });
}

const kedaSecret: RuleOf<WorkloadView> = {
  id: 'W37',
  section: 'workload.autoscaling',
  title: 'An authenticationRef of a keda trigger names a secret that the GVC lists in keda.secrets.',
  severity: 'warning',
  fix: 'Add the secret to spec.keda.secrets of the GVC, or name one of those.',
  related({ context, options }, related, report) {
    if (context.gvc === undefined || options.every(({ usesKeda }) => !usesKeda)) return;
    const gvc = known(related.get({ kind: 'gvc', name: context.gvc }));
    if (gvc === undefined) return;
    const listed = new Set(
      textsAt(objectAt(objectAt(gvc, 'spec'), 'keda'), 'secrets').map(({ value }) => lastSegment(value)),
    );
    for (const { autoscaling, pointer } of options) {
      for (const { index, value } of itemsAt(objectAt(autoscaling, 'keda'), 'triggers')) {
        const name = stringAt(objectAt(value, 'authenticationRef'), 'name');
        if (name === undefined || listed.has(lastSegment(name))) continue;
        const at = [...pointer, 'autoscaling', 'keda', 'triggers', index, 'authenticationRef', 'name'];
        report(at, `the GVC ${show(context.gvc)} must list the secret ${show(lastSegment(name))} in keda.secrets`);
      }
    }
  },
};

const locations: RuleOf<WorkloadView> = {
  id: 'W38',
  section: 'workload.options',
  title: 'Each item of localOptions is for another location of the GVC.',
  severity: 'error',
  lenient: true,
  fix: 'Name each location of the GVC at most once.',
  record({ spec }, report) {
    eachRepeated(
      itemsAt(spec, 'localOptions'),
      ({ value }) => locationOf(stringAt(value, 'location')),
      ({ index }, name) =>
        report(['spec', 'localOptions', index, 'location'], `${show(name)} may have options only once`),
    );
  },
  related({ spec, context, type }, related, report) {
    const options = itemsAt(spec, 'localOptions');
    if (options.length === 0 || context.gvc === undefined || type === 'cron') return;
    const gvc = known(related.get({ kind: 'gvc', name: context.gvc }));
    const locations = gvc === undefined ? undefined : gvcLocations(gvc);
    if (locations === undefined) return;
    for (const { index, value } of options) {
      const name = locationOf(stringAt(value, 'location'));
      if (name === undefined || locations.has(name)) continue;
      report(
        ['spec', 'localOptions', index, 'location'],
        `${show(name)} is not a location of the GVC ${show(context.gvc)}`,
        locations.size === 0
          ? 'The GVC has no locations: add them to spec.staticPlacement.'
          : `Its locations are ${[...locations].join(', ')}.`,
      );
    }
  },
};

function locationOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : lastSegment(text);
}

export const workloadRelatedRules = ruleGroup(['workload'], workloadView, [
  volumeSets,
  volumeSetsOfVm,
  kedaSecret,
  locations,
]);
