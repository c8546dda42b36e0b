/**
 * The shop of `examples/shop` as an app of CDKTN, on typed classes of Gantry's provider: see README.md. It makes
 * `cdktf.out/stacks/shop/cdk.tf.json`, which Terraform and OpenTofu take.
 */
import { App, TerraformStack, TerraformVariable } from 'cdktn';
import type { Construct } from 'constructs';
import { Domain } from './.gen/providers/gantry/domain/index.js';
import { Gvc } from './.gen/providers/gantry/gvc/index.js';
import { Identity } from './.gen/providers/gantry/identity/index.js';
import { Policy } from './.gen/providers/gantry/policy/index.js';
import { GantryProvider } from './.gen/providers/gantry/provider/index.js';
import { Secret } from './.gen/providers/gantry/secret/index.js';
import { Volumeset } from './.gen/providers/gantry/volumeset/index.js';
import { Workload } from './.gen/providers/gantry/workload/index.js';

const registry = 'registry.example.com/shop';
const host = 'shop.example.com';
const version = '1.4.0';
const everywhere = ['0.0.0.0/0'];

class Shop extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new GantryProvider(this, 'gantry');
    const password = new TerraformVariable(this, 'database_password', { type: 'string', sensitive: true });
    const paymentKey = new TerraformVariable(this, 'payment_key', { type: 'string', sensitive: true });

    const shop = new Gvc(this, 'gvc', {
      name: 'shop',
      description: 'The shop and all that belongs to it',
      tags: { team: 'shop' },
      spec: {
        staticPlacement: { locationLinks: ['//location/aws-eu-central-1', '//location/aws-us-east-1'] },
        env: { LOG_LEVEL: 'info' },
      },
    });
    const database = new Secret(this, 'database-secret', {
      name: 'shop-database',
      type: 'userpass',
      data: { userpass: { username: 'shop', password: password.stringValue } },
    });
    const payment = new Secret(this, 'payment-secret', {
      name: 'shop-payment',
      type: 'opaque',
      data: { opaque: { payload: paymentKey.stringValue } },
    });
    const key = (secret: Secret, name: string): string => `scheme://secret/${secret.name}.${name}`;
    const login = { DATABASE_USER: key(database, 'username'), DATABASE_PASSWORD: key(database, 'password') };

    const backend = new Identity(this, 'backend-identity', {
      name: 'backend',
      gvc: shop.name,
      description: 'The API, the database and the report',
    });
    new Policy(this, 'backend-secrets', {
      name: 'shop-backend-secrets',
      targetKind: 'secret',
      targetLinks: [database.link, payment.link],
      bindings: [{ permissions: ['reveal'], principalLinks: [backend.link] }],
    });

    const web = new Workload(this, 'web', {
      name: 'web',
      gvc: shop.name,
      spec: {
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
        firewallConfig: { external: { inboundAllowCidr: everywhere, outboundAllowHostname: [host] } },
      },
    });

    const api = new Workload(this, 'api', {
      name: 'api',
      gvc: shop.name,
      spec: {
        type: 'standard',
        identityLink: backend.link,
        containers: [
          {
            name: 'api',
            image: `${registry}/api:${version}`,
            cpu: '500m',
            memory: '512Mi',
            inheritEnv: true,
            ports: [{ number: 8080, protocol: 'http' }],
            env: { ...login, PAYMENT_KEY: key(payment, 'payload') },
            readinessProbe: { httpGet: { path: '/ready', port: 8080 }, periodSeconds: 5 },
            livenessProbe: { tcpSocket: { port: 8080 } },
          },
          { name: 'metrics', image: 'registry.example.com/tools/metrics-agent:2.1', cpu: '50m', memory: '64Mi' },
        ],
        defaultOptions: { autoscaling: { metric: 'cpu', target: 75, minScale: 2, maxScale: 6 }, capacityAi: false },
        firewallConfig: {
          external: { inboundAllowCidr: everywhere, outboundAllowHostname: ['payments.example.com'] },
          internal: { inboundAllowType: 'same-gvc' },
        },
      },
    });

    const reports = new Volumeset(this, 'reports', {
      name: 'reports',
      gvc: shop.name,
      spec: { fileSystemType: 'shared', performanceClass: 'shared', initialCapacity: 10 },
    });
    const nightly = new Workload(this, 'nightly-report', {
      name: 'nightly-report',
      gvc: shop.name,
      spec: {
        type: 'cron',
        identityLink: backend.link,
        containers: [
          {
            name: 'report',
            image: `${registry}/report:${version}`,
            cpu: '250m',
            memory: '256Mi',
            inheritEnv: true,
            args: ['--out', '/reports'],
            env: login,
            volumes: [{ uri: `scheme://volumeset/${reports.name}`, path: '/reports' }],
          },
        ],
        job: { schedule: '30 2 * * *', concurrencyPolicy: 'Forbid', historyLimit: 7, activeDeadlineSeconds: 3600 },
      },
    });

    const files = new Volumeset(this, 'database-files', {
      name: 'database-files',
      gvc: shop.name,
      spec: {
        fileSystemType: 'ext4',
        performanceClass: 'general-purpose-ssd',
        initialCapacity: 20,
        autoscaling: { minFreePercentage: 20, scalingFactor: 1.5, maxCapacity: 200 },
        snapshots: { schedule: '15 3 * * *', retentionDuration: '7d' },
      },
    });
    new Workload(this, 'database', {
      name: 'database',
      gvc: shop.name,
      spec: {
        type: 'stateful',
        identityLink: backend.link,
        containers: [
          {
            name: 'postgres',
            image: 'postgres:17.2',
            cpu: '1',
            memory: '2Gi',
            ports: [{ number: 5432, protocol: 'tcp' }],
            env: {
              PGDATA: '/data/postgres',
              POSTGRES_USER: key(database, 'username'),
              POSTGRES_PASSWORD: key(database, 'password'),
            },
            volumes: [{ uri: `scheme://volumeset/${files.name}`, path: '/data' }],
            readinessProbe: { exec: { command: ['pg_isready'] } },
          },
        ],
        defaultOptions: { autoscaling: { metric: 'cpu', target: 95, minScale: 1, maxScale: 1 } },
        firewallConfig: {
          internal: { inboundAllowType: 'workload-list', inboundAllowWorkload: [api.link, nightly.link] },
        },
      },
    });

    new Domain(this, 'domain', {
      name: host,
      spec: {
        dnsMode: 'cname',
        ports: [
          {
            number: 443,
            protocol: 'http2',
            routes: [
              { prefix: '/api', workloadLink: api.link, port: 8080 },
              { prefix: '/', workloadLink: web.link, port: 8080 },
            ],
          },
        ],
      },
    });
  }
}

// Write-only attributes are part of the classes: the synthesis checks that no older tool is meant.
const app = new App({ context: { targetVersions: { terraform: '>=1.11.0', opentofu: '>=1.11.0' } } });
new Shop(app, 'shop');
app.synth();
