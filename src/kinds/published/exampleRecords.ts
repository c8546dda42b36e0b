import type { JsonObject } from '../../base/json/json.ts';
import type { KnownKind } from '../../schema/record/kinds.ts';

/**
 * One record of each kind that clients write, in an order of creation: each refers only to earlier ones and to built-in
 * records. A test creates them.
 */
export const recordExamples: Readonly<Partial<Record<KnownKind, JsonObject>>> = {
  org: {
    name: 'local',
    description: 'The org of the shop',
    spec: { sessionTimeoutSeconds: 3600 },
  },
  agent: { name: 'office', description: 'Reaches the network of the office', tags: { team: 'network' } },
  auditctx: { name: 'releases', description: 'What the release pipeline does' },
  cloudaccount: {
    name: 'aws-production',
    description: 'Buckets of the shop',
    provider: 'aws',
    data: { roleArn: 'arn:aws:iam::123456789012:role/workloads' },
  },
  location: { name: 'home', description: 'A cluster of our own', provider: 'byok' },
  gvc: {
    name: 'shop',
    description: 'Everything of the web shop',
    tags: { team: 'shop' },
    spec: {
      staticPlacement: { locationLinks: ['//location/aws-eu-central-1', '//location/aws-us-west-2'] },
      env: [{ name: 'LOG_LEVEL', value: 'info' }],
    },
  },
  secret: {
    name: 'database',
    description: 'How the shop signs in to its database',
    type: 'userpass',
    data: { username: 'shop', password: 'change-me', encoding: 'plain' },
  },
  identity: { name: 'web', description: 'The web server of the shop' },
  volumeset: {
    name: 'uploads',
    description: 'Files that customers send',
    spec: { initialCapacity: 10, performanceClass: 'general-purpose-ssd', fileSystemType: 'ext4' },
  },
  workload: {
    name: 'web',
    description: 'The web server of the shop',
    tags: { team: 'shop' },
    spec: {
      type: 'standard',
      containers: [
        {
          name: 'main',
          image: 'nginx:1.29',
          cpu: '100m',
          memory: '128Mi',
          ports: [{ number: 8080, protocol: 'http' }],
          env: [{ name: 'GREETING', value: 'hello' }],
        },
      ],
      defaultOptions: { autoscaling: { metric: 'cpu', target: 80, minScale: 1, maxScale: 3 } },
      firewallConfig: { external: { inboundAllowCIDR: ['0.0.0.0/0'] } },
    },
  },
  ipset: { name: 'egress', description: 'Addresses that partners let in', spec: { link: '//gvc/shop' } },
  domain: {
    name: 'shop.example.com',
    description: 'The public name of the shop',
    spec: {
      dnsMode: 'cname',
      ports: [{ number: 443, protocol: 'http2', routes: [{ prefix: '/', workloadLink: '//gvc/shop/workload/web' }] }],
    },
  },
  group: { name: 'pipelines', description: 'Programs that deliver', memberLinks: [] },
  serviceaccount: { name: 'deployer', description: 'Delivers the shop' },
  policy: {
    name: 'deploy-shop',
    description: 'The pipeline may change workloads',
    targetKind: 'workload',
    target: 'all',
    bindings: [{ permissions: ['edit', 'view'], principalLinks: ['//serviceaccount/deployer'] }],
  },
  image: { name: 'web:1', tags: { reviewed: 'yes' } },
  quota: { name: 'workloads', tags: { reviewed: 'yes' } },
};
