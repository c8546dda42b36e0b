import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { coerce, normalise } from '../../src/kinds/normalise.ts';
import type { Kind } from '../../src/schema/record/kinds.ts';
import { cipherSuites } from '../cipherSuites.ts';

const context = { org: 'acme', gvc: 'shop' };

interface Case {
  readonly it: string;
  readonly kind: Kind;
  readonly given: JsonObject;
  readonly normal: JsonObject;
}

const plain = { name: 'a', description: 'a', tags: {} };
const defaultTls = { minProtocolVersion: 'TLSV1_2', cipherSuites };
const minimalDomain = { dnsMode: 'cname', acceptAllHosts: false, acceptAllSubdomains: false };
const filledContainer = { name: 'main', image: 'x', cpu: '50m', memory: '128Mi', inheritEnv: false };

// biome-ignore format: a row is a case
const cases: readonly Case[] = [
  { it: 'the description is the name', kind: 'agent', given: { name: 'a' }, normal: plain },
  { it: 'a blank description counts as omitted', kind: 'agent', given: { name: 'a', description: ' ' }, normal: plain },
  { it: 'a description is trimmed', kind: 'agent', given: { name: 'a', description: ' b ' },
    normal: { ...plain, description: 'b' } },
  { it: 'a GVC gets a spec and a naming format', kind: 'gvc', given: { name: 'a' },
    normal: { ...plain, spec: { endpointNamingFormat: 'org' } } },
  { it: 'links are stored in full', kind: 'gvc',
    given: { name: 'shop',
      spec: { endpointNamingFormat: 'legacy', pullSecretLinks: ['//secret/x'],
        keda: { identityLink: '//identity/i' } } },
    normal: { name: 'shop', description: 'shop', tags: {},
      spec: { endpointNamingFormat: 'legacy', pullSecretLinks: ['/org/acme/secret/x'],
        keda: { identityLink: '/org/acme/gvc/shop/identity/i' } } } },
  { it: 'a query gets its defaults, down to its terms', kind: 'gvc',
    given: { name: 'a',
      spec: { staticPlacement: { locationQuery: { spec: { terms: [{ tag: 't' }], sort: { by: 'n' } } } } } },
    normal: { ...plain,
      spec: { staticPlacement: { locationQuery: { fetch: 'items',
            spec: { match: 'all', terms: [{ tag: 't', op: '=' }], sort: { by: 'n', order: 'asc' } } } },
        endpointNamingFormat: 'org' } } },
  { it: 'a container gets cpu, memory and inheritEnv, a port its protocol, and no probes or options are added',
    kind: 'workload',
    given: { name: 'a', spec: { containers: [{ name: 'main', image: 'x', ports: [{ number: 8080 }] }] } },
    normal: { ...plain,
      spec: { type: 'serverless',
        containers: [{ ...filledContainer, ports: [{ number: 8080, protocol: 'http' }] }] } } },
  { it: 'a readiness probe is stored without a delay, a liveness probe keeps its own', kind: 'workload',
    given: { name: 'a',
      spec: { type: 'standard',
        containers: [{ ...filledContainer, readinessProbe: { tcpSocket: {} },
            livenessProbe: { tcpSocket: {}, initialDelaySeconds: 10 } }] } },
    normal: { ...plain,
      spec: { type: 'standard',
        containers: [{ ...filledContainer, readinessProbe: { tcpSocket: {} },
            livenessProbe: { tcpSocket: {}, initialDelaySeconds: 10 } }] } } },
  {
    it: 'an HTTP probe gets the first port, and the path /',
    kind: 'workload',
    given: {
      name: 'a',
      spec: {
        type: 'standard',
        containers: [{ name: 'main', image: 'x', port: 81, livenessProbe: { httpGet: {} } }],
      },
    },
    normal: {
      ...plain,
      spec: {
        type: 'standard',
        // 60 seconds until the first liveness check (platform/workload.probes); the legacy port is kept as sent.
        containers: [
          {
            ...filledContainer,
            port: 81,
            livenessProbe: { httpGet: { path: '/', port: 81 }, initialDelaySeconds: 60 },
          },
        ],
      },
    },
  },
  { it: 'metrics get their path (platform/workload.containers)', kind: 'workload',
    given: { name: 'a',
      spec: { type: 'standard', containers: [{ name: 'main', image: 'x', metrics: { port: 9102 } }] } },
    normal: { ...plain,
      spec: { type: 'standard', containers: [{ ...filledContainer, metrics: { port: 9102, path: '/metrics' } }] } } },
  { it: 'prediction gets the defaults of the table, except the inherited factor (platform/volumeset)',
    kind: 'volumeset',
    given: { name: 'a',
      spec: { performanceClass: 'general-purpose-ssd', initialCapacity: 10,
        autoscaling: { scalingFactor: 1.5, predictive: { projectionHours: 12 } } } },
    normal: { ...plain,
      spec: { fileSystemType: 'ext4', performanceClass: 'general-purpose-ssd', initialCapacity: 10,
        autoscaling: { scalingFactor: 1.5,
          predictive: { enabled: false, lookbackHours: 24, projectionHours: 12, minDataPoints: 10,
            minGrowthRateGBPerHour: 0.01 } } } } },
  { it: 'images of the own registry become links, others are kept', kind: 'workload',
    given: { name: 'a',
      spec: { type: 'cron',
        containers: ['//image/a:1', 'acme.registry.local/b/c:2', 'other.registry.local/b:2', 'nginx'].map(
          (image, index) => ({ ...filledContainer, name: `c${index}`, image })) } },
    normal: { ...plain,
      spec: { type: 'cron',
        containers: ['/org/acme/image/a:1', '/org/acme/image/b/c:2', 'other.registry.local/b:2', 'nginx'].map(
          (image, index) => ({ ...filledContainer, name: `c${index}`, image })) } } },
  { it: 'address blocks are sorted and unique; localOptions are kept as sent', kind: 'workload',
    given: { name: 'a',
      spec: { type: 'standard', containers: [],
        firewallConfig: { external: { inboundAllowCIDR: ['9.0.0.0/8', '1.2.3.4/32', '1.2.3.4', '10.0.0.0/8'] } },
        localOptions: [{ location: '//location/l' }, { location: 'm' }] } },
    normal: { ...plain,
      spec: { type: 'standard', containers: [],
        firewallConfig: { external: { inboundAllowCIDR: ['1.2.3.4', '10.0.0.0/8', '9.0.0.0/8'] } },
        localOptions: [{ location: '//location/l' }, { location: 'm' }] } } },
  { it: 'metric and target are chosen by type inside autoscaling', kind: 'workload',
    given: { name: 'a', spec: { type: 'stateful', containers: [], defaultOptions: { autoscaling: { minScale: 2 } } } },
    normal: { ...plain,
      spec: { type: 'stateful', containers: [],
        defaultOptions: { autoscaling: { minScale: 2, metric: 'cpu', target: 95 } } } } },
  { it: 'several metrics get no metric and no target', kind: 'workload',
    given: { name: 'a',
      spec: { type: 'standard', containers: [],
        defaultOptions: { autoscaling: { multi: [{ metric: 'cpu', target: 5 }] } } } },
    normal: { ...plain,
      spec: { type: 'standard', containers: [],
        defaultOptions: { autoscaling: { multi: [{ metric: 'cpu', target: 5 }] } } } } },
  { it: 'a domain gets port 443 with TLS', kind: 'domain', given: { name: 'a' },
    normal: { ...plain, spec: { ...minimalDomain, ports: [{ number: 443, protocol: 'http2', tls: defaultTls }] } } },
  { it: 'TLS appears on 443 only, and not for tcp', kind: 'domain',
    given: { name: 'a',
      spec: { gvcLink: '//gvc/g', ports: [{ number: 80, protocol: 'http' }, { number: 443, protocol: 'tcp' }] } },
    normal: { ...plain,
      spec: { ...minimalDomain, dnsMode: 'ns', gvcLink: '/org/acme/gvc/g',
        ports: [{ number: 80, protocol: 'http' }, { number: 443, protocol: 'tcp' }] } } },
  { it: 'routes are sorted longest prefix first, and one without a match gets "/"', kind: 'domain',
    given: { name: 'a',
      spec: { ...minimalDomain,
        ports: [{ number: 80, protocol: 'http',
            routes: [{ workloadLink: '//gvc/g/workload/w' }, { prefix: '/a' }, { prefix: '/long' }] }] } },
    normal: { ...plain,
      spec: { ...minimalDomain,
        ports: [{ number: 80, protocol: 'http',
            routes: [{ prefix: '/long' }, { prefix: '/a' },
              { prefix: '/', workloadLink: '/org/acme/gvc/g/workload/w' }] }] } } },
  { it: 'a regex keeps the order of all routes', kind: 'domain',
    given: { name: 'a',
      spec: { ...minimalDomain,
        ports: [{ number: 80, protocol: 'http', routes: [{ prefix: '/a' }, { regex: '.*' }, { prefix: '/long' }] }] } },
    normal: { ...plain,
      spec: { ...minimalDomain,
        ports: [
          { number: 80, protocol: 'http', routes: [{ prefix: '/a' }, { regex: '.*' }, { prefix: '/long' }] }] } } },
  { it: 'a shared volume set gets its class', kind: 'volumeset',
    given: { name: 'a', spec: { fileSystemType: 'shared', initialCapacity: 10 } },
    normal: { ...plain, spec: { fileSystemType: 'shared', initialCapacity: 10, performanceClass: 'shared' } } },
  { it: 'another volume set gets a file system, but no class', kind: 'volumeset',
    given: { name: 'a', spec: { initialCapacity: 10 } },
    normal: { ...plain, spec: { fileSystemType: 'ext4', initialCapacity: 10 } } },
  { it: 'host names are lower case and ports sorted and unique in network resources', kind: 'identity',
    given: { name: 'a', networkResources: [{ name: 'n', FQDN: 'DB.Local', ports: [90, 80, 90] }] },
    normal: { ...plain, networkResources: [{ name: 'n', FQDN: 'db.local', ports: [80, 90] }] } },
  { it: 'NGS, Google and trust policy defaults', kind: 'identity',
    given: { name: 'a', ngs: { cloudAccountLink: '//cloudaccount/n', resp: {} },
      gcp: { cloudAccountLink: '//cloudaccount/g' },
      aws: { cloudAccountLink: '//cloudaccount/a', trustPolicy: { Statement: [] } } },
    normal: { ...plain,
      ngs: { cloudAccountLink: '/org/acme/cloudaccount/n', resp: { max: 1 }, subs: -1, data: -1, payload: -1 },
      gcp: { cloudAccountLink: '/org/acme/cloudaccount/g', scopes: ['https://www.googleapis.com/auth/cloud-platform'] },
      aws: { cloudAccountLink: '/org/acme/cloudaccount/a', trustPolicy: { Statement: [], Version: '2012-10-17' } } } },
  { it: 'a group has members', kind: 'group', given: { name: 'a' }, normal: { ...plain, memberLinks: [] } },
  { it: 'a matcher has a language, a policy bindings', kind: 'group',
    given: { name: 'a', memberLinks: ['//user/u'], identityMatcher: { expression: 'x' } },
    normal: { ...plain, memberLinks: ['/org/acme/user/u'],
      identityMatcher: { expression: 'x', language: 'jmespath' } } },
  { it: 'an opaque secret has an encoding', kind: 'secret',
    given: { name: 'a', type: 'opaque', data: { payload: 'x' } },
    normal: { ...plain, type: 'opaque', data: { payload: 'x', encoding: 'plain' } } },
  { it: 'a key named as a default is data in a dictionary', kind: 'secret',
    given: { name: 'a', type: 'dictionary', data: { encoding: 'x', constructor: 'y' } },
    normal: { ...plain, type: 'dictionary', data: { encoding: 'x', constructor: 'y' } } },
  { it: 'links in the values of a map are stored in full', kind: 'org',
    given: { name: 'acme', description: 'a', tags: {},
      spec: { logging: { a: { credentials: '//secret/s' }, b: { c: 1 } } } },
    normal: { name: 'acme', description: 'a', tags: {},
      spec: { logging: { a: { credentials: '/org/acme/secret/s' }, b: { c: 1 } } } } },
  { it: 'numbers beside a string, and addresses beside a number, are not changed', kind: 'identity',
    given: { ...plain, name: 'a',
      networkResources: [{ name: 'n', ports: [90, 'x', 80] }, { name: 'm', IPs: ['2.2.2.2', 1] }] },
    normal: { ...plain, name: 'a',
      networkResources: [{ name: 'n', ports: [90, 'x', 80] }, { name: 'm', IPs: ['2.2.2.2', 1] }] } },
  { it: 'blocks beside a number and a blank type are not changed', kind: 'workload',
    given: { ...plain,
      spec: { type: ' ', containers: [],
        firewallConfig: { external: { inboundAllowCIDR: ['9.0.0.0/8', 5, '1.2.3.4'] } } } },
    normal: { ...plain,
      spec: { type: ' ', containers: [],
        firewallConfig: { external: { inboundAllowCIDR: ['9.0.0.0/8', 5, '1.2.3.4'] } } } } },
  { it: 'unknown fields and wrong types are not changed', kind: 'workload',
    given: { name: 'a', description: 'b', tags: {}, later: [1],
      spec: { type: 'cron', containers: 'none', more: { x: 1 } } },
    normal: { name: 'a', description: 'b', tags: {}, later: [1],
      spec: { type: 'cron', containers: 'none', more: { x: 1 } } } },
];

