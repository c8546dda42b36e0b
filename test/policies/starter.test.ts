import { Database, Gvc, StatefulService, Testing } from 'gantry';
import { describe, expect, test } from 'vitest';
import type { ChangeDocument } from '../../src/change/documents/planDocument.ts';
import { starter } from '../../src/policies/rules/starter.ts';
import { changeOf, planDocument } from '../report/makeReports.ts';
import { found, type WrittenManifest } from './asked.ts';

function policyNamed(id: string) {
  const policy = starter.find((each) => each.id === id);
  if (policy === undefined) throw new Error(`there is no ${id}`);
  return policy;
}

/** A workload of one container, from docs/platform/kinds/workload.md. */
function workload(container: object, spec: object = {}): WrittenManifest {
  const containers = [{ name: 'main', image: 'shop:1', ...container }];
  return { kind: 'workload', name: 'web', gvc: 'shop', spec: { type: 'standard', containers, ...spec } };
}

function open(firewall: object): WrittenManifest {
  return workload({}, { firewallConfig: { external: firewall } });
}

const everybody = open({ inboundAllowCIDR: ['0.0.0.0/0'] });

/** From docs/platform/kinds/domain.md. */
function domain(spec: object): WrittenManifest {
  return { kind: 'domain', name: 'shop.example.com', spec };
}

function routeTo(workloadLink: string, port: object = { number: 443, protocol: 'http2' }): WrittenManifest {
  return domain({ ports: [{ ...port, routes: [{ prefix: '/', workloadLink }] }] });
}

const inbound = 'error workload/shop/web spec.firewallConfig.external.inboundAllowCIDR';
const outbound = 'error workload/shop/web spec.firewallConfig.external';
const main = 'workload/shop/web spec.containers.main';
const link = '//gvc/shop/workload/web';

interface Row {
  readonly policy: string;
  readonly it: string;
  readonly given: readonly WrittenManifest[];
  readonly says: readonly string[];
}

