import { expect } from 'vitest';
import { listAt } from '../../../../src/base/json/json.ts';
import { at, type Scenario } from '../../harness/scenario.ts';

const stack = `
kind: gvc
name: web
spec: {staticPlacement: {locationLinks: [//location/aws-us-west-2, //location/gcp-us-east1]}}
---
kind: workload
gvc: web
name: front
spec:
  type: serverless
  containers:
    - name: main
      image: registry.example.com/front:1
      ports: [{number: 8080}]
`;

export const scenario: Scenario = {
  number: 5,
  title: 'serverless, required fields only',
  steps: [
    {
      it: 'fills cpu, memory, inheritEnv and protocol; no probe and no option appears (platform/concepts.filled)',
      manifests: stack,
      flags: ['--wait'],
      actions: { 'gvc/web': 'create', 'workload/web/front': 'create' },
      order: ['POST /org/local/gvc', 'POST /org/local/gvc/web/workload'],
      live: {
        '/org/local/gvc/web/workload/front': {
          name: 'front',
          description: 'front',
          tags: {},
          spec: {
            type: 'serverless',
            containers: [
              {
                name: 'main',
                image: 'registry.example.com/front:1',
                ports: [{ number: 8080, protocol: 'http' }],
                cpu: '50m',
                memory: '128Mi',
                inheritEnv: false,
              },
            ],
          },
        },
      },
      after: async (platform) => {
        const { body } = await platform.call('GET', '/org/local/gvc/web/workload/front/deployment');
        const deployments = listAt(body, 'items');
        expect(deployments.length).toBe(2);
        const record = await platform.call('GET', '/org/local/gvc/web/workload/front');
        expect(at(record.body, 'health', 'readiness')).toBe('ready');
      },
    },
    {
      it: 'the defaults, written out, are no change',
      manifests: stack
        .replace(
          'ports: [{number: 8080}]',
          'ports: [{number: 8080, protocol: http}]\n      cpu: 0.05\n      memory: 131072Ki\n      inheritEnv: false',
        )
        .replace('cpu: 0.05', 'cpu: "0.05"'),
      actions: {},
    },
  ],
  negatives: [
    {
      it: 'a serverless workload without a port, or with two (W6)',
      manifests: stack.replace('ports: [{number: 8080}]', 'ports: [{number: 8080}, {number: 8081}]'),
      rules: ['W6'],
    },
    { it: 'a reserved port (W5)', manifests: stack.replace('8080', '15001'), rules: ['W5'] },
    {
      it: 'a container field of another platform (W41)',
      manifests: stack.replace('ports:', 'resources: {}\n      ports:'),
      rules: ['shape\\.unknown-field'],
    },
  ],
};
