import { describe, expect, test } from 'vitest';
import { unexplained, unlike } from '../../../src/apply/replyCheck.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { masked } from '../../../src/base/json/mask.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import { Body } from '../../../src/manifest/model/body.ts';
import { body, ref } from '../harness/plans.ts';

interface Case {
  readonly it: string;
  readonly id: string;
  readonly expected: JsonObject;
  readonly live: JsonObject;
  readonly paths: readonly string[];
}

function domain(spec: JsonObject): JsonObject {
  return { spec: { gvcLink: '/org/acme/gvc/shop', ...spec } };
}

/** A domain with one port of these routes. */
function routed(...routes: readonly JsonObject[]): JsonObject {
  return domain({ ports: [{ number: 443, protocol: 'http2', routes }] });
}

function workload(spec: JsonObject): JsonObject {
  return { spec: { type: 'stateful', containers: [main], ...spec } };
}

function route(fields: JsonObject): JsonObject {
  return { workloadLink: '/org/acme/gvc/shop/workload/web', ...fields };
}

/** A GVC with these pull secrets. */
function pulling(...secrets: readonly string[]): JsonObject {
  return { spec: { pullSecretLinks: secrets.map((name) => `/org/acme/secret/${name}`) } };
}

function granting(permission: string, ...users: readonly string[]): JsonObject {
  return { permissions: [permission], principalLinks: users.map((user) => `/org/acme/user/${user}`) };
}

const main = { name: 'main', image: 'nginx', cpu: '100m' };
const side = { name: 'side', image: 'envoy', cpu: '50m' };
const web = 'workload/shop/web';

