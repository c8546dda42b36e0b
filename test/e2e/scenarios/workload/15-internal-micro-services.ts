import type { Scenario } from '../../harness/scenario.ts';

const service = (name: string, firewall: string) => `---
kind: workload
gvc: mesh
name: ${name}
spec:
  type: standard
  containers: [{name: main, image: "registry.example.com/${name}:1", ports: [{number: 8080}]}]
  firewallConfig: ${firewall}
`;

const stack = (callers: string) => `
kind: gvc
name: mesh
spec: {staticPlacement: {locationLinks: [//location/aws-us-west-2]}}
${service('front', '{external: {inboundAllowCIDR: [0.0.0.0/0]}}')}
${service('api', `{internal: {inboundAllowType: workload-list, inboundAllowWorkload: ${callers}}}`)}
${service('store', '{internal: {inboundAllowType: same-gvc}}')}`;

const front = '/org/local/gvc/mesh/workload/front';
const ghost = '/org/local/gvc/mesh/workload/ghost';
const store = '/org/local/gvc/mesh/workload/store';

const api = (inboundAllowWorkload: readonly string[]) => ({
  name: 'api',
  description: 'api',
  tags: {},
  spec: {
    type: 'standard',
    containers: [
      {
        name: 'main',
        image: 'registry.example.com/api:1',
        cpu: '50m',
        memory: '128Mi',
        inheritEnv: false,
        ports: [{ number: 8080, protocol: 'http' }],
      },
    ],
    firewallConfig: { internal: { inboundAllowType: 'workload-list', inboundAllowWorkload } },
  },
});

export const scenario: Scenario = {
  number: 15,
  title: 'internal micro-services',
  steps: [
    {
      it: 'a link to a workload that does not exist is accepted (platform/workload.firewall)',
      manifests: stack('[//gvc/mesh/workload/front, //gvc/mesh/workload/ghost]'),
      actions: {
        'gvc/mesh': 'create',
        'workload/mesh/api': 'create',
        'workload/mesh/front': 'create',
        'workload/mesh/store': 'create',
      },
      live: { '/org/local/gvc/mesh/workload/api': api([front, ghost]) },
    },
    {
      it: 'the list in another order and in full links is no change',
      manifests: stack(`[${ghost}, ${front}]`),
      actions: {},
      live: { '/org/local/gvc/mesh/workload/api': api([front, ghost]) },
    },
    {
      it: 'adds one caller and removes one, each by its link',
      manifests: stack('[//gvc/mesh/workload/front, //gvc/mesh/workload/store]'),
      actions: { 'workload/mesh/api': 'patch' },
      live: { '/org/local/gvc/mesh/workload/api': api([front, store]) },
    },
  ],
};