test.each(cases)('$it (platform/concepts.filled, platform/concepts.rewritten)', ({ kind, given, normal }) => {
  expect(normalise(kind, given, context)).toEqual(normal);
});

test.each(cases)('$it: normal form is stable and shared', ({ kind, given }) => {
  const once = normalise(kind, given, context);
  expect(normalise(kind, once, context)).toBe(once);
});

test('a user key __proto__ is kept', () => {
  const given: JsonObject = JSON.parse('{"name": "a", "description": "a", "tags": {"__proto__": "x"}, "spec": {}}');
  const { tags = null } = normalise('gvc', given, context);
  expect(JSON.stringify(tags)).toBe('{"__proto__":"x"}');
});

test('strings become numbers or booleans if the schema requires it, and only then (platform/patch.clients)', () => {
  // biome-ignore format: a row is a case
  const given = {
    name: '5',
    tags: { a: '5' },
    spec: { type: 'stateful',
      containers: [
        { name: 'c', inheritEnv: 'true', cpu: '1', ports: [{ number: '80' }], env: [{ name: 'A', value: '1' }] }],
      defaultOptions: { timeoutSeconds: '9.5', capacityAI: 'no', spot: 'false' }, extras: { affinity: { n: '5' } } },
  };
  expect(coerce('workload', given)).toEqual({
    name: '5',
    tags: { a: '5' },
    spec: {
      type: 'stateful',
      containers: [
        { name: 'c', inheritEnv: true, cpu: '1', ports: [{ number: 80 }], env: [{ name: 'A', value: '1' }] },
      ],
      defaultOptions: { timeoutSeconds: 9.5, capacityAI: 'no', spot: false },
      extras: { affinity: { n: '5' } },
    },
  });
});
