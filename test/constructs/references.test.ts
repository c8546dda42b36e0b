import { format, inspect } from 'node:util';
import { Construct } from 'constructs';
import {
  Agent,
  App,
  Domain,
  Gvc,
  Identity,
  IpSet,
  type Linkable,
  Secret,
  Stack,
  Testing,
  VolumeSet,
  Workload,
} from 'gantry';
import { synth } from 'gantry/testing';
import { describe, expect, test } from 'vitest';
import { line, shop } from './harness.ts';

const here = new URL(import.meta.url).pathname;
const main = { name: 'main', image: 'nginx:1' } as const;
const http = { ...main, ports: [{ number: 8080 }] } as const;

describe('environment by name (platform/workload.env)', () => {
  test('constructs, addresses, numbers and texts become the list of the platform, in their order', () => {
    const { stack, gvc } = shop();
    const login = new Secret(stack, 'login', { type: 'userpass', data: { username: 'a', password: 'b' } });
    const token = new Secret(stack, 'token', { type: 'opaque', data: { payload: 'x' } });
    const api = new Workload(gvc, 'api', { type: 'standard', containers: [http] });
    const web = new Workload(gvc, 'web', {
      type: 'standard',
      containers: [
        {
          ...main,
          env: {
            MODE: 'prod',
            DB_PASSWORD: login.key('password'),
            API: api.internalUrl(8080),
            WORKERS: 4,
            DEBUG: false,
            TOKEN: token,
            UNSET: undefined,
          },
        },
      ],
    });
    expect(Testing.synth(web)).toEqual([
      {
        kind: 'workload',
        name: 'web',
        gvc: 'shop',
        spec: {
          type: 'standard',
          containers: [
            {
              name: 'main',
              image: 'nginx:1',
              env: [
                { name: 'MODE', value: 'prod' },
                { name: 'DB_PASSWORD', value: 'scheme://secret/login.password' },
                { name: 'API', value: 'http://api.shop.internal.example:8080' },
                { name: 'WORKERS', value: '4' },
                { name: 'DEBUG', value: 'false' },
                { name: 'TOKEN', value: 'scheme://secret/token' },
              ],
            },
          ],
        },
      },
    ]);
  });

  test("the platform's list accepts keys of secrets too; a GVC accepts both forms", () => {
    const { stack, gvc } = shop();
    const token = new Secret(stack, 'token', { type: 'opaque', data: { payload: 'x' } });
    const web = new Workload(gvc, 'web', {
      type: 'standard',
      containers: [
        {
          ...main,
          env: [
            { name: 'A', value: token.key('payload') },
            { name: 'B', value: token },
            { name: 'C', value: 'c' },
          ],
        },
      ],
    });
    new Gvc(stack, 'other', { env: { A: token.key('payload') } });
    expect([Testing.synth(web)[0], Testing.synth(stack).at(-1)]).toMatchObject([
      {
        spec: {
          containers: [
            {
              env: [
                { name: 'A', value: 'scheme://secret/token.payload' },
                { name: 'B', value: 'scheme://secret/token' },
                { name: 'C', value: 'c' },
              ],
            },
          ],
        },
      },
      { spec: { env: [{ name: 'A', value: 'scheme://secret/token.payload' }] } },
    ]);
  });
});

test('volumes are mounted by their source (platform/workload.volumes)', () => {
  const { stack, gvc } = shop();
  const files = new VolumeSet(gvc, 'files', { fileSystemType: 'shared', initialCapacity: 10 });
  const tls = new Secret(stack, 'tls', { type: 'tls', data: { key: 'k', cert: 'c' } });
  const web = new Workload(gvc, 'web', {
    type: 'standard',
    containers: [
      {
        ...main,
        volumes: [
          files.mount('/files'),
          files.mount('/more', { recoveryPolicy: 'retain' }),
          tls.mount('/tls'),
          tls.mount('/cert', { key: 'cert' }),
        ],
      },
    ],
  });
  expect(Testing.synth(web)).toMatchObject([
    {
      spec: {
        containers: [
          {
            volumes: [
              { uri: 'scheme://volumeset/files', path: '/files' },
              { uri: 'scheme://volumeset/files', path: '/more', recoveryPolicy: 'retain' },
              { uri: 'scheme://secret/tls', path: '/tls' },
              { uri: 'scheme://secret/tls.cert', path: '/cert' },
            ],
          },
        ],
      },
    },
  ]);
});

