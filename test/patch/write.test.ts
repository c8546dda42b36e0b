import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { shapeOf } from '../../src/kinds/shapeOf.ts';
import { applyPatch } from '../../src/patch/applyPatch.ts';
import { bytesOf, countLeaves, writePatch } from '../../src/patch/writePatch.ts';
import type { ObjectShape } from '../../src/schema/shape/shape.ts';
import { context, toy } from './toyShape.ts';

interface Case {
  readonly it: string;
  readonly live: JsonObject;
  readonly target: JsonObject;
  /** Among the patches from `live` to `target` the one with the fewest leaves, then the fewest bytes. */
  readonly patch: JsonObject | undefined;
  readonly shape?: ObjectShape;
  readonly directives?: 'all' | 'stated';
}

function expectPatch({ live, target, patch, shape = toy, directives = 'all' }: Omit<Case, 'it'>): void {
  expect(writePatch(shape, live, target, { context, directives })).toEqual(patch);
  expect(applyPatch(shape, live, patch ?? {}, context)).toEqual({ ok: true, record: target });
}

describe('objects (platform/patch.merge)', () => {
  // biome-ignore format: one case a line
  const cases: readonly Case[] = [
    { it: 'nothing differs', live: { a: 1, o: { a: 1 } }, target: { o: { a: 1 }, a: 1 }, patch: undefined },
    { it: 'a field is new', live: {}, target: { a: 1 }, patch: { a: 1 } },
    { it: 'an object is new, and empty', live: {}, target: { o: {} }, patch: { o: {} } },
    { it: 'an object replaces a string', live: { o: 'x' }, target: { o: { a: 1 } }, patch: { o: { a: 1 } } },
    { it: 'a string replaces an object', live: { o: { a: 1 } }, target: { o: 'x' }, patch: { o: 'x' } },
    { it: 'two fields are removed and one is changed', live: { a: 1, m: { x: 1 }, o: { a: 1, b: 2 } },
      target: { o: { a: 1, b: 3 } }, patch: { $drop: ['a', 'm'], o: { b: 3 } } },
    { it: 'most of an object is removed', live: { m: { x: 1, y: 2, z: 3 } }, target: { m: { z: 3 } },
      patch: { '$replace/m': { z: 3 } } },
    { it: 'an empty object is a leaf: one name is less than two of them', live: { maps: { x: { a: 1 }, y: {}, z: {} } },
      target: { maps: { y: {}, z: {} } }, patch: { maps: { $drop: ['x'] } } },
    { it: 'a key that begins with "$" is removed', live: { m: { $k: 1, b: 2 } }, target: { m: { b: 2 } },
      patch: { m: { $drop: ['$k'] } } },
    { it: 'a key that begins with "$" stays beside a change', live: { m: { $k: 1, b: 2, c: 3 } },
      target: { m: { $k: 1, b: 2, c: 4 } }, patch: { m: { c: 4 } } },
    { it: 'free-form JSON contains a null and a key that begins with "$"', live: { free: { a: 1 } },
      target: { free: { $k: 1, n: null } }, patch: { '$replace/free': { $k: 1, n: null } } },
    { it: 'a list instead of a string in the schema', live: { a: 'x' }, target: { a: ['x'] }, patch: { a: ['x'] } },
    { it: 'such a list with more items: no directive applies', live: { a: ['x', 'y', 'z'] },
      target: { a: ['x', 'y', 'z', 'w'] }, patch: { a: ['x', 'y', 'z', 'w'] } },
    { it: 'a string instead of a list in the schema', live: { seq: ['x'] }, target: { seq: 'xy' },
      patch: { seq: 'xy' } },
  ];

  test.each(cases)('$it', expectPatch);

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'a key that begins with "$"', target: { m: { $k: 1 } } },
      { it: 'a null', target: { m: { k: null } } },
      { it: 'a key that begins with "$" in a new item', target: { items: [{ n: 'x', v: 1 }, { n: 'y', $k: 1 }] } },
      { it: 'a key that begins with "$" in a kept item', target: { items: [{ n: 'x', v: 1, $k: 1 }] } },
      { it: 'a null in an item of a list without keys', target: { plain: [{ a: null }] } },
    ],
  )('no patch can write $it', ({ target }) => {
    const live = { items: [{ n: 'x', v: 1 }] };
    expect(() => writePatch(toy, live, { ...live, ...target }, { context, directives: 'all' })).toThrow(
      expect.objectContaining({ code: 'patch.inexpressible' }),
    );
  });
});

