import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { Capabilities } from '../../../src/capabilities/capabilities.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import {
  isUnmoved,
  isUnmovedButTags,
  isUnwritten,
  looksUnmoved,
  movedSince,
  savedRecord,
} from '../../../src/plan/record/savedRecord.ts';
import { refTo } from '../../../src/schema/record/ref.ts';

const own = (version: number) => ({ 'gantry/stack': 'shop', 'gantry/applied': `1;labc;v${version};iABCDEF` });
const before = { description: 'a', tags: { ...own(1), 'acme/write': '1' } };

function live(record: JsonObject, parts: Partial<LiveResource> = {}): LiveResource {
  return { ref: refTo('gvc', 'shop', undefined), id: 'gvc/shop', uid: 'uid', version: 1, record, ...parts };
}

// biome-ignore format: a row is a case
test.each([
  ['the same content', before, true, true],
  ['another value of a tag', { ...before, tags: { ...before.tags, 'acme/write': '2' } }, false, true],
  ['another value of our own tag', { ...before, tags: { ...before.tags, 'gantry/stack': 'other' } }, false, false],
  ['an added tag', { ...before, tags: { ...before.tags, team: 'a' } }, false, false],
  ['a removed tag', { ...before, tags: own(1) }, false, false],
  ['another version in the mark of our write', { ...before, tags: { ...before.tags, ...own(2) } }, true, true],
  ['the mark of a replacement', { ...before, tags: { ...before.tags, 'gantry/replacing': 'shop' } }, true, true],
  ['another value that the platform chooses', { ...before, created: 'later' }, true, true],
  ['another value of a field', { ...before, description: 'b' }, false, false],
] as const)('%s: unchanged, or unchanged except for values of tags', (_, now, unmoved, butTags) => {
  expect(isUnmoved(live(before), live(now), 'acme')).toBe(unmoved);
  expect(isUnmovedButTags(live(before), live(now), 'acme')).toBe(butTags);
});

test('a record that was created again with the same content is another one', () => {
  expect(looksUnmoved(live(before), live(before, { uid: 'new' }), 'acme')).toBe(false);
});

test('a secret is unchanged only if its values are known and equal, and looks so without them', () => {
  const secret = (payload?: string) =>
    live(payload === undefined ? { type: 'opaque' } : { type: 'opaque', data: { payload } }, {
      ref: refTo('secret', 's', undefined),
    });
  // biome-ignore format: a row is a case
  for (const [was, is, expected] of [['x', 'x', true], ['x', 'y', false], ['x', undefined, false],
    [undefined, 'x', false], [undefined, undefined, false]] as const) {
    expect(isUnmoved(secret(was), secret(is), 'acme')).toBe(expected);
    expect(looksUnmoved(secret(was), secret(is), 'acme')).toBe(true);
    expect(JSON.stringify(savedRecord(secret(was)))).not.toContain('payload');
  }
});

test('what has changed since is listed in order, without our own tags', () => {
  const now = { ...before, tags: { ...own(2), team: 'a', 'acme/write': '2' }, description: 'b' };
  expect(movedSince(live(before), live(now), 'acme')).toEqual(['description', 'tags."acme/write"', 'tags.team']);
});

const staying = { org: 'acme', capabilities: new Capabilities([['version.rises', 'otherwise']]) };
const [was, edited] = [live(before), live({ ...before, description: 'b' })];
// biome-ignore format: a row is a case
test.each<[string, boolean, Parameters<typeof isUnwritten>]>([
  ['of an equal version', true, [{ version: 1, live: was }, edited, { org: 'acme' }]],
  ['of another version', false, [{ version: 2, live: was }, was, { org: 'acme' }]],
  ['of equal content, if versions do not rise', true, [{ version: 1, live: was }, was, staying]],
  ['of other content, if versions do not rise', false, [{ version: 1, live: was }, edited, staying]],
  ['of which only the version is known', true, [{ version: 1, live: undefined }, edited, staying]],
])('for a record %s it holds that no client has written since: %s', (_, expected, given) =>
  expect(isUnwritten(...given)).toBe(expected));
