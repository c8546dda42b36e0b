import { describe, expect, test } from 'vitest';
import { placeOf } from '../../../src/plan/part/items.ts';
import {
  itemHash,
  itemsOfOthers,
  mostItems,
  ownedItems,
  ownerAmong,
  writePart,
} from '../../../src/plan/part/partRecord.ts';
import type { JsonObject } from '../../../src/schema/json/json.ts';
import { hash, live, options, org } from '../world.ts';

const link = '/org/o/group/team';
const around = { org, options };
const held = (tags: JsonObject) => live('group/team', { tags });
const items = (...names: readonly string[]) => new Set(names.map((name) => itemHash(['memberLinks', name], hash)));

describe('what a stack owns of a record is read as it was written', () => {
  test.each([[[]], [['a']], [['b', 'a', 'c']]])('items %j', (names) => {
    const text = writePart(link, 7, items(...names), hash) ?? '';
    expect(text).toMatch(/^1;l[\w-]{12};v7;i/);
    expect(ownedItems(held({ 'gantry/applied.shop': text }), 'shop', around)).toEqual(items(...names));
  });

  test('equal items give an equal text, in whatever order they come', () => {
    expect(writePart(link, 1, items('a', 'b'), hash)).toBe(writePart(link, 1, items('b', 'a'), hash));
  });

  const text = writePart(link, 1, items('a'), hash) ?? '';
  test.each<[string, string, JsonObject]>([
    ['there is no tag', 'shop', {}],
    ['the tag is of another stack', 'shop', { 'gantry/applied.bank': text }],
    [
      'it was copied from another resource',
      'shop',
      { 'gantry/applied.shop': writePart('/org/o/group/x', 1, items('a'), hash) ?? '' },
    ],
    ['another version wrote it', 'shop', { 'gantry/applied.shop': text.replace(/^1/, '2') }],
    ['it names no items', 'shop', { 'gantry/applied.shop': text.replace(/;i.*$/, '') }],
    ['an item is cut off', 'shop', { 'gantry/applied.shop': text.slice(0, -1) }],
    ['something stands behind the items', 'shop', { 'gantry/applied.shop': `${text};x` }],
    ['the name of the stack is too long for a tag', 's'.repeat(114), { 'gantry/applied.shop': text }],
  ])('it owns nothing where %s', (_, owner, tags) => {
    expect(ownedItems(held(tags), owner, around)).toBeUndefined();
  });

  test('at most 480 bytes are written: as many items as that takes whatever the version, and no more', () => {
    const many = (count: number) => items(...Array.from({ length: count }, (_, index) => `m${index}`));
    const last = Number.MAX_SAFE_INTEGER;
    expect(writePart(link, last, many(mostItems), hash)?.length).toBeLessThanOrEqual(480);
    expect(writePart(link, last, many(mostItems + 1), hash)).toBeUndefined();
    // 1;l and 12 characters, ;v10000;i, 76 times 6.
    expect(writePart(link, 10_000, many(76), hash)).toHaveLength(480);
    expect(writePart(link, 100_000, many(76), hash)).toBeUndefined();
  });
});

describe('what others own of a record', () => {
  const text = (...names: readonly string[]) => writePart(link, 1, items(...names), hash) ?? '';
  const tags = {
    'gantry/applied.zoo': text('b'),
    'gantry/applied.shop': text('mine'),
    'gantry/applied.bank/eu': text('a', 'c'),
    'gantry/applied.copied': writePart('/org/o/group/x', 1, items('a'), hash) ?? '',
    'gantry/applied.odd': 5,
    'team/a': text('x'),
  };

  test('is told by stack, sorted, without its own and without copies', () => {
    const others = itemsOfOthers(held(tags), around);
    expect([...others]).toEqual([
      ['bank@eu', items('a', 'c')],
      ['zoo', items('b')],
    ]);
    const [a = ''] = items('a');
    const [b = ''] = items('b');
    const [mine = ''] = items('mine');
    expect([a, b, mine].map((item) => ownerAmong(others, item))).toEqual(['bank@eu', 'zoo', undefined]);
  });
});

test('two items are never told by the same place', () => {
  expect(placeOf(['a', 'b'])).not.toBe(placeOf(['ab']));
  expect(placeOf(['a b'])).not.toBe(placeOf(['a', 'b']));
});
