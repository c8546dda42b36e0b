import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import {
  type Claim,
  claimsOn,
  isUnasked,
  laterAlone,
  mayRemove,
  partOf,
  partsOfOthers,
  ruleDeclared,
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

describe('claims of a stack on a record are read as they were written', () => {
  test.each([[[]], [['a']], [['b', 'a', 'c']]])('items %j', (names) => {
    const text = writePart({ link, version: 7, holds: items(...names) }, hash) ?? '';
    expect(text).toMatch(/^1;l[\w-]{12};v7;i/);
    expect(partOf(held({ 'gantry/applied.shop': text }), around)).toEqual(items(...names));
  });

  test('claims contain the items that the stack found and did not set', () => {
    const claims = holds(places('a'), places('b', 'c'));
    const text = writePart({ link, version: 7, holds: claims }, hash) ?? '';
    expect(text).toMatch(/;v7;i[\w-]{6};d[\w-]{12}$/);
    expect(partOf(held({ 'gantry/applied.shop': text }), around)).toEqual(claims);
  });

  test('equal items give equal text, in any order', () => {
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
    ['text follows the items', 'shop', { 'gantry/applied.shop': `${text};x` }],
    ['the name of the stack is too long for a tag', 's'.repeat(114), { 'gantry/applied.shop': text }],
  ])('the stack claims nothing if %s', (_, stack, tags) => {
    expect(partOf(held(tags), { ...around, owner: stack })).toBeUndefined();
  });

  test('a tag has at most 480 bytes: as many items as fit whatever the version, and no more', () => {
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

describe('claims of other stacks on a record', () => {
  const group = { kind: 'group', name: 'team' } as const;
  const tags = {
    ...partTag('zoo', group, places('b')),
    ...partTag('shop', group, places('mine')),
    ...partTag('bank/eu', group, places('a', 'c')),
    ...partTag('copied', { kind: 'group', name: 'x' }, places('a')),
    'gantry/applied.odd': 5,
    'gantry/applied.cut': String(partTag('cut', group, places('a'))['gantry/applied.cut']).slice(0, -1),
    'team/a': Object.values(partTag('x', group, places('x')))[0] ?? '',
  };

  test('are listed by stack, sorted, without own ones and copied ones', () => {
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

  test('include tags of the owner, and every item if the owner could not record all', () => {
    const whole = (applied: { readonly tagKeys?: readonly string[]; readonly holds?: ReadonlyMap<string, Hold> }) =>
      live('group/team', {}, { owner: 'base', applied });
    const at = claimsOn(whole({ tagKeys: ['cost'] }), around).at;
    expect(at(['tags', 'cost']).others).toEqual([{ stack: 'base', hold: 'set' }]);
    expect(at(['tags', 'team']).others).toEqual([]);
    const many = items(...Array.from({ length: 90 }, (_, index) => `m${index}`));
    const unknown = claimsOn(whole({ holds: many }), around).at(['tags', 'team']).others;
    expect(unknown).toEqual([{ stack: 'base', hold: 'unknown' }]);
  });

  test('are empty for a copied record', () => {
    const copy = live('group/team', {}, { owner: 'base', applied: { link: '/org/o/group/x', tagKeys: ['cost'] } });
    expect(claimsOn(copy, around).at(['tags', 'cost']).others).toEqual([]);
  });
});

describe('under a new name, to which the parts of others are not carried,', () => {
  const person = { version: 5, record: {} };
  const zoo = { stack: 'zoo', hold: 'set' } as const;
  const bank = { stack: 'bank', hold: 'set' } as const;
  test.each<[string, Claim, boolean, Claim['later']]>(
    // biome-ignore format: a row is a case
    [
      ['an item that a part wrote is removed', { mine: undefined, others: [zoo] }, true, undefined],
      ['an item that the stack wrote and a part found is removed',
        { mine: 'set', others: [{ ...zoo, hold: 'found' }] }, true,
        undefined],
      ['an item that every stack only found is kept',
        { mine: 'found', others: [{ ...zoo, hold: 'found' }] }, false, undefined],
      ['an item that no stack claims is kept', { mine: undefined, others: [] }, false, undefined],
      ['an item that a person set later is kept',
        { mine: 'found', others: [{ ...zoo, later: person }] }, false, person],
      ['an item that the stack wrote later is removed',
        { mine: 'set', others: [{ ...zoo, later: person }] }, true, undefined],
      ['an item that another part wrote later is removed',
        { mine: 'set', later: person, others: [{ ...zoo, later: 'unknown' }, bank] }, true, undefined],
      ['an item stays in doubt if it is unknown for some stack whether it wrote last',
        { mine: undefined, others: [{ ...zoo, later: person }, { ...bank, later: 'unknown' }] }, false, 'unknown'],
    ],
  )('%s', (_, claim, goes, later) => {
    const moved = underNewName(claim);
    expect([mayRemove(moved), laterAlone(moved)]).toEqual([goes, later]);
  });
});

describe('a declared item that is as declared', () => {
  const person = { version: 5, record: {} };
  const zoo = { stack: 'zoo', hold: 'set' } as const;
  const found = { stack: 'bank', hold: 'found' } as const;

  // biome-ignore format: a row is a case
  test.each<[string, Claim, Hold]>([
    ['that a part set is removed with the last of both claims', { mine: undefined, others: [zoo] }, 'set'],
    ['that a part only found stays', { mine: undefined, others: [found] }, 'found'],
    ['that a person set after the part stays', { mine: undefined, others: [{ ...zoo, later: person }] }, 'found'],
    ['that a person may have set after the part stays', { mine: undefined, others: [{ ...zoo, later: 'unknown' }] },
      'found'],
    ['that one of two parts set is removed', { mine: undefined, others: [found, zoo] }, 'set'],
    ['that a person set after this stack stays', { mine: 'set', later: person, others: [zoo] }, 'found'],
  ])('%s', (_, claim, hold) => expect(ruleDeclared(claim, true, false).hold).toBe(hold));

  // biome-ignore format: a row is a case
  test.each<[string, Claim, boolean, boolean]>([
    ['begins to be claimed beside a part that certainly set it', { mine: undefined, others: [zoo] }, false, false],
    ['begins to be claimed beside one of which that is unknown',
      { mine: undefined, others: [found, { ...zoo, later: 'unknown' }] }, true, true],
    ['is claimed as before', { mine: 'set', others: [] }, false, false],
    ['is claimed as before, and may be the value of a person', { mine: 'set', later: 'unknown', others: [] }, false, true],
    ['is claimed as before, and is the value of a person', { mine: 'set', later: person, others: [] }, false, false],
    ['was found, and may be the value of a person', { mine: 'found', later: 'unknown', others: [] }, false, false],
  ])('that %s: its last writer is asked for: %s; if the record is written: %s', (_, claim, always, written) => {
    expect([isUnasked(claim, false), isUnasked(claim, true)]).toEqual([always, written]);
  });
});

describe('the tag of another stack is changed', () => {
  const text = writePart({ link, version: 3, holds: holds(places('a'), places('b', 'c')) }, hash) ?? '';
  const none = new Set<string>();
  const of = (...names: readonly string[]) => new Set(items(...names).keys());

  test('if an item that it found passes to it, and nothing else of the tag changes', () => {
    const passed = withClaims(text, { ended: none, passed: of('b', 'x') }) ?? '';
    expect(readApplied(passed)).toEqual({ ...readApplied(text), holds: holds(places('a', 'b'), places('c')) });
    expect(passed.startsWith(text.slice(0, text.indexOf(';i')))).toBe(true);
  });

  test('if any claim of it has ended', () => {
    const left = withClaims(text, { ended: of('a', 'b'), passed: none }) ?? '';
    expect(readApplied(left)).toEqual({ ...readApplied(text), holds: holds([], places('c')) });
  });

  test('but not if it contains the change already or claims none of the items', () => {
    expect(withClaims(text, { ended: of('x'), passed: of('a', 'x') })).toBeUndefined();
  });
});

test('two items never have the same place', () => {
  expect(placeOf(['a', 'b'])).not.toBe(placeOf(['ab']));
  expect(placeOf(['a b'])).not.toBe(placeOf(['a', 'b']));
});
