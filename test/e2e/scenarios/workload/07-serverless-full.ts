import type { JsonObject } from '../../../../src/base/json/json.ts';
import type { Scenario } from '../../harness/scenario.ts';

const stack = (options: { readonly west: number; readonly suspend: boolean; readonly cidrs: string }) => `
kind: gvc
name: edge
spec: {staticPlacement: {locationLinks: [//location/aws-us-west-2, //location/gcp-us-east1]}}
---
kind: workload
gvc: edge
name: full
description: all of a serverless workload
tags: {team: web, tier: 1}
spec:
  type: serverless
  containers:
    - name: main
      image: registry.example.com/full:1
      cpu: 500m
      memory: 512Mi
      ports: [{number: 8080, protocol: http2}]
  defaultOptions:
    autoscaling: {metric: concurrency, target: 100, minScale: 0, maxScale: 10}
    timeoutSeconds: 30
    capacityAI: false
    suspend: ${options.suspend}
  localOptions:
    - location: aws-us-west-2
      autoscaling: {metric: concurrency, target: ${options.west}, minScale: 1, maxScale: 5}
    - location: gcp-us-east1
      autoscaling: {metric: concurrency, target: 60, minScale: 1, maxScale: 3}
  firewallConfig:
    external:
      inboundAllowCIDR: ${options.cidrs}
      inboundBlockedCIDR: [203.0.113.0/24]
      outboundAllowHostname: [api.example.com, "*.example.org"]
      outboundAllowPort: [{protocol: https, number: 443}, {protocol: tcp, number: 5432}]
      http: {inboundHeaderFilter: [{key: x-team, allowedValues: [web, api]}]}
    internal: {inboundAllowType: same-gvc}
  rolloutOptions: {minReadySeconds: 5, maxSurgeReplicas: 25%}
  securityOptions: {filesystemGroupId: 1000, runAsUser: 1000}
  requestRetryPolicy: {attempts: 3, retryOn: [connect-failure]}
  loadBalancer: {geoLocation: {enabled: true, headers: {country: x-country, city: x-city}}}
`;

const live = (west: number, suspend: boolean, cidrs: readonly string[]): JsonObject => ({
  name: 'full',
  description: 'all of a serverless workload',
  tags: { team: 'web', tier: 1 },
  spec: {
    type: 'serverless',
    containers: [
      {
        name: 'main',
        image: 'registry.example.com/full:1',
        cpu: '500m',
        memory: '512Mi',
        inheritEnv: false,
        ports: [{ number: 8080, protocol: 'http2' }],
      },
    ],
    defaultOptions: {
      autoscaling: { metric: 'concurrency', target: 100, minScale: 0, maxScale: 10 },
      timeoutSeconds: 30,
      capacityAI: false,
      suspend,
    },
    localOptions: [
      { location: 'aws-us-west-2', autoscaling: { metric: 'concurrency', target: west, minScale: 1, maxScale: 5 } },
      { location: 'gcp-us-east1', autoscaling: { metric: 'concurrency', target: 60, minScale: 1, maxScale: 3 } },
    ],
    firewallConfig: {
      external: {
        inboundAllowCIDR: cidrs,
        inboundBlockedCIDR: ['203.0.113.0/24'],
        outboundAllowHostname: ['api.example.com', '*.example.org'],
        outboundAllowPort: [
          { protocol: 'https', number: 443 },
          { protocol: 'tcp', number: 5432 },
        ],
        http: { inboundHeaderFilter: [{ key: 'x-team', allowedValues: ['web', 'api'] }] },
      },
      internal: { inboundAllowType: 'same-gvc' },
    },
    rolloutOptions: { minReadySeconds: 5, maxSurgeReplicas: '25%' },
    securityOptions: { filesystemGroupId: 1000, runAsUser: 1000 },
    requestRetryPolicy: { attempts: 3, retryOn: ['connect-failure'] },
    loadBalancer: { geoLocation: { enabled: true, headers: { country: 'x-country', city: 'x-city' } } },
  },
});

const start = { west: 80, suspend: false, cidrs: '["2001:db8::/32", 10.0.0.0/8]' };
const path = '/org/local/gvc/edge/workload/full';

export const scenario: Scenario = {
  number: 7,
  title: 'serverless, full',
  steps: [
    {
      it: 'stores every option; address lists are sorted by the service (platform/concepts.rewritten)',
      manifests: stack(start),
      actions: { 'gvc/edge': 'create', 'workload/edge/full': 'create' },
      live: { [path]: live(80, false, ['10.0.0.0/8', '2001:db8::/32']) },
    },
    {
      it: 'sets in another order, and tags and locations in other forms, are no change',
      manifests: stack({ ...start, cidrs: '[10.0.0.0/8, "2001:db8::/32", 10.0.0.0/8]' })
        .replace('[api.example.com, "*.example.org"]', '["*.example.org", api.example.com]')
        .replace('tier: 1', 'tier: "1"')
        .replace('location: aws-us-west-2', 'location: //location/aws-us-west-2'),
      actions: {},
      live: { [path]: live(80, false, ['10.0.0.0/8', '2001:db8::/32']) },
    },
    {
      it: 'changes one local target by its location, and suspends the workload',
      manifests: stack({ ...start, west: 90, suspend: true }),
      actions: { 'workload/edge/full': 'patch' },
      patches: {
        'workload/edge/full': {
          spec: {
            defaultOptions: { suspend: true },
            '$patch/localOptions': [{ location: 'aws-us-west-2', autoscaling: { target: 90 } }],
          },
        },
      },
      live: { [path]: live(90, true, ['10.0.0.0/8', '2001:db8::/32']) },
    },
    {
      it: 'keeps a tag of another client, and removes one that the manifest no longer has',
      before: async (platform) => {
        await platform.call('PATCH', path, { tags: { 'other/tool': 'seen' } });
      },
      manifests: stack({ ...start, west: 90, suspend: true }).replace('{team: web, tier: 1}', '{team: web}'),
      actions: { 'workload/edge/full': 'patch' },
      live: {
        [path]: { ...live(90, true, ['10.0.0.0/8', '2001:db8::/32']), tags: { team: 'web', 'other/tool': 'seen' } },
      },
    },
  ],
  negatives: [
    {
      it: 'a timeout over 600 s on serverless',
      manifests: stack(start).replace('timeoutSeconds: 30', 'timeoutSeconds: 900'),
      rules: ['workload.timeout'],
    },
    {
      it: 'a location of no GVC location (W38)',
      manifests: stack(start).replace('location: gcp-us-east1', 'location: azure-eastus2'),
      rules: ['W38'],
    },
    {
      it: 'minScale above maxScale (W17), and a header filter with both lists (W33)',
      manifests: stack(start)
        .replace('minScale: 0, maxScale: 10', 'minScale: 11, maxScale: 10')
        .replace('allowedValues: [web, api]', 'allowedValues: [web], blockedValues: [api]'),
      rules: ['W17', 'W33'],
    },
  ],
};
