import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import { isUnmoved, isUnmovedButTags } from '../../../src/plan/record/savedRecord.ts';
import { refTo } from '../../../src/schema/record/ref.ts';

const before = { description: 'a', tags: { 'gantry/stack': 'shop', 'acme/write': '1' } };

function live(record: JsonObject): LiveResource {
  return { ref: refTo('gvc', 'shop', undefined), id: 'gvc/shop', uid: 'uid', version: 1, record };
}

// biome-ignore format: a row is a case
test.each([
  ['the same content', before, true, true],
  ['another value of a tag', { ...before, tags: { ...before.tags, 'acme/write': '2' } }, false, true],
  ['another value of our own tag', { ...before, tags: { ...before.tags, 'gantry/stack': 'other' } }, false, false],
  ['an added tag', { ...before, tags: { ...before.tags, team: 'a' } }, false, false],
  ['a removed tag', { ...before, tags: { 'gantry/stack': 'shop' } }, false, false],
  ['another value of a field', { ...before, description: 'b' }, false, false],
] as const)('%s: unchanged, or unchanged except for values of tags', (_, now, unmoved, butTags) => {
  expect(isUnmoved(live(before), live(now), 'acme')).toBe(unmoved);
  expect(isUnmovedButTags(live(before), live(now), 'acme')).toBe(butTags);
});
