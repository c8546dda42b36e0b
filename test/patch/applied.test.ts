import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { applyPatch } from '../../src/patch/applyPatch.ts';
import type { Problem } from '../../src/schema/record/problem.ts';
import { context, free, keyed, list, map, object, scalar, toy, withFacts } from './toyShape.ts';

const shape = object({
  ...Object.fromEntries(toy.fields),
  any: list('sequence', free),
  unclassed: { type: 'list', item: object({ a: scalar }), facts: {} },
  lists: map(list('sequence', object({ a: scalar }))),
  links: list('set', withFacts(scalar, { link: { to: ['secret'], strength: 'hard' } })),
  byLink: withFacts(keyed(object({ n: scalar, v: scalar }), 'stated'), {
    list: { class: 'keyed', key: { parts: [{ fields: ['n'] }], compare: 'lastSegment', evidence: 'stated' } },
  }),
});

describe('the record after a patch', () => {
  test.each<{
    readonly it: string;
    readonly live?: JsonObject;
    readonly patch: JsonObject;
    readonly record: JsonObject;
  }>(
    // biome-ignore format: a row is a case
    [
      { it: 'an absent list remains absent if nothing is added', patch: { '$drop/set': ['a'] }, record: {} },
      { it: 'an empty list remains', live: { set: [] }, patch: { '$drop/set': ['a'] }, record: { set: [] } },
      { it: 'an absent list is treated as empty', patch: { '$append/set': ['a'] }, record: { set: ['a'] } },
      { it: 'an item added by $patch exists for the next one',
        patch: { '$patch/items': [{ n: 'x', v: 1, args: ['a'] }, { n: 'y' }, { n: 'x', v: 2 }] },
        record: { items: [{ n: 'x', v: 2, args: ['a'] }, { n: 'y' }] } },
      { it: 'an item without a key does not conflict', live: { items: [{ v: 1 }, { v: 2 }, { n: 'x' }] },
        patch: { '$patch/items': [{ n: 'x', v: 3 }] }, record: { items: [{ v: 1 }, { v: 2 }, { n: 'x', v: 3 }] } },
      { it: 'an item without a key can be appended, more than once', live: { items: [{ v: 1 }] },
        patch: { '$append/items': [{ v: 1 }, { v: 1 }] }, record: { items: [{ v: 1 }, { v: 1 }, { v: 1 }] } },
      { it: 'a value in the set, or just added, is not added again in any spelling',
        live: { links: ['/org/acme/secret/a'] },
        patch: { '$append/links': ['//secret/a', '//secret/b', '/org/acme/secret/b'] },
        record: { links: ['/org/acme/secret/a', '//secret/b'] } },
      { it: 'a list with an order accepts equal values', live: { seq: ['a'] }, patch: { '$append/seq': ['a', 'a'] },
        record: { seq: ['a', 'a', 'a'] } },
      { it: 'links in a set are named in full', live: { links: ['/org/acme/secret/a', '//secret/b'] },
        patch: { '$drop/links': ['//secret/a', 'b'] }, record: { links: ['//secret/b'] } },
      { it: 'links that are a key are named by their last segment',
        live: { byLink: [{ n: '/org/acme/secret/a' }, { n: '//secret/b' }, { n: 'c' }] },
        patch: { '$retain/byLink': ['//secret/a', '/org/acme/secret/c'], '$patch/byLink': [{ n: 'a', v: 1 }] },
        record: { byLink: [{ n: 'a', v: 1 }, { n: 'c' }] } },
      { it: 'values of an unknown type are named by their text', live: { any: [null, 1, 'a', true] },
        patch: { '$drop/any': ['null', '1'] }, record: { any: ['a', true] } },
      { it: 'values that the schema does not contain are named by their text', live: { zz: [null, 'a', 1] },
        patch: { '$retain/zz': ['1', 'null'] }, record: { zz: [null, 1] } },
      { it: 'directives work in items of plain lists, also of lists in maps',
        patch: { plain: [{ $drop: ['b'], a: 1 }], lists: { x: [{ '$replace/a': 1, b: null }] } },
        record: { plain: [{ a: 1 }], lists: { x: [{ a: 1 }] } } },
      { it: 'a list instead of an object is stored as it is', patch: { o: [{ b: null }], m: ['x'] },
        record: { o: [{ b: null }], m: ['x'] } },
      { it: 'a string instead of a list is stored as it is',
        patch: { plain: 'x', seq: 1 }, record: { plain: 'x', seq: 1 } },
    ],
  )('$it', ({ live = {}, patch, record }) => {
    expect(applyPatch(shape, live, patch, context)).toStrictEqual({ ok: true, record });
  });
});

