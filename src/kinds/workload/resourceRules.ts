import { isObject, type JsonObject, numberAt, objectAt, own, stringAt } from '../../base/json/json.ts';
import { metricsByType } from '../../schema/facts/workloadTypes.ts';
import { eachRepeated, holdsSomething, isTrue, itemsAt, show, tagIsTrue } from '../../schema/rules/reading.ts';
import { known, type RuleOf, ruleGroup } from '../../schema/rules/rule.ts';
import { usualScale } from './replicaBounds.ts';
import { type ContainerView, mebibyte, type OptionsView, type WorkloadView, workloadView } from './workloadView.ts';

const gibibyte = 1024 ** 3;

/** The resource range of a container; `usual`: the default upper end. */
const ranges = [
  { least: 'minCpu', most: 'cpu', usual: '50m', distance: 4000, text: '4000m' },
  { least: 'minMemory', most: 'memory', usual: '128Mi', distance: 4096 * mebibyte, text: '4096Mi' },
] as const;

const statefulRange: RuleOf<WorkloadView> = {
  id: 'W21',
  section: 'workload.resources',
  title:
    'Stateful: cpu is at most 4000m above minCpu and at most 4 times it; ' +
    'memory at most 4096Mi above minMemory and 4 times it.',
  severity: 'error',
  fix: 'Raise the minimum or lower the maximum.',
  record({ type, containers }, report) {
    if (type !== 'stateful') return;
    for (const { value, pointer, label, amounts } of containers) {
      for (const { least, most, usual, distance, text } of ranges) {
        const [from, to] = [amounts[least], amounts[most]];
        if (from === undefined || to === undefined || !tooFarApart(from, to, distance)) continue;
        report(
          [...pointer, least],
          `${least} ${show(own(value, least))} of the container ${label} is too far below ${most} ` +
            `${show(own(value, most) ?? usual)}: at most ${text}, and at most 1:4`,
        );
      }
    }
  },
};

/**
 * Whether the values are more than `distance` apart, or their ratio is above 1 to 4 (platform/volumeset,
 * platform/concepts.limits).
 */
function tooFarApart(least: number, most: number, distance: number): boolean {
  return most - least > distance || most > least * 4;
}

const minimumBelow: RuleOf<WorkloadView> = {
  id: 'W22',
  section: 'workload.resources',
  title: 'minCpu is at most cpu, and minMemory at most memory.',
  severity: 'error',
  fix: 'Lower the minimum, or raise cpu or memory.',
  record({ containers }, report) {
    for (const { value, pointer, label, amounts } of containers) {
      for (const { least, most } of ranges) {
        const [from, to] = [amounts[least], amounts[most]];
        if (from === undefined || to === undefined || from <= to) continue;
        const text = `${least} ${show(own(value, least))} of the container ${label} must not be more than its ${most}`;
        report([...pointer, least], text);
      }
    }
  },
};

const relaxTag = 'scheme/relaxMemoryToCpuRatio';

const least = { cpu: 25, minCpu: 25, memory: 32 * mebibyte, minMemory: 32 * mebibyte } as const;

const memoryToCpu: RuleOf<WorkloadView> = {
  id: 'W23',
  section: 'workload.resources',
  title: `A container has at most 8 MiB of memory per millicore (32 with the tag ${relaxTag}).`,
  severity: 'error',
  fix: `Raise cpu, lower memory, or set the tag ${relaxTag}: true.`,
  record({ record, containers }, report) {
    const most = tagIsTrue(record, relaxTag) ? 32 : 8;
    for (const { value, pointer, label, amounts } of containers) {
      const { cpu, memory } = amounts;
      if (cpu === undefined || cpu < least.cpu || memory === undefined || memory <= most * cpu * mebibyte) continue;
      const text =
        `the container ${label} may have at most ${most} MiB of memory per millicore (cpu ` +
        `${show(own(value, 'cpu') ?? '50m')}, memory ${show(own(value, 'memory'))})`;
      report([...pointer, 'memory'], text);
    }
  },
};

const cores = { smallest: '25m', hint: 'Give at least 25m: millicores such as 100m, or cores such as 0.1.' } as const;
const bytes = { smallest: '32Mi', hint: 'Give at least 32Mi: bytes with their unit, such as 128Mi or 1Gi.' } as const;

const smallest: RuleOf<WorkloadView> = {
  id: 'W24',
  section: 'workload.resources',
  title: 'cpu and minCpu are at least 25m, memory and minMemory at least 32Mi.',
  severity: 'error',
  fix: 'Raise it to the least amount.',
  record({ containers }, report) {
    for (const { value, pointer, label, amounts } of containers) {
      for (const key of ['cpu', 'minCpu', 'memory', 'minMemory'] as const) {
        const written = own(value, key);
        if (typeof written !== 'string' && typeof written !== 'number') continue;
        const number = amounts[key];
        const text = `${key} ${show(written)} of the container ${label}`;
        const { smallest, hint } = key === 'cpu' || key === 'minCpu' ? cores : bytes;
        if (number === undefined) report([...pointer, key], `${text} is not a valid quantity`, hint);
        else if (number < least[key]) report([...pointer, key], `${text} must be at least ${smallest}`, hint);
      }
    }
  },
};

