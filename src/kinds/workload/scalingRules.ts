import { isObject, numberAt, objectAt, own, stringAt } from '../../base/json/json.ts';
import { metricsByType } from '../../schema/facts/workloadTypes.ts';
import { eachRepeated, holdsSomething, itemsAt, show } from '../../schema/rules/reading.ts';
import { known, type RuleOf, ruleGroup } from '../../schema/rules/rule.ts';
import { usualScale } from './replicaBounds.ts';
import { type OptionsView, type WorkloadView, workloadView } from './workloadView.ts';

/** By type (platform/workload.types); several metrics at once are `multi`. */
const allowedByType: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(metricsByType).map(([type, metrics]) => [
    type,
    new Set(type === 'serverless' ? metrics : [...metrics, 'multi']),
  ]),
);

const concurrency: RuleOf<WorkloadView> = {
  id: 'W14',
  section: 'workload.autoscaling',
  title: 'Only serverless workloads scale by concurrency.',
  severity: 'error',
  fix: 'Choose cpu, memory, rps, latency or keda.',
  record({ type, options }, report) {
    if (type !== 'stateful' && type !== 'standard') return;
    for (const { metric, pointer } of options) {
      if (metric === 'concurrency') {
        report([...pointer, 'autoscaling', 'metric'], `a ${type} workload cannot scale by concurrency`);
      }
    }
  },
};

const metric: RuleOf<WorkloadView> = {
  id: 'W15',
  section: 'workload.autoscaling',
  title: 'The metric of autoscaling is one of those of the type.',
  severity: 'error',
  fix: 'Choose a metric of the type, or another type of workload.',
  record({ type, options }, report) {
    const allowed = allowedByType.get(type);
    if (allowed === undefined) return;
    for (const { metric, autoscaling, pointer } of options) {
      if (metric !== undefined && metric !== 'concurrency' && !allowed.has(metric)) {
        const text = `a ${type} workload cannot scale by ${show(metric)}; possible are ${[...allowed].join(', ')}`;
        report([...pointer, 'autoscaling', 'metric'], text);
      }
      if (holdsSomething(autoscaling, 'multi') && !allowed.has('multi')) {
        report([...pointer, 'autoscaling', 'multi'], `a ${type} workload cannot scale by several metrics`);
      }
    }
  },
};

function scalesToZero({ autoscaling }: OptionsView): boolean {
  return numberAt(autoscaling, 'minScale') === 0;
}

const toZero: RuleOf<WorkloadView> = {
  id: 'W16',
  section: 'workload.autoscaling',
  title: 'Only serverless workloads scale to zero, and stateful ones with keda.',
  severity: 'error',
  fix: 'Set minScale to 1 or more, or use the type serverless.',
  record({ type, options }, report) {
    if (type !== 'standard' && type !== 'stateful') return;
    for (const option of options) {
      if (scalesToZero(option) && !option.usesKeda) {
        report([...option.pointer, 'autoscaling', 'minScale'], `a ${type} workload cannot scale to zero`);
      }
    }
  },
};

const toZeroByKeda: RuleOf<WorkloadView> = {
  id: 'W16.keda',
  section: 'workload.autoscaling',
  title: 'Standard workloads do not scale to zero, not even with keda.',
  severity: 'error',
  lenient: true,
  fix: 'Set minScale to 1 or more, or use the type serverless or stateful.',
  record({ type, options }, report) {
    if (type !== 'standard') return;
    for (const option of options) {
      if (scalesToZero(option) && option.usesKeda) {
        report([...option.pointer, 'autoscaling', 'minScale'], 'a standard workload cannot scale to zero');
      }
    }
  },
};

const order: RuleOf<WorkloadView> = {
  id: 'W17',
  section: 'workload.autoscaling',
  title: 'minScale is at most maxScale; one alone is compared with the default of the other (1 and 5).',
  severity: 'error',
  fix: 'Lower minScale, or raise maxScale; write both where the default of one does not fit.',
  record({ options }, report) {
    for (const { autoscaling, pointer } of options) {
      const [least, most] = [numberAt(autoscaling, 'minScale'), numberAt(autoscaling, 'maxScale')];
      if ((least ?? usualScale.minScale) <= (most ?? usualScale.maxScale)) continue;
      const field = least === undefined ? 'maxScale' : 'minScale';
      const text =
        least === undefined
          ? `maxScale ${most} may not be less than minScale, which is ${usualScale.minScale} where it is left out`
          : most === undefined
            ? `minScale ${least} may not be more than maxScale, which is ${usualScale.maxScale} where it is left out`
            : `minScale ${least} may not be more than maxScale ${most}`;
      report([...pointer, 'autoscaling', field], text);
    }
  },
};

