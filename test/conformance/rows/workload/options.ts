import { expect } from 'vitest';
import { isObject, type JsonObject } from '../../../../src/base/json/json.ts';
import { absentOr, type Field, fieldRow, problemPaths } from '../../harness/fieldRows.ts';
import { east, makeGvc, makeSecret, makeWorkload, specOf, town } from '../../harness/fixtures.ts';
import { at, joined, nest } from '../../harness/place.ts';
import { type Part, parted, partOf, type Row, row } from '../../harness/row.ts';
import { workloadWith } from '../../harness/subjects.ts';
import type { Wire } from '../../harness/wire.ts';

const standard = workloadWith('standard');
const serverless = workloadWith('serverless');

const external = 'spec/firewallConfig/external';
const cidrs: Field = { value: ['10.0.0.0/8', '192.168.1.0/24'], next: ['10.1.0.0/16'], wrong: ['ten'] };

// biome-ignore format: a row is a case
const firewallRows: readonly Row[] = [
  ...['inboundAllowCIDR', 'inboundBlockedCIDR', 'outboundAllowCIDR', 'outboundBlockedCIDR'].map((field) =>
    fieldRow(
      `workload.firewall/external.${field}`,
      `${field} is a list of address blocks`,
      standard,
      `${external}/${field}`,
      cidrs,
    ),
  ),
  fieldRow('workload.firewall/external.outboundAllowHostname', 'outboundAllowHostname is a list of host names',
    standard, `${external}/outboundAllowHostname`,
    { value: ['*.example.com', 'a.example.com'], next: ['b.example.com'], wrong: { host: 'a' } }),
  fieldRow('workload.firewall/external.outboundAllowPort', 'outboundAllowPort is a list of protocol and number',
    standard, `${external}/outboundAllowPort`,
    { value: [{ protocol: 'tcp', number: 5432 }], next: [{ protocol: 'https', number: 443 }],
      wrong: [{ protocol: 'udp', number: 53 }] }),
  parted(
    'workload.firewall/external.http',
    'inboundHeaderFilter allows or blocks values of a header',
    ...['allowedValues', 'blockedValues'].map(
      (list): Part => partOf(`a header filter has ${list}`, async (wire) => {
        const filter = nest(`firewallConfig/external/http/inboundHeaderFilter`, [{ key: 'x-a', [list]: ['^b$'] }]);
        const workload = await makeWorkload(wire, await town(wire), specOf('standard', filter));
        const shown = at(await wire.get(workload), `${external}/http/inboundHeaderFilter`);
        expect(shown).toEqual([{ key: 'x-a', [list]: ['^b$'] }]);
      }),
    ),
    partOf('a header filter with both lists is refused', async (wire) => {
      const both = [{ key: 'x-a', allowedValues: ['a'], blockedValues: ['b'] }];
      const spec = specOf('standard', nest('firewallConfig/external/http/inboundHeaderFilter', both));
      await wire.refused(400, 'POST', `gvc/${await town(wire)}/workload`, { name: wire.name('work'), spec });
    }),
  ),
  fieldRow('workload.firewall/internal.inboundAllowType',
    'inboundAllowType is none, same-gvc, same-org or workload-list', standard,
    'spec/firewallConfig/internal/inboundAllowType', { value: 'none', next: 'same-org', wrong: 'all' }),
  fieldRow('workload.firewall/internal.inboundAllowWorkload',
    'inboundAllowWorkload is a list of links to workloads, which need not exist',
    workloadWith('standard', { firewallConfig: { internal: { inboundAllowType: 'workload-list' } } }),
    'spec/firewallConfig/internal/inboundAllowWorkload',
    { value: ['//gvc/other/workload/none'], stored: ['/org/local/gvc/other/workload/none'], next: [], wrong: 'none' }),
];

