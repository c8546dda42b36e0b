import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json/json.ts';
import { equalValues } from '../../src/kinds/equal.ts';
import { customShape, shapeOf } from '../../src/kinds/shapeOf.ts';
import type { Kind } from '../../src/schema/record/kinds.ts';

const context = { org: 'acme', gvc: 'shop' };

interface Case {
  readonly it: string;
  readonly kind: Kind;
  readonly a: JsonObject;
  readonly b: JsonObject;
}

const container = (fields: JsonObject): JsonObject => ({ spec: { containers: [{ name: 'main', ...fields }] } });
const firewall = (fields: JsonObject): JsonObject => ({ spec: { firewallConfig: { external: fields } } });
const port443 = (fields: JsonObject): JsonObject => ({ spec: { ports: [{ number: 443, ...fields }] } });
const env = (...names: readonly string[]): JsonObject => ({ env: names.map((name) => ({ name, value: name })) });

const extras = (fields: JsonValue): JsonObject => ({ spec: { extras: fields } });
const headers = (...keys: readonly string[]): JsonObject =>
  firewall({ http: { inboundHeaderFilter: keys.map((key) => ({ key, allowedValues: ['a'] })) } });
const bindings = (...permissions: readonly string[]): JsonObject => ({
  bindings: permissions.map((name) => ({ permissions: [name], principalLinks: ['//user/u'] })),
});