// biome-ignore format: one case a line
const cases: readonly Case[] = [
  { it: 'equal values',
    id: 'gvc/shop', expected: { description: 'a' }, live: { description: 'a', id: 'x' }, paths: [] },
  { it: 'another value', id: 'gvc/shop', expected: { description: 'a', tags: { k: '1' } },
    live: { description: 'b', tags: { k: '2' } }, paths: ['description', 'tags.k'] },
  { it: 'a missing value', id: 'gvc/shop', expected: { tags: { k: '1' } }, live: { tags: {} }, paths: ['tags.k'] },
  { it: 'tags of others', id: 'gvc/shop', expected: { tags: { k: '1' } }, live: { tags: { k: '1', other: 'x' } },
    paths: [] },
  { it: 'quantities, in another unit', id: web, expected: { spec: { containers: [main] } },
    live: { spec: { containers: [{ ...main, cpu: '0.1' }] } }, paths: [] },
  { it: 'the legacy port as a list of ports (platform/concepts.filled)', id: web,
    expected: { spec: { containers: [{ ...main, port: 8080 }] } },
    live: { spec: { containers: [{ ...main, ports: [{ protocol: 'http', number: 8080 }] }] } }, paths: [] },
  { it: 'the legacy port as a list of ports, and another image', id: web,
    expected: { spec: { containers: [{ ...main, port: 8080 }] } },
    live: { spec: { containers: [{ ...main, image: 'other', ports: [{ protocol: 'http', number: 8080 }] }] } },
    paths: ['spec.containers.main.image'] },
  { it: 'the legacy port as another port', id: web,
    expected: { spec: { containers: [{ ...main, port: 8080 }] } },
    live: { spec: { containers: [{ ...main, ports: [{ protocol: 'http', number: 8081 }] }] } },
    paths: ['spec.containers.main.port'] },
  { it: 'items of a keyed list, in another order and with more fields', id: web,
    expected: { spec: { containers: [main, side] } },
    live: { spec: { containers: [{ ...side, unknownToUs: 1 }, main] } }, paths: [] },
  { it: 'one item of a keyed list, named by its key', id: web, expected: { spec: { containers: [main, side] } },
    live: { spec: { containers: [main, { ...side, image: 'other' }] } }, paths: ['spec.containers.side.image'] },
  { it: 'a lost item', id: web, expected: { spec: { containers: [main, side] } },
    live: { spec: { containers: [main] } }, paths: ['spec.containers'] },
  { it: 'other keys of a service account: no manifest writes them (platform/serviceaccount)', id: 'serviceaccount/ci',
    expected: { keys: [{ name: 'a', description: 'old' }] },
    live: { keys: [{ name: 'a', description: 'new' }, { name: 'b' }] }, paths: [] },
  { it: 'a field that the schema does not contain', id: 'gvc/shop', expected: { spec: { unheardOf: 1 }, unheardOf: 1 },
    live: { spec: {} }, paths: [] },
  { it: 'a value of another type', id: web,
    expected: { description: 'a', tags: { k: '1' }, spec: { containers: [main] } },
    live: { description: { text: 'a' }, tags: [], spec: { containers: { main } } },
    paths: ['description', 'tags', 'spec.containers'] },
  { it: 'free-form JSON with another content', id: web,
    expected: workload({ extras: { affinity: { nodeAffinity: 'a' }, tolerations: [{ key: 'a' }] } }),
    live: workload({ extras: { affinity: { nodeAffinity: 'a', podAffinity: 'b' }, tolerations: [{ key: 'a' }, {}] } }),
    paths: ['spec.extras.affinity', 'spec.extras.tolerations'] },
  { it: 'fields of others in a record of a custom kind', id: 'widget/w',
    expected: { spec: { size: { width: 1 }, colours: ['red'] } },
    live: { spec: { size: { width: 1, height: 2 }, colours: ['red'], owner: 'x' } }, paths: [] },
  { it: 'other values in a record of a custom kind, whose lists are compared whole', id: 'widget/w',
    expected: { spec: { size: { width: 1 }, colours: ['red', 'blue'], shape: {} } },
    live: { spec: { size: { width: 2 }, colours: ['blue', 'red'] } },
    paths: ['spec.size.width', 'spec.colours', 'spec.shape'] },
  { it: 'an omitted default, although the platform stores it (platform/concepts.filled)',
    id: 'gvc/shop', expected: { description: 'shop', spec: { endpointNamingFormat: 'org' } },
    live: { name: 'shop', spec: {} }, paths: [] },
  { it: 'an omitted value that follows from the type of the workload (platform/workload.capacity-ai)', id: web,
    expected: workload({ defaultOptions: { capacityAI: false } }), live: workload({ defaultOptions: {} }), paths: [] },
  { it: 'another value than the one that follows from the type of the workload', id: web,
    expected: workload({ defaultOptions: { capacityAI: true } }), live: workload({ defaultOptions: {} }),
    paths: ['spec.defaultOptions.capacityAI'] },
  { it: 'an omitted factor that is inherited from the parent object (platform/volumeset)',
    id: 'volumeset/shop/data',
    expected: { spec: { autoscaling: { scalingFactor: 1.5, predictive: { scalingFactor: 1.5 } } } },
    live: { spec: { autoscaling: { scalingFactor: 1.5, predictive: {} } } }, paths: [] },
  { it: 'a set that names one member twice', id: 'gvc/shop', expected: pulling('a', 'b'),
    live: pulling('b', 'a', 'a'), paths: [] },
  { it: 'a set with another member', id: 'gvc/shop', expected: pulling('a', 'b'), live: pulling('a', 'c'),
    paths: ['spec.pullSecretLinks'] },
  { it: 'bindings in another order, which has no meaning (platform/policy)', id: 'policy/p',
    expected: { bindings: [granting('view', 'a@x.org'), granting('edit', 'b@x.org', 'c@x.org')] },
    live: { bindings: [granting('edit', 'c@x.org', 'b@x.org'), granting('view', 'a@x.org')] }, paths: [] },
  { it: 'a binding that grants something else', id: 'policy/p',
    expected: { bindings: [granting('view', 'a@x.org'), granting('edit', 'b@x.org')] },
    live: { bindings: [granting('view', 'a@x.org'), granting('edit', 'c@x.org')] },
    paths: ['bindings.1.principalLinks'] },
  { it: 'an additional item', id: web, expected: { spec: { containers: [main] } },
    live: { spec: { containers: [main, side] } }, paths: ['spec.containers'] },
  { it: 'another item instead of one that consists of defaults', id: 'domain/shop.org',
    expected: domain({ ports: [{ number: 443 }] }), live: domain({ ports: [{ number: 80 }] }), paths: ['spec.ports'] },
  { it: 'routes by prefix, in another order', id: 'domain/shop.org',
    expected: routed(route({ prefix: '/a' }), route({ prefix: '/b' })),
    live: routed(route({ prefix: '/b' }), route({ prefix: '/a' })), paths: [] },
  { it: 'value.order: routes with one regex in another order: the first match wins',
    id: 'domain/shop.org', expected: routed(route({ regex: '/a.*' }), route({ regex: '/ab.*' })),
    live: routed(route({ regex: '/ab.*' }), route({ regex: '/a.*' })),
    paths: ['spec.ports.443.routes."/a.*".regex', 'spec.ports.443.routes."/ab.*".regex'] },
  { it: 'containers in another order, so that another one has the first port', id: web,
    expected: { spec: { containers: [side, { ...main, ports: [{ number: 80 }] }, { ...side, name: 'b', port: 81 }] } },
    live: { spec: { containers: [{ ...side, name: 'b', port: 81 }, side, { ...main, ports: [{ number: 80 }] }] } },
    paths: ['spec.containers'] },
  { it: 'containers in another order, with the same first port', id: web,
    expected: { spec: { containers: [side, { ...main, port: 80 }] } },
    live: { spec: { containers: [{ ...main, port: 80 }, side] } }, paths: [] },
  { it: 'ports in another order: the first one is the default of probes', id: web,
    expected: { spec: { containers: [{ ...main, ports: [{ number: 80 }, { number: 81 }] }] } },
    live: { spec: { containers: [{ ...main, ports: [{ number: 81 }, { number: 80 }] }] } },
    paths: ['spec.containers.main.ports'] },
  { it: 'a sensitive value that a saved plan does not contain', id: web,
    expected: { spec: { containers: [{ ...main, image: masked }, { ...side, cpu: masked }] } },
    live: { spec: { containers: [side, main] } }, paths: [] },
  { it: 'links, in short form', id: 'gvc/shop',
    expected: { spec: { staticPlacement: { locationLinks: ['/org/acme/location/a', '/org/acme/location/b'] } } },
    live: { spec: { staticPlacement: { locationLinks: ['//location/b', '//location/a'] } } }, paths: [] },
  { it: 'values of a secret that the response omits', id: 'secret/s',
    expected: { type: 'opaque', data: { payload: 'x', encoding: 'plain' } }, live: { type: 'opaque' }, paths: [] },
  { it: 'values of a secret that the response shows', id: 'secret/s',
    expected: { type: 'opaque', data: { payload: 'x', encoding: 'plain' } },
    live: { type: 'opaque', data: { payload: 'y', encoding: 'plain' } }, paths: ['data.payload'] },
  { it: 'names of Object.prototype as data', id: 'gvc/shop', expected: { tags: { constructor: 'a' } },
    live: { tags: {} }, paths: ['tags.constructor'] },
];

