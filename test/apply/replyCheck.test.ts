import { expect, test } from 'vitest';
import { unlike } from '../../src/apply/reply/replyCheck.ts';
import type { LiveResource } from '../../src/manifest/live/snapshot.ts';
import type { JsonObject } from '../../src/schema/json/json.ts';
import { ref } from './plans.ts';

interface Case {
  readonly it: string;
  readonly id: string;
  readonly expected: JsonObject;
  readonly live: JsonObject;
  readonly paths: readonly string[];
}

const main = { name: 'main', image: 'nginx', cpu: '100m' };
const side = { name: 'side', image: 'envoy', cpu: '50m' };
const web = 'workload/shop/web';

const cases: readonly Case[] = [
  { it: 'the same', id: 'gvc/shop', expected: { description: 'a' }, live: { description: 'a', id: 'x' }, paths: [] },
  {
    it: 'another value',
    id: 'gvc/shop',
    expected: { description: 'a', tags: { k: '1' } },
    live: { description: 'b', tags: { k: '2' } },
    paths: ['description', 'tags.k'],
  },
  { it: 'a missing value', id: 'gvc/shop', expected: { tags: { k: '1' } }, live: { tags: {} }, paths: ['tags.k'] },
  {
    it: 'tags of others',
    id: 'gvc/shop',
    expected: { tags: { k: '1' } },
    live: { tags: { k: '1', other: 'x' } },
    paths: [],
  },
  {
    it: 'quantities, in another unit',
    id: web,
    expected: { spec: { containers: [main] } },
    live: { spec: { containers: [{ ...main, cpu: '0.1' }] } },
    paths: [],
  },
  {
    it: 'the legacy port, answered as a list of ports (platform/concepts.filled)',
    id: web,
    expected: { spec: { containers: [{ ...main, port: 8080 }] } },
    live: { spec: { containers: [{ ...main, ports: [{ protocol: 'http', number: 8080 }] }] } },
    paths: [],
  },
  {
    it: 'the legacy port, answered as another port',
    id: web,
    expected: { spec: { containers: [{ ...main, port: 8080 }] } },
    live: { spec: { containers: [{ ...main, ports: [{ protocol: 'http', number: 8081 }] }] } },
    paths: ['spec.containers.main.port'],
  },
  {
    it: 'items of a keyed list, in another order and with more fields',
    id: web,
    expected: { spec: { containers: [main, side] } },
    live: { spec: { containers: [{ ...side, unknownToUs: 1 }, main] } },
    paths: [],
  },
  {
    it: 'one item of a keyed list, named by its key',
    id: web,
    expected: { spec: { containers: [main, side] } },
    live: { spec: { containers: [main, { ...side, image: 'other' }] } },
    paths: ['spec.containers.side.image'],
  },
  {
    it: 'a lost item',
    id: web,
    expected: { spec: { containers: [main, side] } },
    live: { spec: { containers: [main] } },
    paths: ['spec.containers'],
  },
  {
    it: 'links, in short form',
    id: 'gvc/shop',
    expected: { spec: { staticPlacement: { locationLinks: ['/org/acme/location/a', '/org/acme/location/b'] } } },
    live: { spec: { staticPlacement: { locationLinks: ['//location/b', '//location/a'] } } },
    paths: [],
  },
  {
    it: 'values of a secret that the answer leaves out',
    id: 'secret/s',
    expected: { type: 'opaque', data: { payload: 'x', encoding: 'plain' } },
    live: { type: 'opaque' },
    paths: [],
  },
  {
    it: 'values of a secret that the answer shows',
    id: 'secret/s',
    expected: { type: 'opaque', data: { payload: 'x', encoding: 'plain' } },
    live: { type: 'opaque', data: { payload: 'y', encoding: 'plain' } },
    paths: ['data.payload'],
  },
  {
    it: 'names of Object.prototype as data',
    id: 'gvc/shop',
    expected: { tags: { constructor: 'a' } },
    live: { tags: {} },
    paths: ['tags.constructor'],
  },
];

test.each(cases)('an answer with $it differs in $paths', ({ id, expected, live, paths }) => {
  const resource: LiveResource = { ref: ref(id), id, uid: 'x', version: 1, record: live };
  expect(unlike(expected, resource, 'acme')).toEqual(paths);
});
