import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { shapeOf } from '../../../src/kinds/shapeOf.ts';
import { fields, integer, keyed, optional, proposedKey, sequence, text } from '../../../src/schema/facts/define.ts';
import { shorthandsOf, writtenOut } from '../../../src/schema/shape/listKey.ts';
import { shapeAt } from '../../../src/schema/shape/paths.ts';
import { objectShapeOf } from '../../../src/schema/shape/shapeOfNode.ts';

const container = shapeAt(shapeOf('workload'), ['spec', 'containers', 0]);

test.each<[JsonObject, JsonObject]>(
  // biome-ignore format: a row is a case
  [
    [{ name: 'a', port: 80 }, { name: 'a', ports: [{ number: 80 }] }],
    [{ port: 80, ports: [] }, { ports: [{ number: 80 }] }],
    [{ port: 80, ports: null }, { ports: [{ number: 80 }] }],
    [{ port: 80, ports: [{ number: 81 }] }, { port: 80, ports: [{ number: 81 }] }],
    [{ port: null }, { port: null }],
    [{ ports: [{ number: 80 }] }, { ports: [{ number: 80 }] }],
    [{ name: 'a' }, { name: 'a' }],
  ],
)('a container %j is %j in full form (platform/concepts.filled)', (short, long) => {
  if (container?.type !== 'object') throw new Error('a container is an object');
  expect(writtenOut(container, short)).toStrictEqual(long);
});

test('a short field means a keyed list beside it, or nothing', () => {
  const port = optional(integer({ shortFor: 'ports' }));
  const ports = keyed(fields({ number: integer(), protocol: text() }), proposedKey('number', 'protocol'));
  expect(shorthandsOf(objectShapeOf(fields({ port, ports })))).toEqual([
    { name: 'port', list: 'ports', key: 'number' },
  ]);
  expect(shorthandsOf(objectShapeOf(fields({ port })))).toEqual([]);
  expect(shorthandsOf(objectShapeOf(fields({ port, ports: sequence(integer()) })))).toEqual([]);
  expect(shorthandsOf(objectShapeOf(fields({ port, ports: keyed(text(), proposedKey()) })))).toEqual([]);
  expect(shorthandsOf(objectShapeOf(fields({ port: integer(), ports })))).toEqual([]);
});
