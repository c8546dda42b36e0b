import { casesOf, type RuleCase } from '../ruleCase.ts';
import { balancer, c, http, main, of, options, scaled, scaling } from './workloadRecords.ts';

// biome-ignore format: a row is a case
export const workloadTypeCases: readonly RuleCase[] = [
  ...casesOf('W1', 'workload', [
    { it: 'another type', before: of('serverless'), passes: { name: 'web', spec: { containers: [http] } },
      fails: of('standard'), path: 'spec.type' },
  ]),
  ...casesOf('W6', 'workload', [
    { it: 'no port', passes: of('serverless'), fails: of('serverless', { ports: [] }), path: 'spec.containers' },
    { it: 'two ports', passes: of('serverless', { ports: [], port: 8080 }),
      fails: of('serverless', { ports: [{ number: 8080 }, { number: 8081 }] }), path: 'spec.containers' },
    { it: 'a tcp port', passes: of('serverless', { ports: [{ number: 8080, protocol: 'grpc' }] }),
      fails: of('serverless', { ports: [{ number: 8080, protocol: 'tcp' }] }), path: `${c}.ports.8080.protocol` },
  ]),
  ...casesOf('W7', 'workload', [
    { it: 'PORT that is another port', passes: of('serverless', { env: [{ name: 'PORT', value: '8080' }] }),
      fails: of('serverless', { env: [{ name: 'PORT', value: '80' }] }), path: `${c}.env.PORT.value` },
  ]),
  ...casesOf('W8.ports', 'workload', [
    { it: 'a port', passes: of('cron'), fails: of('cron', { ports: [{ number: 8080 }] }),
      path: `${c}.ports.8080.number` },
  ]),
  ...casesOf('W8', 'workload', [
    { it: 'scaling to zero', passes: scaled('cron', { minScale: 1 }), fails: scaled('cron', { minScale: 0 }),
      path: `${scaling}.minScale` },
  ]),
  ...casesOf('W9', 'workload', [
    { it: 'a probe', passes: of('cron'), fails: of('cron', { livenessProbe: { exec: { command: ['true'] } } }),
      path: `${c}.livenessProbe` },
  ]),
  ...casesOf('W10', 'workload', [
    { it: 'cron without a job', passes: of('cron'), fails: { name: 'web', spec: { type: 'cron', containers: [main] } },
      path: 'spec.job' },
    { it: 'a job on another type', passes: of('standard'),
      fails: of('standard', {}, { job: { schedule: '* * * * *' } }), path: 'spec.job' },
  ]),
  ...casesOf('W11', 'workload', [
    { it: 'local options', passes: of('cron', {}, { localOptions: [] }),
      fails: of('cron', {}, { localOptions: [{ location: 'a' }] }), path: 'spec.localOptions' },
  ]),
  ...casesOf('W12', 'workload', [
    { it: 'minCpu on cron', passes: of('cron', { cpu: '100m' }), fails: of('cron', { minCpu: '25m' }),
      path: `${c}.minCpu` },
  ]),
  ...casesOf('W12.ignored', 'workload', [
    { it: 'a timeout on cron', where: 'offline', passes: options('cron', { suspend: true }),
      fails: options('cron', { timeoutSeconds: 5 }), path: 'spec.defaultOptions.timeoutSeconds' },
  ]),
  ...casesOf('W13', 'workload', [
    { it: 'Capacity AI (platform/workload.types)', passes: options('stateful', { capacityAI: false }),
      fails: options('stateful', { capacityAI: true }), path: 'spec.defaultOptions.capacityAI' },
  ]),
  ...casesOf('W34', 'workload', [
    { it: 'replicaDirect on standard (platform/workload)', passes: balancer('stateful', { replicaDirect: true }),
      fails: balancer('standard', { replicaDirect: true }), path: 'spec.loadBalancer.replicaDirect' },
  ]),
  ...casesOf('W39', 'workload', [
    { it: 'maxUnavailableReplicas on stateful',
      passes: of('standard', {}, { rolloutOptions: { maxUnavailableReplicas: '1' } }),
      fails: of('stateful', {}, { rolloutOptions: { maxUnavailableReplicas: '1' } }),
      path: 'spec.rolloutOptions.maxUnavailableReplicas' },
  ]),
  ...casesOf('W40', 'workload', [
    { it: '50 characters (A.2)', passes: { name: 'a'.repeat(49) }, fails: { name: 'a'.repeat(50) }, path: 'name' },
    { it: '-headless at the end (A.2)', passes: { name: 'headless-web' }, fails: { name: 'web-headless' },
      path: 'name' },
  ]),
  ...casesOf('workload.timeout', 'workload', [
    { it: '601 s on serverless (B2.7)', passes: options('serverless', { timeoutSeconds: 600 }),
      fails: options('serverless', { timeoutSeconds: 601 }), path: 'spec.defaultOptions.timeoutSeconds' },
    { it: '601 s on serverless without the tag (B2.7)',
      passes: of('serverless', {}, { defaultOptions: { timeoutSeconds: 601 } },
        { tags: { 'scheme/timeoutSecondsOverride': 'true' } }), fails: options('serverless', { timeoutSeconds: 601 }),
      path: 'spec.defaultOptions.timeoutSeconds' },
  ]),
  ...casesOf('workload.grace-period', 'workload', [
    { it: '901 s (B2.11)', passes: of('standard', {}, { rolloutOptions: { terminationGracePeriodSeconds: 900 } }),
      fails: of('standard', {}, { rolloutOptions: { terminationGracePeriodSeconds: 901 } }),
      path: 'spec.rolloutOptions.terminationGracePeriodSeconds' },
  ]),
  ...casesOf('cron.history-limit', 'workload', [
    { it: 'a history of 11 (platform/workload.job)',
      passes: of('cron', {}, { job: { schedule: '0 2 * * *', historyLimit: 10 } }),
      fails: of('cron', {}, { job: { schedule: '0 2 * * *', historyLimit: 11 } }), path: 'spec.job.historyLimit' },
  ]),
  ...casesOf('cron.schedule', 'workload', [
    { it: 'four fields (A.10)', where: 'offline',
      passes: of('cron', {}, { job: { schedule: '*/5 1-3 * jan,JUN sun' } }),
      fails: of('cron', {}, { job: { schedule: '* * * *' } }), path: 'spec.job.schedule' },
    { it: 'minute 60 (A.10)', where: 'offline', passes: of('cron', {}, { job: { schedule: '59 23 31 12 7' } }),
      fails: of('cron', {}, { job: { schedule: '60 * * * *' } }), path: 'spec.job.schedule' },
  ]),
];
