import { expect, test } from 'vitest';
import type { JsonArray, JsonObject, JsonValue } from '../../../src/base/json/json.ts';
import { shapeOf } from '../../../src/kinds/shapeOf.ts';
import type { ListKey } from '../../../src/schema/facts/fieldFacts.ts';
import { creatableKinds, type Kind } from '../../../src/schema/record/kinds.ts';
import {
  comparableKey,
  effectiveList,
  firstKeyWith,
  holdsAny,
  identifyingKey,
  itemKey,
  itemsByKey,
  keyFields,
  namesItself,
} from '../../../src/schema/shape/listKey.ts';
import { shapeAt } from '../../../src/schema/shape/paths.ts';
import type { ListShape, Shape } from '../../../src/schema/shape/shape.ts';

function listAt(kind: Kind, path: string): ListShape {
  const shape = shapeAt(shapeOf(kind), path.split('.'));
  if (shape?.type !== 'list') throw new Error(`${path} of ${kind} is no list`);
  return shape;
}

function keyAt(kind: Kind, path: string): ListKey {
  const { list } = listAt(kind, path).facts;
  if (list?.class !== 'keyed') throw new Error(`${path} of ${kind} has no key`);
  return list.key;
}

interface Case {
  readonly kind: Kind;
  readonly list: string;
  readonly item: JsonObject;
  readonly key: string | undefined;
  readonly stated?: true;
}

// biome-ignore format: one case a line
const cases: readonly Case[] = [
  { kind: 'workload', list: 'spec.containers', item: { name: 'a' }, key: 'a', stated: true },
  { kind: 'workload', list: 'spec.containers.0.env', item: { name: 'A', value: 'x' }, key: 'A', stated: true },
  { kind: 'gvc', list: 'spec.env', item: { name: 'A' }, key: 'A', stated: true },
  { kind: 'ipset', list: 'spec.locations', item: { name: '//location/l' }, key: 'l', stated: true },
  { kind: 'serviceaccount', list: 'keys', item: { name: 'k' }, key: 'k', stated: true },
  { kind: 'identity', list: 'networkResources', item: { name: 'n' }, key: 'n' },
  { kind: 'identity', list: 'nativeNetworkResources', item: { name: 'n' }, key: 'n' },
  { kind: 'identity', list: 'gcp.bindings', item: { resource: 'r' }, key: 'r' },
  { kind: 'identity', list: 'azure.roleAssignments', item: { scope: '/s' }, key: '/s' },
  { kind: 'workload', list: 'spec.containers.0.ports', item: { number: 80 }, key: '80' },
  { kind: 'workload', list: 'spec.containers.0.volumes', item: { uri: 'x', path: '/p' }, key: '/p' },
  { kind: 'workload', list: 'spec.localOptions', item: { location: '/org/o/location/l' }, key: 'l' },
  { kind: 'workload', list: 'spec.containers.0.readinessProbe.httpGet.httpHeaders', item: { name: 'h' }, key: 'h' },
  { kind: 'workload', list: 'spec.firewallConfig.external.http.inboundHeaderFilter', item: { key: 'k' }, key: 'k' },
  { kind: 'workload', list: 'spec.firewallConfig.external.outboundAllowPort', item: { protocol: 'tcp', number: 443 }, key: 'tcp+443' },
  { kind: 'workload', list: 'spec.loadBalancer.direct.ports', item: { externalPort: 22, protocol: 'TCP' }, key: '22+TCP' },
  { kind: 'workload', list: 'spec.defaultOptions.autoscaling.multi', item: { metric: 'cpu' }, key: 'cpu' },
  { kind: 'workload', list: 'spec.defaultOptions.autoscaling.keda.triggers', item: { type: 'x' }, key: undefined },
  { kind: 'gvc', list: 'spec.staticPlacement.locationOptions', item: { locationLink: '//location/l' }, key: 'l' },
  { kind: 'gvc', list: 'spec.sidecar.proxy.clusters', item: { name: 'c' }, key: 'c' },
  { kind: 'domain', list: 'spec.ports', item: { number: 443 }, key: '443' },
  { kind: 'domain', list: 'spec.ports.0.routes', item: { prefix: '/a' }, key: '/a' },
  { kind: 'domain', list: 'spec.ports.0.routes', item: { prefix: '/a', hostPrefix: 'h' }, key: '/a+h' },
  { kind: 'domain', list: 'spec.ports.0.routes', item: { regex: '.*', hostRegex: 'h' }, key: '.*+h' },
  { kind: 'domain', list: 'spec.ports.0.routes', item: { hostRegex: 'h' }, key: '/+h' },
  { kind: 'domain', list: 'spec.ports.0.routes', item: { workloadLink: '//gvc/g/workload/w' }, key: '/' },
  { kind: 'domain', list: 'spec.ports', item: { protocol: 'http' }, key: '443' },
  { kind: 'domain', list: 'spec.ports.0.routes.0.mirror', item: { workloadLink: '//gvc/g/workload/w' }, key: 'w' },
  { kind: 'domain', list: 'spec.ports.0.cors.allowOrigins', item: { regex: 'x' }, key: 'x' },
];