describe('a patch with an error', () => {
  test.each<{
    readonly it: string;
    readonly live?: JsonObject;
    readonly patch: JsonObject;
    readonly problem: Partial<Problem>;
  }>(
    // biome-ignore format: a row is a case
    [
      { it: 'a value that is not a list has no items', live: { free: { a: 1 } }, patch: { '$append/free': ['x'] },
        problem: { rule: 'patch.not-a-list', pointer: ['$append/free'], path: '"$append/free"' } },
      { it: 'a value that is a list in the schema only has no items',
        live: { seq: 'x' }, patch: { '$retain/seq': ['x'] },
        problem: { rule: 'patch.not-a-list', pointer: ['$retain/seq'] } },
      { it: 'items of which some are objects cannot be named', live: { any: ['a', { b: 1 }] },
        patch: { '$drop/any': ['a'] }, problem: { rule: 'patch.unkeyed-list', pointer: ['$drop/any'] } },
      { it: 'objects in a list of an unknown type cannot be named',
        patch: { '$drop/unclassed': ['a'] }, problem: { rule: 'patch.unkeyed-list', pointer: ['$drop/unclassed'] } },
      { it: 'a plain value cannot be merged into', live: { set: ['a'] }, patch: { '$patch/set': [{ a: 1 }] },
        problem: { rule: 'patch.unkeyed-list', pointer: ['$patch/set'] } },
      { it: 'a key that exists twice names no item', live: { items: [{ n: 'x' }, { n: 'x' }, { n: 'y' }] },
        patch: { '$patch/items': [{ n: 'y', v: 1 }, { n: 'x', v: 1 }] },
        problem: { rule: 'patch.ambiguous-key', message: 'items has 2 items x', pointer: ['$patch/items', 1],
          path: '"$patch/items".x' } },
      { it: 'an item of $patch has its key', patch: { '$patch/items': [{ n: 'x' }, { v: 1 }] },
        problem: { rule: 'patch.missing-key', pointer: ['$patch/items', 1], path: '"$patch/items".1' } },
      { it: 'an item with an existing key is not appended', live: { items: [{ n: 'x' }] },
        patch: { '$append/items': [{ n: 'y' }, { n: 'x' }] },
        problem: { rule: 'patch.append-exists', pointer: ['$append/items', 1], path: '"$append/items".x' } },
      { it: 'an item with a key just appended is not appended', patch: { '$append/items': [{ n: 'x' }, { n: 'x' }] },
        problem: { rule: 'patch.append-exists', pointer: ['$append/items', 1] } },
      { it: 'an item without a key is named by its position, also when nested',
        patch: { '$append/items': [{ n: 'x' }, { o: { $what: 1 } }] },
        problem: { rule: 'patch.unknown-directive', pointer: ['$append/items', 1, 'o', '$what'],
          path: '"$append/items".1.o.$what' } },
      { it: 'a directive of lists needs a list', patch: { o: { $append: ['x'] } },
        problem: { rule: 'patch.unknown-directive', pointer: ['o', '$append'], path: 'o.$append' } },
      { it: '$patch requires objects', patch: { '$patch/items': [{ n: 'x' }, 'y'] },
        problem: { rule: 'patch.malformed', message: '$patch/items takes a list of objects' } },
      { it: '$drop requires names of items', patch: { '$drop/items': ['x', 1] },
        problem: { rule: 'patch.malformed', message: '$drop/items takes a list of strings that name items' } },
      { it: '$retain requires names of items', patch: { '$retain/items': 'x' },
        problem: { rule: 'patch.malformed', message: '$retain/items takes a list of strings that name items' } },
      { it: '$append requires items', patch: { '$append/items': { n: 'x' } },
        problem: { rule: 'patch.malformed', message: '$append/items takes a list of items' } },
      { it: '$drop of fields requires names of fields', patch: { $drop: 'a' },
        problem: { rule: 'patch.malformed', message: '$drop takes a list of field names' } },
    ],
  )('$it', ({ live = {}, patch, problem }) => {
    const applied = applyPatch(shape, live, patch, context);
    expect(applied.ok ? applied.record : applied.problems).toEqual([expect.objectContaining(problem)]);
  });
});
