import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/schema/json/json.ts';
import { formatPath, matchPath, parsePath, shapeAt } from '../../src/schema/shape/paths.ts';
import { shapeOf } from '../../src/schema/shape/shapeOf.ts';

const record: JsonObject = {
  name: 'w',
  tags: { 'a.b': '1', plain: '2', 'say "x"': '3', '': '4' },
  spec: {
    containers: [
      { name: 'main', args: ['a', 'b'], env: [{ name: 'A', value: '1' }], volumes: [{ uri: 'x', path: '/data' }] },
      { name: 'side', env: [{ name: 'A', value: '2' }, { value: 'no name' }] },
    ],
    firewallConfig: { external: { outboundAllowPort: [{ protocol: 'tcp', number: 443 }] } },
  },
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

test.each([
  ['spec.containers.main.env.A.value', [['spec', 'containers', 0, 'env', 0, 'value']]],
  [
    'spec.containers.*.env.A.value',
    [
      ['spec', 'containers', 0, 'env', 0, 'value'],
      ['spec', 'containers', 1, 'env', 0, 'value'],
    ],
  ],
  ['spec.containers.1', [['spec', 'containers', 1]]],
  ['spec.containers.main.volumes."/data"', [['spec', 'containers', 0, 'volumes', 0]]],
  ['tags."a.b"', [['tags', 'a.b']]],
  [
    'tags.*',
    [
      ['tags', 'a.b'],
      ['tags', 'plain'],
      ['tags', 'say "x"'],
      ['tags', ''],
    ],
  ],
  ['spec.nothing', []],
  ['spec..containers', []],
  ['tags."open', []],
  ['constructor', []],
])('%s matches', (pattern, pointers) => {
  expect(matchPath(pattern, shape, record)).toEqual(pointers);
});

test('every place that is written can be found again', () => {
  for (const pointer of matchPath('spec.containers.*.env.*.value', shape, record)) {
    expect(matchPath(formatPath(shape, record, pointer), shape, record)).toContainEqual(pointer);
  }
});

test('a path is read into segments, or refused', () => {
  expect(parsePath('a."b.c".*')).toEqual([{ any: false, name: 'a' }, { any: false, name: 'b.c' }, { any: true }]);
  expect(parsePath('a."*"')).toEqual([
    { any: false, name: 'a' },
    { any: false, name: '*' },
  ]);
  for (const malformed of ['', '.', 'a.', '.a', 'a..b', '"a', 'a"b']) expect(parsePath(malformed)).toBeUndefined();
});

test('the shape at a place is found through maps and lists', () => {
  expect(shapeAt(shape, ['spec', 'containers', 0, 'cpu'])?.facts.quantity).toBe('cpu');
  expect(shapeAt(shape, ['tags', 'x'])?.facts.asText).toBe(true);
  expect(shapeAt(shape, ['spec', 'nothing'])).toBeUndefined();
});