describe('lists of plain values (platform/patch.list-keys)', () => {
  // biome-ignore format: one case a line
  const rows: readonly Case[] = [
    { it: 'a value is added', live: { seq: ['a', 'b'] }, target: { seq: ['a', 'b', 'c'] },
      patch: { '$append/seq': ['c'] } },
    { it: 'the last value is repeated', live: { seq: ['a', 'b'] }, target: { seq: ['a', 'b', 'b'] },
      patch: { '$append/seq': ['b'] } },
    { it: 'a new first value', live: { seq: ['a', 'b'] }, target: { seq: ['c', 'a', 'b'] },
      patch: { seq: ['c', 'a', 'b'] } },
    { it: 'a value is removed beside repeated ones', live: { seq: ['a', 'b', 'a', 'c'] },
      target: { seq: ['a', 'b', 'a'] }, patch: { '$drop/seq': ['c'] } },
    { it: 'a value is removed at every position, by one name', live: { seq: ['a', 'b', 'a', 'c', 'd'] },
      target: { seq: ['b', 'c', 'd'] }, patch: { '$drop/seq': ['a'] } },
    { it: 'a value is kept at every position, by one name', live: { seq: ['a', 'b', 'a', 'c', 'a', 'd'] },
      target: { seq: ['a', 'a', 'a'] }, patch: { '$retain/seq': ['a'] } },
    { it: 'one of two equal values is removed: a name would match both', live: { seq: ['a', 'b', 'a'] },
      target: { seq: ['a', 'b'] }, patch: { seq: ['a', 'b'] } },
    { it: 'a number becomes a string: as a name both are equal', live: { seq: ['x', 1, 'y'] },
      target: { seq: ['x', '1', 'y'] }, patch: { seq: ['x', '1', 'y'] } },
    { it: 'a value moves to the end', live: { set: ['x', 'y', 'z'] }, target: { set: ['y', 'z', 'x'] },
      patch: { '$drop/set': ['x'], '$append/set': ['x'] } },
    { it: 'a set gets the same value twice, which `$append` would omit', live: { set: ['x'] },
      target: { set: ['x', 'y', 'y'] }, patch: { set: ['x', 'y', 'y'] } },
    { it: 'the same if another of its items has no name', live: { set: ['x', { a: 1 }] },
      target: { set: ['x', { a: 1 }, 'x'] }, patch: { set: ['x', { a: 1 }, 'x'] } },
    { it: 'a list in free-form JSON', live: { free: ['a', 'b', 'c'] }, target: { free: ['a', 'b', { $k: null }] },
      patch: { free: ['a', 'b', { $k: null }] } },
    { it: 'an object is added to a list in free-form JSON', live: { free: ['a', { b: 1 }] },
      target: { free: ['a', { b: 1 }, { $k: null }] }, patch: { '$append/free': [{ $k: null }] } },
  ];

  test.each(rows)('$it', expectPatch);
});

describe('lists whose items have no key (platform/patch.list-keys)', () => {
  const free = { $k: null };
  test.each<Case>(
    // biome-ignore format: a row is a case
    [
      { it: 'an item is added', live: { plain: [{ a: 1 }] }, target: { plain: [{ a: 1 }, { b: 2 }] },
        patch: { '$append/plain': [{ b: 2 }] } },
      { it: 'one is changed and one is added', live: { plain: [{ a: 1 }, { a: 2 }] },
        target: { plain: [{ a: 1 }, { a: 3 }, { a: 4 }] }, patch: { plain: [{ a: 1 }, { a: 3 }, { a: 4 }] } },
      { it: 'one is removed', live: { plain: [{ a: 1 }, { a: 2 }] }, target: { plain: [{ a: 1 }] },
        patch: { plain: [{ a: 1 }] } },
      { it: 'all are removed', live: { plain: [{ a: 1 }] }, target: { plain: [] }, patch: { plain: [] } },
      { it: 'a first item is added', live: { plain: [] }, target: { plain: [{ a: 1 }] }, patch: { plain: [{ a: 1 }] } },
      { it: 'free-form JSON in an item is written unchanged', live: {}, target: { plain: [{ zz: free }] },
        patch: { plain: [{ '$replace/zz': free }] } },
      { it: 'free-form JSON in an added item is written unchanged',
        live: { plain: [{ a: 1 }] }, target: { plain: [{ a: 1 }, { zz: free }] },
        patch: { '$append/plain': [{ '$replace/zz': free }] } },
    ],
  )('$it', expectPatch);
});