describe('the internal address of a workload (platform/lifecycle.endpoints)', () => {
  const { gvc } = shop();
  const api = new Workload(gvc, 'api', {
    type: 'standard',
    containers: [
      {
        ...main,
        ports: [
          { number: 9000, protocol: 'grpc' },
          { number: 5432, protocol: 'tcp' },
        ],
      },
      { name: 'side', image: 'x:1', ports: [{ number: 8080, protocol: 'http2' }] },
    ],
  });
  test.each([
    { it: 'the first port', url: () => api.internalUrl(), expected: 'grpc://api.shop.internal.example:9000' },
    { it: 'tcp', url: () => api.internalUrl(5432), expected: 'tcp://api.shop.internal.example:5432' },
    {
      it: 'another scheme',
      url: () => api.internalUrl(5432, { scheme: 'postgres' }),
      expected: 'postgres://api.shop.internal.example:5432',
    },
    { it: 'another container', url: () => api.internalUrl(8080), expected: 'http://api.shop.internal.example:8080' },
    { it: 'only the host', url: () => api.internalHost, expected: 'api.shop.internal.example' },
  ])('$it', ({ url, expected }) => expect(url()).toBe(expected));

  test('another installation sets its domain once, for the whole tree', () => {
    const app = new App();
    app.node.setContext('gantry:internal-domain', 'svc.local');
    const other = new Gvc(new Stack(app, 'test'), 'shop');
    const workload = new Workload(other, 'api', { type: 'standard', containers: [http] });
    expect(workload.internalUrl()).toBe('http://api.shop.svc.local:8080');
    expect(Workload.fromName(other, 'x', 'queue').internalUrl(80)).toBe('http://queue.shop.svc.local:80');
  });

  // biome-ignore format: a row is a case
  test.each([
    { it: 'a port without a container', url: () => api.internalUrl(80) },
    { it: 'no port', url: () => new Workload(gvc, 'none', { type: 'standard', containers: [main] }).internalUrl() },
    { it: 'a GVC that only the settings contain',
      url: () => Workload.fromName(shop().stack, 'w', 'web', { gvc: { fromSettings: true } }).internalUrl(80) },
  ])('refused: $it', ({ url }) => expect(url).toThrow(expect.objectContaining({ code: 'stack.port' })));
});

describe('routes of a domain', () => {
  test('follow those of the props, on the named port (platform/domain.routing)', () => {
    const { stack, gvc } = shop();
    const api = new Workload(gvc, 'api', { type: 'standard', containers: [http] });
    const domain = new Domain(stack, 'shop.example.com', {
      ports: [{ number: 443, protocol: 'http2', routes: [{ prefix: '/old', workloadLink: api }] }],
    })
      .route('/api', api, { port: 8080 })
      .route('/', api, { on: 80 })
      .routeRegex('^/v[0-9]+/', api, { on: 80, port: 8080 });
    expect(Testing.synth(domain)).toEqual([
      {
        kind: 'domain',
        name: 'shop.example.com',
        spec: {
          ports: [
            {
              number: 443,
              protocol: 'http2',
              routes: [
                { prefix: '/old', workloadLink: '//gvc/shop/workload/api' },
                { prefix: '/api', workloadLink: '//gvc/shop/workload/api', port: 8080 },
              ],
            },
            {
              number: 80,
              routes: [
                { prefix: '/', workloadLink: '//gvc/shop/workload/api' },
                { regex: '^/v[0-9]+/', workloadLink: '//gvc/shop/workload/api', port: 8080 },
              ],
            },
          ],
        },
      },
    ]);
  });

  test('a domain without ports gets port 443, and is valid', () => {
    const { stack, gvc } = shop();
    const api = new Workload(gvc, 'api', { type: 'standard', containers: [http] });
    new Domain(stack, 'shop.example.com').route('/api', api, { port: 8080 });
    expect(synth(stack).at(-1)).toEqual({
      kind: 'domain',
      name: 'shop.example.com',
      spec: {
        ports: [{ number: 443, routes: [{ prefix: '/api', workloadLink: '//gvc/shop/workload/api', port: 8080 }] }],
      },
    });
  });

  test('a domain of a GVC has none', () => {
    const { stack, gvc } = shop();
    const api = new Workload(gvc, 'api', { type: 'standard', containers: [http] });
    const domain = new Domain(stack, 'shop.example.com', { gvcLink: gvc });
    expect(() => domain.route('/', api)).toThrow(expect.objectContaining({ code: 'stack.route' }));
  });

  test('an invalid route is reported at the line that adds it', () => {
    const { stack, gvc } = shop();
    const api = new Workload(gvc, 'api', { type: 'standard', containers: [http] });
    const domain = new Domain(stack, 'shop.example.com');
    domain.route('/api', api);
    domain.route('/web', api, { port: 70_000 });
    const added = line() - 1;
    expect(() => synth(stack)).toThrow(
      expect.objectContaining({
        code: 'shape.range',
        problems: [expect.objectContaining({ position: expect.objectContaining({ file: here, line: added }) })],
      }),
    );
  });
});

