import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { type Demand, desiredScale } from '../../../src/server/workloads/decisions/scale.ts';

interface Case {
  readonly it: string;
  readonly type?: string;
  readonly options?: JsonObject;
  readonly local?: JsonObject;
  readonly demand?: Partial<Demand>;
  /** Seconds after the start of the demand. */
  readonly after?: number;
  readonly replicas: number;
}

// biome-ignore format: a row is a case
const cases: readonly Case[] = [
  { it: 'one replica by default', replicas: 1 },
  { it: 'minScale without a load', options: { autoscaling: { minScale: 3 } }, replicas: 3 },
  { it: 'none for a cron workload', type: 'cron', replicas: 0 },
  { it: 'none while suspended', options: { suspend: true, autoscaling: { minScale: 3 } }, replicas: 0 },
  { it: 'as many as the load needs, rounded up',
    options: { autoscaling: { metric: 'rps', target: 100, minScale: 1, maxScale: 10 } }, demand: { load: 301 },
    replicas: 4 },
  { it: 'never more than maxScale', options: { autoscaling: { metric: 'rps', target: 100, maxScale: 3 } },
    demand: { load: 1000 }, replicas: 3 },
  { it: 'never less than minScale', options: { autoscaling: { metric: 'rps', target: 100, minScale: 2, maxScale: 3 } },
    demand: { load: 1 }, replicas: 2 },
  { it: 'target 95 and maxScale 5 by default', demand: { load: 190 }, type: 'serverless', replicas: 2 },
  { it: 'at most 5 by default', demand: { load: 9000 }, type: 'serverless', replicas: 5 },
  { it: 'standard does not scale while Capacity AI is on', type: 'standard', demand: { load: 900 }, replicas: 1 },
  { it: 'standard scales by cpu if Capacity AI is off', type: 'standard', options: { capacityAI: false },
    demand: { load: 200 }, replicas: 3 },
  { it: 'stateful scales by cpu', type: 'stateful', demand: { load: 96 }, replicas: 2 },
  { it: 'a disabled metric scales by nothing', type: 'stateful', options: { autoscaling: { metric: 'disabled' } },
    demand: { load: 900 }, replicas: 1 },
  { it: 'of several metrics, the one that needs most replicas counts', type: 'stateful',
    options: { autoscaling: { multi: [{ metric: 'cpu', target: 90 }, { metric: 'rps', target: 30 }] } },
    demand: { load: 90 }, replicas: 3 },
  { it: 'not to zero before scaleToZeroDelay', type: 'serverless',
    options: { autoscaling: { minScale: 0, scaleToZeroDelay: 60 } }, demand: { load: 0 }, after: 59, replicas: 1 },
  { it: 'to zero after scaleToZeroDelay', type: 'serverless',
    options: { autoscaling: { minScale: 0, scaleToZeroDelay: 60 } }, demand: { load: 0 }, after: 60, replicas: 0 },
  { it: 'not to zero before 300 s by default', type: 'serverless', options: { autoscaling: { minScale: 0 } },
    demand: { load: 0 }, after: 299, replicas: 1 },
  { it: 'a demanded number of replicas is also bounded', demand: { replicas: 9 }, replicas: 5 },
  { it: 'local options replace the default ones', options: { autoscaling: { minScale: 3 } },
    local: { autoscaling: { minScale: 2 } }, replicas: 2 },
  { it: 'none if suspended in this location only', local: { suspend: true }, replicas: 0 },
];

test.each(cases)('the number of replicas: $it (platform/workload.options, platform/workload.autoscaling)', (given) => {
  const { type = 'standard', options = {}, local, demand, after = 0, replicas } = given;
  const localOptions = local === undefined ? [] : [{ location: '/org/o/location/here', ...local }];
  const workload = { spec: { type, containers: [], defaultOptions: options, localOptions } };
  const simulated = demand === undefined ? undefined : { sinceMs: 1000, before: 1, ...demand };
  expect(desiredScale(workload, 'here', simulated, 1000 + after * 1000)).toBe(replicas);
});