describe('lists whose items have keys (platform/patch.list-keys)', () => {
  const [x, y] = [
    { n: 'x', v: 1, args: ['p', 'q'] },
    { n: 'y', v: 1, args: ['r', 's'] },
  ];
  test.each<Case>(
    // biome-ignore format: a row is a case
    [
      { it: 'a field of an item', live: { items: [x, y] }, target: { items: [x, { ...y, v: 2 }] },
        patch: { '$patch/items': [{ n: 'y', v: 2 }] } },
      { it: 'a list in an item, whose key is only proposed',
        live: { items: [{ n: 'x', env: [{ n: 'A', v: 1 }, { n: 'B', v: 1 }] }] },
        target: { items: [{ n: 'x', env: [{ n: 'A', v: 2 }, { n: 'B', v: 1 }] }] },
        patch: { '$patch/items': [{ n: 'x', '$patch/env': [{ n: 'A', v: 2 }] }] } },
      { it: 'the same if the endpoint may not support it',
        live: { items: [{ n: 'x', env: [{ n: 'A', v: 1 }, { n: 'B', v: 1 }] }] },
        target: { items: [{ n: 'x', env: [{ n: 'A', v: 2 }, { n: 'B', v: 1 }] }] },
        patch: { '$patch/items': [{ n: 'x', env: [{ n: 'A', v: 2 }, { n: 'B', v: 1 }] }] }, directives: 'stated' },
      { it: 'an item added there needs no key', live: { items: [{ n: 'x', env: [{ n: 'A', v: 1 }] }] },
        target: { items: [{ n: 'x', env: [{ n: 'A', v: 1 }, { n: 'B', v: 1 }] }] },
        patch: { '$patch/items': [{ n: 'x', '$append/env': [{ n: 'B', v: 1 }] }] }, directives: 'stated' },
      { it: 'an item added there is refused if its key exists',
        live: { items: [{ n: 'x', env: [{ n: 'A', v: 1 }] }] },
        target: { items: [{ n: 'x', env: [{ n: 'A', v: 1 }, { n: 'A', v: 2 }] }] },
        patch: { '$patch/items': [{ n: 'x', env: [{ n: 'A', v: 1 }, { n: 'A', v: 2 }] }] }, directives: 'stated' },
      { it: 'an item moves to the end, and both are changed', live: { items: [x, y] },
        target: { items: [{ ...y, v: 2 }, { ...x, v: 2 }] },
        patch: { '$drop/items': ['x'], '$patch/items': [{ n: 'y', v: 2 }], '$append/items': [{ ...x, v: 2 }] } },
      { it: 'an item that loses most of its fields is removed and added again, beside any number of others',
        live: { items: [x, { n: 'a' }, { n: 'b' }, { n: 'c' }, { ...y, zz: 1 }] },
        target: { items: [x, { n: 'a' }, { n: 'b' }, { n: 'c' }, { n: 'y' }] }, patch: { '$drop/items': ['y'], '$append/items': [{ n: 'y' }] } },
      { it: 'the same before a new item', live: { items: [x, { ...y, zz: 1 }] },
        target: { items: [x, { n: 'y' }, { n: 'z', v: 1, args: ['p', 'q', 'r'] }] },
        patch: { '$drop/items': ['y'], '$append/items': [{ n: 'y' }, { n: 'z', v: 1, args: ['p', 'q', 'r'] }] } },
      { it: 'an item that loses few fields with long names is too',
        live: { items: [x, { n: 'y', v: 1, 'a name that nobody declares': 1 }] }, target: { items: [x, { n: 'y' }] },
        patch: { '$drop/items': ['y'], '$append/items': [{ n: 'y' }] } },
      { it: 'of equally many names those with fewer bytes, whatever their text length',
        live: { items: [{ n: 'aaaaa', v: 1 }, { n: 'üü', v: 1 }] }, target: { items: [{ n: 'üü', v: 1 }] },
        patch: { '$drop/items': ['aaaaa'] } },
      { it: 'a number as a key is named by its text', live: { items: [{ n: 1, v: 1 }, { n: 2, v: 1 }, { n: 3, v: 1 }] },
        target: { items: [{ n: 1, v: 1 }, { n: 3, v: 2 }] },
        patch: { '$drop/items': ['2'], '$patch/items': [{ n: 3, v: 2 }] } },
      { it: 'a key becomes a string', live: { items: [{ ...x, n: 1 }, y] }, target: { items: [{ ...x, n: '1' }, y] },
        patch: { '$patch/items': [{ n: '1' }] } },
      { it: 'a first item is added', live: { items: [] }, target: { items: [x] }, patch: { items: [x] } },
      { it: 'a duplicate key', live: { items: [x] }, target: { items: [x, { n: 'x', v: 2 }] },
        patch: { items: [x, { n: 'x', v: 2 }] } },
      { it: 'one of two with the same key is changed', live: { items: [x, { n: 'x', v: 2 }] },
        target: { items: [x, { n: 'x', v: 3 }] }, patch: { items: [x, { n: 'x', v: 3 }] } },
      { it: 'an item is added to two with the same key', live: { items: [x, x] }, target: { items: [x, x, y] },
        patch: { '$append/items': [y] } },
      { it: 'two with the same key are added to two with the same key', live: { items: [x, x] },
        target: { items: [x, x, y, y] }, patch: { items: [x, x, y, y] } },
      { it: 'an item without a key is removed', live: { items: [{ v: 1 }, x] }, target: { items: [x] },
        patch: { items: [x] } },
      { it: 'an item without a key is added', live: { items: [{ v: 1 }] }, target: { items: [{ v: 1 }, { v: 2 }] },
        patch: { '$append/items': [{ v: 2 }] } },
      { it: 'several without a key are added', live: { items: [x] }, target: { items: [x, { v: 1 }, { v: 1 }] },
        patch: { '$append/items': [{ v: 1 }, { v: 1 }] } },
    ],
  )('$it', expectPatch);
});

