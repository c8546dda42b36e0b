import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json/json.ts';
import { alignShorthands, covers } from '../../src/kinds/equal.ts';
import { fillMasks, holdsMask } from '../../src/kinds/fillMasks.ts';
import { blockKey, coerce } from '../../src/kinds/normalise.ts';
import { shapeOf } from '../../src/kinds/shapeOf.ts';
import type { Kind } from '../../src/schema/record/kinds.ts';
import { shapeAt } from '../../src/schema/shape/paths.ts';
import type { ListShape, ObjectShape } from '../../src/schema/shape/shape.ts';

const context = { org: 'acme', gvc: 'shop' };

function listAt(kind: Kind, ...path: readonly string[]): ListShape {
  const shape = shapeAt(shapeOf(kind), path);
  if (shape?.type !== 'list') throw new Error(`${path.join('.')} is a list`);
  return shape;
}

const blocks = listAt('workload', 'spec', 'firewallConfig', 'external', 'inboundAllowCIDR');

test.each([
  ['0.0.0.0/0', '10.1.2.3', true],
  ['10.0.0.0/8', '10.200.0.0/16', true],
  ['10.0.0.0/8', '10.0.0.0/8', true],
  ['10.200.0.0/16', '10.0.0.0/8', false],
  ['10.0.0.0/8', '11.0.0.0/8', false],
  ['10.0.0.1', '10.0.0.1/32', true],
  ['10.0.0.128/25', '10.0.0.127', false],
  ['2001:db8::/32', '2001:DB8:0:1::/64', true],
  ['2001:db8::/32', '2001:db9::1', false],
  ['::/0', '::1', true],
  ['::/0', '10.0.0.1', false],
  ['0.0.0.0/0', '::1', false],
  ['any', '10.0.0.1', false],
  ['0.0.0.0/0', 'any', false],
  ['x::/0', '::1', false],
  ['10.x.0.0/8', '10.1.2.3', false],
  [5, '10.1.2.3', false],
  ['10.0.0.0/8', 5, false],
])('the block %s includes %s: %s', (wide, narrow, does) => {
  expect(covers(blocks, wide, narrow, context)).toBe(does);
});

const bindings = listAt('policy', 'bindings');
const binding = (permissions: readonly string[], ...names: readonly string[]): JsonObject => ({
  permissions,
  principalLinks: names.map((name) => `//group/${name}`),
});

// biome-ignore format: a row is a case
test.each<[string, JsonValue, JsonValue, boolean]>([
  ['the same', binding(['view'], 'a'), binding(['view'], 'a'), true],
  ['more permissions and principals', binding(['edit', 'view'], 'a', 'b'), binding(['view'], 'b'), true],
  ['links in another form', binding(['view'], 'a'), { permissions: ['view'], principalLinks: ['/org/acme/group/a'] },
    true],
  ['fewer permissions', binding(['view'], 'a', 'b'), binding(['edit', 'view'], 'a'), false],
  ['fewer principals', binding(['edit', 'view'], 'a'), binding(['view'], 'a', 'b'), false],
  ['a field that is missing in one of them', { permissions: ['view'] }, binding(['view'], 'a'), false],
  ['something else', 'all', binding(['view'], 'a'), false],
  ['another value instead of a binding', binding(['view'], 'a'), 'all', false],
])('a binding includes another one with %s: %s', (_, wide, narrow, does) => {
  expect(covers(bindings, wide, narrow, context)).toBe(does);
});

test('items that are strings never include each other, even equal ones', () => {
  expect(
    covers(listAt('workload', 'spec', 'firewallConfig', 'external', 'outboundAllowHostname'), 'a', 'a', context),
  ).toBe(false);
});

test.each([
  ['10.0.0.0/8', '10.0.0.0/8'],
  ['10.0.0.1', '10.0.0.1/32'],
  ['FE80::1', 'fe80:0:0:0:0:0:0:1/128'],
  ['::/0', '0:0:0:0:0:0:0:0/0'],
  ['x::y', 'x::y/128'],
])('%s is the block %s (platform/concepts.rewritten)', (text, key) => {
  expect(blockKey(text)).toBe(key);
});

const mask = { sensitive: true };
const variable = (name: string, value: JsonValue) => ({ name, value });
const workload = (...env: readonly JsonObject[]): JsonObject => ({
  name: 'web',
  spec: { containers: [{ name: 'main', env, args: [mask, 'b'] }] },
});

