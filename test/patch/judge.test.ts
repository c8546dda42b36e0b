import { describe, expect, it, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json/json.ts';
import { impliedByAbsence, isEmptiedWhenOmitted, omissionOf } from '../../src/patch/omission.ts';
import { matchingOf } from '../../src/patch/partners.ts';
import { parsePatterns } from '../../src/patch/place.ts';
import { comparisonOf, hasMembers } from '../../src/patch/reconcile.ts';
import type { FieldFacts } from '../../src/schema/facts/fieldFacts.ts';
import type { ListShape, Shape } from '../../src/schema/shape/shape.ts';
import { context, free, keyed, list, map, object, scalar, withFacts } from './toyShape.ts';

const plain = object({ n: scalar });

describe('how a field is compared', () => {
  const compared = (
    shape: Shape,
    live: JsonValue | undefined,
    desired: JsonValue | undefined,
    ignored: string[] = [],
  ) => comparisonOf(shape, live, desired, parsePatterns(ignored)).by;

  it.each<[string, Shape, JsonValue | undefined, JsonValue | undefined]>([
    ['platform', withFacts(scalar, { responseOnly: true }), 'a', 'b'],
    ['platform', withFacts(scalar, { responseOnly: true }), 'a', undefined],
    ['omitted', scalar, 'a', undefined],
    ['absent', scalar, undefined, undefined],
    ['absent', withFacts(scalar, { canonical: 'trimmed' }), undefined, '  '],
    ['omitted', withFacts(scalar, { canonical: 'trimmed' }), 'a', '  '],
    ['value', scalar, 'a', '  '],
    ['stated', scalar, undefined, 'a'],
    ['stated', scalar, null, 'a'],
    ['stated', free, null, { a: 1 }],
    ['members', plain, { n: 1 }, { n: 2 }],
    ['members', map(scalar), {}, {}],
    ['value', plain, 'text', { n: 2 }],
    ['value', plain, { n: 2 }, 'text'],
    ['items', list('set', scalar), ['a'], []],
    ['value', list('set', scalar), 'a', ['a']],
    ['value', list('set', scalar), ['a'], 'a'],
    ['value', free, { a: 1 }, { a: 2 }],
    ['members', withFacts(free, { merged: true }), { a: 1 }, { a: 2 }],
  ])('%s', (expected, shape, live, desired) => {
    expect(compared(shape, live, desired)).toBe(expected);
  });

  it('an ignored field is not compared; a parent of one is compared member by member', () => {
    expect(comparisonOf(scalar, 'a', 'b', [[]])).toEqual({ by: 'ignored' });
    expect(compared(free, { a: 1 }, { a: 2 }, ['a'])).toBe('members');
    expect(compared(list('set', scalar), ['a'], ['b'], ['0'])).toBe('items');
    expect(hasMembers(scalar, parsePatterns(['a']))).toBe(false);
  });
});

describe('how items are paired', () => {
  const byName: ListShape = keyed(object({ n: scalar, v: scalar }), 'stated');
  const key = { parts: [{ fields: ['n'] }], compare: 'lastSegment', evidence: 'stated' } as const;
  const byLink = withFacts(byName, { list: { class: 'keyed', key } });

  test('a set by membership, a sequence and a list without a class by order', () => {
    expect(matchingOf(list('set', scalar), ['a'], ['a'])).toEqual({ by: 'membership' });
    expect(matchingOf(list('sequence', scalar), ['a'], ['a'])).toEqual({ by: 'order' });
    const unclassed: ListShape = { type: 'list', item: scalar, facts: {} };
    expect(matchingOf(unclassed, ['a'], ['a'])).toEqual({ by: 'order' });
  });

  test('a keyed list by key', () => {
    expect(matchingOf(byName, [{ n: 'a' }], [{ n: 'b' }])).toMatchObject({ by: 'key', firstWith: undefined });
  });

  test('by order if one side has a key twice', () => {
    const [once, twice] = [[{ n: 'a' }], [{ n: 'a' }, { n: 'a' }]];
    expect(matchingOf(byName, twice, once)).toEqual({ by: 'order' });
    expect(matchingOf(byName, once, twice)).toEqual({ by: 'order' });
  });

  test('two spellings of one link are one key (platform/concepts.rewritten)', () => {
    const spelled = [{ n: '/org/acme/secret/s' }, { n: '//secret/s' }];
    expect(matchingOf(byLink, spelled, [])).toEqual({ by: 'order' });
    expect(matchingOf(byLink, [], spelled)).toEqual({ by: 'order' });
    expect(matchingOf(byLink, [{ n: '//secret/s' }], [{ n: '/org/acme/secret/s' }])).toMatchObject({ by: 'key' });
  });
});

describe('what decides on an omitted value', () => {
  interface Around {
    readonly wasSet?: boolean;
    readonly revertOperational?: boolean;
    readonly enclosing?: readonly JsonObject[];
  }
  const omitted = (facts: FieldFacts, live: JsonValue, around: Around = {}) =>
    omissionOf(withFacts(scalar, facts), live, () => 'spec.x', {
      context,
      wasSet: (path) => path === 'spec.x' && around.wasSet === true,
      revertOperational: around.revertOperational ?? false,
      enclosing: around.enclosing ?? [{ name: 'api' }],
    });

  it.each<[string, FieldFacts, JsonValue, Around, unknown]>(
    // biome-ignore format: a row is a case
    [
      ['the platform', { fill: 'service' }, 1, {}, { decides: 'platform', wasSet: false }],
      ['the platform, after this stack',
        { fill: 'service' }, 1, { wasSet: true }, { decides: 'platform', wasSet: true }],
      ['an operator', { fill: 'operational', default: false }, true, {}, { decides: 'operator' }],
      ['the manifest, if no operator changed it', { fill: 'operational', default: false }, false, {},
        { decides: 'manifest', agrees: true }],
      ['the manifest, if operational values are reverted', { fill: 'operational', default: false }, true,
        { revertOperational: true }, { decides: 'manifest', agrees: false }],
      ['the record', { fill: 'derived', derive: 'name' }, 'api', {}, { decides: 'record', means: 'api', agrees: true }],
      ['the record, which differs', { fill: 'derived', derive: 'name' }, 'x', {},
        { decides: 'record', means: 'api', agrees: false }],
      ['the record, which does not contain the source', { fill: 'derived', derive: 'name' }, 'x', { enclosing: [{}] },
        { decides: 'record', means: undefined, agrees: false }],
      ['a refill', { fill: 'irremovable', default: 7 }, 1, {}, { decides: 'refill', means: 7 }],
      ['the manifest: no refill is known', { fill: 'irremovable' }, 1, {}, { decides: 'manifest', agrees: false }],
      ['the manifest: the default', { fill: 'constant', default: 7 }, 7, {}, { decides: 'manifest', agrees: true }],
      ['the manifest: no fill', {}, 1, {}, { decides: 'manifest', agrees: false }],
    ],
  )('%s', (_, facts, live, around, expected) => {
    expect(omitted(facts, live, around)).toEqual(expected);
  });
});

test('only an object without its own meaning is emptied when it is omitted', () => {
  expect(isEmptiedWhenOmitted(plain, { n: 1 })).toBe(true);
  expect(isEmptiedWhenOmitted(plain, 'text')).toBe(false);
  expect(isEmptiedWhenOmitted(map(scalar), { n: 1 })).toBe(false);
  expect(isEmptiedWhenOmitted(withFacts(plain, { presence: true }), { n: 1 })).toBe(false);
});

test('a value is implied by absence if it equals the derived value or the constant default', () => {
  const around = { enclosing: [{ name: 'api' }], context };
  const derived = withFacts(scalar, { fill: 'derived', derive: 'name' });
  expect(impliedByAbsence(derived, 'api', around)).toBe('derived');
  expect(impliedByAbsence(derived, 'web', around)).toBeUndefined();
  // Without its source, a derived value is not implied.
  expect(impliedByAbsence(derived, 'api', { enclosing: [{}], context })).toBeUndefined();
  const derivedList = withFacts(list('set', scalar), { fill: 'derived', derive: 'name' });
  expect(impliedByAbsence(derivedList, [], { enclosing: [{}], context })).toBe('absent');
  // A field that is not of the fill class derived has no source.
  expect(impliedByAbsence(withFacts(scalar, { derive: 'name' }), 'api', around)).toBeUndefined();
  expect(impliedByAbsence(withFacts(scalar, { fill: 'constant', default: 7 }), 7, around)).toBe('absent');
  expect(impliedByAbsence(withFacts(scalar, { fill: 'constant', default: 7 }), 8, around)).toBeUndefined();
  expect(impliedByAbsence(plain, {}, around)).toBe('absent');
});