describe('keys of several fields (platform/patch.list-keys)', () => {
  const workload = shapeOf('workload');
  const direct = (...ports: readonly JsonObject[]) => ({ spec: { loadBalancer: { direct: { ports } } } });
  const [http, https] = [
    { externalPort: 80, protocol: 'TCP', containerPort: 8080 },
    { externalPort: 443, protocol: 'TCP', containerPort: 8443 },
  ];
  const mounted = (...volumes: readonly JsonObject[]) => ({ spec: { containers: [{ name: 'a', volumes }] } });
  const [byPath, byName] = [
    { path: '/a', name: 'a', uri: 's3://a', recoveryPolicy: 'retain' },
    { name: 'b', uri: 's3://b', recoveryPolicy: 'retain' },
  ];
  const routed = (...routes: readonly JsonObject[]) => ({ spec: { ports: [{ number: 443, routes }] } });
  const [unaddressed, api] = [
    { workloadLink: '//gvc/g/workload/web', port: 80 },
    { prefix: '/api', workloadLink: '//gvc/g/workload/api' },
  ];

  test.each<Case>(
    // biome-ignore format: a row is a case
    [
      { it: 'an item of $patch has all of them', shape: workload, live: direct(http, https),
        target: direct(http, { ...https, containerPort: 9443 }),
        patch: { spec: { loadBalancer: {
              direct: { '$patch/ports': [{ externalPort: 443, protocol: 'TCP', containerPort: 9443 }] } } } } },
      { it: 'an item is named by them together', shape: workload, live: direct(http, https), target: direct(https),
        patch: { spec: { loadBalancer: { direct: { '$drop/ports': ['80+TCP'] } } } } },
      { it: 'if one is enough, it is the first existing one', shape: workload, live: mounted(byPath, byName),
        target: mounted({ ...byPath, recoveryPolicy: 'recycle' }, { ...byName, recoveryPolicy: 'recycle' }),
        patch: { spec: { '$patch/containers': [{ name: 'a',
                '$patch/volumes': [{ path: '/a', recoveryPolicy: 'recycle' },
                  { name: 'b', recoveryPolicy: 'recycle' }] }] } } },
      { it: 'an item whose key is only a default cannot be changed itself', shape: shapeOf('domain'),
        live: routed(api, unaddressed), target: routed(api, { ...unaddressed, port: 81 }),
        patch: { spec: { '$patch/ports': [
              { number: 443, '$drop/routes': ['/'], '$append/routes': [{ ...unaddressed, port: 81 }] }] } } },
    ],
  )('$it', expectPatch);
});

describe('the cost of a change', () => {
  test.each([
    { value: 'x', leaves: 1 },
    { value: null, leaves: 1 },
    { value: [], leaves: 1 },
    { value: {}, leaves: 1 },
    { value: [[], {}], leaves: 2 },
    { value: { a: [1, 2], b: { c: 3, d: {} } }, leaves: 4 },
  ])('$value has $leaves leaves', ({ value, leaves }) => {
    expect(countLeaves(value)).toBe(leaves);
  });

  // Counted by hand: `"a":1` has five bytes, a comma one; ü two, € three, 😀 four.
  test.each(
    // biome-ignore format: a row is a case
    [
      { entries: [], bytes: 0 },
      { entries: [{ key: 'a', value: 1 }], bytes: 5 },
      { entries: [{ key: 'a', value: 1 }, { key: 'b', value: [2] }], bytes: 13 },
      { entries: [{ key: 'ü', value: '€😀' }], bytes: 14 },
    ],
  )('$entries has $bytes bytes', ({ entries, bytes }) => {
    expect(bytesOf({ entries, leaves: 0 })).toBe(bytes);
  });
});
