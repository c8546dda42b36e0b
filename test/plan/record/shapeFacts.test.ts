import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json/json.ts';
import type { Pointer } from '../../../src/base/json/pointer.ts';
import { valueThere } from '../../../src/base/json/valuesAt.ts';
import { shapeOf } from '../../../src/kinds/shapeOf.ts';
import { immutableDifference } from '../../../src/plan/draft/updateOrReplace.ts';
import { answered, isKey, servicePointers, withoutFields, withValue } from '../../../src/plan/record/shapeFacts.ts';
import type { Kind } from '../../../src/schema/record/kinds.ts';
import type { ObjectShape } from '../../../src/schema/shape/shape.ts';
import { withKinds } from '../../kinds/withKinds.ts';
import { volumesetSpec } from '../world.ts';

const record: JsonObject = { a: 1, list: ['x', { b: 2, c: 3 }], deep: { d: { e: 4 } } };

describe('values at pointers', () => {
  test.each<[Pointer, JsonValue | undefined]>([
    [[], record],
    [['a'], 1],
    [['list', 1, 'b'], 2],
    [['list', 0], 'x'],
    [['list', 2], undefined],
    [['list', '0'], undefined],
    [['deep', 0], undefined],
    [['a', 'b'], undefined],
    [['constructor'], undefined],
  ])('%j', (pointer, value) => expect(valueThere(record, pointer)).toEqual(value));

  test.each<[string, Pointer, JsonObject]>([
    ['replaced', ['a'], { ...record, a: 9 }],
    ['added', ['new'], { ...record, new: 9 }],
    ['in an item', ['list', 1, 'b'], { ...record, list: ['x', { b: 9, c: 3 }] }],
    ['instead of an item', ['list', 0], { ...record, list: [9, { b: 2, c: 3 }] }],
    ['not after the last item', ['list', 2], record],
    ['with the objects on its path', ['new', 'of', 'it'], { ...record, new: { of: { it: 9 } } }],
    ['instead of a value that is no object', ['a', 'b'], { ...record, a: { b: 9 } }],
    ['not in items of a value that is no list', ['deep', 0], { ...record, deep: [] }],
    ['not instead of the record', [], record],
  ])('a value that is set: %s', (_, pointer, expected) => expect(withValue(record, pointer, 9)).toEqual(expected));

  test.each<[string, readonly Pointer[], JsonObject]>(
    // biome-ignore format: a row is a case
    [
      ['nothing', [], record],
      ['a field', [['a']], { list: record['list'] ?? null, deep: record['deep'] ?? null }],
      ['a field of an item', [['list', 1, 'b']], { ...record, list: ['x', { c: 3 }] }],
      ['one of two with the same name', [['deep', 'a'], ['list', 1, 'a']], record],
      ['a field and its parent', [['deep', 'd'], ['deep', 'd', 'e']], { ...record, deep: {} }],
      ['several', [['list', 1, 'b'], ['deep', 'd', 'e'], ['a']], { list: ['x', { c: 3 }], deep: { d: {} } }],
      ['not one of the same name elsewhere', [['deep', 'x', 'e']], record],
      ['an item', [['list', 0]], { ...record, list: [{ b: 2, c: 3 }] }],
      ['missing fields', [['list', 7], ['gone'], ['a', 'b'], ['list', '0']], record],
    ],
  )('removed fields: %s', (_, pointers, expected) => expect(withoutFields(record, pointers)).toEqual(expected));
});

/** The shape of a kind, without cached facts. */
function fresh(kind: Kind, fields: JsonObject = {}): ObjectShape {
  return { ...shapeOf(kind, fields) };
}

