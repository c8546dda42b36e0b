import { expect, test } from 'vitest';
import { ownerOf, withoutOwnTags } from '../../../src/manifest/model/ownTags.ts';

const own = { 'gantry/stack': 'shop', 'gantry/applied': '{}' };

test('the owner of a record is the text of its tag', () => {
  expect(ownerOf({ tags: own })).toBe('shop');
  expect(ownerOf({ tags: { 'gantry/stack': 1 } })).toBeUndefined();
  expect(ownerOf({ tags: null })).toBeUndefined();
  expect(ownerOf({})).toBeUndefined();
});

test('without our own tags a record has those of others, and all other fields', () => {
  const record = { name: 'web', tags: { ...own, team: 'a', 'of/gantry/': 'b' } };
  expect(withoutOwnTags(record)).toEqual({ name: 'web', tags: { team: 'a', 'of/gantry/': 'b' } });
  expect(withoutOwnTags({ name: 'web', tags: own })).toEqual({ name: 'web', tags: {} });
});

test.each([{ name: 'web' }, { name: 'web', tags: null }, { name: 'web', tags: ['gantry/stack'] }])(
  'a record without tags is not changed: %j',
  (record) => {
    expect(withoutOwnTags(record)).toBe(record);
  },
);