const multiAlone: RuleOf<WorkloadView> = {
  id: 'W18',
  section: 'workload.autoscaling',
  title: 'autoscaling.multi excludes metric and target.',
  severity: 'error',
  fix: 'Remove metric and target, or multi.',
  record({ options }, report) {
    for (const { autoscaling, pointer } of options) {
      if (!holdsSomething(autoscaling, 'multi')) continue;
      for (const key of ['metric', 'target'] as const) {
        if (Object.hasOwn(autoscaling, key))
          report([...pointer, 'autoscaling', key], `${key} cannot be combined with multi`);
      }
    }
  },
};

const targetWithKeda: RuleOf<WorkloadView> = {
  id: 'W19',
  section: 'workload.autoscaling',
  title: 'Keda has its own targets: autoscaling.target is not allowed with it.',
  severity: 'warning',
  fix: 'Remove autoscaling.target.',
  record({ options }, report) {
    for (const { autoscaling, pointer, usesKeda } of options) {
      if (usesKeda && Object.hasOwn(autoscaling, 'target')) {
        report([...pointer, 'autoscaling', 'target'], 'target cannot be combined with keda');
      }
    }
  },
};

const shares: ReadonlySet<string> = new Set(['cpu', 'memory']);

const targetShare: RuleOf<WorkloadView> = {
  id: 'workload.target',
  section: 'workload.autoscaling',
  title: 'The target of cpu and memory is a percentage, at most 100; multi lists each metric once.',
  severity: 'error',
  fix: 'Use a target of 1 to 100, and each metric once.',
  record({ options }, report) {
    for (const { autoscaling, pointer, metric } of options) {
      const target = numberAt(autoscaling, 'target');
      const at = [...pointer, 'autoscaling'];
      if (target !== undefined && target > 100 && shares.has(metric ?? '')) {
        report([...at, 'target'], `the target ${target} of ${metric} may not be more than 100 %`);
      }
      const multi = itemsAt(autoscaling, 'multi');
      for (const { index, value } of multi) {
        const share = numberAt(value, 'target') ?? 0;
        if (share > 100 && shares.has(stringAt(value, 'metric') ?? '')) {
          report(
            [...at, 'multi', index, 'target'],
            `the target ${share} of ${stringAt(value, 'metric')} may not be more than 100 %`,
          );
        }
      }
      eachRepeated(
        multi,
        ({ value }) => stringAt(value, 'metric'),
        ({ index }, name) => report([...at, 'multi', index], `the metric ${show(name)} may be listed only once`),
      );
    }
  },
};

/** Trigger types that keda cannot fall back from (platform/workload.rules). */
const ownMetrics: ReadonlySet<string> = new Set(['cpu', 'memory']);

const keda: RuleOf<WorkloadView> = {
  id: 'W36',
  section: 'workload.autoscaling',
  title:
    'Keda: standard or stateful workloads, in a GVC where it is enabled; a fallback ' +
    'needs an AverageValue trigger other than cpu and memory.',
  severity: 'warning',
  fix:
    'Enable keda in the GVC (spec.keda.enabled: true), use the type standard or ' +
    'stateful, and add a trigger that the fallback can use.',
  record({ type, options }, report) {
    for (const { autoscaling, pointer } of options) {
      const block = own(autoscaling, 'keda');
      if (!isObject(block)) continue;
      const at = [...pointer, 'autoscaling', 'keda'];
      if (type !== 'standard' && type !== 'stateful') report(at, `a ${type} workload cannot use keda`);
      if (!Object.hasOwn(block, 'fallback')) continue;
      const usable = itemsAt(block, 'triggers').some(
        ({ value }) =>
          !ownMetrics.has(stringAt(value, 'type') ?? '') &&
          (stringAt(value, 'metricType') ?? 'AverageValue') === 'AverageValue',
      );
      if (!usable) report([...at, 'fallback'], 'the fallback needs an AverageValue trigger other than cpu and memory');
    }
  },
  related({ context, options }, related, report) {
    const user = options.find(({ usesKeda }) => usesKeda);
    if (user === undefined || context.gvc === undefined) return;
    const gvc = known(related.get({ kind: 'gvc', name: context.gvc }));
    if (gvc === undefined) return;
    if (own(objectAt(objectAt(gvc, 'spec'), 'keda'), 'enabled') !== true) {
      report([...user.pointer, 'autoscaling'], `keda must be enabled in the GVC ${show(context.gvc)}`);
    }
  },
};

export const scalingRules = ruleGroup(['workload'], workloadView, [
  concurrency,
  metric,
  toZero,
  toZeroByKeda,
  order,
  multiAlone,
  targetWithKeda,
  targetShare,
  keda,
]);
