import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import {
  type Claim,
  claimsOn,
  laterAlone,
  mayRemove,
  partOf,
  partsOfOthers,
  underNewName,
} from '../../../src/plan/record/claims.ts';
import { placeOf } from '../../../src/plan/record/items.ts';
import { type Hold, mostItems, readApplied, withClaims, writePart } from '../../../src/plan/record/ownership.ts';
import { hash, holds, live, org, owner, partTag } from '../world.ts';

const link = '/org/o/group/team';
const around = { owner, org, hash };
const held = (tags: JsonObject) => live('group/team', { tags }, { owner: null, applied: null });
const places = (...names: readonly string[]) => names.map((name) => ['memberLinks', name]);
const items = (...names: readonly string[]) => holds(places(...names));

describe('what a stack claims of a record is read as it was written', () => {
  test.each([[[]], [['a']], [['b', 'a', 'c']]])('items %j', (names) => {
    const text = writePart({ link, version: 7, holds: items(...names) }, hash) ?? '';
    expect(text).toMatch(/^1;l[\w-]{12};v7;i/);
    expect(partOf(held({ 'gantry/applied.shop': text }), around)).toEqual(items(...names));
  });

  test('with the items that it found, and did not set', () => {
    const claims = holds(places('a'), places('b', 'c'));
    const text = writePart({ link, version: 7, holds: claims }, hash) ?? '';
    expect(text).toMatch(/;v7;i[\w-]{6};d[\w-]{12}$/);
    expect(partOf(held({ 'gantry/applied.shop': text }), around)).toEqual(claims);
  });

  test('equal items give an equal text, in whatever order they come', () => {
    const write = (...names: readonly string[]) => writePart({ link, version: 1, holds: items(...names) }, hash);
    expect(write('a', 'b')).toBe(write('b', 'a'));
  });

  const text = writePart({ link, version: 1, holds: items('a') }, hash) ?? '';
  test.each<[string, string, JsonObject]>([
    ['there is no tag', 'shop', {}],
    ['the tag is of another stack', 'shop', { 'gantry/applied.bank': text }],
    [
      'it was copied from another resource',
      'shop',
      { 'gantry/applied.shop': writePart({ link: '/org/o/group/x', version: 1, holds: items('a') }, hash) ?? '' },
    ],
    ['another version wrote it', 'shop', { 'gantry/applied.shop': text.replace(/^1/, '2') }],
    ['it names no items', 'shop', { 'gantry/applied.shop': text.replace(/;i.*$/, '') }],
    ['an item is cut off', 'shop', { 'gantry/applied.shop': text.slice(0, -1) }],
    ['something stands behind the items', 'shop', { 'gantry/applied.shop': `${text};x` }],
    ['the name of the stack is too long for a tag', 's'.repeat(114), { 'gantry/applied.shop': text }],
  ])('it claims nothing where %s', (_, stack, tags) => {
    expect(partOf(held(tags), { ...around, owner: stack })).toBeUndefined();
  });

  test('at most 480 bytes are written: as many items as that takes whatever the version, and no more', () => {
    const many = (count: number) => items(...Array.from({ length: count }, (_, index) => `m${index}`));
    const write = (version: number, count: number) => writePart({ link, version, holds: many(count) }, hash);
    const last = Number.MAX_SAFE_INTEGER;
    expect(write(last, mostItems)?.length).toBeLessThanOrEqual(480);
    expect(write(last, mostItems + 2)).toBeUndefined();
    // 1;l and 12 characters, ;v10000;i, 76 times 6.
    expect(write(10_000, 76)).toHaveLength(480);
    expect(write(100_000, 76)).toBeUndefined();
  });
});