test.each(cases)(
  '$list of $kind: $item has the key $key (platform/patch.list-keys)',
  ({ kind, list, item, key, stated }) => {
    expect(itemKey(keyAt(kind, list), item)).toBe(key);
    expect(keyAt(kind, list).evidence).toBe(stated === true ? 'stated' : 'proposed');
  },
);

test.each<[Kind, string, string]>([
  ['workload', 'spec.containers.0.args', 'sequence'],
  ['workload', 'spec.containers.0.metrics.dropMetrics', 'set'],
  ['policy', 'bindings', 'sequence'],
  ['policy', 'targetLinks', 'set'],
  ['policy', 'targetQuery.spec.terms', 'sequence'],
  ['gvc', 'spec.sidecar.proxy.excludedRateLimit', 'sequence'],
  ['group', 'memberLinks', 'set'],
  ['identity', 'aws.trustPolicy.Statement', 'sequence'],
])('%s %s is a %s (platform/concepts.rewritten)', (kind, path, expected) => {
  expect(listAt(kind, path).facts.list?.class).toBe(expected);
});

test.each<[string, string, JsonArray, JsonArray, string]>([
  ['unique keys on both sides', 'spec.ports.0.routes', [{ prefix: '/a' }], [{ prefix: '/b' }], 'keyed'],
  ['a regex on one side', 'spec.ports.0.routes', [{ prefix: '/a' }], [{ regex: '/b' }], 'sequence'],
  ['one regex among others', 'spec.ports.0.routes', [{ prefix: '/a' }, { regex: '/b' }], [], 'sequence'],
  ['a regex on the other side', 'spec.ports.0.routes', [{ regex: '/b' }], [{ prefix: '/a' }], 'sequence'],
  ['a key twice on the other side', 'spec.ports.0.routes', [], [{ prefix: '/a' }, { prefix: '/a' }], 'sequence'],
  ['a key twice', 'spec.ports.0.routes', [{ prefix: '/a' }, { prefix: '/a' }], [], 'sequence'],
  ['an item without a key', 'spec.ports.0.cors.allowOrigins', [], [{}], 'sequence'],
  ['a key by default, twice', 'spec.ports.0.routes', [{ prefix: '/' }, { port: 1 }], [], 'sequence'],
  ['an item that is not an object', 'spec.ports', ['x'], [], 'sequence'],
])('%s: %s is compared as that class (platform/concepts.rewritten)', (_it, path, a, b, expected) => {
  expect(effectiveList(listAt('domain', path), a, b).class).toBe(expected);
});

test('a name on Object.prototype is no key', () => {
  expect(itemKey({ parts: [{ fields: ['constructor'] }], evidence: 'stated' }, {})).toBeUndefined();
});

const route: ListKey = {
  parts: [
    { fields: ['prefix', 'regex'], otherwise: '/' },
    { fields: ['hostPrefix'], optional: true },
  ],
  evidence: 'proposed',
};
const plain: ListKey = { parts: [{ fields: ['name'] }, { fields: ['port'] }], evidence: 'proposed' };
const host: ListKey = { parts: [{ fields: ['host'], optional: true }], evidence: 'proposed' };

const either: ListKey = { parts: [{ fields: ['exact', 'regex'] }], evidence: 'proposed' };

test.each<[ListKey, JsonObject, string | undefined, boolean, string | undefined]>([
  [route, { prefix: '/a', hostPrefix: 'h' }, '/a+h', true, 'prefix /a+h'],
  [route, { regex: '.*' }, '.*', true, 'regex .*'],
  [route, { hostPrefix: 'h' }, '/+h', false, 'prefix /+h'],
  [plain, { name: 'a', port: 1 }, 'a+1', true, 'a+1'],
  [plain, { name: 'a' }, undefined, false, undefined],
  [plain, { name: 'a', port: true }, undefined, false, undefined],
  [host, {}, undefined, true, undefined],
  [host, { host: '' }, '', true, ''],
  [either, {}, undefined, false, undefined],
])(
  'by %j %j has the key %s, contains it itself: %s, and is identified by %s (platform/patch.list-keys)',
  (key, item, name, itself, identifying) => {
    expect([itemKey(key, item), namesItself(key, item)]).toEqual([name, itself]);
    expect(identifyingKey(key, item)).toBe(identifying);
  },
);

