import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { shortLink } from '../../../src/kinds/equal.ts';
import { declarable } from '../../../src/patch/declarable.ts';
import type { FieldFacts } from '../../../src/schema/facts/fieldFacts.ts';
import type { ObjectShape, ScalarShape, Shape } from '../../../src/schema/shape/shape.ts';

const scalar = (facts: FieldFacts = {}): ScalarShape => ({ type: 'scalar', of: 'string', facts });
const object = (fields: Readonly<Record<string, Shape>>, more: Partial<ObjectShape> = {}): ObjectShape => ({
  ...{ type: 'object', fields: new Map(Object.entries(fields)), facts: {} },
  ...more,
});
const link: FieldFacts = { link: { to: ['identity', 'secret'], inOwnGvc: true, strength: 'soft' } };
const list = (item: Shape, facts: FieldFacts = { list: { class: 'sequence' } }): Shape => ({
  type: 'list',
  item,
  facts,
});
const byName: FieldFacts = { list: { class: 'keyed', key: { parts: [{ fields: ['name'] }], evidence: 'stated' } } };

const shape = object(
  {
    plain: scalar(),
    count: { type: 'scalar', of: 'number', facts: {} },
    word: { ...scalar(), words: ['public', 'private'] },
    usual: scalar({ default: 'x', fill: 'constant' }),
    needed: scalar({ default: 'x', fill: 'constant' }),
    answered: scalar({ responseOnly: true }),
    link: scalar(link),
    free: { type: 'free', facts: {} },
    inside: object({ plain: scalar() }),
    map: { type: 'map', value: scalar(link), facts: {} },
    texts: list(scalar(link)),
    items: list(object({ name: scalar({ default: 'x', fill: 'constant' }), value: scalar() }), byName),
    open: object({ plain: scalar() }, { rest: scalar() }),
  },
  { required: new Set(['needed']) },
);
const context = { org: 'o', gvc: 'g' };

test.each<{ it: string; live: JsonObject; record: JsonObject; unknown?: readonly string[] }>(
  // biome-ignore format: a row is a case
  [
    { it: 'a field that a person may have set', live: { plain: 'a' }, record: { plain: 'a' } },
    { it: 'a value in the type of its field', live: { plain: 5, count: '5' },
      record: { plain: '5', count: 5 } },
    { it: 'a word in the spelling of the schema', live: { word: 'PUBLIC' }, record: { word: 'public' } },
    { it: 'no null', live: { plain: null, needed: null }, record: {} },
    { it: 'no read-only field', live: { answered: 'a' }, record: {} },
    { it: 'no field equal to the meaning of its absence', live: { usual: 'x' }, record: {} },
    { it: 'a field that differs from the meaning of its absence', live: { usual: 'y' }, record: { usual: 'y' } },
    { it: 'a required field, even if its absence means the same', live: { needed: 'x' }, record: { needed: 'x' } },
    { it: 'fields in the order of the schema', live: { free: 1, plain: 'a' }, record: { plain: 'a', free: 1 } },
    { it: 'free-form JSON unchanged', live: { free: { b: null, a: 1 } }, record: { free: { b: null, a: 1 } } },
    { it: 'no empty value', live: { inside: {}, map: {}, texts: [], items: [] }, record: {} },
    { it: 'links in short form', live: { link: '/org/o/gvc/g/identity/i' }, record: { link: '//identity/i' } },
    { it: 'links to other GVCs', live: { link: '/org/o/gvc/h/identity/i' }, record: { link: '//gvc/h/identity/i' } },
    { it: 'links to other orgs in full', live: { link: '/org/p/secret/s' }, record: { link: '/org/p/secret/s' } },
    { it: 'the values of a map, sorted by key, without nulls', live: { map: { b: '/org/o/secret/s', c: null, a: 'x' } },
      record: { map: { a: 'x', b: '//secret/s' } } },
    { it: 'each string of a list', live: { texts: ['/org/o/secret/s'] }, record: { texts: ['//secret/s'] } },
    { it: 'each item of a list with its key, even if its absence means the same',
      live: { items: [{ name: 'x', value: null, newer: 1 }, { name: 'y' }] },
      record: { items: [{ name: 'x' }, { name: 'y' }] }, unknown: ['items.x.newer'] },
    { it: 'a value of another type unchanged', live: { inside: 'a', map: 'b', texts: 'c', items: ['d'] },
      record: { inside: 'a', map: 'b', texts: 'c', items: ['d'] } },
    { it: 'no field that the schema does not contain; it is reported',
      live: { newer: 1, inside: { plain: 'a', newer: 1 } },
      record: { inside: { plain: 'a' } }, unknown: ['inside.newer', 'newer'] },
    { it: 'no object that contains only such fields', live: { inside: { newer: 1 } }, record: {},
      unknown: ['inside.newer'] },
    { it: 'additional fields of an open object, except null', live: { open: { plain: 'a', more: 'b', none: null } },
      record: { open: { plain: 'a', more: 'b' } } },
  ],
)('a manifest declares $it', ({ live, record, unknown = [] }) => {
  const found = declarable(shape, live, context);
  expect(found).toStrictEqual({ record, unknown });
  expect(JSON.stringify(found.record)).toBe(JSON.stringify(record));
});

test.each([
  ['/org/o/secret/s', { org: 'o' }, '//secret/s'],
  ['/org/o/gvc/g/identity/i', { org: 'o' }, '//gvc/g/identity/i'],
  ['/org/undefined/gvc/undefined/identity/i', { org: 'o' }, '/org/undefined/gvc/undefined/identity/i'],
  ['no link', { org: 'o', gvc: 'g' }, 'no link'],
])('%s in %j is short: %s', (text, where, short) => {
  expect(shortLink(scalar(link), text, where)).toBe(short);
});
