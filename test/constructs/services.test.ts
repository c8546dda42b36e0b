import {
  CronJob,
  Database,
  Domain,
  Duration,
  Gvc,
  Identity,
  Schedule,
  ServerlessService,
  Size,
  type Stack,
  StandardService,
  StatefulService,
  StaticSite,
  sensitive,
  Testing,
  VolumeSet,
} from 'gantry';
import { synth } from 'gantry/testing';
import { describe, expect, test } from 'vitest';
import { shop } from './harness.ts';

const here = new URL(import.meta.url).pathname;

/** The resulting manifests beside the GVC; all are valid. */
function made(stack: Stack) {
  return synth(stack).slice(1);
}

const web = { kind: 'workload', name: 'web', gvc: 'shop' };

interface Case {
  readonly it: string;
  readonly make: (gvc: Gvc) => unknown;
  readonly expected: readonly object[];
}

// biome-ignore format: a row is a case
const services: readonly Case[] = [
  { it: 'ServerlessService with only an image', make: (gvc) => new ServerlessService(gvc, 'web', { image: 'shop:1' }),
    expected: [{ ...web,
    spec: { type: 'serverless', containers: [{ name: 'main', image: 'shop:1', ports: [{ number: 8080 }] }] } }] },
  {
    it: 'ServerlessService with everything',
    make: (gvc) => [
      new ServerlessService(gvc, 'site', {
        name: 'web',
        description: 'A shop',
        tags: { team: 'x' },
        lifecycle: { protect: true },
        image: 'shop:1',
        command: 'serve',
        args: ['--fast'],
        env: { MODE: 'prod' },
        inheritEnv: true,
        cpu: '100m',
        memory: '128Mi',
        identity: '//identity/backend',
        volumes: [{ uri: 'scratch://tmp', path: '/cache' }],
        port: 9000,
        protocol: 'http2',
        public: ['10.0.0.0/8'],
        callers: 'same-gvc',
        outbound: ['api.example.com'],
        health: '/ready',
        scale: { min: 0, max: 10, concurrency: 50 },
        timeout: Duration.minutes(1),
      }),
      new Identity(gvc, 'backend'),
    ],
    expected: [
      {
        ...web,
        description: 'A shop',
        tags: { team: 'x' },
        lifecycle: { protect: true },
        spec: {
          type: 'serverless',
          identityLink: '//identity/backend',
          containers: [
            {
              name: 'main',
              image: 'shop:1',
              command: 'serve',
              args: ['--fast'],
              cpu: '100m',
              memory: '128Mi',
              env: [{ name: 'MODE', value: 'prod' }],
              inheritEnv: true,
              volumes: [{ uri: 'scratch://tmp', path: '/cache' }],
              ports: [{ number: 9000, protocol: 'http2' }],
              readinessProbe: { httpGet: { path: '/ready', port: 9000 } },
              livenessProbe: { httpGet: { path: '/ready', port: 9000 } },
            },
          ],
          defaultOptions: {
            autoscaling: { metric: 'concurrency', target: 50, minScale: 0, maxScale: 10 },
            timeoutSeconds: 60,
          },
          firewallConfig: {
            external: { inboundAllowCIDR: ['10.0.0.0/8'], outboundAllowHostname: ['api.example.com'] },
            internal: { inboundAllowType: 'same-gvc' },
          },
        },
      },
      { kind: 'identity', name: 'backend', gvc: 'shop' },
    ],
  },
  {
    it: 'StandardService without ports',
    make: (gvc) => new StandardService(gvc, 'web', { image: 'worker:1', outbound: 'all' }),
    expected: [
      {
        ...web,
        spec: {
          type: 'standard',
          containers: [{ name: 'main', image: 'worker:1' }],
          firewallConfig: { external: { outboundAllowCIDR: ['0.0.0.0/0'] } },
        },
      },
    ],
  },
  {
    it: 'StandardService with callers and a scale',
    make: (gvc) =>
      new StandardService(gvc, 'web', {
        image: 'api:1',
        port: 8080,
        callers: ['//gvc/shop/workload/front'],
        health: '/ready',
        scale: { min: 2, max: 6, cpu: 75 },
        timeout: '1m',
      }),
    expected: [
      {
        ...web,
        spec: {
          type: 'standard',
          containers: [
            {
              name: 'main',
              image: 'api:1',
              ports: [{ number: 8080 }],
              readinessProbe: { httpGet: { path: '/ready', port: 8080 } },
              livenessProbe: { httpGet: { path: '/ready', port: 8080 } },
            },
          ],
          defaultOptions: { autoscaling: { metric: 'cpu', target: 75, minScale: 2, maxScale: 6 }, timeoutSeconds: 60 },
          firewallConfig: {
            internal: { inboundAllowType: 'workload-list', inboundAllowWorkload: ['//gvc/shop/workload/front'] },
          },
        },
      },
    ],
  },
  {
    it: 'StatefulService with its volume set',
    make: (gvc) =>
      new StatefulService(gvc, 'web', {
        image: 'nats:2',
        port: 4222,
        protocol: 'tcp',
        health: 'tcp',
        replicas: 3,
        volumes: [{ uri: 'scratch://tmp', path: '/cache' }],
        storage: {
          path: '/data',
          capacity: Size.gigabytes(20),
          protect: true,
          growTo: Size.gigabytes(200),
          snapshots: { schedule: Schedule.daily({ hour: 3 }), retention: Duration.days(7) },
        },
      }),
    expected: [
      {
        ...web,
        spec: {
          type: 'stateful',
          containers: [
            {
              name: 'main',
              image: 'nats:2',
              ports: [{ number: 4222, protocol: 'tcp' }],
              readinessProbe: { tcpSocket: { port: 4222 } },
              livenessProbe: { tcpSocket: { port: 4222 } },
              volumes: [
                { uri: 'scheme://volumeset/web-data', path: '/data' },
                { uri: 'scratch://tmp', path: '/cache' },
              ],
            },
          ],
          defaultOptions: { autoscaling: { minScale: 3, maxScale: 3 } },
        },
      },
      {
        kind: 'volumeset',
        name: 'web-data',
        gvc: 'shop',
        lifecycle: { protect: true },
        spec: {
          performanceClass: 'general-purpose-ssd',
          initialCapacity: 20,
          autoscaling: { minFreePercentage: 20, scalingFactor: 1.5, maxCapacity: 200 },
          snapshots: { schedule: '0 3 * * *', retentionDuration: '7d' },
        },
      },
    ],
  },
  {
    it: 'CronJob',
    make: (gvc) =>
      new CronJob(gvc, 'web', {
        image: 'report:1',
        schedule: Schedule.daily({ hour: 3 }),
        timeout: Duration.hours(1),
        retry: true,
        history: 7,
      }),
    expected: [
      {
        ...web,
        spec: {
          type: 'cron',
          containers: [{ name: 'main', image: 'report:1' }],
          job: {
            schedule: '0 3 * * *',
            concurrencyPolicy: 'Forbid',
            historyLimit: 7,
            restartPolicy: 'OnFailure',
            activeDeadlineSeconds: 3600,
          },
        },
      },
    ],
  },
  {
    it: 'StaticSite from an image',
    make: (gvc) => new StaticSite(gvc, 'web', { image: 'docs:1', port: 8080, maxScale: 1 }),
    expected: [
      {
        ...web,
        spec: {
          type: 'serverless',
          containers: [{ name: 'main', image: 'docs:1', ports: [{ number: 8080 }] }],
          defaultOptions: { autoscaling: { minScale: 0, maxScale: 1 } },
          firewallConfig: { external: { inboundAllowCIDR: ['0.0.0.0/0'] } },
        },
      },
    ],
  },
];