const options: Readonly<Record<string, Field & { readonly says: string }>> = {
  autoscaling: { says: 'an object', value: { minScale: 2, maxScale: 3 }, next: { maxScale: 4 }, wrong: 'on' },
  timeoutSeconds: { says: 'an integer', value: 10, next: 3600, wrong: 3601 },
  capacityAI: { says: 'a boolean', value: true, next: false, wrong: 'maybe' },
  capacityAIUpdateMinutes: { says: 'an integer of at least 2', value: 5, next: 6, wrong: 1 },
  spot: { says: 'a boolean', value: true, next: false, wrong: 7 },
  debug: { says: 'a boolean', value: true, next: false, wrong: 'much' },
  suspend: { says: 'a boolean', value: true, next: false, wrong: 'later' },
  multiZone: { says: 'an object with enabled', value: { enabled: true }, next: { enabled: false }, wrong: true },
};

const optionRows: readonly Row[] = Object.entries(options).flatMap(([field, { says, ...more }]) => [
  fieldRow(`workload.options/${field}`, `${field} is ${says}`, standard, `spec/defaultOptions/${field}`, more),
  row(`workload.options/${field} local`, `${field} is also an option of one location`, async (wire) => {
    if (typeof more.value === 'function') throw new Error('local options are tested with plain values');
    const localOptions = [{ location: east, [field]: more.value }];
    const workload = await makeWorkload(wire, await town(wire), specOf('standard', { localOptions }));
    expect(at(await wire.get(workload), 'spec/localOptions')).toMatchObject(localOptions);
  }),
]);

const scaling = 'spec/defaultOptions/autoscaling';
const noAi = (autoscaling: JsonObject): JsonObject => ({ defaultOptions: { capacityAI: false, autoscaling } });

// biome-ignore format: a row is a case
const scalingRows: readonly Row[] = [
  parted(
    'workload.options/autoscaling.metric',
    'metric is one by which the type can be scaled',
    ...Object.entries({
      serverless: ['concurrency', 'cpu', 'memory', 'rps', 'disabled'],
      standard: ['cpu', 'memory', 'rps', 'latency', 'disabled'],
      stateful: ['cpu', 'memory', 'rps', 'latency', 'disabled'],
    }).map(
      ([type, metrics]): Part =>
        partOf(`a ${type} workload may be scaled by ${metrics.join(', ')}`, async (wire) => {
          for (const metric of metrics) {
            const workload = await makeWorkload(wire, await town(wire), specOf(type, noAi({ metric })));
            expect(at(await wire.get(workload), `${scaling}/metric`)).toBe(metric);
          }
        }),
    ),
    partOf('an unknown metric, and a metric of another type, are refused', async (wire) => {
      const bad: readonly [string, string][] = [
        ['serverless', 'latency'],
        ['standard', 'concurrency'],
        ['stateful', 'concurrency'],
        ['standard', 'wind'],
      ];
      for (const [type, metric] of bad) await refusedScaling(wire, type, { metric }, 'metric');
    }),
  ),
  row('workload.options/autoscaling.multi', 'multi is a list of metrics and targets, not one metric', async (wire) => {
      const multi = [
        { metric: 'cpu', target: 80 },
        { metric: 'memory', target: 70 },
      ];
      const workload = await makeWorkload(wire, await town(wire), specOf('standard', noAi({ multi })));
      expect(at(await wire.get(workload), `${scaling}/multi`)).toEqual(multi);
      await refusedScaling(wire, 'standard', { multi, metric: 'cpu' }, 'autoscaling');
  }),
  fieldRow('workload.options/autoscaling.metricPercentile', 'metricPercentile is p50, p75 or p99',
    workloadWith('standard', noAi({ metric: 'latency' })), `${scaling}/metricPercentile`,
    { value: 'p50', next: 'p99', wrong: 'p98' }),
  integerRow('target', 100, 95, 20_001),
  integerRow('maxScale', 7, 8, -1),
  integerRow('minScale', 2, 3, -1),
  integerRow('scaleToZeroDelay', 30, 3600, 29),
  integerRow('maxConcurrency', 10, 0, 30_001),
  row(
    'workload.options/autoscaling.defaults',
    'omitted members of autoscaling are absent, or have the documented defaults',
    async (wire) => {
      const spec = specOf('serverless', { defaultOptions: { autoscaling: { minScale: 1 } } });
      const shown = at(await wire.get(await makeWorkload(wire, await town(wire), spec)), scaling);
      absentOr(shown, { metric: 'concurrency', target: 95, maxScale: 5, scaleToZeroDelay: 300, maxConcurrency: 0 });
    },
  ),
  ...kedaRows(),
];

