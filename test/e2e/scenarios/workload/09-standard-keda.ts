import type { JsonObject } from '../../../../src/base/json/json.ts';
import type { Scenario } from '../../harness/scenario.ts';

const stack = (keda: { readonly polling: number; readonly triggers?: string }) => `
kind: secret
name: queue-auth
type: opaque
data: {payload: credentials}
---
kind: gvc
name: events
spec:
  staticPlacement: {locationLinks: [//location/aws-us-west-2]}
  keda: {enabled: true, secrets: [//secret/queue-auth]}
---
kind: workload
gvc: events
name: consumer
spec:
  type: standard
  containers: [{name: main, image: "registry.example.com/consumer:1"}]
  defaultOptions:
    capacityAI: false
    autoscaling:
      metric: keda
      minScale: 1
      maxScale: 20
      keda:
        pollingInterval: ${keda.polling}
        cooldownPeriod: 60
        triggers:${
          keda.triggers ??
          `
          - {type: redis, name: jobs, metricType: AverageValue, metadata: {listName: jobs, listLength: "5"}, authenticationRef: {name: queue-auth}}
          - {type: cpu, name: load, metricType: Utilization, metadata: {value: "70"}}`
        }
        advanced: {scalingModifiers: {formula: jobs + load, target: "10", metricType: AverageValue}}
        fallback: {failureThreshold: 3, replicas: 4, behavior: currentReplicasIfHigher}
`;

const live = (polling: number): JsonObject => ({
  name: 'consumer',
  description: 'consumer',
  tags: {},
  spec: {
    type: 'standard',
    containers: [
      { name: 'main', image: 'registry.example.com/consumer:1', cpu: '50m', memory: '128Mi', inheritEnv: false },
    ],
    defaultOptions: {
      capacityAI: false,
      autoscaling: {
        metric: 'keda',
        minScale: 1,
        maxScale: 20,
        keda: {
          pollingInterval: polling,
          cooldownPeriod: 60,
          triggers: [
            {
              type: 'redis',
              name: 'jobs',
              metricType: 'AverageValue',
              metadata: { listName: 'jobs', listLength: '5' },
              authenticationRef: { name: 'queue-auth' },
            },
            { type: 'cpu', name: 'load', metricType: 'Utilization', metadata: { value: '70' } },
          ],
          advanced: { scalingModifiers: { formula: 'jobs + load', target: '10', metricType: 'AverageValue' } },
          fallback: { failureThreshold: 3, replicas: 4, behavior: 'currentReplicasIfHigher' },
        },
      },
    },
  },
});

const path = '/org/local/gvc/events/workload/consumer';

export const scenario: Scenario = {
  number: 9,
  title: 'standard with keda',
  steps: [
    {
      it: 'scales by two triggers, with modifiers and a fallback; the secret and the GVC come first',
      manifests: stack({ polling: 30 }),
      actions: { 'secret/queue-auth': 'create', 'gvc/events': 'create', 'workload/events/consumer': 'create' },
      order: ['POST /org/local/secret', 'POST /org/local/gvc', 'POST /org/local/gvc/events/workload'],
      live: { [path]: live(30) },
    },
    {
      it: 'changes only the polling',
      manifests: stack({ polling: 15 }),
      actions: { 'workload/events/consumer': 'patch' },
      patches: {
        'workload/events/consumer': { spec: { defaultOptions: { autoscaling: { keda: { pollingInterval: 15 } } } } },
      },
      live: { [path]: live(15) },
    },
    {
      it: 'destroys the workload before the GVC, and the GVC before the secret that its keda uses',
      actions: {},
      order: ['DELETE /org/local/gvc/events', 'DELETE /org/local/secret/queue-auth'],
      live: { [path]: null, '/org/local/secret/queue-auth': null },
    },
  ],
  doubtful: [
    {
      it: 'a fallback with only a cpu trigger (W36)',
      manifests: stack({
        polling: 30,
        triggers: '\n          - {type: cpu, name: load, metricType: Utilization, metadata: {value: "70"}}',
      }),
      warnings: ['W36'],
    },
    {
      it: 'keda on a GVC where it is off (W36)',
      manifests: stack({ polling: 30 }).replace('{enabled: true, secrets: [//secret/queue-auth]}', '{enabled: false}'),
      warnings: ['W36'],
    },
    {
      it: 'an authenticationRef to a secret that the GVC does not list (W37)',
      manifests: stack({ polling: 30 }).replace(
        'authenticationRef: {name: queue-auth}',
        'authenticationRef: {name: other}',
      ),
      warnings: ['W37'],
    },
  ],
};
