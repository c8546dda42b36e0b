import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { isStateOwner, ownerOf, userTags, withoutOwnTags } from '../../../src/manifest/model/ownTags.ts';

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

test('an owner is a Terraform state if it begins as one', () => {
  expect(['terraform.a', 'shop', 'shop.terraform.'].map(isStateOwner)).toEqual([true, false, false]);
});

test.each<{ it: string; record: JsonObject; tags: JsonObject }>(
  // biome-ignore format: a row is a case
  [
    { it: 'none', record: {}, tags: {} },
    { it: 'none in another form', record: { tags: ['team'] }, tags: {} },
    { it: 'by name, of any type, and of others under the prefix of the platform',
      record: { tags: { team: 'a', 'scheme/mine': 0, b: false } }, tags: { b: false, 'scheme/mine': 0, team: 'a' } },
    { it: 'without those of Gantry, of the platform, of no value and with the name of a directive',
      record: { tags: { ...own, 'scheme/city': 'x', none: null, $drop: 'y', team: 'a' } }, tags: { team: 'a' } },
  ],
)('the tags of users: $it', ({ record, tags }) => {
  expect(userTags(record)).toStrictEqual(tags);
  expect(Object.keys(userTags(record))).toEqual(Object.keys(tags));
});
