import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json/json.ts';
import { equalValues } from '../../src/kinds/equal.ts';
import { shapeOf } from '../../src/kinds/shapeOf.ts';
import type { KnownKind } from '../../src/schema/record/kinds.ts';
import { shapeAt } from '../../src/schema/shape/paths.ts';

/** An object with one member, at a path of names; a list has one item. */
function nested(path: string, value: JsonValue): JsonObject {
  const [first = '', ...rest] = path.split('.');
  const inner = rest.length === 0 ? value : nested(rest.join('.'), value);
  return first.endsWith('[]') ? { [first.slice(0, -2)]: [inner] } : { [first]: inner };
}

test.each<[kind: KnownKind, object: string, name: string]>([
  ['gvc', 'spec.tracing.provider', 'controlplane'],
  ['gvc', 'spec.tracing.provider', 'otel'],
  ['gvc', 'spec.tracing.provider', 'tracer'],
  ['gvc', 'spec.staticPlacement', 'locationQuery'],
  ['group', '', 'memberQuery'],
  ['policy', '', 'targetQuery'],
  ['workload', 'spec.containers[].livenessProbe', 'grpc'],
  ['workload', 'spec.containers[].livenessProbe', 'tcpSocket'],
  ['workload', 'spec.containers[].livenessProbe', 'httpGet'],
  ['workload', 'spec.containers[].livenessProbe', 'exec'],
  ['workload', 'spec.containers[]', 'readinessProbe'],
  ['workload', 'spec.containers[].lifecycle.preStop', 'exec'],
  ['domain', 'spec.ports[]', 'cors'],
  ['domain', 'spec.ports[]', 'tls'],
  ['domain', 'spec.ports[].tls', 'clientCertificate'],
  ['volumeset', 'spec', 'snapshots'],
  ['identity', 'ngs', 'resp'],
  ['org', 'spec.logging', 'syslog'],
  ['gvc', 'spec.sidecar.proxy.excludedRateLimit[].match', 'grpc'],
])('%s %s: an empty %s does not equal an absent one', (kind, object, name) => {
  const [present, absent] = object === '' ? [{ [name]: {} }, {}] : [nested(object, { [name]: {} }), nested(object, {})];
  expect(equalValues(shapeOf(kind), present, absent, { org: 'acme' })).toBe(false);
});

test.each<[kind: KnownKind, path: (string | number)[], to: string]>([
  ['gvc', ['spec', 'staticPlacement', 'locationLinks', 0], 'location'],
  ['gvc', ['spec', 'staticPlacement', 'locationOptions', 0, 'locationLink'], 'location'],
  ['gvc', ['spec', 'pullSecretLinks', 0], 'secret'],
  ['gvc', ['spec', 'loadBalancer', 'ipSet'], 'ipset'],
  ['gvc', ['spec', 'keda', 'identityLink'], 'identity'],
  ['gvc', ['spec', 'keda', 'secrets', 0], 'secret'],
  ['gvc', ['spec', 'aliasWorkloadLink'], 'workload'],
  ['gvc', ['spec', 'tracing', 'provider', 'tracer', 'credentials'], 'secret'],
  ['workload', ['spec', 'identityLink'], 'identity'],
  ['workload', ['spec', 'localOptions', 0, 'location'], 'location'],
  ['workload', ['spec', 'loadBalancer', 'direct', 'ipSet'], 'ipset'],
  ['workload', ['spec', 'firewallConfig', 'internal', 'inboundAllowWorkload', 0], 'workload agent'],
  ['domain', ['spec', 'gvcLink'], 'gvc'],
  ['domain', ['spec', 'workloadLink'], 'workload'],
  ['domain', ['spec', 'ports', 0, 'routes', 0, 'workloadLink'], 'workload'],
  ['domain', ['spec', 'ports', 0, 'routes', 0, 'mirror', 0, 'workloadLink'], 'workload'],
  ['domain', ['spec', 'ports', 0, 'tls', 'clientCertificate', 'secretLink'], 'secret'],
  ['identity', ['aws', 'cloudAccountLink'], 'cloudaccount'],
  ['identity', ['networkResources', 0, 'agentLink'], 'agent'],
  ['ipset', ['spec', 'link'], 'workload gvc'],
  ['ipset', ['spec', 'locations', 0, 'name'], 'location'],
  ['group', ['memberLinks', 0], 'user serviceaccount'],
  ['policy', ['bindings', 0, 'principalLinks', 0], 'user group serviceaccount identity'],
  ['cloudaccount', ['data', 'secretLink'], 'secret'],
  ['org', ['spec', 'logging', 'any', 'credentials'], 'secret'],
])('%s: the link at %j leads to %s', (kind, path, to) => {
  expect(shapeAt(shapeOf(kind), path)?.facts.link?.to.toSorted()).toEqual(to.split(' ').toSorted());
});

test('the keys of a service account are set by the platform, and their value is hidden', () => {
  const keys = shapeAt(shapeOf('serviceaccount'), ['keys']);
  expect([keys?.facts.responseOnly, shapeAt(shapeOf('serviceaccount'), ['keys', 0, 'key'])?.facts.sensitive]).toEqual([
    true,
    true,
  ]);
});

test.each<[KnownKind, JsonObject, JsonObject]>([
  ['domain', nested('spec.ports[].cors.exposeHeaders[]', 'X-A'), nested('spec.ports[].cors.exposeHeaders[]', 'x-a')],
  [
    'identity',
    nested('nativeNetworkResources[]', { name: 'a', FQDN: 'A.B' }),
    nested('nativeNetworkResources[]', { name: 'a', FQDN: 'a.b' }),
  ],
])('%s: names of headers and hosts are equal in any case: %j', (kind, a, b) => {
  expect(equalValues(shapeOf(kind), a, b, { org: 'acme' })).toBe(true);
});

test.each<[kinds: readonly KnownKind[], name: string]>([
  [['group', 'policy', 'serviceaccount', 'auditctx', 'location', 'quota'], 'origin'],
  [['workload', 'identity', 'volumeset'], 'gvc'],
])('of %j the platform sets %s', (kinds, name) => {
  for (const kind of kinds) expect(shapeAt(shapeOf(kind), [name])?.facts.responseOnly).toBe(true);
});

/** Names that contain a name of the vendor or the proxy, replaced here by neutral words. */
test.each<[kind: KnownKind, path: (string | number)[], spelling: string]>(
  // biome-ignore format: a row is a case
  [
    ['gvc', ['tags'], 'tags'],
    ['gvc', ['spec', 'env', 0, 'name'], 'environment'],
    ['workload', ['spec', 'containers', 0, 'name'], 'container'],
    ['gvc', ['spec', 'sidecar', 'proxy'], 'proxy'],
    ...[['accessLog', 0, 'name'], ['accessLog', 0, 'typed_config', '@type'], ['http', 0, 'name'], ['http', 0, 'typed_config', '@type'], ['http', 0, 'typed_config', 'metadata_context_namespaces', 0], ['excludedRateLimit', 0, 'match', 'path_match_policy', 'name'], ['excludedRateLimit', 0, 'match', 'dynamic_metadata', 0, 'filter']].map(
      (path): [KnownKind, (string | number)[], string] => ['gvc', ['spec', 'sidecar', 'proxy', ...path], 'type']),
  ],
)('%s: the name at %j is spelled differently by installations', (kind, path, spelling) => {
  expect(shapeAt(shapeOf(kind), path)?.facts.spelling).toBe(spelling);
});