function integerRow(field: string, value: number, next: number, wrong: number): Row {
  const statement = `${field} is an integer`;
  return fieldRow(`workload.options/autoscaling.${field}`, statement, serverless, `${scaling}/${field}`, {
    value,
    next,
    wrong,
  });
}

async function refusedScaling(wire: Wire, type: string, autoscaling: JsonObject, member: string): Promise<void> {
  const spec = specOf(type, noAi(autoscaling));
  const error = await wire.refused(400, 'POST', `gvc/${await town(wire)}/workload`, { name: wire.name('work'), spec });
  expect(problemPaths(error)).toContain(member);
}

function kedaRows(): readonly Row[] {
  const trigger = {
    type: 'redis',
    name: 'queue',
    metadata: { listName: 'jobs' },
    metricType: 'AverageValue',
    useCachedMetrics: true,
  };
  const members: Readonly<Record<string, readonly [statement: string, value: JsonObject]>> = {
    advanced: [
      'advanced holds the scaling modifiers',
      {
        advanced: {
          scalingModifiers: { target: '2', activationTarget: '1', metricType: 'AverageValue', formula: 'queue * 2' },
        },
      },
    ],
    fallback: [
      'fallback has a threshold, a number of replicas and a behavior',
      { fallback: { failureThreshold: 3, replicas: 2, behavior: 'static' } },
    ],
    pollingInterval: ['pollingInterval is an integer', { pollingInterval: 30 }],
    cooldownPeriod: ['cooldownPeriod is an integer', { cooldownPeriod: 300 }],
    initialCooldownPeriod: ['initialCooldownPeriod is an integer', { initialCooldownPeriod: 10 }],
  };
  return [
    row(
      'workload.options/autoscaling.keda.triggers',
      'triggers have type, metadata, name and a secret to log in with',
      async (wire) => {
        const secret = await makeSecret(wire, 'opaque');
        const triggers = [{ ...trigger, authenticationRef: { name: secret.split('/').at(-1) ?? '' } }];
        const shown = await scaledByKeda(wire, { triggers }, secret);
        expect(at(shown, 'triggers')).toEqual(triggers);
      },
    ),
    ...Object.entries(members).map(([member, [statement, value]]) =>
      row(`workload.options/autoscaling.keda.${member}`, statement, async (wire) => {
        const shown = await scaledByKeda(
          wire,
          joined({ triggers: [trigger] }, value),
          await makeSecret(wire, 'opaque'),
        );
        expect(shown).toMatchObject(value);
      }),
    ),
  ];
}

/** The shown keda block of a workload in a GVC that allows it. */
async function scaledByKeda(wire: Wire, keda: JsonObject, secret: string): Promise<JsonObject> {
  const gvc = await makeGvc(wire, { keda: { enabled: true, secrets: [secret] } });
  const workload = await makeWorkload(wire, gvc, specOf('standard', noAi({ metric: 'keda', keda })));
  const shown = at(await wire.get(workload), `${scaling}/keda`);
  if (!isObject(shown)) throw new Error('keda is not shown');
  return shown;
}

export const workloadOptionRows: readonly Row[] = [...firewallRows, ...optionRows, ...scalingRows];