describe('the callers of a workload (platform/workload.firewall)', () => {
  test('become a list of workloads if the props have none', () => {
    const { stack, gvc } = shop();
    const gate = new Agent(stack, 'gate');
    const api = new Workload(gvc, 'api', { type: 'standard', containers: [http] });
    const web = new Workload(gvc, 'web', { type: 'standard', containers: [http] });
    web.allowFrom(api, gate).allowFrom(api, 'scheme://internal/keda');
    expect(synth(stack).find(({ name }) => name === 'web')).toMatchObject({
      spec: {
        firewallConfig: {
          internal: {
            inboundAllowType: 'workload-list',
            inboundAllowWorkload: ['//gvc/shop/workload/api', '//agent/gate', 'scheme://internal/keda'],
          },
        },
      },
    });
  });

  test.each([
    {
      it: 'the list of the props is extended, and its other settings are kept',
      firewallConfig: {
        external: { inboundAllowCIDR: ['0.0.0.0/0'] },
        internal: { inboundAllowType: 'same-gvc', inboundAllowWorkload: ['//gvc/other/workload/job'] },
      },
      expected: {
        external: { inboundAllowCIDR: ['0.0.0.0/0'] },
        internal: {
          inboundAllowType: 'same-gvc',
          inboundAllowWorkload: ['//gvc/other/workload/job', '//gvc/shop/workload/api'],
        },
      },
    },
    {
      it: 'if the whole org may call, a workload is not listed',
      firewallConfig: { internal: { inboundAllowType: 'same-org' } },
      expected: { internal: { inboundAllowType: 'same-org' } },
    },
  ] as const)('$it', ({ firewallConfig, expected }) => {
    const { stack, gvc } = shop();
    const api = new Workload(gvc, 'api', { type: 'standard', containers: [http] });
    new Workload(gvc, 'web', { type: 'standard', containers: [http], firewallConfig }).allowFrom(api);
    expect(Object(synth(stack).at(-1)).spec.firewallConfig).toEqual(expected);
  });

  test.each([
    { it: 'no workload may call', inboundAllowType: 'none', caller: '//gvc/shop/workload/api' },
    { it: 'an agent beside the whole org', inboundAllowType: 'same-org', caller: '//agent/gate' },
  ] as const)('refused: $it', ({ inboundAllowType, caller }) => {
    const { gvc } = shop();
    const firewallConfig = { internal: { inboundAllowType } };
    const web = new Workload(gvc, 'web', { type: 'standard', containers: [http], firewallConfig });
    expect(() => web.allowFrom(caller)).toThrow(expect.objectContaining({ code: 'stack.firewall' }));
  });
});

describe('a construct in a text', () => {
  const { stack, gvc } = shop();
  const api = new Workload(gvc, 'api', { type: 'standard', containers: [http] });
  const login = new Secret(stack, 'login', { type: 'userpass', data: { username: 'a', password: 'b' } });
  const existing = Secret.fromName(stack, 'old', 'legacy');
  test.each([
    { it: 'a template', text: () => `${api}`, hint: '.internalUrl()' },
    { it: 'concatenation', text: () => `http://`.concat(String(api)), hint: '.link (//gvc/shop/workload/api)' },
    { it: 'an operator', text: () => 'x' + api, hint: '.name (api)' },
    { it: 'join', text: () => [login].join(','), hint: '.key(' },
    { it: 'a key of a secret', text: () => `postgres://a:${login.key('password')}@db`, hint: 'whole values' },
    { it: 'a resource that is not in the stack', text: () => `${existing}`, hint: '.name (legacy)' },
  ])('is an error with a suggestion: $it', ({ text, hint }) => {
    expect(text).toThrow(expect.objectContaining({ code: 'stack.text', hint: expect.stringContaining(hint) }));
  });

  test('is still visible in a log', () => {
    expect(inspect(api, { depth: 0 })).toContain('Workload');
    expect(format(api)).toContain("name: 'api'");
    expect(inspect(login.key('password'), { depth: 0 })).toContain('SecretKey');
    expect(JSON.stringify({ password: login.key('password') })).toBe('{"password":"scheme://secret/login.password"}');
    expect(JSON.stringify({ api, legacy: existing })).toBe(
      '{"api":"//gvc/shop/workload/api","legacy":"//secret/legacy"}',
    );
  });
});