test('the fields that identify an item are those of all parts of its key', () => {
  expect(keyFields(listAt('domain', 'spec.ports.0.cors.allowOrigins'))).toEqual(['exact', 'regex']);
  expect(keyFields(listAt('workload', 'spec.loadBalancer.direct.ports'))).toEqual(['externalPort', 'protocol']);
  expect(keyFields(listAt('policy', 'bindings'))).toEqual([]);
});

test.each<[ListKey['compare'], string]>([
  [undefined, '/org/o/Location/L'],
  ['lastSegment', 'L'],
  ['ignoreCase', '/org/o/location/l'],
])('keys that are compared as %s', (compare, comparable) => {
  const key: ListKey = {
    parts: [{ fields: ['a'] }],
    evidence: 'stated',
    ...(compare === undefined ? {} : { compare }),
  };
  expect(comparableKey(key, '/org/o/Location/L')).toBe(comparable);
});

test('items are found by key if each one has its own', () => {
  const key: ListKey = { parts: [{ fields: ['name'] }], evidence: 'stated' };
  expect([...(itemsByKey(key, [{ name: 'a' }, { name: 'b' }]) ?? [])]).toEqual([
    ['a', { name: 'a' }],
    ['b', { name: 'b' }],
  ]);
  for (const items of [[{ name: 'a' }, { name: 'a' }], [{}], ['a'], [null]])
    expect(itemsByKey(key, items)).toBeUndefined();
});

test.each<[JsonValue, boolean]>([
  [{ port: 80 }, true],
  [{ ports: [{ number: 80 }] }, true],
  [{ port: 0 }, true],
  [{ port: null }, false],
  [{ ports: [] }, false],
  [{}, false],
  [{ name: 'a' }, false],
  ['port', false],
  [null, false],
])('%j has a port: %s (platform/concepts.filled)', (item, has) => {
  expect(holdsAny(item, ['port', 'ports'])).toBe(has);
});

test('the first container with a port serves traffic (platform/concepts.filled)', () => {
  const key: ListKey = { parts: [{ fields: ['name'] }], evidence: 'stated' };
  expect(firstKeyWith(key, [{ name: 'a' }, { name: 'b', port: 1 }, { name: 'c', port: 2 }], ['port'])).toBe('b');
  expect(firstKeyWith(key, [{ name: 'a' }], ['port'])).toBeUndefined();
});

test('a list without facts is a sequence, and a set remains one', () => {
  const list: ListShape = { type: 'list', item: { type: 'free', facts: {} }, facts: {} };
  expect(effectiveList(list, [], []).class).toBe('sequence');
  expect(effectiveList({ ...list, facts: { list: { class: 'set' } } }, ['a', 'a'], []).class).toBe('set');
});

const keyedLists = creatableKinds.flatMap((kind) => keyedListsIn(shapeOf(kind), kind));

function keyedListsIn(shape: Shape, path: string): readonly { readonly path: string; readonly shape: ListShape }[] {
  if (shape.type === 'object') {
    return [...shape.fields].flatMap(([name, field]) => keyedListsIn(field, `${path}.${name}`));
  }
  if (shape.type === 'map') return keyedListsIn(shape.value, `${path}.*`);
  if (shape.type !== 'list') return [];
  const inside = keyedListsIn(shape.item, `${path}[]`);
  return shape.facts.list?.class === 'keyed' ? [{ path, shape }, ...inside] : inside;
}

test.each(keyedLists)('the key of $path distinguishes items in any form that the platform stores', ({ shape }) => {
  const { list } = shape.facts;
  const key = list?.class === 'keyed' ? list.key : undefined;
  const fields = key?.parts.flatMap((part) => part.fields) ?? [];
  const facts = fields.map((field) => (shape.item.type === 'object' ? shape.item.fields.get(field)?.facts : undefined));
  expect(facts.filter((each) => each?.canonical !== undefined)).toEqual([]);
  if (facts.some((each) => each?.link !== undefined)) expect(key?.compare).toBe('lastSegment');
});