// biome-ignore format: one case a line
const equal: readonly Case[] = [
  { it: 'cpu by value', kind: 'workload', a: container({ cpu: '0.1' }), b: container({ cpu: '100m' }) },
  { it: 'cpu as a number', kind: 'workload', a: container({ cpu: 1 }), b: container({ cpu: '1' }) },
  { it: 'memory by value', kind: 'workload', a: container({ memory: '1Gi' }), b: container({ memory: '1024Mi' }) },
  { it: 'an absent cpu and its default', kind: 'workload', a: container({}), b: container({ cpu: '50m' }) },
  { it: 'an absent cpu and its default in another spelling', kind: 'workload', a: container({}),
    b: container({ cpu: '0.05' }) },
  { it: 'a link in short and in full form', kind: 'workload', a: { spec: { identityLink: '//identity/i' } },
    b: { spec: { identityLink: '/org/acme/gvc/shop/identity/i' } } },
  { it: 'sets in any order and with duplicates', kind: 'workload',
    a: firewall({ outboundAllowHostname: ['a.b', 'c.d'] }),
    b: firewall({ outboundAllowHostname: ['c.d', 'a.b', 'a.b'] }) },
  { it: 'a bare address and its block of one', kind: 'workload',
    a: firewall({ inboundAllowCIDR: ['1.2.3.4', 'FE80::1'] }),
    b: firewall({ inboundAllowCIDR: ['fe80::1/128', '1.2.3.4/32'] }) },
  { it: 'an IPv6 address in two spellings', kind: 'workload',
    a: firewall({ inboundAllowCIDR: ['2001:db8::1', '::ffff:1.2.3.4/128', '2001:DB8:0:0::/32'] }),
    b: firewall({ inboundAllowCIDR: ['2001:0db8:0:0:0:0:0:1/128', '0:0:0:0:0:ffff:102:304', '2001:db8::/32'] }) },
  { it: 'the legacy port and the list of ports with it', kind: 'workload', a: container({ port: 8080 }),
    b: container({ ports: [{ number: 8080, protocol: 'http' }] }) },
  { it: 'the legacy port beside an empty list, and the list without the default protocol', kind: 'workload',
    a: container({ port: 8080, ports: [] }), b: container({ ports: [{ number: 8080 }] }) },
  { it: 'env in any order', kind: 'workload', a: container(env('A', 'B')), b: container(env('B', 'A')) },
  { it: 'an empty and an absent env value', kind: 'workload', a: container({ env: [{ name: 'A', value: '' }] }),
    b: container({ env: [{ name: 'A' }] }) },
  { it: 'containers in any order while the first with a port stays', kind: 'workload',
    a: { spec: { containers: [{ name: 'a', ports: [{ number: 80 }] }, { name: 'b' }] } },
    b: { spec: { containers: [{ name: 'b' }, { name: 'a', ports: [{ number: 80 }] }] } } },
  { it: 'localOptions by the last segment of the location', kind: 'workload',
    a: { spec: { localOptions: [{ location: 'aws-us-east-1', suspend: true }] } },
    b: { spec: { localOptions: [{ location: '//location/aws-us-east-1', suspend: true }] } } },
  { it: 'an absent list, an empty one and an absent object', kind: 'workload', a: firewall({ inboundAllowCIDR: [] }),
    b: { spec: {} } },
  { it: 'an absent object and one with only defaults', kind: 'gvc',
    a: { spec: { loadBalancer: { multiZone: { enabled: false }, trustedProxies: 0 } } }, b: { spec: {} } },
  { it: 'an absent map and an empty one', kind: 'gvc', a: { tags: {} }, b: {} },
  { it: 'an absent list of ports and its default', kind: 'domain', a: { spec: {} },
    b: { spec: { ports: [{ number: 443, protocol: 'http2' }] } } },
  { it: 'an absent field and null', kind: 'workload', a: container({ workingDir: null }), b: container({}) },
  { it: 'an object and its JSON as a string', kind: 'workload', a: extras({ affinity: { a: 1 } }),
    b: extras('{"affinity": {"a": 1}}') },
  { it: 'a nested list and its JSON as a string', kind: 'workload',
    a: extras({ tolerations: [{ a: 1 }] }), b: extras({ tolerations: '[ { "a": 1 } ]' }) },
  { it: 'header names in any case', kind: 'workload', a: headers('X-A', 'X-B'), b: headers('x-b', 'x-a') },
  { it: 'bindings of a policy in any order', kind: 'policy', a: bindings('view', 'edit', 'create'),
    b: bindings('create', 'view', 'edit') },
  { it: 'tags as text', kind: 'gvc', a: { tags: { a: true, b: 3 } }, b: { tags: { a: 'true', b: '3' } } },
  { it: 'JSON text as JSON', kind: 'secret', a: { type: 'docker', data: '{"auths": {"x": {}, "y": {}}}' },
    b: { type: 'docker', data: '{"auths":{"y":{},"x":{}}}' } },
  { it: 'routes in any order', kind: 'domain', a: port443({ routes: [{ prefix: '/a' }, { prefix: '/b' }] }),
    b: port443({ routes: [{ prefix: '/b' }, { prefix: '/a' }] }) },
  { it: 'header names of CORS in any case', kind: 'domain', a: port443({ cors: { allowHeaders: ['X-A'] } }),
    b: port443({ cors: { allowHeaders: ['x-a'] } }) },
  { it: 'metadata of triggers as text', kind: 'workload',
    a: { spec: { defaultOptions: { autoscaling: { keda: { triggers: [{ type: 'x', metadata: { n: 5 } }] } } } } },
    b: { spec: { defaultOptions: { autoscaling: { keda: { triggers: [{ type: 'x', metadata: { n: '5' } }] } } } } } },
  { it: 'read-only fields', kind: 'gvc', a: { version: 1, status: { a: 1 } }, b: { version: 2 } },
  { it: 'a field unknown to the schema on one side', kind: 'gvc', a: { spec: { later: 1 } }, b: { spec: {} } },
  { it: 'an operational field and its default', kind: 'workload', a: { spec: { defaultOptions: { suspend: false } } },
    b: {} },
];

test.each(equal)('$it: equal (platform/concepts.filled, platform/concepts.rewritten)', ({ kind, a, b }) => {
  expect(equalValues(shapeOf(kind, a), a, b, context)).toBe(true);
  expect(equalValues(shapeOf(kind, a), b, a, context)).toBe(true);
});

