import { expect } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { at, type Scenario } from '../../harness/scenario.ts';

const stack = (resources: { readonly cpu: string; readonly minCpu: string }) => `
kind: gvc
name: data
spec: {staticPlacement: {locationLinks: [//location/aws-us-west-2]}}
---
kind: volumeset
gvc: data
name: pgdata
spec:
  fileSystemType: ext4
  performanceClass: general-purpose-ssd
  initialCapacity: 20
  autoscaling: {maxCapacity: 100, minFreePercentage: 20, scalingFactor: 1.5}
---
kind: workload
gvc: data
name: postgres
spec:
  type: stateful
  containers:
    - name: main
      image: registry.example.com/postgres:16
      cpu: ${resources.cpu}
      minCpu: ${resources.minCpu}
      memory: 4Gi
      minMemory: 1Gi
      ports: [{number: 5432, protocol: tcp}]
      volumes: [{uri: "scheme://volumeset/pgdata", path: /var/lib/postgres}]
  defaultOptions: {autoscaling: {metric: cpu, target: 80, minScale: 1, maxScale: 1}}
  loadBalancer: {replicaDirect: true}
  rolloutOptions: {scalingPolicy: OrderedReady}
`;

const exact = { cpu: '2000m', minCpu: '500m' };

const live = (cpu: string, minCpu: string): JsonObject => ({
  name: 'postgres',
  description: 'postgres',
  tags: {},
  spec: {
    type: 'stateful',
    containers: [
      {
        name: 'main',
        image: 'registry.example.com/postgres:16',
        cpu,
        minCpu,
        memory: '4Gi',
        minMemory: '1Gi',
        inheritEnv: false,
        ports: [{ number: 5432, protocol: 'tcp' }],
        volumes: [{ uri: 'scheme://volumeset/pgdata', path: '/var/lib/postgres' }],
      },
    ],
    defaultOptions: { autoscaling: { metric: 'cpu', target: 80, minScale: 1, maxScale: 1 } },
    loadBalancer: { replicaDirect: true },
    rolloutOptions: { scalingPolicy: 'OrderedReady' },
  },
});

const workload = '/org/local/gvc/data/workload/postgres';
const volumeset = '/org/local/gvc/data/volumeset/pgdata';

export const scenario: Scenario = {
  number: 10,
  title: 'stateful database',
  // biome-ignore format: one case a line
  steps: [
    {
      it: 'mounts its volume set, with minCpu and minMemory at exactly 1:4 (platform/workload.resources)',
      manifests: stack(exact),
      flags: ['--wait'],
      actions: { 'gvc/data': 'create', 'volumeset/data/pgdata': 'create', 'workload/data/postgres': 'create' },
      order: ['POST /org/local/gvc', 'POST /org/local/gvc/data/volumeset', 'POST /org/local/gvc/data/workload'],
      live: {
        [workload]: live('2000m', '500m'),
        [volumeset]: {
          name: 'pgdata',
          description: 'pgdata',
          tags: {},
          spec: {
            fileSystemType: 'ext4',
            performanceClass: 'general-purpose-ssd',
            initialCapacity: 20,
            autoscaling: { maxCapacity: 100, minFreePercentage: 20, scalingFactor: 1.5 },
          },
        },
      },
      after: async (platform) => {
        const { body } = await platform.call('GET', volumeset);
        expect(at(body, 'status', 'usedByWorkload')).toBe(workload);
      },
    },
    { it: 'changes the CPU by the name of its container', manifests: stack({ cpu: '1600m', minCpu: '500m' }),
      actions: { 'workload/data/postgres': 'patch' },
      patches: { 'workload/data/postgres': { spec: { '$patch/containers': [{ name: 'main', cpu: '1600m' }] } } },
      live: { [workload]: live('1600m', '500m') } },
    { it: 'a destroy that would delete a volume set with data', codes: ['delete.data'] },
    { it: 'a destroy with the wrong number of volume sets', flags: ['--allow-data-loss=2'], codes: ['delete.data'] },
  ],
  negatives: [
    { it: 'just above 1:4 (W21)', manifests: stack({ cpu: '2001m', minCpu: '500m' }), rules: ['W21'] },
    {
      it: 'more than 4000m apart (W21)',
      manifests: stack({ cpu: '5500m', minCpu: '1400m' }).replace('4Gi', '8Gi').replace('1Gi', '6Gi'),
      rules: ['W21'],
    },
    { it: 'minCpu above cpu (W22)', manifests: stack({ cpu: '500m', minCpu: '600m' }), rules: ['W22'] },
    {
      it: 'Capacity AI (W13) and metric concurrency (W14)',
      manifests: stack(exact).replace(
        '{autoscaling: {metric: cpu,',
        '{capacityAI: true, autoscaling: {metric: concurrency,',
      ),
      rules: ['W13', 'W14'],
    },
    {
      it: 'an ext4 set mounted by a second workload (W31)',
      manifests: `${stack(exact)}---
kind: workload
gvc: data
name: second
spec:
  type: stateful
  containers:
    - name: main
      image: x
      volumes: [{uri: "scheme://volumeset/pgdata", path: /data}]
`,
      rules: ['W31'],
    },
    {
      it: 'an ext4 set on a standard workload (W31)',
      manifests: stack(exact)
        .replace('type: stateful', 'type: standard')
        .replace('  loadBalancer: {replicaDirect: true}\n', '')
        .replace('      minCpu: 500m\n', '')
        .replace('      minMemory: 1Gi\n', ''),
      rules: ['W31'],
    },
  ],
};
