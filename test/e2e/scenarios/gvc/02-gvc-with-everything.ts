import type { Scenario } from '../../harness/scenario.ts';

const secrets = `
kind: secret
name: registry
type: docker
data: '{"auths":{"registry.example.com":{"auth":"dXNlcjpwYXNz"}}}'
---
kind: secret
name: tracer-token
type: opaque
data: {payload: t0ken}
---
kind: secret
name: queue-a
type: opaque
data: {payload: a}
---
kind: secret
name: queue-b
type: opaque
data: {payload: b}
---
kind: ipset
name: front
---
kind: identity
gvc: full
name: scaler
---
`;

const gvc = (provider: string, ipSet: string) => `${secrets}
kind: gvc
name: full
description: everything at once
spec:
  staticPlacement:
    locationLinks: [//location/aws-us-west-2, //location/gcp-us-east1]
  pullSecretLinks: [//secret/registry]
  tracing:
    sampling: 55.55
    customTags:
      team: {literal: {value: shop}}
    provider: ${provider}
  loadBalancer:
    dedicated: true
    trustedProxies: 2
    redirect:
      class:
        status5xx: https://status.example.com
        status401: https://login.example.com/?to=%REQ(:path)%
    ipSet: ${ipSet}
  keda:
    enabled: true
    identityLink: //identity/scaler
    secrets: [//secret/queue-a, //secret/queue-b]
  sidecar:
    proxy:
      clusters:
        - name: metrics
          type: STATIC
          connect_timeout: 5s
          load_assignment:
            cluster_name: metrics
            endpoints: {lb_endpoints: [{endpoint: {address: 10.0.0.1}}]}
`;

const live = (provider: Record<string, Record<string, string>>) => ({
  name: 'full',
  description: 'everything at once',
  tags: {},
  spec: {
    endpointNamingFormat: 'org',
    staticPlacement: { locationLinks: ['/org/local/location/aws-us-west-2', '/org/local/location/gcp-us-east1'] },
    pullSecretLinks: ['/org/local/secret/registry'],
    tracing: { sampling: 55.55, customTags: { team: { literal: { value: 'shop' } } }, provider },
    loadBalancer: {
      dedicated: true,
      trustedProxies: 2,
      redirect: {
        class: { status5xx: 'https://status.example.com', status401: 'https://login.example.com/?to=%REQ(:path)%' },
      },
      ipSet: '/org/local/ipset/front',
    },
    keda: {
      enabled: true,
      identityLink: '/org/local/gvc/full/identity/scaler',
      secrets: ['/org/local/secret/queue-a', '/org/local/secret/queue-b'],
    },
    sidecar: {
      proxy: {
        clusters: [
          {
            name: 'metrics',
            type: 'STATIC',
            connect_timeout: '5s',
            load_assignment: {
              cluster_name: 'metrics',
              endpoints: { lb_endpoints: [{ endpoint: { address: '10.0.0.1' } }] },
            },
          },
        ],
      },
    },
  },
});

const tracer = '{tracer: {endpoint: "collector.example.com:8080", credentials: //secret/tracer-token}}';
const otel = '{otel: {endpoint: "otel.example.com:4317"}}';

export const scenario: Scenario = {
  number: 2,
  title: 'GVC with everything',
  steps: [
    {
      it: 'creates it in two steps, because it refers to an identity inside itself (platform/deletion.references)',
      manifests: gvc(tracer, '/org/local/ipset/front'),
      actions: {
        'gvc/full': 'create',
        'identity/full/scaler': 'create',
        'ipset/front': 'create',
        'secret/queue-a': 'create',
        'secret/queue-b': 'create',
        'secret/registry': 'create',
        'secret/tracer-token': 'create',
      },
      order: ['POST /org/local/gvc', 'POST /org/local/gvc/full/identity', 'PATCH /org/local/gvc/full'],
      live: {
        '/org/local/gvc/full': live({
          tracer: { endpoint: 'collector.example.com:8080', credentials: '/org/local/secret/tracer-token' },
        }),
      },
    },
    { it: 'a relative link for the same IP set is no change', manifests: gvc(tracer, '//ipset/front'), actions: {} },
    {
      it: 'switches tracing to otel by replacing the provider alone',
      manifests: gvc(otel, '//ipset/front'),
      actions: { 'gvc/full': 'patch' },
      patches: {
        'gvc/full': { spec: { tracing: { '$replace/provider': { otel: { endpoint: 'otel.example.com:4317' } } } } },
      },
      live: { '/org/local/gvc/full': live({ otel: { endpoint: 'otel.example.com:4317' } }) },
    },
    {
      it: 'switches tracing to controlplane, an empty object',
      manifests: gvc('{controlplane: {}}', '//ipset/front'),
      actions: { 'gvc/full': 'patch' },
      patches: { 'gvc/full': { spec: { tracing: { '$replace/provider': { controlplane: {} } } } } },
      live: { '/org/local/gvc/full': live({ controlplane: {} }) },
    },
    {
      it: 'destroys it; the identity goes with its GVC, the secrets after it',
      actions: {},
      order: ['DELETE /org/local/gvc/full', 'DELETE /org/local/secret/registry'],
      live: {
        '/org/local/gvc/full': null,
        '/org/local/gvc/full/identity/scaler': null,
        '/org/local/secret/queue-a': null,
        '/org/local/ipset/front': null,
      },
    },
  ],
  doubtful: [
    {
      it: 'a redirect without a dedicated load balancer (G5)',
      manifests: `
kind: gvc
name: doubtful
spec: {loadBalancer: {redirect: {class: {status401: "https://login.example.com"}}}}
`,
      warnings: ['G5'],
    },
  ],
  negatives: [
    {
      it: 'keda secrets without keda (G6), and two tracing providers (G2)',
      manifests: `
kind: gvc
name: bad
spec:
  keda: {secrets: [//secret/x]}
  tracing: {sampling: 10, provider: {otel: {endpoint: "a:1"}, controlplane: {}}}
`,
      rules: ['G2', 'G6'],
    },
  ],
};