describe('references across GVCs that the platform forbids are reported with both lines', () => {
  const both = (position: number, target: number) =>
    expect.objectContaining({
      code: 'stack.gvc',
      problems: [
        expect.objectContaining({
          position: expect.objectContaining({ file: here, line: position }),
          message: expect.stringContaining(`(${here}:${target})`),
        }),
      ],
    });

  test('an identity (platform/concepts.links)', () => {
    const { stack, gvc } = shop();
    const identity = new Identity(new Gvc(stack, 'other'), 'backend');
    const made = line() - 1;
    new Workload(gvc, 'web', { type: 'standard', identity, containers: [main] });
    expect(() => Testing.synth(stack)).toThrow(both(made + 2, made));
    expect(() => Testing.synth(stack)).toThrow(
      /spec\.identityLink refers to the identity "backend" of the GVC "other" .*, but the workload "web" is in "shop"/,
    );
  });

  test('a volume set, whose name would be resolved in the other GVC (platform/volumeset.mounting)', () => {
    const { stack, gvc } = shop();
    const files = new VolumeSet(new Gvc(stack, 'other'), 'files', { fileSystemType: 'shared', initialCapacity: 10 });
    const made = line() - 1;
    new Workload(gvc, 'web', { type: 'standard', containers: [{ ...main, volumes: [files.mount('/files')] }] });
    expect(() => Testing.synth(stack)).toThrow(both(made + 2, made));
  });

  test('the alias of a GVC', () => {
    const { stack, gvc } = shop();
    const web = new Workload(gvc, 'web', { type: 'standard', containers: [http] });
    const made = line() - 1;
    new Gvc(stack, 'other', { aliasWorkloadLink: web });
    expect(() => Testing.synth(stack)).toThrow(both(made + 2, made));
  });

  test('workloads of two GVCs behind one domain (rule D3), at the route', () => {
    const { stack, gvc } = shop();
    const web = new Workload(gvc, 'web', { type: 'standard', containers: [http] });
    const api = new Workload(new Gvc(stack, 'other'), 'api', { type: 'standard', containers: [http] });
    const made = line() - 1;
    const domain = new Domain(stack, 'shop.example.com').route('/', web);
    domain.route('/api', api);
    expect(() => Testing.synth(stack)).toThrow(both(made + 3, made));
  });

  test('the platform permits others: callers, routes of a domain, an identity as principal', () => {
    const { stack, gvc } = shop();
    const other = new Gvc(stack, 'other', { locations: ['aws-us-west-2'] });
    const api = new Workload(gvc, 'api', { type: 'standard', containers: [http] });
    new Workload(other, 'web', { type: 'standard', containers: [http] }).allowFrom(api);
    new Secret(stack, 'key', { type: 'opaque', data: { payload: 'x' } }).grantReveal(new Identity(other, 'backend'));
    expect(() => synth(stack)).not.toThrow();
  });
});

describe('any object with a kind and a link is a reference', () => {
  class Foreign extends Construct implements Linkable<'secret'> {
    readonly kind = 'secret';
    get link() {
      return '//secret/foreign';
    }
  }

  test.each([
    { it: 'a construct of another library', make: (scope: Construct) => new Foreign(scope, 'foreign') },
    { it: 'plain data', make: () => ({ kind: 'secret', link: '//secret/foreign' }) as const },
  ])('$it', ({ make }) => {
    const { stack, gvc } = shop();
    const secret: Linkable<'secret'> = make(stack);
    const web = new Workload(gvc, 'web', {
      type: 'standard',
      containers: [{ ...main, env: { TOKEN: secret }, volumes: [{ uri: secret, path: '/secret' }] }],
    });
    new IpSet(stack, 'fixed', { link: { kind: 'workload', link: '//gvc/shop/workload/web' } });
    expect(Testing.synth(web)).toMatchObject([
      {
        spec: {
          containers: [
            {
              env: [{ name: 'TOKEN', value: 'scheme://secret/foreign' }],
              volumes: [{ uri: 'scheme://secret/foreign', path: '/secret' }],
            },
          ],
        },
      },
    ]);
    expect(Testing.synth(stack)).toContainEqual({
      kind: 'ipset',
      name: 'fixed',
      spec: { link: '//gvc/shop/workload/web' },
    });
  });
});
