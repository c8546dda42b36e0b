import { casesOf, type RuleCase } from '../ruleCase.ts';
import { authenticated, keda, kedaOn, multi, scaled, scaling, shop } from './workloadRecords.ts';

// biome-ignore format: a row is a case
export const scalingCases: readonly RuleCase[] = [
  ...casesOf('W14', 'workload', [
    { it: 'a stateful workload by concurrency (platform/workload.types)',
      passes: scaled('serverless', { metric: 'concurrency' }), fails: scaled('stateful', { metric: 'concurrency' }),
      path: `${scaling}.metric` },
  ]),
  ...casesOf('W15', 'workload', [
    { it: 'a serverless workload by latency (B2.7)', passes: scaled('standard', { metric: 'latency' }),
      fails: scaled('serverless', { metric: 'latency' }), path: `${scaling}.metric` },
    { it: 'a serverless workload by several metrics (B2.7)', passes: scaled('stateful', { multi }),
      fails: scaled('serverless', { multi }), path: `${scaling}.multi` },
  ]),
  ...casesOf('W16', 'workload', [
    { it: 'a standard workload (platform/workload.types)', passes: scaled('serverless', { minScale: 0 }),
      fails: scaled('standard', { minScale: 0 }), path: `${scaling}.minScale` },
    { it: 'a stateful workload without keda', passes: scaled('stateful', keda({}, { minScale: 0 })),
      fails: scaled('stateful', { minScale: 0, metric: 'cpu' }), path: `${scaling}.minScale` },
  ]),
  ...casesOf('W16.keda', 'workload', [
    { it: 'a standard workload with keda', passes: scaled('standard', keda({}, { minScale: 1 })),
      fails: scaled('standard', keda({}, { minScale: 0 })), path: `${scaling}.minScale` },
  ]),
  ...casesOf('W17', 'workload', [
    { it: 'minScale above maxScale', passes: scaled('standard', { minScale: 2, maxScale: 2 }),
      fails: scaled('standard', { minScale: 3, maxScale: 2 }), path: `${scaling}.minScale` },
    { it: 'minScale alone, above the default of maxScale', passes: scaled('serverless', { minScale: 5 }),
      fails: scaled('serverless', { minScale: 6 }), path: `${scaling}.minScale` },
    { it: 'maxScale alone, below the default of minScale', passes: scaled('serverless', { minScale: 0, maxScale: 0 }),
      fails: scaled('serverless', { maxScale: 0 }), path: `${scaling}.maxScale` },
  ]),
  ...casesOf('W18', 'workload', [
    { it: 'a metric cannot be combined with multi', passes: scaled('standard', { multi }),
      fails: scaled('standard', { multi, metric: 'cpu' }), path: `${scaling}.metric` },
  ]),
  ...casesOf('W19', 'workload', [
    { it: 'a target beside keda', passes: scaled('standard', keda({})),
      fails: scaled('standard', keda({}, { target: 10 })), path: `${scaling}.target` },
  ]),
  ...casesOf('workload.target', 'workload', [
    { it: '101 % of cpu (B2.7)', passes: scaled('standard', { metric: 'rps', target: 101 }),
      fails: scaled('standard', { metric: 'cpu', target: 101 }), path: `${scaling}.target` },
    { it: 'a metric twice (B2.7)', passes: scaled('standard', { multi: [...multi, { metric: 'rps', target: 200 }] }),
      fails: scaled('standard', { multi: [...multi, ...multi] }), path: `${scaling}.multi.cpu` },
  ]),
  ...casesOf('W36', 'workload', [
    { it: 'keda on serverless', passes: scaled('stateful', keda({})), fails: scaled('serverless', keda({})),
      path: `${scaling}.keda` },
    { it: 'a fallback with only a cpu trigger', passes: scaled('standard', keda({ fallback: { replicas: 1 } })),
      fails: scaled('standard',
        keda({ triggers: [{ type: 'cpu', metricType: 'Utilization' }], fallback: { replicas: 1 } })),
      path: `${scaling}.keda.fallback` },
    { it: 'a GVC without keda', others: [shop({ keda: { enabled: false } })],
      passes: scaled('standard', { metric: 'cpu' }), fails: scaled('standard', keda({})), path: scaling },
  ]),
  ...casesOf('W37', 'workload', [
    { it: 'a secret that the GVC does not list', others: [kedaOn], passes: scaled('standard', authenticated('queue')),
      fails: scaled('standard', authenticated('other')),
      path: `${scaling}.keda.triggers.queue.authenticationRef.name` },
  ]),
];
