import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { shapeOf } from '../../../src/kinds/shapeOf.ts';
import { asSpelled, ignoredTags, planTags, tagPatch } from '../../../src/plan/record/claims.ts';

interface Case {
  readonly it: string;
  readonly desired: JsonObject;
  readonly live: JsonObject;
  readonly recorded?: readonly string[];
  readonly ignored?: readonly string[];
  readonly protect?: boolean;
  /** The keys that another stack set. */
  readonly others?: readonly string[];
  readonly partTag?: string;
  readonly released?: readonly string[];
  /** The keys that are claimed as found. */
  readonly found?: readonly string[];
  readonly patch: JsonObject | undefined;
  readonly keys: readonly string[];
}

const guard = 'scheme/protected';
// biome-ignore format: one case a line
const cases: readonly Case[] = [
  { it: 'sets a declared key', desired: { a: '1' }, live: {}, patch: { a: '1' }, keys: ['a'] },
  { it: 'changes a declared key', desired: { a: '2' }, live: { a: '1' }, patch: { a: '2' }, keys: ['a'] },
  { it: 'compares values as text', desired: { a: true, b: 3 }, live: { a: 'true', b: '3' }, patch: undefined,
    keys: ['a', 'b'], found: ['a', 'b'] },
  { it: 'removes a recorded key that is no longer declared', desired: {}, live: { a: '1' }, recorded: ['a'],
    patch: { $drop: ['a'] }, keys: [] },
  { it: 'keeps a tag of others', desired: {}, live: { a: '1' }, patch: undefined, keys: [] },
  { it: 'claims a tag of others when it is declared, as found', desired: { a: '1', b: '1' }, live: { a: '1', b: '1' },
    recorded: ['b'], patch: undefined, keys: ['a', 'b'], found: ['a'] },
  { it: 'leaves a recorded key that others claim too, and ends its claim', desired: {}, live: { a: '1', b: '1' },
    recorded: ['a', 'b'], others: ['a'], patch: { $drop: ['b'] }, keys: [], released: ['a'] },
  { it: 'never touches its own two tags beside others', desired: { a: '1' },
    live: { 'gantry/stack': 's', 'gantry/applied': '1', a: '1' }, recorded: ['gantry/stack', 'gantry/applied'],
    others: ['gantry/stack', 'gantry/applied'], patch: undefined, keys: ['a'], found: ['a'] },
  { it: 'removes the tag of its former part', desired: {}, live: { 'gantry/applied.s': '1', 'gantry/applied.t': '1' },
    partTag: 'gantry/applied.s', patch: { $drop: ['gantry/applied.s'] }, keys: [] },
  { it: 'keeps an ignored key that is not declared', desired: {}, live: { a: '1' }, recorded: ['a'], ignored: ['a'],
    patch: undefined, keys: [] },
  { it: 'reads null as not declared', desired: { a: null }, live: { a: '1' }, recorded: ['a'], patch: { $drop: ['a'] },
    keys: [] },
  { it: 'never touches its own two tags', desired: {}, live: { 'gantry/stack': 's', 'gantry/applied': '1' },
    recorded: ['gantry/stack'], patch: undefined, keys: [] },
  { it: 'keeps an ignored key', desired: { a: '2' }, live: { a: '1' }, recorded: ['a'], ignored: ['a'],
    patch: undefined, keys: [] },
  { it: 'removes three or more keys in one list',
    desired: {}, live: { a: '1', b: '1', c: '1' }, recorded: ['a', 'b', 'c'],
    patch: { $drop: ['a', 'b', 'c'] }, keys: [] },
  { it: 'treats names on Object.prototype as data', desired: { constructor: 'x' }, live: {},
    patch: { constructor: 'x' }, keys: ['constructor'] },
  { it: 'protects', desired: {}, live: {}, protect: true, patch: { [guard]: 'true' }, keys: [guard] },
  { it: 'keeps the protection when its declaration is removed', desired: {}, live: { [guard]: 'true' },
    recorded: [guard], patch: undefined, keys: [guard] },
  { it: 'removes the protection for protect: false',
    desired: {}, live: { [guard]: 'true' }, recorded: [guard], protect: false,
    patch: { $drop: [guard] }, keys: [] },
  { it: 'removes the protection even if it is declared as a tag',
    desired: { [guard]: 'true' }, live: { [guard]: 'true' },
    recorded: [guard], protect: false, patch: { $drop: [guard] }, keys: [] },
  { it: 'does not set a declared protection tag against protect: false', desired: { [guard]: 'true', a: '1' }, live: {},
    protect: false, patch: { a: '1' }, keys: ['a'] },
  { it: 'sets a declared protection tag',
    desired: { [guard]: 'true' }, live: {}, patch: { [guard]: 'true' }, keys: [guard] },
  { it: 'keeps a protection that others set, and does not claim it', desired: {}, live: { [guard]: 'true' },
    patch: undefined, keys: [] },
  { it: 'removes the mark of an abandoned replacement', desired: {}, live: { 'gantry/replacing': 's' },
    patch: { $drop: ['gantry/replacing'] }, keys: [] },
  { it: 'sets a key that is empty on the platform', desired: { a: 'null', b: 'undefined' }, live: { a: null },
    patch: { a: 'null', b: 'undefined' }, keys: ['a', 'b'] },
  { it: 'names keys in order', desired: { e: '1', d: '1' }, live: { c: '1', b: '1', a: '1' }, recorded: ['a', 'b', 'c'],
    patch: { d: '1', e: '1', $drop: ['a', 'b', 'c'] }, keys: ['d', 'e'] },
];

/** The stored tags after the patch, without our own two. */
function after(live: JsonObject, set: JsonObject, drop: readonly string[]): JsonObject {
  const own = ['gantry/stack', 'gantry/applied'];
  const kept = Object.entries(live).filter(([key]) => !own.includes(key) && !drop.includes(key));
  return { ...Object.fromEntries(kept), ...set };
}

describe('tags are three-way (platform/concepts.tags)', () => {
  test.each(cases)(
    '$it',
    ({ desired, live, recorded = [], others = [], ignored = [], released = [], found = [], ...of }) => {
      const tags = planTags({
        desired,
        live,
        protect: of.protect,
        partTag: of.partTag,
        claim: (key) => ({
          mine: recorded.includes(key) ? 'set' : undefined,
          others: others.includes(key) ? [{ stack: 'bank', hold: 'set' }] : [],
        }),
        ignored: (key) => ignored.includes(key),
      });
      expect(tagPatch(tags.set, tags.drop)).toEqual(of.patch);
      expect(tags.keys).toEqual(of.keys);
      expect(tags.released).toEqual(released);
      expect(tags.keys.filter((key) => tags.holdOf(key) === 'found')).toEqual(found);
      expect(tags.result).toEqual(after(live, tags.set, tags.drop));
    },
  );
});

test('declared tags that are equal as text keep the spelling of the platform', () => {
  const declared = { a: 7, b: '8', c: 'x', d: 'undefined' };
  expect(asSpelled(declared, { a: '7', b: '9' })).toEqual({ ...declared, a: '7' });
});

test.each<[readonly string[] | undefined, readonly string[]]>([
  [undefined, []],
  [['description'], []],
  [['tags'], ['a', 'b']],
  [['description', 'tags.a', 'tags.c'], ['a']],
])('under lifecycle.ignore %j the tags a and b are ignored: %j', (ignore, keys) => {
  const ignored = ignoredTags(ignore === undefined ? {} : { ignore }, shapeOf('group', {}), { a: '1', b: '1' });
  expect([...ignored]).toEqual(keys);
});
