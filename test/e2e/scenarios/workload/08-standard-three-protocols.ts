import { expect } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import type { Scenario } from '../../harness/scenario.ts';
import { addressStates } from '../addressStates.ts';

const stack = (cpuTarget: number) => `
kind: gvc
name: multi
spec: {staticPlacement: {locationLinks: [//location/aws-us-west-2]}}
---
kind: ipset
name: direct
---
kind: workload
gvc: multi
name: three
spec:
  type: standard
  containers:
    - name: main
      image: registry.example.com/three:1
      cpu: "2"
      memory: 4Gi
      ports:
        - {number: 8080, protocol: http2}
        - {number: 9000, protocol: grpc}
        - {number: 7000, protocol: tcp}
      gpu: {custom: {resource: vendor.example.com/accelerator, runtimeClass: accelerated, quantity: 1}}
  defaultOptions:
    capacityAI: false
    autoscaling:
      minScale: 2
      maxScale: 6
      multi: [{metric: cpu, target: ${cpuTarget}}, {metric: memory, target: 80}]
  firewallConfig:
    external:
      inboundAllowCIDR: [0.0.0.0/0]
      http: {inboundHeaderFilter: [{key: X-Agent, blockedValues: ["bot.*"]}]}
  loadBalancer:
    direct:
      enabled: true
      ipSet: //ipset/direct
      ports: [{externalPort: 7000, protocol: TCP, containerPort: 7000}]
`;

const live = (cpuTarget: number): JsonObject => ({
  name: 'three',
  description: 'three',
  tags: {},
  spec: {
    type: 'standard',
    containers: [
      {
        name: 'main',
        image: 'registry.example.com/three:1',
        cpu: '2',
        memory: '4Gi',
        inheritEnv: false,
        ports: [
          { number: 8080, protocol: 'http2' },
          { number: 9000, protocol: 'grpc' },
          { number: 7000, protocol: 'tcp' },
        ],
        gpu: { custom: { resource: 'vendor.example.com/accelerator', runtimeClass: 'accelerated', quantity: 1 } },
      },
    ],
    defaultOptions: {
      capacityAI: false,
      autoscaling: {
        minScale: 2,
        maxScale: 6,
        multi: [
          { metric: 'cpu', target: cpuTarget },
          { metric: 'memory', target: 80 },
        ],
      },
    },
    firewallConfig: {
      external: {
        inboundAllowCIDR: ['0.0.0.0/0'],
        http: { inboundHeaderFilter: [{ key: 'X-Agent', blockedValues: ['bot.*'] }] },
      },
    },
    loadBalancer: {
      direct: {
        enabled: true,
        ipSet: '/org/local/ipset/direct',
        ports: [{ externalPort: 7000, protocol: 'TCP', containerPort: 7000 }],
      },
    },
  },
});

const linked = (manifests: string): string =>
  manifests.replace('name: direct\n', 'name: direct\nspec: {link: //gvc/multi/workload/three}\n');

const path = '/org/local/gvc/multi/workload/three';

export const scenario: Scenario = {
  number: 8,
  title: 'standard with three protocols',
  steps: [
    {
      it: 'stores ports, multi autoscaling, a custom GPU and a direct load balancer; filter keys are lower-cased',
      manifests: stack(70),
      actions: { 'gvc/multi': 'create', 'ipset/direct': 'create', 'workload/multi/three': 'create' },
      order: ['POST /org/local/ipset', 'POST /org/local/gvc/multi/workload'],
      live: { [path]: live(70) },
    },
    {
      it: 'equal quantities in other spellings are no change',
      manifests: stack(70).replace('cpu: "2"', 'cpu: 2000m').replace('memory: 4Gi', 'memory: 4096Mi'),
      actions: {},
      live: { [path]: live(70) },
    },
    {
      it: 'the IP set and the direct load balancer name each other: the address is bound (platform/ipset)',
      manifests: linked(stack(70)),
      actions: { 'ipset/direct': 'patch' },
      patches: { 'ipset/direct': { spec: { link: '//gvc/multi/workload/three' } } },
      async after(platform) {
        expect(addressStates(await platform.call('GET', '/org/local/ipset/direct'))).toEqual(['bound']);
      },
    },
    {
      it: 'changes one scaling target by its metric',
      manifests: linked(stack(75)),
      actions: { 'workload/multi/three': 'patch' },
      patches: {
        'workload/multi/three': {
          spec: { defaultOptions: { autoscaling: { '$patch/multi': [{ metric: 'cpu', target: 75 }] } } },
        },
      },
      live: { [path]: live(75) },
    },
    {
      it: 'removes one port and changes the protocol of another, by number',
      manifests: linked(stack(75))
        .replace('        - {number: 9000, protocol: grpc}\n', '')
        .replace('{number: 8080, protocol: http2}', '{number: 8080, protocol: http}'),
      actions: { 'workload/multi/three': 'patch' },
      patches: {
        'workload/multi/three': {
          spec: {
            '$patch/containers': [
              { name: 'main', '$drop/ports': ['9000'], '$patch/ports': [{ number: 8080, protocol: 'http' }] },
            ],
          },
        },
      },
    },
  ],
  negatives: [
    {
      it: 'multi beside a metric (W18), and concurrency on standard (W14)',
      manifests: stack(70).replace('minScale: 2', 'minScale: 2\n      metric: concurrency'),
      rules: ['W18', 'W14'],
    },
    {
      it: 'Capacity AI with multi and a GPU (W20)',
      manifests: stack(70).replace('capacityAI: false', 'capacityAI: true'),
      rules: ['W20'],
    },
    { it: 'scale to zero (W16)', manifests: stack(70).replace('minScale: 2', 'minScale: 0'), rules: ['W16'] },
    {
      it: 'the same port in two containers (W4)',
      manifests: stack(70).replace(
        '  defaultOptions:',
        '    - {name: second, image: x, ports: [{number: 7000}]}\n  defaultOptions:',
      ),
      rules: ['W4'],
    },
  ],
};