// biome-ignore format: one case a line
const different: readonly Case[] = [
  { it: 'tags of different texts', kind: 'gvc', a: { tags: { a: 1 } }, b: { tags: { a: 2 } } },
  { it: 'a tag and no tags', kind: 'gvc', a: { tags: { a: '1' } }, b: {} },
  { it: 'objects and strings with other JSON', kind: 'workload', a: extras({ affinity: { a: 1 } }),
    b: extras('{"affinity": {"a": 2}}') },
  { it: 'other names of headers', kind: 'workload', a: headers('X-A'), b: headers('X-B') },
  { it: 'bindings of a policy with one duplicate', kind: 'policy', a: bindings('a'), b: bindings('a', 'a') },
  { it: 'bindings with one difference', kind: 'policy', a: bindings('a', 'b'), b: bindings('c', 'a') },
  { it: 'bindings with one added', kind: 'policy', a: bindings('a', 'b', 'a'), b: bindings('c', 'b', 'a') },
  { it: 'sets with one more member', kind: 'workload', a: firewall({ outboundAllowHostname: ['a.b'] }),
    b: firewall({ outboundAllowHostname: ['a.b', 'c.d'] }) },
  { it: 'lists with one differing item', kind: 'workload', a: container({ args: ['a', 'b'] }),
    b: container({ args: ['a', 'c'] }) },
  { it: 'items by key with one difference', kind: 'workload', a: container(env('A', 'B')),
    b: container({ env: [{ name: 'B', value: 'x' }, { name: 'A', value: 'A' }] }) },
  { it: 'items of other keys', kind: 'workload', a: container(env('A', 'B')), b: container(env('B', 'C')) },
  { it: 'localOptions of other locations', kind: 'workload',
    a: { spec: { localOptions: [{ location: 'aws-us-east-1' }] } },
    b: { spec: { localOptions: [{ location: 'aws-us-west-2' }] } } },
  { it: 'an empty value on one side, and another value on the other', kind: 'workload', a: container({ ports: [] }),
    b: container({ workingDir: '/' }) },
  { it: 'an absent object and one with more than defaults', kind: 'gvc',
    a: { spec: { loadBalancer: { trustedProxies: 0, dedicated: true } } }, b: { spec: {} } },
  { it: 'an absent object and one with an unknown field', kind: 'gvc',
    a: { spec: { loadBalancer: { later: 1 } } }, b: { spec: {} } },
  { it: 'a value of a variable, and none', kind: 'workload', a: container({ env: [{ name: 'A', value: 'x' }] }),
    b: container({ env: [{ name: 'A' }] }) },
  { it: 'an empty string and none', kind: 'workload', a: container({ workingDir: '' }), b: container({}) },
  { it: 'strings that are not quantities', kind: 'workload', a: container({ cpu: 'x' }), b: container({ cpu: 'y' }) },
  { it: 'a string in another case', kind: 'workload', a: container({ image: 'a' }), b: container({ image: 'A' }) },
  ...['{"a":2}', '{"a":', 'x'].map((data) => ({ it: `JSON text and ${data}`, kind: 'secret' as const,
      a: { type: 'docker', data: '{"a":1}' }, b: { type: 'docker', data } })),
  { it: 'strings that are not JSON',
    kind: 'secret', a: { type: 'docker', data: 'x' }, b: { type: 'docker', data: 'y' } },
  { it: 'the legacy port and the same number with another protocol', kind: 'workload', a: container({ port: 8080 }),
    b: container({ ports: [{ number: 8080, protocol: 'grpc' }] }) },
  { it: 'the legacy port and one port more', kind: 'workload', a: container({ port: 8080 }),
    b: container({ ports: [{ number: 8080 }, { number: 8081 }] }) },
  { it: 'the legacy port and none', kind: 'workload', a: container({ port: 8080 }), b: container({}) },
  { it: 'the legacy port beside ports, and one of the two', kind: 'workload',
    a: container({ port: 8080, ports: [{ number: 8080 }] }), b: container({ ports: [{ number: 8080 }] }) },
  { it: 'another IPv6 address', kind: 'workload', a: firewall({ inboundAllowCIDR: ['2001:db8::1'] }),
    b: firewall({ inboundAllowCIDR: ['2001:db8::1:0'] }) },
  { it: 'powers of 1024 and of 1000', kind: 'workload', a: container({ memory: '128Mi' }),
    b: container({ memory: '128M' }) },
  { it: 'a cpu that is not the default', kind: 'workload', a: container({}), b: container({ cpu: '51m' }) },
  { it: 'args in another order', kind: 'workload', a: container({ args: ['a', 'b'] }),
    b: container({ args: ['b', 'a'] }) },
  { it: 'another first container with a port', kind: 'workload',
    a: { spec: { containers: [{ name: 'a', ports: [{ number: 80 }] }, { name: 'b', ports: [{ number: 81 }] }] } },
    b: { spec: { containers: [{ name: 'b', ports: [{ number: 81 }] }, { name: 'a', ports: [{ number: 80 }] }] } } },
  { it: 'routes in another order, one of them with a regex', kind: 'domain',
    a: port443({ routes: [{ prefix: '/a' }, { regex: '/b' }] }),
    b: port443({ routes: [{ regex: '/b' }, { prefix: '/a' }] }) },
  { it: 'an empty provider that has a meaning, and none', kind: 'gvc',
    a: { spec: { tracing: { provider: { controlplane: {} } } } }, b: { spec: { tracing: { provider: {} } } } },
  { it: 'a value that the platform chose, and none', kind: 'gvc', a: { spec: { endpointNamingFormat: 'org' } },
    b: { spec: {} } },
  { it: 'an empty list that has a default', kind: 'domain', a: port443({ tls: { cipherSuites: [] } }),
    b: port443({ tls: {} }) },
  { it: 'links to different orgs', kind: 'gvc', a: { spec: { pullSecretLinks: ['//secret/a'] } },
    b: { spec: { pullSecretLinks: ['/org/other/secret/a'] } } },
  { it: 'tags of different keys', kind: 'gvc', a: { tags: { a: '1' } }, b: { tags: { b: '1' } } },
  { it: 'a tag that is null, and none', kind: 'gvc', a: { tags: { a: null } }, b: { tags: {} } },
  { it: 'a key of Object.prototype, and none', kind: 'gvc', a: { tags: { constructor: 'x' } }, b: { tags: {} } },
  { it: 'items of a list without unique keys in another order', kind: 'workload',
    a: container({ env: [{ name: 'A', value: '1' }, { name: 'A', value: '2' }] }),
    b: container({ env: [{ name: 'A', value: '2' }, { name: 'A', value: '1' }] }) },
  { it: 'an unknown field that differs', kind: 'gvc', a: { spec: { later: 1 } }, b: { spec: { later: 2 } } },
];