test('masks get the value at the same place, items of keyed lists by key', () => {
  const saved = workload(variable('B', mask), variable('A', mask), variable('C', mask), variable('D', 'open'));
  const known = {
    spec: {
      containers: [
        { name: 'side' },
        { name: 'main', env: [variable('A', 'a'), variable('B', 'b'), variable('D', 'other')], args: ['x'] },
      ],
    },
  };
  expect(fillMasks(shapeOf('workload'), saved, known)).toEqual({
    name: 'web',
    spec: {
      containers: [
        {
          name: 'main',
          env: [variable('B', 'b'), variable('A', 'a'), variable('C', mask), variable('D', 'open')],
          args: ['x', 'b'],
        },
      ],
    },
  });
});

test('masks remain without a value of the same form, and a record without masks is returned', () => {
  const saved = workload(variable('A', mask));
  expect(fillMasks(shapeOf('workload'), saved, {})).toEqual(saved);
  expect(fillMasks(shapeOf('workload'), saved, { spec: 'none' })).toEqual(saved);
  expect(fillMasks(shapeOf('workload'), saved, { spec: { containers: {} } })).toEqual(saved);
  const open = { name: 'web', spec: { containers: [] } };
  expect(fillMasks(shapeOf('workload'), open, saved)).toBe(open);
  expect(fillMasks(shapeOf('gvc'), { unknown: { deep: [mask] } }, { unknown: { deep: ['x'] } })).toEqual({
    unknown: { deep: ['x'] },
  });
});

test('a mask is found at any depth', () => {
  expect([mask, [mask], { a: [{ b: mask }] }].map(holdsMask)).toEqual([true, true, true]);
  expect([null, 'x', [], {}, { sensitive: false }, [1, { a: 'b' }]].map(holdsMask)).toEqual(Array(6).fill(false));
});

function containerShape(): ObjectShape {
  const { item } = listAt('workload', 'spec', 'containers');
  if (item.type !== 'object') throw new Error('a container is an object');
  return item;
}

test.each<[string, JsonObject, JsonObject, JsonObject]>(
  // biome-ignore format: a row is a case
  [
    ['the short form is declared', { port: 80 }, { ports: [{ number: 80, protocol: 'http' }], name: 'a' },
      { name: 'a', port: 80 }],
    ['the long form is declared', { ports: [{ number: 80 }] }, { port: 80, name: 'a' },
      { name: 'a', ports: [{ number: 80 }] }],
    ['both have the same form', { port: 80 }, { port: 81 }, { port: 81 }],
    ['they are not equal', { port: 80 }, { ports: [{ number: 81 }] }, { ports: [{ number: 81 }] }],
    ['both have the long form', { ports: [{ number: 80 }] }, { ports: [{ number: 80, protocol: 'http' }] },
      { ports: [{ number: 80, protocol: 'http' }] }],
    ['one has no port', { port: 80 }, { name: 'a' }, { name: 'a' }],
    ['the declared one has no port', { name: 'a' }, { port: 80 }, { port: 80 }],
  ],
)('the port has the declared form, if %s (platform/concepts.filled)', (_, model, object, aligned) => {
  expect(alignShorthands(model, containerShape(), object, context)).toStrictEqual(aligned);
});

test.each<[string, JsonValue, JsonValue]>([
  ['number', '5', 5],
  ['number', '-0.5e1', -5],
  ['number', '1.25', 1.25],
  ['number', '1e+12', 1e12],
  ['number', '05', '05'],
  ['number', '5x', '5x'],
  ['number', ' 5', ' 5'],
  ['number', '', ''],
  ['number', true, true],
  ['enabled', 'true', true],
  ['enabled', 'false', false],
  ['enabled', 'TRUE', 'TRUE'],
  ['enabled', 1, 1],
])('a string is coerced to the type of its field: %s %j is %j (platform/patch.clients)', (field, sent, said) => {
  const record = (value: JsonValue): JsonObject =>
    field === 'number'
      ? { spec: { containers: [{ name: 'main', ports: [{ number: 80 }, { number: value }] }] } }
      : { spec: { loadBalancer: { direct: { enabled: value } } } };
  const sentRecord = record(sent);
  const coerced = coerce('workload', sentRecord);
  expect(coerced).toEqual(record(said));
  if (sent === said) expect(coerced).toBe(sentRecord);
  expect(sentRecord).toEqual(record(sent));
});

test('a string in place of an object is parsed as JSON, if possible (platform/clients.settable)', () => {
  const coerced = (extras: JsonValue) => coerce('workload', { spec: { extras } });
  expect(coerced('{"affinity": {"a": "5"}}')).toEqual({ spec: { extras: { affinity: { a: '5' } } } });
  expect(coerced({ tolerations: '[1]', affinity: 'x' })).toEqual({
    spec: { extras: { tolerations: [1], affinity: 'x' } },
  });
});

test('strings of a string field are not changed, also in maps and in unknown fields', () => {
  const record = { name: '5', tags: { a: '5', b: 'true' }, unknown: '5', spec: ['5'] };
  expect(coerce('workload', record)).toBe(record);
});