test.each(services)('the manifests of $it', ({ make, expected }) => {
  const { stack, gvc } = shop();
  make(gvc);
  expect(made(stack)).toEqual(expected);
});

describe('services are workloads', () => {
  test('with routes, addresses, callers and overrides', () => {
    const { stack, gvc } = shop();
    const web = new ServerlessService(gvc, 'web', { image: 'shop:1' });
    const api = new StandardService(gvc, 'api', { image: 'api:1', port: 8080, env: { WEB: web.internalUrl() } });
    api.allowFrom(web).addOverride('spec.containers.main.workingDir', '/srv');
    new Domain(stack, 'shop.example.com').route('/', web, { port: 8080 });
    expect(made(stack)).toMatchObject([
      { name: 'web' },
      {
        spec: {
          containers: [{ workingDir: '/srv', env: [{ value: 'http://web.shop.internal.example:8080' }] }],
          firewallConfig: { internal: { inboundAllowWorkload: ['//gvc/shop/workload/web'] } },
        },
      },
      { spec: { ports: [{ routes: [{ workloadLink: '//gvc/shop/workload/web' }] }] } },
    ]);
  });

  test('a client of a Database gets its address and login, and the password is marked', () => {
    const { stack, gvc } = shop();
    const database = new Database(gvc, 'orders', {
      password: sensitive('correct horse'),
      storage: { capacity: Size.gigabytes(20) },
    });
    new StandardService(gvc, 'api', { image: 'api:1', env: database.clientEnv });
    const manifests = made(stack);
    expect(manifests.find(({ name }) => name === 'api')).toHaveProperty('spec.containers.0.env', [
      { name: 'PGHOST', value: 'orders.shop.internal.example' },
      { name: 'PGPORT', value: '5432' },
      { name: 'PGDATABASE', value: 'app' },
      { name: 'PGUSER', value: 'scheme://secret/shop-orders-login.username' },
      { name: 'PGPASSWORD', value: 'scheme://secret/shop-orders-login.password' },
    ]);
    expect(manifests.find(({ kind }) => kind === 'secret')).toMatchObject({
      data: { password: 'correct horse' },
      lifecycle: { sensitive: ['data.password'] },
    });
  });

  test('in another GVC than their scope, with all their resources', () => {
    const { stack } = shop();
    new Database(stack, 'orders', { gvc: 'other', password: 'x', storage: { capacity: 10 } });
    expect(Testing.synth(stack).slice(1)).toMatchObject([
      { kind: 'workload', gvc: 'other', spec: { identityLink: '//identity/orders' } },
      { kind: 'volumeset', gvc: 'other' },
      { kind: 'secret', name: 'other-orders-login' },
      { kind: 'policy', bindings: [{ principalLinks: ['//gvc/other/identity/orders'] }] },
      { kind: 'identity', gvc: 'other' },
    ]);
  });

  test('a shared volume set contains the files of a site', () => {
    const { stack, gvc } = shop();
    const files = new VolumeSet(gvc, 'pages', { fileSystemType: 'shared', initialCapacity: 10 });
    new StaticSite(gvc, 'web', { files });
    expect(made(stack).at(-1)).toMatchObject({
      spec: { containers: [{ volumes: [{ uri: 'scheme://volumeset/pages', path: '/usr/share/nginx/html' }] }] },
    });
  });

  test('a problem in one of their resources is reported at the line of the service', () => {
    const { stack, gvc } = shop();
    const queue = new StatefulService(gvc, 'web', { image: 'x:1', storage: { path: '/data', capacity: 5 } });
    const position = queue.origin.position();
    expect(position.file).toBe(here);
    expect(() => synth(stack)).toThrow(
      expect.objectContaining({
        code: 'V1',
        problems: [expect.objectContaining({ resource: 'volumeset/shop/web-data', position })],
      }),
    );
  });
});