describe('facts about the fields of a kind', () => {
  test('a response answers for its fields, except secrets, read-only and unknown ones', () => {
    const secret = { name: 'key', type: 'opaque', description: 'd', data: { payload: 'x' }, version: 3, later: 1 };
    expect(answered(fresh('secret', secret), secret)).toEqual({ name: 'key', type: 'opaque', description: 'd' });
  });

  test('fields that the platform would choose', () => {
    const of = (kind: Kind, fields: JsonObject) => servicePointers(fresh(kind, fields), fields);
    expect(of('gvc', { description: 'd', spec: { endpointNamingFormat: 'org' } })).toEqual([
      ['spec', 'endpointNamingFormat'],
    ]);
    const probe = { livenessProbe: { tcpSocket: { port: 80 } } };
    const containers = [
      { name: 'main', image: 'a' },
      { name: 'side', image: 'b', ...probe },
    ];
    expect(of('workload', { spec: { containers } })).toContainEqual([
      ...['spec', 'containers', 1],
      ...['livenessProbe', 'tcpSocket', 'port'],
    ]);
    expect(of('gvc', { spec: 'no object', later: { endpointNamingFormat: 'org' } })).toEqual([]);
    expect(of('workload', { spec: { containers: 'no list' } })).toEqual([]);
  });

  describe('of a custom kind without facts', () => {
    withKinds({ theme: { scope: 'org', immutable: ['base'], listKeys: {}, disposable: true } });

    test('every value and every empty object', () => {
      const fields = { name: 'a', look: { dark: true, empty: {} }, list: [{ a: 1 }], base: 'x' };
      const found = servicePointers(fresh('theme' as Kind, fields), fields);
      expect(found.map((pointer) => pointer.join('.')).sort()).toEqual(['base', 'list', 'look.dark', 'look.empty']);
    });

    test('a field declared as immutable is immutable', () => {
      const of = (base: string, name: string) => ({ base, name });
      const differs = (next: JsonObject) =>
        immutableDifference(fresh('theme' as Kind, next), of('x', 'a'), next, { context: { org: 'o' } });
      expect([differs(of('x', 'b')), differs(of('y', 'a'))]).toEqual([undefined, ['base']]);
    });
  });

  const rows = (spec: JsonObject) => ({ name: 'rows', ...volumesetSpec(spec) });
  test.each<[string, Kind, JsonObject, JsonObject, Pointer | undefined]>(
    // biome-ignore format: a row is a case
    [
      ['nothing', 'volumeset', rows({}), rows({}), undefined],
      ['a field that can be changed', 'volumeset', rows({}), rows({ initialCapacity: 20 }), undefined],
      ['a field that cannot', 'volumeset', rows({}), rows({ fileSystemType: 'xfs' }), ['spec', 'fileSystemType']],
      ['a field that is derived if omitted', 'volumeset',
        { name: 'rows', spec: { fileSystemType: 'shared' } },
        { name: 'rows', spec: { fileSystemType: 'shared', performanceClass: 'shared' } }, undefined],
      ['a read-only field', 'volumeset', { ...rows({}), status: { a: 1 } }, { ...rows({}), status: {} },
        undefined],
      ['an undeclared field', 'secret', { name: 'a', type: 'opaque' }, { name: 'a' }, undefined],
      ['another name, which is another resource', 'group', { name: 'a' }, { name: 'b' }, undefined],
      ['another type', 'secret', { type: 'opaque' }, { type: 'tls' }, ['type']],
    ],
  )('the first difference that cannot be changed in place: %s', (_, kind, live, desired, pointer) => {
    expect(immutableDifference(fresh(kind, desired), live, desired, { context: { org: 'o', gvc: 'g' } })).toEqual(
      pointer,
    );
  });
});

test.each<[Pointer, boolean]>([
  [['spec', 'env', 0, 'name'], true],
  [['spec', 'env', 0, 'value'], false],
  [['spec', 'env', 0], false],
  [['name'], false],
  [['tags', 'name'], false],
])('the field at %j is the key of an item: %s', (pointer, expected) => {
  expect(isKey(fresh('gvc'), pointer)).toBe(expected);
});