test.each(cases)('a response with $it differs in $paths', ({ id, expected, live, paths }) => {
  const resource: LiveResource = { ref: ref(id), id, uid: 'x', version: 1, record: live };
  expect(unlike(expected, resource, 'acme')).toEqual(paths);
});

describe('a field that a PATCH removes', () => {
  const inMain = { spec: { '$patch/containers': [{ name: 'main', $drop: ['cpu'] }] } };

  // biome-ignore format: a row is a case
  test.each<{ it: string; sent: JsonObject; live: JsonObject; paths: readonly string[] }>([
    { it: 'differs if the answer still has it', sent: { $drop: ['description'] }, live: { description: 'a' },
      paths: ['description'] },
    { it: 'does not differ if it is gone', sent: { $drop: ['description'] }, live: {}, paths: [] },
    { it: 'is not compared if the schema does not contain it', sent: { $drop: ['unheardOf'] }, live: { unheardOf: 1 },
      paths: [] },
    { it: 'is not looked for in what the schema does not contain', sent: { unheardOf: { $drop: ['x'] } },
      live: { unheardOf: { x: 1 } }, paths: [] },
    { it: 'is named once if it is a tag', sent: { tags: { $drop: ['team'] } }, live: { tags: { team: 'a' } },
      paths: ['tags.team'] },
    { it: 'is found inside of an object', sent: { spec: { $drop: ['type'] } }, live: workload({}),
      paths: ['spec.type'] },
    { it: 'is found in the item with its key', sent: inMain, live: { spec: { containers: [side, main] } },
      paths: ['spec.containers.main.cpu'] },
    { it: 'is not looked for in other items', sent: inMain, live: { spec: { containers: [side] } }, paths: [] },
    { it: 'is not looked for in items without a key', live: { spec: { containers: [{ cpu: '1' }] } }, paths: [],
      sent: { spec: { '$patch/containers': [{ $drop: ['cpu'] }] } } },
    { it: 'is not looked for where the answer has no object', sent: { spec: { $drop: ['type'] } }, live: { spec: 'x' },
      paths: [] },
  ])('$it', ({ sent, live, paths }) => {
    const found: LiveResource = { ref: ref(web), id: web, uid: 'x', version: 2, record: live };
    const read = () => ({ own: [], left: undefined, notes: [] });
    expect(unexplained({ body: sent, expected: body({}) }, found, 'acme', read).paths).toEqual(paths);
  });
});

test('a mask in an answer is no difference of a sensitive value, another value is', () => {
  const id = 'secret/s';
  const sent = { type: 'opaque', data: { payload: 'x' } };
  const differing = (payload: string) =>
    unexplained(
      { body: sent, expected: new Body(sent, { ...sent, data: { payload: masked } }) },
      { ref: ref(id), id, uid: 'x', version: 2, record: { type: 'opaque', data: { payload } } },
      'acme',
      () => undefined,
    ).paths;
  expect(differing('********')).toEqual([]);
  expect(differing('y')).toEqual(['data.payload']);
});

test('a tag of Gantry that a write does not set has to be as expected, one of the platform may change', () => {
  const differing = (found: JsonObject) =>
    unexplained(
      { body: { description: 'a' }, expected: body({ tags: { 'gantry/stack': 'shop', 'its/revision': '1' } }) },
      { ref: ref(web), id: web, uid: 'x', version: 2, record: { tags: found } },
      'acme',
      () => undefined,
    ).paths;
  expect(differing({ 'gantry/stack': 'shop', 'its/revision': '2' })).toEqual([]);
  expect(differing({ 'gantry/stack': 'bank', 'its/revision': '1' })).toEqual(['tags."gantry/stack"']);
});
