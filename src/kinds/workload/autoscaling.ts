import {
  constant,
  fields,
  flag,
  integer,
  keyed,
  link,
  map,
  nameOrObject,
  oneOf,
  optional,
  proposedKey,
  service,
  text,
  textLike,
} from '../../schema/facts/define.ts';
import { movesCapacity, reserves, reservesIfSet, reservesMost, sharesLoad } from '../../schema/facts/riskFacts.ts';

const metricTypes = ['AverageValue', 'Value', 'Utilization'] as const;

const trigger = fields({
  type: text({}, { minLength: 1 }),
  metadata: optional(map(textLike())),
  name: optional(text()),
  useCachedMetrics: optional(flag(constant(false))),
  metricType: optional(oneOf(metricTypes, constant('AverageValue'))),
  authenticationRef: optional(fields({ name: link(['secret'], 'soft', { orName: true, needed: true }) })),
});

const keda = fields({
  triggers: optional(keyed(trigger, proposedKey('name'))),
  advanced: optional(
    fields({
      scalingModifiers: optional(
        fields({
          target: optional(text()),
          activationTarget: optional(text()),
          metricType: optional(oneOf(metricTypes, constant('AverageValue'))),
          formula: optional(text()),
        }),
      ),
    }),
  ),
  fallback: optional(
    fields({
      failureThreshold: integer({}, { minimum: 0 }),
      replicas: integer(reservesIfSet, { minimum: 0 }),
      behavior: optional(
        oneOf(['static', 'currentReplicas', 'currentReplicasIfHigher', 'currentReplicasIfLower'], constant('static')),
      ),
    }),
  ),
  pollingInterval: optional(integer({}, { minimum: 1 })),
  cooldownPeriod: optional(integer({}, { minimum: 1 })),
  initialCooldownPeriod: optional(integer({}, { minimum: 1 })),
});

const multi = keyed(
  fields({
    // The specification types it as an object that it does not show; the public clients send a name.
    metric: nameOrObject(['cpu', 'memory', 'rps']),
    target: integer(sharesLoad, { minimum: 1, maximum: 20_000 }),
  }),
  { ...proposedKey('metric'), compare: 'ignoreCase' },
);

/**
 * How replicas are added (platform/workload.options, platform/workload.autoscaling). Metric, target and the two scales
 * are the platform's choice when omitted: never a difference.
 */
export const autoscaling = fields(
  {
    metric: optional(
      oneOf(['concurrency', 'cpu', 'memory', 'rps', 'latency', 'keda', 'disabled'], {
        ...service,
        derive: 'autoscalingMetric',
        notBeside: ['multi', 'keda'],
        stored: true,
      }),
    ),
    multi: optional(multi),
    metricPercentile: optional(oneOf(['p50', 'p75', 'p99'], service)),
    target: optional(
      integer(
        { ...service, ...sharesLoad, derive: 'autoscalingTarget', notBeside: ['multi', 'keda'], stored: true },
        { minimum: 1, maximum: 20_000 },
      ),
    ),
    minScale: optional(integer({ ...service, ...reserves }, { minimum: 0 })),
    maxScale: optional(integer({ ...service, ...reservesMost }, { minimum: 0 })),
    scaleToZeroDelay: optional(integer({ ...constant(300), ...reserves }, { minimum: 30, maximum: 3600 })),
    maxConcurrency: optional(integer(constant(0), { minimum: 0, maximum: 30_000 })),
    keda: optional(keda),
  },
  movesCapacity,
);