describe('what others claim of a record', () => {
  const group = { kind: 'group', name: 'team' } as const;
  const tags = {
    ...partTag('zoo', group, places('b')),
    ...partTag('shop', group, places('mine')),
    ...partTag('bank/eu', group, places('a', 'c')),
    ...partTag('copied', { kind: 'group', name: 'x' }, places('a')),
    'gantry/applied.odd': 5,
    'team/a': Object.values(partTag('x', group, places('x')))[0] ?? '',
  };

  test('is listed by stack, sorted, without its own and without copies', () => {
    expect([...partsOfOthers(held(tags), around)].map(([stack, { holds: theirs }]) => [stack, theirs])).toEqual([
      ['bank@eu', items('a', 'c')],
      ['zoo', items('b')],
    ]);
    const { at } = claimsOn(held(tags), around);
    const [a, b, mine, none] = ['a', 'b', 'mine', 'none'].map((name) => at(['memberLinks', name]));
    expect(a).toEqual({ mine: undefined, others: [{ stack: 'bank@eu', hold: 'set' }] });
    expect(b).toEqual({ mine: undefined, others: [{ stack: 'zoo', hold: 'set' }] });
    expect(mine).toEqual({ mine: 'set', others: [] });
    expect(none).toEqual({ mine: undefined, others: [] });
  });

  test('includes the tags of the owner of the whole, and everything where that could not record all', () => {
    const whole = (applied: { readonly tagKeys?: readonly string[]; readonly holds?: ReadonlyMap<string, Hold> }) =>
      live('group/team', {}, { owner: 'base', applied });
    const at = claimsOn(whole({ tagKeys: ['cost'] }), around).at;
    expect(at(['tags', 'cost']).others).toEqual([{ stack: 'base', hold: 'set' }]);
    expect(at(['tags', 'team']).others).toEqual([]);
    const many = items(...Array.from({ length: 90 }, (_, index) => `m${index}`));
    const unknown = claimsOn(whole({ holds: many }), around).at(['tags', 'team']).others;
    expect(unknown).toEqual([{ stack: 'base', hold: 'unknown' }]);
  });

  test('of a record that a copy was made of is nothing', () => {
    const copy = live('group/team', {}, { owner: 'base', applied: { link: '/org/o/group/x', tagKeys: ['cost'] } });
    expect(claimsOn(copy, around).at(['tags', 'cost']).others).toEqual([]);
  });
});

describe('under another name, where the parts of others do not go along,', () => {
  const person = { version: 5, record: {} };
  const zoo = { stack: 'zoo', hold: 'set' } as const;
  const bank = { stack: 'bank', hold: 'set' } as const;
  test.each<[string, Claim, boolean, Claim['later']]>(
    // biome-ignore format: a row is a case
    [
      ['what a part wrote goes', { mine: undefined, others: [zoo] }, true, undefined],
      ['what the stack wrote, and a part found, goes', { mine: 'set', others: [{ ...zoo, hold: 'found' }] }, true,
        undefined],
      ['what everybody only found stays', { mine: 'found', others: [{ ...zoo, hold: 'found' }] }, false, undefined],
      ['what nobody claims stays', { mine: undefined, others: [] }, false, undefined],
      ['what a person set since stays', { mine: 'found', others: [{ ...zoo, later: person }] }, false, person],
      ['what the stack wrote since goes', { mine: 'set', others: [{ ...zoo, later: person }] }, true, undefined],
      ['what another part wrote since goes',
        { mine: 'set', later: person, others: [{ ...zoo, later: 'unknown' }, bank] }, true, undefined],
      ['of which it is not known of all whether they wrote it last, stays in doubt',
        { mine: undefined, others: [{ ...zoo, later: person }, { ...bank, later: 'unknown' }] }, false, 'unknown'],
    ],
  )('%s', (_, claim, goes, later) => {
    const moved = underNewName(claim);
    expect([mayRemove(moved), laterAlone(moved)]).toEqual([goes, later]);
  });
});

describe('the record of another stack is changed', () => {
  const text = writePart({ link, version: 3, holds: holds(places('a'), places('b', 'c')) }, hash) ?? '';
  const none = new Set<string>();
  const of = (...names: readonly string[]) => new Set(items(...names).keys());

  test('where what it found goes with it from now on, and nothing else of the tag', () => {
    const passed = withClaims(text, { ended: none, passed: of('b', 'x') }) ?? '';
    expect(readApplied(passed)).toEqual({ ...readApplied(text), holds: holds(places('a', 'b'), places('c')) });
    expect(passed.startsWith(text.slice(0, text.indexOf(';i')))).toBe(true);
  });

  test('where a claim has ended, whichever it was', () => {
    const left = withClaims(text, { ended: of('a', 'b'), passed: none }) ?? '';
    expect(readApplied(left)).toEqual({ ...readApplied(text), holds: holds([], places('c')) });
  });

  test('and not where it says so already, or claims nothing of it', () => {
    expect(withClaims(text, { ended: of('x'), passed: of('a', 'x') })).toBeUndefined();
  });
});

test('two items are never told by the same place', () => {
  expect(placeOf(['a', 'b'])).not.toBe(placeOf(['ab']));
  expect(placeOf(['a b'])).not.toBe(placeOf(['a', 'b']));
});
