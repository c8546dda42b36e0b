import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json/json.ts';
import { isPlaceholder, placeholderData } from '../../../src/kinds/secret/fields.ts';
import { shapeOf } from '../../../src/kinds/shapeOf.ts';
import type { Lifecycle } from '../../../src/manifest/model/manifest.ts';
import { pointerOfField, positionOfField, protectedPath } from '../../../src/plan/record/shapeFacts.ts';
import { maskedManifest, toManifest } from '../../../src/plan/record/toManifest.ts';
import { declare } from '../world.ts';

describe('a resource as a manifest', () => {
  test('has kind, name and GVC first, and only declared fields', () => {
    const app = declare(
      'identity/g/app',
      { spec: { a: 1 }, tags: { team: 'red' }, description: 'd' },
      { retain: true },
    );
    expect(Object.entries(toManifest(app))).toEqual([
      ['kind', 'identity'],
      ['name', 'app'],
      ['gvc', 'g'],
      ['description', 'd'],
      ['tags', { team: 'red' }],
      ['lifecycle', { retain: true }],
      ['spec', { a: 1 }],
    ]);
    expect(Object.keys(toManifest(declare('group/a')))).toEqual(['kind', 'name']);
    expect(toManifest({ ...declare('group/a'), record: {} })).toEqual({ kind: 'group', name: 'a' });
  });

  test('contains no secret if masked', () => {
    const secret = declare('secret/key', { type: 'opaque', data: { payload: 'x' } });
    expect(maskedManifest(secret)).toEqual({
      ...{ kind: 'secret', name: 'key', type: 'opaque' },
      data: { sensitive: true },
    });
    expect(toManifest(secret)['data']).toEqual({ payload: 'x' });
  });
});

describe('the place of a changed field in the manifest', () => {
  const record: JsonObject = {
    description: 'd',
    tags: { 'scheme/protected': 'true' },
    spec: { env: [{ name: 'A', value: '1' }] },
  };
  const of = (path: string, lifecycle: Lifecycle = {}, fields = record) => {
    const resource = declare('gvc/g', fields, lifecycle, 4);
    const shape = shapeOf('gvc', resource.record);
    return [pointerOfField(path, shape, resource), positionOfField(path, shape, resource)?.line] as const;
  };

  test.each<{
    path: string;
    lifecycle?: Lifecycle;
    fields?: JsonObject;
    pointer: readonly (string | number)[] | undefined;
  }>([
    { path: 'description', pointer: ['description'] },
    { path: 'spec.env.A.value', pointer: ['spec', 'env', 0, 'value'] },
    { path: 'spec.env.B.value', pointer: undefined },
    { path: 'lifecycle.retain', lifecycle: { retain: true }, pointer: ['lifecycle', 'retain'] },
    { path: 'lifecycle.retain', lifecycle: { retain: false }, pointer: ['lifecycle', 'retain'] },
    { path: 'lifecycle.retain', pointer: undefined },
    { path: protectedPath, lifecycle: { protect: true }, fields: {}, pointer: ['lifecycle', 'protect'] },
    { path: protectedPath, fields: {}, pointer: undefined },
    { path: protectedPath, pointer: ['tags', 'scheme/protected'] },
  ])('$path with $lifecycle: $pointer', ({ path, lifecycle, fields, pointer }) => {
    expect(of(path, lifecycle, fields)).toEqual([pointer, pointer === undefined ? undefined : 4]);
  });
});

describe('placeholders of secrets', () => {
  test('a dictionary has the keys that references use', () => {
    const data = placeholderData('dictionary', ['user', 'password']);
    expect(Object.keys(Object(data))).toEqual(['user', 'password']);
    expect(isPlaceholder(data ?? null)).toBe(true);
  });

  test('an unknown type has none', () => expect(placeholderData('constructor', [])).toBeUndefined());

  test.each<[JsonValue, boolean]>([
    ['SET-BEFORE-CREATING', true],
    ['https://placeholder.example.com/x', true],
    ['A'.repeat(56), true],
    ['A'.repeat(55), false],
    ['real', false],
    [[1, ['SET-BEFORE-CREATING']], true],
    [['real'], false],
    [{ a: { b: 'SET-BEFORE-CREATING' } }, true],
    [{ a: { b: 'real' }, c: 1 }, false],
    [true, false],
    [null, false],
  ])('%j: %j', (value, expected) => expect(isPlaceholder(value)).toBe(expected));
});