describe('a misspelled name of a service is an error, which nothing else would find', () => {
  const image = 'registry.example.com/x:1';
  const capacity = 10;

  test.each([
    { it: StandardService, props: { image, prot: 8080 }, says: 'a StandardService has no property "prot"' },
    { it: StandardService, props: { image, scale: { mni: 1 } }, says: 'scale has no property "mni"' },
    { it: ServerlessService, props: { image, pubic: true }, says: 'a ServerlessService has no property "pubic"' },
    { it: ServerlessService, props: { image, scale: { maks: 3 } }, says: 'scale has no property "maks"' },
    { it: StatefulService, props: { image, storage: { capcity: 10 } }, says: 'storage has no property "capcity"' },
    { it: StatefulService, props: { image, replica: 2 }, says: 'a StatefulService has no property "replica"' },
    { it: CronJob, props: { image, shedule: '* * * * *' }, says: 'a CronJob has no property "shedule"' },
    { it: StaticSite, props: { image, hots: 'x.example.com' }, says: 'a StaticSite has no property "hots"' },
    { it: Database, props: { password: 'x', storge: { capacity } }, says: 'a Database has no property "storge"' },
    { it: Database, props: { password: 'x', storage: { capacity, grow: 9 } }, says: 'storage has no property "grow"' },
  ])('$says', ({ it, props, says }) => {
    const gvc = new Gvc(Testing.stack(), 'shop');
    // Possible in a file that is not compiled.
    expect(() => Reflect.construct(it, [gvc, 'one', props])).toThrow(says);
  });
});