test.each(different)('$it: different (platform/concepts.filled, platform/concepts.rewritten)', ({ kind, a, b }) => {
  expect(equalValues(shapeOf(kind, a), a, b, context)).toBe(false);
  expect(equalValues(shapeOf(kind, a), b, a, context)).toBe(false);
});

test.each(['containers', 'firewallConfig', 'identityLink', 'supportDynamicTags', 'vm', 'extras'])(
  'a value of the wrong type equals only itself: of %s',
  (name) => {
    const values: readonly JsonValue[] = ['x', 5, true, null, [], ['a'], { a: 1 }];
    const shape = shapeOf('workload').fields.get('spec');
    if (shape === undefined) throw new Error('a workload has a spec');
    for (const a of values) {
      for (const b of values) {
        expect(equalValues(shape, { [name]: a }, { [name]: structuredClone(b) }, context)).toBe(a === b);
      }
    }
  },
);

test('a value of the wrong type of a map equals only itself', () => {
  const values: readonly JsonValue[] = ['x', [], ['a'], { a: 1 }];
  for (const a of values) {
    for (const b of values) {
      expect(equalValues(shapeOf('gvc'), { tags: a }, { tags: structuredClone(b) }, context)).toBe(a === b);
    }
  }
});

test.each<{ readonly value: JsonValue }>([{ value: {} }, { value: [] }, { value: { deep: {} } }])(
  'in a custom kind, $value does not equal an absent value, as it may have a meaning (customShape)',
  ({ value }) => {
    const shape = customShape();
    expect(equalValues(shape, {}, { config: value }, context)).toBe(false);
    expect(equalValues(shape, { config: value }, { config: structuredClone(value) }, context)).toBe(true);
  },
);
