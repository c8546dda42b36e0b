import type { TSchema } from 'typebox';
import { expect, test } from 'vitest';
import { shapeOf } from '../../../src/kinds/shapeOf.ts';
import {
  fields,
  flag,
  free,
  keyed,
  map,
  optional,
  proposedKey,
  responseOnly,
  sequence,
  set,
  text,
} from '../../../src/schema/facts/define.ts';
import { ownableCollections, waysToCollections } from '../../../src/schema/shape/ownableCollections.ts';
import { objectShapeOf, shapeOfNode } from '../../../src/schema/shape/shapeOfNode.ts';

const key = proposedKey('name');
const item = fields({ name: text(), value: text() });

test.each<[string, TSchema, boolean]>([
  ['a map', map(text()), true],
  ['a set of plain values', set(text()), true],
  ['a set of objects', set(item), false],
  ['a list with keys', keyed(item, key), true],
  ['a list in order', sequence(text()), false],
  ['a list of items identified by content', sequence(item, { byContent: true }), true],
  ['a list without facts', { type: 'array', items: text() }, false],
  ['a list with secrets', keyed(fields({ name: text(), value: text({ sensitive: true }) }), key), false],
  ['a map of secrets', map(text({ sensitive: true })), false],
  ['a text', text(), false],
  ['free-form JSON', free(), false],
  ['an object that contains one', fields({ deeper: fields({ tags: map(text()) }) }), true],
  ['an object without one', fields({ deeper: fields({ on: flag() }) }), false],
  ['a read-only field', responseOnly(), false],
  ['a read-only map', map(text(), { responseOnly: true }), false],
])('several stacks may each own a part of %s: %s', (_it, node, can) => {
  const ways = waysToCollections(objectShapeOf(fields({ plain: text(), field: optional(node) })));
  expect([...ways.keys()]).toEqual(can ? ['field'] : []);
});

test('the path leads to the shape of the field', () => {
  const shape = objectShapeOf(fields({ field: map(text()) }));
  expect(waysToCollections(shape).get('field')).toBe(shape.fields.get('field'));
});

test('shared collections inside an item are owned separately (the routes of a port)', () => {
  const routes = keyed(item, key, { shared: true });
  const list = shapeOfNode(keyed(fields({ routes, others: set(text()), name: text({ shared: true }) }), key));
  expect([...ownableCollections(list)].map(([name, { type }]) => [name, type])).toEqual([['routes', 'list']]);
  expect([...ownableCollections(shapeOfNode(keyed(text(), key)))]).toEqual([]);
  expect([...ownableCollections(shapeOfNode(map(fields({ routes }))))]).toEqual([]);
  const ports = waysToCollections(objectShapeOf(fields({ ports: keyed(fields({ routes }), key) }))).get('ports');
  expect(ports === undefined ? [] : [...ownableCollections(ports).keys()]).toEqual(['routes']);
});

test('the ownable collections of a domain are tags and ports (platform/domain)', () => {
  expect([...waysToCollections(shapeOf('domain')).keys()]).toEqual(['tags', 'spec']);
});
