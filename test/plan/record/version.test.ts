import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { Capabilities } from '../../../src/capabilities/capabilities.ts';
import {
  atVersion,
  markAfter,
  tagsAtVersion,
  versionOfMark,
  versionsJump,
  versionsRise,
  versionsSince,
  versionsTell,
  withoutVersion,
} from '../../../src/plan/record/version.ts';

const mark = (version: number) => `1;labc;v${version};iABCDEF`;

describe('the version in a mark', () => {
  test('is read, and unknown without one', () => {
    expect([mark(12), '1;labc'].map(versionOfMark)).toEqual([12, Number.NaN]);
  });

  test('is that of the write that leaves the mark', () => expect(atVersion(mark(12), 130)).toBe(mark(130)));

  test('goes with the id and the content for a new record, and nothing else does', () => {
    expect(withoutVersion(`${mark(12)};uab-_;cde-_;pBBB`)).toBe('1;labc;iABCDEF;pBBB');
  });

  test.each([
    ['follows a write to the version that it names', 5, 5, 6],
    ['stays in doubt after a write to another version', 5, 7, 5],
  ])('%s', (_, marked, recorded, expected) => {
    expect(markAfter(mark(marked), recorded, recorded + 1)).toBe(mark(expected));
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['is corrected if this write left it', { a: mark(5), b: mark(5) }, { a: mark(9), b: mark(5) }],
    ['stays if an earlier write left it', { a: mark(4) }, { a: mark(4) }],
    ['is not looked for in what is no text', { a: 5 }, { a: 5 }],
    ['is not looked for under another key', { b: mark(5) }, { b: mark(5) }],
  ])('%s', (_, tags, expected) => expect(tagsAtVersion(tags, 'a', 9, 4)).toEqual(expected));
});

test('the versions since another one are those after it, latest first', () => {
  expect([...versionsSince(3, 6)]).toEqual([6, 5, 4]);
  expect([...versionsSince(6, 6)]).toEqual([]);
});

// biome-ignore format: a row is a case
test.each<[string, Capabilities | undefined, boolean, boolean, boolean]>([
  ['an unknown platform', undefined, true, false, true],
  ['a platform that states nothing', new Capabilities(), false, false, true],
  ['one whose versions rise by one', new Capabilities([['version.plus-one', 'holds']]), true, false, true],
  ['one whose versions rise by more', new Capabilities([['version.plus-one', 'otherwise']]), false, true, true],
  ['one whose versions stay', new Capabilities([['version.rises', 'otherwise']]), false, false, false],
])('of %s: newer versions tell of others %s, jump %s, and rise with each write %s', (_, of, tell, jump, rise) => {
  expect([versionsTell(of), versionsJump(of), versionsRise(of)]).toEqual([tell, jump, rise]);
});