// biome-ignore format: one case a line
const rows: readonly Row[] = [
  { policy: 'public-ingress', it: 'a closed workload', given: [workload({})], says: [] },
  { policy: 'public-ingress', it: 'reachable by a block', given: [open({ inboundAllowCIDR: ['10.0.0.0/8'] })],
    says: [] },
  { policy: 'public-ingress', it: 'an open workload without a domain', given: [everybody],
    says: [`${inbound}: everybody may reach it, and no domain of this stack leads to it`] },
  { policy: 'public-ingress', it: 'open to all IPv6 addresses', given: [open({ inboundAllowCIDR: ['::/0'] })],
    says: [`${inbound}: everybody may reach it, and no domain of this stack leads to it`] },
  { policy: 'public-ingress', it: 'a route on port 443', given: [everybody, routeTo(link)], says: [] },
  { policy: 'public-ingress', it: 'a route with a link in full',
    given: [everybody, routeTo('/org/acme/gvc/shop/workload/web')], says: [] },
  { policy: 'public-ingress', it: 'a domain without ports, which has port 443',
    given: [everybody, domain({ gvcLink: '//gvc/shop' })], says: [] },
  { policy: 'public-ingress', it: 'a domain of the workload', given: [everybody, domain({ workloadLink: link })],
    says: [] },
  {
    policy: 'public-ingress',
    it: 'a canary',
    given: [
      everybody,
      domain({
        ports: [
          {
            number: 443,
            routes: [{ workloadLink: '//gvc/shop/workload/old', canaries: [{ workloadLink: link, weight: 5 }] }],
          },
        ],
      }),
    ],
    says: [],
  },
  {
    policy: 'public-ingress',
    it: 'a mirror without TLS, which gets the same requests',
    given: [
      everybody,
      domain({
        ports: [
          {
            number: 80,
            protocol: 'http',
            routes: [{ workloadLink: '//gvc/shop/workload/old', mirror: [{ workloadLink: link, percent: 5 }] }],
          },
        ],
      }),
    ],
    says: [`${inbound}: port 80 of domain/shop.example.com leads to it without TLS`],
  },
  { policy: 'public-ingress', it: 'a route to another workload',
    given: [everybody, routeTo('//gvc/shop/workload/other')],
    says: [`${inbound}: everybody may reach it, and no domain of this stack leads to it`] },
  { policy: 'public-ingress', it: 'port 80', given: [everybody, routeTo(link, { number: 80, protocol: 'http' })],
    says: [`${inbound}: port 80 of domain/shop.example.com leads to it without TLS`] },
  { policy: 'public-ingress', it: 'another port with TLS',
    given: [everybody, routeTo(link, { number: 8443, protocol: 'http', tls: {} })], says: [] },
  { policy: 'public-ingress', it: 'TCP, on which TLS settings have no effect',
    given: [everybody, routeTo(link, { number: 443, protocol: 'tcp', tls: {} })],
    says: [`${inbound}: port 443 of domain/shop.example.com leads to it without TLS`] },
  { policy: 'public-ingress', it: 'TLS 1.0',
    given: [everybody, routeTo(link, { number: 443, protocol: 'http2', tls: { minProtocolVersion: 'TLSV1_0' } })],
    says: [`${inbound}: port 443 of domain/shop.example.com leads to it with TLSV1_0, which is broken`] },
  { policy: 'open-egress', it: 'named hosts',
    given: [open({ outboundAllowHostname: ['api.example.com', '*.example.com'] })], says: [] },
  { policy: 'open-egress', it: 'a block', given: [open({ outboundAllowCIDR: ['10.0.0.0/8'] })], says: [] },
  { policy: 'open-egress', it: 'every address', given: [open({ outboundAllowCIDR: ['0.0.0.0/0'] })],
    says: [`${outbound}.outboundAllowCIDR: it may reach every address (0.0.0.0/0)`] },
  { policy: 'open-egress', it: 'every host', given: [open({ outboundAllowHostname: ['*'] })],
    says: [`${outbound}.outboundAllowHostname: it may reach every host`] },
  ...[
    'shop:1',
    'registry.example.com:5000/shop:2.1',
    '//image/shop:3',
    'shop@sha256:0123',
    'registry.example.com/a/shop:v1@sha256:0123',
  ].map((image) => ({ policy: 'images-pinned', it: image, given: [workload({ image })], says: [] })),
  { policy: 'images-pinned', it: 'shop', given: [workload({ image: 'shop' })],
    says: [`error ${main}.image: shop has no tag, which means latest`] },
  { policy: 'images-pinned', it: 'a port and no tag', given: [workload({ image: 'registry.example.com:5000/shop' })],
    says: [`error ${main}.image: registry.example.com:5000/shop has no tag, which means latest`] },
  { policy: 'images-pinned', it: '//image/shop:latest', given: [workload({ image: '//image/shop:latest' })],
    says: [`error ${main}.image: //image/shop:latest has the tag latest`] },
  { policy: 'images-pinned', it: 'a vm, which needs no image',
    given: [{ kind: 'workload', name: 'vm', gvc: 'shop', spec: { type: 'vm', containers: [{ name: 'main' }] } }],
    says: [] },
  { policy: 'probes-present', it: 'both probes',
    given: [workload({ ports: [{ number: 80 }], readinessProbe: { tcpSocket: {} }, livenessProbe: { tcpSocket: {} } })],
    says: [] },
  { policy: 'probes-present', it: 'a container without ports', given: [workload({})], says: [] },
  { policy: 'probes-present',
    it: 'neither probe',
    given: [workload({ ports: [{ number: 80 }] })],
    says: [`error ${main}: it gets requests before it is ready`, `warning ${main}: nothing restarts it when it hangs`],
  },
  { policy: 'probes-present', it: 'the old form of a port',
    given: [workload({ port: 80, livenessProbe: { tcpSocket: {} } })],
    says: [`error ${main}: it gets requests before it is ready`] },
  { policy: 'probes-present', it: 'a serverless workload, which is checked by TCP',
    given: [workload({ ports: [{ number: 80 }] }, { type: 'serverless' })],
    says: [`warning ${main}: nothing restarts it when it hangs`] },
  { policy: 'probes-present', it: 'cron, which needs no probes', given: [workload({}, { type: 'cron' })], says: [] },
  { policy: 'data-protected',
    it: 'a protected volume set',
    given: [
      { kind: 'volumeset', name: 'data', gvc: 'shop', lifecycle: { protect: true }, spec: { initialCapacity: 10 } },
    ],
    says: [],
  },
  { policy: 'data-protected', it: 'an unprotected volume set',
    given: [{ kind: 'volumeset', name: 'data', gvc: 'shop', spec: { initialCapacity: 10 } }],
    says: ['error volumeset/shop/data lifecycle.protect: its data can be deleted by one mistake'] },
  { policy: 'limits-set', it: 'both', given: [workload({ cpu: '100m', memory: '128Mi' })], says: [] },
  { policy: 'limits-set', it: 'neither', given: [workload({})],
    says: [`error ${main}.cpu: cpu is not set`, `error ${main}.memory: memory is not set`] },
  {
    policy: 'secrets-in-env',
    it: 'references and harmless values',
    given: [
      workload({
        env: [
          { name: 'DB_PASSWORD', value: 'scheme://secret/db.password' },
          { name: 'TOKEN_TTL', value: '300' },
          { name: 'SECRET_NAME', value: 'db' },
          { name: 'API_TOKEN', value: '' },
          { name: 'LONGER', value: 'AKIAIOSFODNN7EXAMPLES' },
          { name: 'NO_TOKEN_OF_A_FORGE', value: `ghp_${'a1'.repeat(18)}-of-nobody` },
          { name: 'URL', value: 'https://shop.example.com/a@b' },
        ],
      }),
    ],
    says: [],
  },
  ...['DB_PASSWORD', 'API_TOKEN', 'apiKey', 'ACCESS_KEY', 'client.secret', 'PASSWORD'].map((name) => ({ policy: 'secrets-in-env',
    it: `a variable called ${name}`,
    given: [workload({ env: [{ name, value: 'hunter2' }] })],
    says: [`error ${main}.env.${name}.value: ${name} holds a secret as plain text`],
  })),
  ...[
    ...['AKIAIOSFODNN7EXAMPLE', '-----BEGIN RSA PRIVATE KEY-----\nabc', 'postgres://shop:hunter2@db:5432/shop'],
    ...[`ghp_${'a1'.repeat(18)}`, 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTYifQ.abc'],
  ].map(
    (value) => ({ policy: 'secrets-in-env',
      it: `a value such as ${value.slice(0, 20)}`,
      given: [workload({ env: [{ name: 'X', value }] })],
      says: [`error ${main}.env.X.value: X holds a secret as plain text`],
    }),
  ),
  { policy: 'secrets-in-env', it: 'a secret with a reference after it',
    given: [workload({ env: [{ name: 'PASSWORD', value: 'hunter2 scheme://secret/db' }] })],
    says: [`error ${main}.env.PASSWORD.value: PASSWORD holds a secret as plain text`] },
  { policy: 'secrets-in-env', it: 'a variable of a GVC, and a sensitive value',
    given: [{ kind: 'gvc', name: 'shop', spec: { env: [{ name: 'TOKEN', value: '(sensitive)' }] } }],
    says: ['error gvc/shop spec.env.TOKEN.value: TOKEN holds a secret as plain text'] },
];

describe.each(starter.map(({ id }) => id).filter((id) => id !== 'data-kept'))('%s', (id) => {
  const own = rows.filter(({ policy }) => policy === id);

  test('has cases that pass and cases that fail', () => {
    expect(own.some(({ says }) => says.length === 0)).toBe(true);
    expect(own.some(({ says }) => says.length > 0)).toBe(true);
  });

  test.each(own)('$it', async ({ given, says }) => {
    expect(await found(policyNamed(id), given)).toEqual(says);
  });
});

describe('data-kept', () => {
  const policy = policyNamed('data-kept');
  const change = changeOf({ id: 'volumeset/shop/data', action: 'delete', kind: 'volumeset', name: 'data' });
  const planOf = (...changes: readonly ChangeDocument[]) => planDocument({ changes });

  test('a plan that deletes nothing valuable passes', async () => {
    const workload = { ...change, id: 'workload/shop/web', kind: 'workload', name: 'web' };
    expect(await found(policy, [], planOf(change, workload))).toEqual([]);
  });

  test('a plan that deletes data fails, even if it is refused for another reason', async () => {
    const losing = { ...change, losesData: ['volumeset/shop/data'] };
    const refused = { ...losing, action: 'refuse', intended: 'replace' } as const;
    const says = ['error volumeset/shop/data -: the data of volumeset/shop/data would be lost'];
    expect(await found(policy, [], planOf(losing))).toEqual(says);
    expect(await found(policy, [], planOf(refused))).toEqual(says);
  });

  test('a plan that deletes a GVC fails', async () => {
    const gvc = { ...change, id: 'gvc/shop', kind: 'gvc', name: 'shop' };
    expect(await found(policy, [], planOf(gvc))).toEqual([
      'error gvc/shop -: the GVC would be deleted with everything in it',
    ]);
  });

  test('without a plan it finds nothing', async () => {
    expect(await found(policy, [])).toEqual([]);
  });
});

test('the props of a small service with data satisfy the starter set', async () => {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'shop');
  const storage = { capacity: 10, protect: true };
  new Database(gvc, 'orders', { password: 'pw-12345678', version: '17.5', storage });
  const queue = {
    image: 'nats:2.11',
    port: 4222,
    protocol: 'tcp',
    health: 'tcp',
    cpu: '100m',
    memory: '128Mi',
  } as const;
  new StatefulService(gvc, 'queue', { ...queue, storage: { ...storage, path: '/data' } });
  const manifests = Testing.synth(stack).map(({ kind, name, ...more }) => ({
    ...more,
    kind: String(kind),
    name: String(name),
  }));
  for (const id of ['probes-present', 'data-protected']) {
    expect(await found(policyNamed(id), manifests), id).toEqual([]);
  }
});
