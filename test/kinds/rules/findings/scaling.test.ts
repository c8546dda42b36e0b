import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { isSuspendedIn, optionsIn, replicaBounds } from '../../../../src/kinds/workload/replicaBounds.ts';
import { keda, kedaOn, multi, of, scaled, scaling, shop } from '../cases/workloadRecords.ts';
import { findings } from './findings.ts';

/** The same autoscaling by default and in one location. */
const inLocation = (type: string, autoscaling: JsonObject) =>
  of(type, {}, { localOptions: [{ location: 'aws-us-east-1', autoscaling }] });
const localScaling = 'spec.localOptions.aws-us-east-1.autoscaling';

// biome-ignore format: a row is a case
findings('workload', {
  W14: [
    ['checks the options of locations', inLocation('standard', { metric: 'concurrency' }),
      { [`${localScaling}.metric`]: 'a standard workload cannot scale by concurrency' }],
    ['accepts other metrics', scaled('stateful', { metric: 'rps' }), {}],
    ['reports nothing about cron, whose autoscaling has no effect', scaled('cron', { metric: 'concurrency' }), {}],
  ],
  W15: [
    ...(
      [
        ['serverless', ['concurrency', 'cpu', 'memory', 'rps', 'disabled'], ['latency', 'keda', 'multi']],
        ['standard', ['cpu', 'memory', 'rps', 'latency', 'keda', 'disabled'], ['requests']],
        ['stateful', ['cpu', 'memory', 'rps', 'latency', 'keda', 'disabled'], ['requests']],
        ['cron', ['latency'], []],
        ['vm', ['latency'], []],
      ] as const
    ).flatMap(([type, taken, refused]) => [
      ...taken.map((metric) => [`${type} takes ${metric} (platform/workload.types)`, scaled(type, { metric }),
          {}] as const),
      ...refused.map((metric) => [`${type} refuses ${metric} (platform/workload.types)`, scaled(type, { metric }),
          { [`${scaling}.metric`]: `a ${type} workload cannot scale by "${metric}"` }] as const),
    ]),
    ['names those that are possible', scaled('serverless', { metric: 'latency' }),
      { [`${scaling}.metric`]: 'possible are concurrency, cpu, memory, rps, disabled' }],
    ['accepts an empty list of metrics', scaled('serverless', { multi: [] }), {}],
    ['accepts several metrics on standard', scaled('standard', { multi }), {}],
    ['leaves concurrency to W14', scaled('standard', { metric: 'concurrency' }), {}],
  ],
  W16: [
    ...(['serverless', 'cron', 'vm'] as const).map((type) => [`is not about ${type}`, scaled(type, { minScale: 0 }),
        {}] as const),
    ['refuses it in a location', inLocation('stateful', { minScale: 0 }),
      { [`${localScaling}.minScale`]: 'a stateful workload' }],
    ['accepts one replica', scaled('stateful', { minScale: 1 }), {}],
    ['accepts the metric keda without its block', scaled('stateful', { minScale: 0, metric: 'keda' }), {}],
    ['accepts a block of keda without the metric', scaled('stateful', { minScale: 0, keda: { triggers: [] } }), {}],
    ['leaves keda on standard to W16.keda', scaled('standard', keda({}, { minScale: 0 })), {}],
  ],
  'W16.keda': [
    ['is not about stateful (platform/workload.types)', scaled('stateful', keda({}, { minScale: 0 })), {}],
    ['leaves standard without keda to W16', scaled('standard', { minScale: 0 }), {}],
  ],
  W17: [
    ['accepts one that fits the default of the other', scaled('standard', { minScale: 5 }), {}],
    ['accepts the other bound', scaled('standard', { maxScale: 1 }), {}],
    ['compares minScale alone with the default of maxScale', scaled('standard', { minScale: 6 }),
      { [`${scaling}.minScale`]: 'minScale 6 must not be more than maxScale, which is 5 where it is left out' }],
    ['compares maxScale alone with the default of minScale', scaled('standard', { maxScale: 0 }),
      { [`${scaling}.maxScale`]: 'maxScale 0 must not be less than minScale, which is 1 where it is left out' }],
    ['names both', scaled('standard', { minScale: 3, maxScale: 2 }),
      { [`${scaling}.minScale`]: 'minScale 3 must not be more than maxScale 2' }],
  ],
  W18: [
    ['refuses the target too', scaled('standard', { multi, target: 5 }),
      { [`${scaling}.target`]: 'target cannot be combined' }],
    ['accepts both beside an empty list', scaled('standard', { multi: [], metric: 'cpu', target: 5 }), {}],
    ['accepts the rest beside several metrics', scaled('standard', { multi, minScale: 1 }), {}],
  ],
  W19: [['takes a target without keda', scaled('standard', { metric: 'cpu', target: 5 }), {}]],
  'workload.target': [
    ['accepts 100 % of cpu and of memory',
      scaled('standard', { multi: [{ metric: 'cpu', target: 100 }, { metric: 'memory', target: 100 }] }), {}],
    ['accepts 100 % of one metric', scaled('standard', { metric: 'memory', target: 100 }), {}],
    ['accepts any target without a metric', scaled('standard', { target: 101 }), {}],
    ['refuses more of memory', scaled('standard', { metric: 'memory', target: 101 }),
      { [`${scaling}.target`]: 'the target 101 of memory must not be more than 100 %' }],
    ['checks each of several metrics',
      scaled('standard',
        { multi: [{ metric: 'rps', target: 101 }, { metric: 'cpu', target: 102 }, { metric: 'memory' }, { target: 103 },
            {}] }), { [`${scaling}.multi.cpu.target`]: 'the target 102 of cpu must not be more than 100 %' }],
    ['accepts a list of other metrics', scaled('standard', { multi: [{ metric: 'cpu' }, { metric: 'rps' }] }), {}],
  ],
  W36: [
    ['accepts keda on standard', scaled('standard', keda({})), {}],
    ['refuses it on cron', scaled('cron', keda({})), { [`${scaling}.keda`]: 'a cron workload cannot use keda' }],
    ['accepts a fallback beside a trigger of AverageValue',
      scaled('standard',
        keda({ triggers: [{ type: 'cpu' }, { type: 'redis', metricType: 'AverageValue' }], fallback: {} })), {}],
    ...(
      [
        ['a trigger of another type', { type: 'redis', metricType: 'Value' }],
        ['a trigger of cpu', { type: 'cpu', metricType: 'AverageValue' }],
        ['a trigger of memory', { type: 'memory' }],
      ] as const
    ).map(
      ([it, trigger]) =>
        [
          `refuses a fallback with only ${it} (platform/workload.autoscaling)`,
          scaled('standard', keda({ triggers: [trigger], fallback: {} })),
          { [`${scaling}.keda.fallback`]: 'needs an AverageValue trigger' },
        ] as const,
    ),
    ['accepts a GVC with keda', scaled('standard', keda({})), {}, { others: [kedaOn] }],
    ['names the GVC if it is off', scaled('standard', keda({})),
      { [scaling]: 'keda must be enabled in the GVC "shop"' }, { others: [shop({})] }],
    ['reports nothing about a missing GVC', scaled('standard', keda({})), {}, { absent: ['gvc/shop'] }],
    ['reports nothing if the GVC is unknown', scaled('standard', keda({})), {},
      { others: [shop({})], context: { org: 'acme' } }],
  ],
  W37: [
    ...(
      [
        ['accepts a secret that is listed', 'queue'],
        ['accepts it as a link', '//secret/queue'],
      ] as const
    ).map(
      ([it, name]) =>
        [
          it,
          scaled('standard', keda({ triggers: [{ type: 'redis', name: 't', authenticationRef: { name } }] })),
          {},
          { others: [kedaOn] },
        ] as const,
    ),
    ['reports nothing about an unknown GVC',
      scaled('standard', keda({ triggers: [{ type: 'redis', name: 't', authenticationRef: { name: 'x' } }] })), {}],
    ['accepts a trigger without authentication', scaled('standard', keda({})), {}, { others: [kedaOn] }],
    ['names the GVC and the secret',
      scaled('standard',
        keda({ triggers: [{ type: 'redis', name: 't', authenticationRef: { name: '//secret/other' } }] })),
      { [`${scaling}.keda.triggers.t.authenticationRef.name`]: 'the GVC "shop" must list the secret "other"' },
      { others: [kedaOn] }],
    [
      'checks all options if one of them uses keda',
      of(
        'standard',
        {},
        {
          defaultOptions: { autoscaling: { metric: 'cpu' } },
          localOptions: [
            { location: 'l',
              autoscaling: keda({ triggers: [{ type: 'redis', name: 't', authenticationRef: { name: 'other' } }] }) },
          ],
        },
      ),
      { 'spec.localOptions.l.autoscaling.keda.triggers.t.authenticationRef.name': '"other"' },
      { others: [kedaOn] },
    ],
    ['reports nothing about a missing GVC',
      scaled('standard', keda({ triggers: [{ type: 'redis', name: 't', authenticationRef: { name: 'x' } }] })), {},
      { absent: ['gvc/shop'] }],
    ['reports nothing if the GVC is unknown',
      scaled('standard', keda({ triggers: [{ type: 'redis', name: 't', authenticationRef: { name: 'x' } }] })), {},
      { others: [kedaOn], context: { org: 'acme' } }],
  ],
});

const workload = of(
  'standard',
  {},
  {
    defaultOptions: { suspend: true, autoscaling: { minScale: 2, maxScale: 3 } },
    localOptions: [
      { location: '//location/near', autoscaling: { minScale: 9 } },
      { location: 'far', suspend: true },
      {},
    ],
  },
);

test('the options of a location replace those by default as a whole (platform/workload.options)', () => {
  expect(optionsIn(workload, 'near')).toEqual({ location: '//location/near', autoscaling: { minScale: 9 } });
  expect(optionsIn(workload, 'elsewhere')).toEqual({ suspend: true, autoscaling: { minScale: 2, maxScale: 3 } });
  expect(['near', 'far', 'elsewhere'].map((location) => isSuspendedIn(workload, location))).toEqual([
    false,
    true,
    true,
  ]);
});

test('replicas are 1 to 5 by default, and never fewer than the minimum (platform/workload.autoscaling)', () => {
  expect(replicaBounds(workload, 'far')).toEqual({ min: 1, max: 5 });
  expect(replicaBounds(workload, 'elsewhere')).toEqual({ min: 2, max: 3 });
  expect(replicaBounds(workload, 'near')).toEqual({ min: 9, max: 9 });
});