/**
 * The minimum that one GPU of a model needs and the maximum that it supports: millicores and bytes
 * (platform/workload.rules, rule W25).
 */
const gpuModels: ReadonlyMap<
  string,
  { cpu: readonly [number, number]; memory: readonly [number, number]; needs: string }
> = new Map([
  [
    't4',
    {
      cpu: [2000, 8000],
      memory: [7 * gibibyte, 31 * gibibyte],
      needs: 'cpu 2000m to 8000m and memory 7Gi to 31Gi per GPU',
    },
  ],
  [
    'a10g',
    {
      cpu: [6000, Number.POSITIVE_INFINITY],
      memory: [8 * gibibyte, 62 * gibibyte],
      needs: 'cpu from 6000m and memory 8Gi to 62Gi',
    },
  ],
]);

const gpu: RuleOf<WorkloadView> = {
  id: 'W25',
  section: 'workload.resources',
  title: 'A container with GPUs has the cpu and memory that they need; it has at most one a10g.',
  severity: 'error',
  fix: 'Set cpu and memory of the container to what its GPUs need.',
  record({ containers }, report) {
    for (const container of containers) {
      const nvidia = own(objectAt(container.value, 'gpu'), 'nvidia');
      if (isObject(nvidia))
        checkGpu(nvidia, container, (key, message) => report([...container.pointer, ...key], message));
    }
  },
};

function checkGpu(
  nvidia: JsonObject,
  { label, amounts }: ContainerView,
  report: (key: readonly string[], message: string) => void,
): void {
  const model = stringAt(nvidia, 'model');
  const needed = gpuModels.get(model ?? '');
  const quantity = numberAt(nvidia, 'quantity') ?? 1;
  if (model === undefined || needed === undefined || quantity <= 0) return;
  if (model === 'a10g' && quantity !== 1) {
    report(
      ['gpu', 'nvidia', 'quantity'],
      `the container ${label} requests ${quantity} GPUs of the model a10g; at most one is allowed`,
    );
    return;
  }
  for (const key of ['cpu', 'memory'] as const) {
    const [amount, [from, to]] = [amounts[key], needed[key]];
    if (amount !== undefined && (amount < from * quantity || amount > to * quantity))
      report([key], `the container ${label} with ${quantity} GPU ${model} needs ${needed.needs}`);
  }
}

const oneGpuForm: RuleOf<WorkloadView> = {
  id: 'W26',
  section: 'workload.resources',
  title: 'A container has gpu.nvidia or gpu.custom, not both.',
  severity: 'error',
  fix: 'Leave one of the two.',
  record({ containers }, report) {
    for (const { value, pointer, label } of containers) {
      const gpu = objectAt(value, 'gpu');
      if (Object.hasOwn(gpu, 'nvidia') && Object.hasOwn(gpu, 'custom')) {
        report([...pointer, 'gpu'], `the container ${label} cannot have both gpu.nvidia and gpu.custom`);
      }
    }
  },
};

const noCapacityAi: RuleOf<WorkloadView> = {
  id: 'W20',
  section: 'workload.capacity-ai',
  title: 'Capacity AI does not go with the metric cpu, with several metrics, or with GPUs.',
  severity: 'error',
  fix: 'Set capacityAI: false.',
  record({ containers, options }, report) {
    const usesGpu = containers.some(({ value }) => Object.hasOwn(value, 'gpu'));
    for (const { value, pointer, autoscaling, metric } of options) {
      if (!isTrue(value, 'capacityAI')) continue;
      const why =
        metric === 'cpu'
          ? 'the metric cpu'
          : Object.hasOwn(autoscaling, 'multi')
            ? 'several metrics'
            : usesGpu
              ? 'GPUs'
              : undefined;
      if (why !== undefined) report([...pointer, 'capacityAI'], `Capacity AI cannot be combined with ${why}`);
    }
  },
};

export const resourceRules = ruleGroup(['workload'], workloadView, [
  statefulRange,
  minimumBelow,
  memoryToCpu,
  smallest,
  gpu,
  oneGpuForm,
  noCapacityAi,
]);

/** By workload type (platform/workload.types); several metrics together are `multi`. */
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
          ? `maxScale ${most} must not be less than minScale, which is ${usualScale.minScale} where it is left out`
          : most === undefined
            ? `minScale ${least} must not be more than maxScale, which is ${usualScale.maxScale} where it is left out`
            : `minScale ${least} must not be more than maxScale ${most}`;
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
        report([...at, 'target'], `the target ${target} of ${metric} must not be more than 100 %`);
      }
      const multi = itemsAt(autoscaling, 'multi');
      for (const { index, value } of multi) {
        const share = numberAt(value, 'target') ?? 0;
        if (share > 100 && shares.has(stringAt(value, 'metric') ?? '')) {
          report(
            [...at, 'multi', index, 'target'],
            `the target ${share} of ${stringAt(value, 'metric')} must not be more than 100 %`,
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
