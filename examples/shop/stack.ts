/**
 * A shop: a public web site that scales to zero, an API of two containers, a database on volumes that grow, and a
 * nightly report. Try it with `npx gantry apply examples/shop --embedded`.
 */
import { App, Domain, Gvc, Identity, Policy, Secret, Stack, VolumeSet, Workload } from 'gantry';
import { databasePassword, host, paymentKey, version } from './settings.ts';

const registry = 'registry.example.com/shop';
const everywhere = ['0.0.0.0/0'];

const app = new App();
const stack = new Stack(app, 'shop');

const shop = new Gvc(stack, 'shop', {
  description: 'The shop and all that belongs to it',
  tags: { team: 'shop' },
  locations: ['aws-eu-central-1', 'aws-us-east-1'],
  env: { LOG_LEVEL: 'info' },
});

const database = new Secret(stack, 'shop-database', {
  type: 'userpass',
  data: { username: 'shop', password: databasePassword },
});
const payment = new Secret(stack, 'shop-payment', { type: 'opaque', data: { payload: paymentKey } });

const backend = new Identity(shop, 'backend', { description: 'The API, the database and the report' });
new Policy(stack, 'shop-backend-secrets', {
  targetKind: 'secret',
  targetLinks: [database, payment],
  bindings: [{ permissions: ['reveal'], principalLinks: [backend] }],
});

const web = new Workload(shop, 'web', {
  type: 'serverless',
  containers: [
    {
      name: 'web',
      image: `${registry}/web:${version}`,
      cpu: '100m',
      memory: '128Mi',
      inheritEnv: true,
      ports: [{ number: 8080, protocol: 'http' }],
      env: { API_URL: `https://${host}/api` },
      readinessProbe: { httpGet: { path: '/ready', port: 8080 } },
    },
  ],
  defaultOptions: {
    autoscaling: { metric: 'concurrency', target: 100, minScale: 0, maxScale: 10 },
    timeoutSeconds: 30,
  },
  firewallConfig: { external: { inboundAllowCIDR: everywhere, outboundAllowHostname: [host] } },
});

const api = new Workload(shop, 'api', {
  type: 'standard',
  identity: backend,
  containers: [
    {
      name: 'api',
      image: `${registry}/api:${version}`,
      cpu: '500m',
      memory: '512Mi',
      inheritEnv: true,
      ports: [{ number: 8080, protocol: 'http' }],
      env: {
        DATABASE_USER: database.key('username'),
        DATABASE_PASSWORD: database.key('password'),
        PAYMENT_KEY: payment.key('payload'),
      },
      readinessProbe: { httpGet: { path: '/ready', port: 8080 }, periodSeconds: 5 },
      livenessProbe: { tcpSocket: { port: 8080 } },
    },
    { name: 'metrics', image: 'registry.example.com/tools/metrics-agent:2.1', cpu: '50m', memory: '64Mi' },
  ],
  defaultOptions: { autoscaling: { metric: 'cpu', target: 75, minScale: 2, maxScale: 6 }, capacityAI: false },
  firewallConfig: {
    external: { inboundAllowCIDR: everywhere, outboundAllowHostname: ['payments.example.com'] },
    internal: { inboundAllowType: 'same-gvc' },
  },
});

const reports = new VolumeSet(shop, 'reports', {
  fileSystemType: 'shared',
  performanceClass: 'shared',
  initialCapacity: 10,
});

const nightly = new Workload(shop, 'nightly-report', {
  type: 'cron',
  identity: backend,
  containers: [
    {
      name: 'report',
      image: `${registry}/report:${version}`,
      cpu: '250m',
      memory: '256Mi',
      inheritEnv: true,
      args: ['--out', '/reports'],
      env: { DATABASE_USER: database.key('username'), DATABASE_PASSWORD: database.key('password') },
      volumes: [reports.mount('/reports')],
    },
  ],
  job: { schedule: '30 2 * * *', concurrencyPolicy: 'Forbid', historyLimit: 7, activeDeadlineSeconds: 3600 },
});

const files = new VolumeSet(shop, 'database-files', {
  fileSystemType: 'ext4',
  performanceClass: 'general-purpose-ssd',
  initialCapacity: 20,
  autoscaling: { minFreePercentage: 20, scalingFactor: 1.5, maxCapacity: 200 },
  snapshots: { schedule: '15 3 * * *', retentionDuration: '7d' },
});

const postgres = new Workload(shop, 'database', {
  type: 'stateful',
  identity: backend,
  containers: [
    {
      name: 'postgres',
      image: 'postgres:17.2',
      cpu: '1',
      memory: '2Gi',
      ports: [{ number: 5432, protocol: 'tcp' }],
      env: {
        PGDATA: '/data/postgres',
        POSTGRES_USER: database.key('username'),
        POSTGRES_PASSWORD: database.key('password'),
      },
      volumes: [files.mount('/data')],
      readinessProbe: { exec: { command: ['pg_isready'] } },
    },
  ],
  defaultOptions: { autoscaling: { metric: 'cpu', target: 95, minScale: 1, maxScale: 1 } },
});
postgres.allowFrom(api, nightly);

new Domain(stack, host, { dnsMode: 'cname', ports: [{ number: 443, protocol: 'http2' }] })
  .route('/api', api, { port: 8080 })
  .route('/', web, { port: 8080 });

export default app;
