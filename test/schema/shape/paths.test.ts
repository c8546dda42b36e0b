import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { customShape, shapeOf } from '../../../src/kinds/shapeOf.ts';
import {
  formatPath,
  matchPath,
  namesOfPath,
  parsePath,
  pointerTo,
  shapeAt,
  touches,
} from '../../../src/schema/shape/paths.ts';

// biome-ignore format: a row is a case
const record: JsonObject = {
  name: 'w',
  tags: { 'a.b': '1', plain: '2', 'say "x"': '3', '': '4' },
  spec: { containers: [
      { name: 'main', args: ['a', 'b'], env: [{ name: 'A', value: '1' }], volumes: [{ uri: 'x', path: '/data' }] },
      { name: 'side', env: [{ name: 'A', value: '2' }, { value: 'no name' }] }],
    firewallConfig: { external: { outboundAllowPort: [{ protocol: 'tcp', number: 443 }] } } },
};
const shape = shapeOf('workload');

test.each([
  [['spec', 'containers', 0, 'env', 0, 'value'], 'spec.containers.main.env.A.value'],
  [['spec', 'containers', 1, 'env', 1, 'value'], 'spec.containers.side.env.1.value'],
  [['spec', 'containers', 0, 'args', 1], 'spec.containers.main.args.1'],
  [['spec', 'containers', 0, 'volumes', 0, 'uri'], 'spec.containers.main.volumes."/data".uri'],
  [
    ['spec', 'firewallConfig', 'external', 'outboundAllowPort', 0],
    'spec.firewallConfig.external.outboundAllowPort."tcp+443"',
  ],
  [['tags', 'a.b'], 'tags."a.b"'],
  [['tags', 'plain'], 'tags.plain'],
  [['tags', 'say "x"'], 'tags."say \\"x\\""'],
  [['tags', ''], 'tags.""'],
  [['later', 'more'], 'later.more'],
  [[], ''],
])('%j is written %s', (pointer, path) => {
  expect(formatPath(shape, record, pointer)).toBe(path);
});

test.each(
  // biome-ignore format: a row is a case
  [
    ['spec.containers.main.env.A.value', [['spec', 'containers', 0, 'env', 0, 'value']]],
    ['spec.containers.*.env.A.value',
      [['spec', 'containers', 0, 'env', 0, 'value'], ['spec', 'containers', 1, 'env', 0, 'value']]],
    ['spec.containers.1', [['spec', 'containers', 1]]],
    ['spec.containers.main.volumes."/data"', [['spec', 'containers', 0, 'volumes', 0]]],
    ['tags."a.b"', [['tags', 'a.b']]],
    ['tags.*', [['tags', 'a.b'], ['tags', 'plain'], ['tags', 'say "x"'], ['tags', '']]],
    ['spec.nothing', []],
    ['spec..containers', []],
    ['tags."open', []],
    ['constructor', []],
  ],
)('%s matches', (pattern, pointers) => {
  expect(matchPath(pattern, shape, record)).toEqual(pointers);
});

test('every written path can be found again', () => {
  for (const pointer of matchPath('spec.containers.*.env.*.value', shape, record)) {
    expect(matchPath(formatPath(shape, record, pointer), shape, record)).toContainEqual(pointer);
  }
});

test('a path is parsed into segments, or refused', () => {
  expect(parsePath('a."b.c".*')).toEqual([{ any: false, name: 'a' }, { any: false, name: 'b.c' }, { any: true }]);
  expect(parsePath('a."*"')).toEqual([
    { any: false, name: 'a' },
    { any: false, name: '*' },
  ]);
  for (const malformed of ['', '.', 'a.', '.a', 'a..b', '"a', 'a"b']) expect(parsePath(malformed)).toBeUndefined();
});

test('the shape at a path is found through maps and lists', () => {
  expect(shapeAt(shape, ['spec', 'containers', 0, 'cpu'])?.facts.quantity).toBe('cpu');
  expect(shapeAt(shape, ['tags', 'x'])?.facts.asText).toBe(true);
  expect(shapeAt(shape, ['spec', 'nothing'])).toBeUndefined();
});

test('merged free-form JSON has the same shape inside, except the items of its lists', () => {
  const custom = customShape();
  const free = shapeAt(custom, ['spec']);
  expect(shapeAt(custom, ['spec', 'deep', 'deeper'])).toBe(free);
  expect(shapeAt(custom, ['spec', 'list', 0])).toBeUndefined();
  const image = ['spec', 'containers', 0, 'image'] as const;
  expect(shapeAt(shape, [...image, 'x'])).toBeUndefined();
  expect(shapeAt(shapeOf('secret'), ['data', 'x'])).toBeUndefined();
});

test('the pointers of a path outside the schema are found', () => {
  const later: JsonObject = { later: [{ name: 'a' }, ['x']], null: null };
  expect(matchPath('later.*.name', shape, later)).toEqual([['later', 0, 'name']]);
  expect(matchPath('later.1.0', shape, later)).toEqual([['later', 1, 0]]);
  expect(matchPath('later.a', shape, later)).toEqual([]);
  expect(matchPath('null', shape, later)).toEqual([['null']]);
  expect(formatPath(shape, later, ['later', 0, 'name'])).toBe('later.0.name');
  expect(formatPath(shape, record, ['spec', 'containers', 'main', 'name'])).toBe('spec.containers.main.name');
});

test.each([
  ['spec.containers.main.image', undefined],
  ['spec.containers.main.name', ['spec', 'containers', 0, 'name']],
  ['spec.containers.side.env.A.value', ['spec', 'containers', 1, 'env', 0, 'value']],
  ['spec.containers.side.env.1.value', ['spec', 'containers', 1, 'env', 1, 'value']],
  ['spec.containers.main.args.1', ['spec', 'containers', 0, 'args', 1]],
  ['spec.containers.main.args.2', undefined],
  ['spec.containers.main.args.a', undefined],
  ['spec.containers.other', undefined],
  ['spec.containers.*.name', undefined],
  ['tags."a.b"', ['tags', 'a.b']],
  ['later.more', undefined],
  ['spec..containers', undefined],
  ['name', ['name']],
])('the first pointer of %s is %j', (path, pointer) => {
  expect(pointerTo(path, shape, record)).toEqual(pointer);
});

test('a list outside the schema is entered by position', () => {
  expect(pointerTo('later.0', shape, { later: ['x', 'y'] })).toEqual(['later', 0]);
});

test.each([
  ['spec', 'spec', true],
  ['spec.a', 'spec', true],
  ['spec', 'spec.a', true],
  ['spec.a.b', 'spec.a', true],
  ['spec.a', 'spec.ab', false],
  ['spec.a', 'spec.b', false],
  ['a.spec', 'spec', false],
  ['spec', 'a.spec', false],
])('%s and %s are the same path, or one contains the other: %s', (a, b, same) => {
  expect(touches(a, b)).toBe(same);
});

test.each([
  ['spec.containers', ['spec', 'containers']],
  ['tags."a.b"', ['tags', 'a.b']],
  ['spec.*.name', ['spec', '*', 'name']],
  ['spec..name', []],
])('%s as names: %j', (path, names) => {
  expect(namesOfPath(path)).toEqual(names);
});

test.each(['"a\\x"', 'a.*b"', '*.', '"a".', '"a"b'])('%s is no path', (path) => {
  expect(parsePath(path)).toBeUndefined();
});
