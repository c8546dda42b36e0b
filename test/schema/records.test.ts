import { describe, expect, test } from 'vitest';
import { isDeeperThan } from '../../src/base/json/depth.ts';
import { type JsonValue, listAt, numberAt, objectAt, own, put, sameJson, stringAt } from '../../src/base/json/json.ts';
import { jsonText, parseJsonText } from '../../src/base/json/jsonText.ts';
import { isMasked } from '../../src/base/json/mask.ts';
import { textsIn } from '../../src/base/json/textsIn.ts';
import { valueThere, withValues } from '../../src/base/json/valuesAt.ts';
import {
  customKind,
  customKindFacts,
  customKindName,
  customKinds,
  defineCustomKind,
  defineCustomKinds,
  isCustomKind,
  onlyNamed,
  sameFacts,
  separateCustomKinds,
} from '../../src/schema/record/customKinds.ts';
import { hrefOf } from '../../src/schema/record/hrefOf.ts';
import * as kinds from '../../src/schema/record/kinds.ts';
import { bodyProblems } from '../../src/schema/record/problem.ts';
import { isProtected } from '../../src/schema/record/protection.ts';
import { contextOf, formatRef, gvcOf, ownRef, refNamed, refTo } from '../../src/schema/record/ref.ts';
import { withKinds } from '../kinds/withKinds.ts';

describe('JSON', () => {
  const record = JSON.parse('{"text":"x","number":0,"list":[1],"object":{"a":1},"null":null,"__proto__":"own"}');

  test('a member is an own one of that type, or none', () => {
    const keys = ['text', 'number', 'list', 'object', 'null', 'absent', 'toString'];
    expect(keys.map((key) => stringAt(record, key))).toEqual(['x', ...Array(6).fill(undefined)]);
    expect(keys.map((key) => numberAt(record, key))).toEqual([undefined, 0, ...Array(5).fill(undefined)]);
    expect(keys.map((key) => listAt(record, key))).toEqual([[], [], [1], [], [], [], []]);
    expect(keys.map((key) => objectAt(record, key))).toEqual([{}, {}, {}, { a: 1 }, {}, {}, {}]);
    expect([own(record, '__proto__'), own(record, 'constructor')]).toEqual(['own', undefined]);
  });

  test('a member can have a name of the prototype', () => {
    const made: Record<string, JsonValue> = {};
    put(made, '__proto__', 1);
    put(made, 'a', 2);
    expect(JSON.stringify(made)).toBe('{"__proto__":1,"a":2}');
    put(made, '__proto__', 3);
    expect(JSON.stringify(made)).toBe('{"__proto__":3,"a":2}');
    expect(Reflect.deleteProperty(made, '__proto__')).toBe(true);
  });

  test.each<[JsonValue | undefined, JsonValue | undefined, boolean]>([
    [1, 1, true],
    [1, '1', false],
    [null, undefined, false],
    [{ a: 1, b: [2, { c: 3 }] }, { b: [2, { c: 3 }], a: 1 }, true],
    [[1, 2], [2, 1], false],
    [[1], [1, 2], false],
    [[1, 2], [1], false],
    [[], {}, false],
    [{}, [], false],
    [{}, null, false],
    [{ a: 1 }, { a: 1, b: 1 }, false],
    [{ a: 1 }, { b: 1 }, false],
    [{ a: 1 }, { a: 2 }, false],
    [['a'], 'a', false],
  ])('%j and %j are equal: %s', (a, b, same) => {
    expect(sameJson(a, b)).toBe(same);
    expect(sameJson(b, a)).toBe(same);
  });

  test.each<[JsonValue, number]>([
    [1, 0],
    [null, 0],
    [[], 1],
    [{}, 1],
    [[1, 'a', null], 1],
    [{ a: 1, b: null }, 1],
    [[[1]], 2],
    [[1, {}], 2],
    [{ a: 1, b: {} }, 2],
    [{ a: [{ b: [] }], c: 1 }, 4],
  ])('%j has %i levels', (value, levels) => {
    expect(isDeeperThan(value, levels)).toBe(false);
    if (levels > 0) expect(isDeeperThan(value, levels - 1)).toBe(true);
  });

  test('only the mask is a mask', () => {
    expect(
      [{ sensitive: true }, { sensitive: false }, { sensitive: true, a: 1 }, true, undefined].map(isMasked),
    ).toEqual([true, false, false, false, false]);
  });

  test('a string is parsed as JSON if that is an object or a list', () => {
    expect(['{"a":1}', '[1]', '1', '"a"', 'null', '{', ''].map(parseJsonText)).toEqual([
      { a: 1 },
      [1],
      '1',
      '"a"',
      'null',
      '{',
      '',
    ]);
  });

  test('a document is readable text without control characters for a terminal', () => {
    expect(jsonText({ a: ['\u009b', '\u007f', 'ä'] })).toBe(
      '{\n  "a": [\n    "\\u009b",\n    "\\u007f",\n    "ä"\n  ]\n}',
    );
  });

  test('every string and number is found, but no keys', () => {
    expect(textsIn({ a: ['x', 1, null, true, { b: 'y' }] })).toEqual(['x', '1', 'y']);
    expect([textsIn('z'), textsIn(undefined), textsIn(false)]).toEqual([['z'], [], []]);
  });

  test('a value is found at its pointer, and set there', () => {
    const document = { a: [{ b: 1 }, 2], c: { d: 3 }, e: 'text' };
    expect(valueThere(document, ['a', 0, 'b'])).toBe(1);
    expect(valueThere(document, [])).toBe(document);
    expect(
      [
        ['a', 'b'],
        ['a', 9],
        ['c', 'x', 'y'],
        ['e', 0],
        ['c', 'toString'],
      ].map((at) => valueThere(document, at)),
    ).toEqual(Array(5).fill(undefined));
    expect(valueThere({ 1: 'a' }, [1])).toBe('a');
    expect(valueThere(undefined, ['a'])).toBeUndefined();
    const changed = withValues(document, [
      { at: ['a', 0, 'b'], value: 7 },
      { at: ['c'], value: null },
      { at: ['nowhere', 'x'], value: 1 },
      { at: ['a', 5], value: 1 },
      { at: ['e', 'x'], value: 1 },
    ]);
    expect(changed).toEqual({ a: [{ b: 7 }, 2], c: null, e: 'text' });
    expect(document.a).toEqual([{ b: 1 }, 2]);
    expect(withValues(document, [{ at: [], value: 1 }])).toBe(document);
    expect(withValues(document, [{ at: [], value: { z: 1 } }])).toEqual({ z: 1 });
  });
});

describe('kinds and refs', () => {
  withKinds({ theme: onlyNamed, gadget: { ...onlyNamed, scope: 'gvc' } });

  test('a ref has a GVC if its kind belongs to one', () => {
    expect([refTo('gvc', 'shop', undefined), refTo('workload', 'web', 'shop')]).toEqual([
      { kind: 'gvc', name: 'shop' },
      { kind: 'workload', name: 'web', gvc: 'shop' },
    ]);
    expect([
      formatRef({ kind: 'gvc', name: 'shop' }),
      formatRef({ kind: 'workload', name: 'web', gvc: 'shop' }),
    ]).toEqual(['gvc/shop', 'workload/shop/web']);
    expect(ownRef('workload', 'web', { org: 'acme', gvc: 'shop' })).toEqual({
      kind: 'workload',
      name: 'web',
      gvc: 'shop',
    });
    expect(ownRef('workload', 'web', { org: 'acme' })).toEqual({ kind: 'workload', name: 'web' });
    expect(ownRef('secret', 's', { org: 'acme', gvc: 'shop' })).toEqual({ kind: 'secret', name: 's' });
  });

  test.each([
    ['gvc/shop', undefined, { kind: 'gvc', name: 'shop' }],
    ['workload/shop/web', undefined, { kind: 'workload', gvc: 'shop', name: 'web' }],
    ['workload/shop/web', 'other', { kind: 'workload', gvc: 'shop', name: 'web' }],
    ['workload/web', 'shop', { kind: 'workload', gvc: 'shop', name: 'web' }],
    ['workload/web', undefined, undefined],
    ['secret/shop/s', undefined, undefined],
    ['widget/a', undefined, undefined],
    ['gvc', undefined, undefined],
    ['gvc/', undefined, undefined],
    ['workload/shop/', undefined, undefined],
    ['workload//web', 'shop', undefined],
    ['workload/shop/web/x', undefined, undefined],
  ])('the id %s, in the GVC %s', (id, gvc, ref) => {
    expect(refNamed(id, gvc)).toEqual(ref);
  });

  test('the GVC of a resource is itself one', () => {
    expect(gvcOf({ kind: 'workload', name: 'web', gvc: 'shop' })).toEqual({ kind: 'gvc', name: 'shop' });
    expect(gvcOf({ kind: 'secret', name: 's' })).toBeUndefined();
  });

  test('the target of a link of a record', () => {
    const links = ['x', { rel: 'self', href: '/a' }, { rel: 'gvc', href: 1 }, { rel: 'self', href: '/b' }];
    expect(['self', 'gvc', 'org'].map((rel) => hrefOf({ links }, rel))).toEqual(['/a', undefined, undefined]);
  });

  test('problems of a body: an unknown member is named', () => {
    const of = { rule: 'body', severity: 'error' };
    expect(
      bodyProblems([
        { pointer: ['a', 0], message: 'is wrong', hint: undefined },
        { pointer: ['a', 'b'], message: 'm', hint: undefined, known: ['c'] },
      ]),
    ).toEqual([
      { ...of, path: 'a.0', pointer: ['a', 0], message: 'is wrong' },
      { ...of, path: 'a.b', pointer: ['a', 'b'], message: '"b" is not allowed' },
    ]);
  });

  test('short links of a GVC are resolved within itself', () => {
    expect(contextOf({ kind: 'gvc', name: 'shop' }, 'acme')).toEqual({ org: 'acme', gvc: 'shop' });
    expect(contextOf({ kind: 'workload', name: 'web', gvc: 'shop' }, 'acme')).toEqual({ org: 'acme', gvc: 'shop' });
    expect(contextOf({ kind: 'workload', name: 'web', gvc: '' }, 'acme')).toEqual({ org: 'acme' });
    expect(contextOf({ kind: 'secret', name: 's' }, 'acme')).toEqual({ org: 'acme' });
  });

  test.each([
    [{ 'scheme/protected': true }, true],
    [{ 'scheme/protected': 'true' }, true],
    [{ 'scheme/protected': 'false' }, false],
    [{ protected: true }, false],
  ])('the tags %j protect: %s (platform/concepts.tags)', (tags, is) => {
    expect(isProtected({ tags })).toBe(is);
    expect(isProtected({})).toBe(false);
  });

  test('the possible operations of each kind (platform/concepts.kinds)', () => {
    const all = [...kinds.creatableKinds, ...kinds.readOnlyKinds];
    expect(all).toHaveLength(20);
    expect(all.map((kind) => kinds.kindNamed(kind))).toEqual(all);
    expect(all.filter(kinds.isGvcScoped)).toEqual(['identity', 'volumeset', 'workload']);
    expect(all.filter(kinds.isContainer)).toEqual(['gvc']);
    expect(all.filter(kinds.isMemberKind)).toEqual(['serviceaccount', 'user']);
    expect(all.filter(kinds.isCallerKind)).toEqual(['identity', 'serviceaccount', 'user']);
    expect(all.filter(kinds.isPrincipalKind)).toEqual(['group', 'identity', 'serviceaccount', 'user']);
    expect(all.filter(kinds.isDeclarable)).toEqual(kinds.creatableKinds);
    expect(all.filter(kinds.isRead)).toEqual([...kinds.creatableKinds, 'user']);
    expect(kinds.writtenKinds).toEqual([...kinds.creatableKinds, 'org']);
    expect([kinds.kindNamed('widget'), kinds.kindNamed(undefined), kinds.knownKind('theme')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('custom kinds can be declared in manifests, in their scope', () => {
    expect(kinds.declarableKinds()).toEqual([...kinds.creatableKinds, 'gadget', 'theme']);
    expect(kinds.kindsInGvcs()).toEqual(['identity', 'volumeset', 'workload', 'gadget']);
    expect(
      ['gadget', 'theme', 'widget'].map((kind) => [
        kinds.isDeclarable(kind),
        kinds.isGvcScoped(kind),
        kinds.isKnownKind(kind),
      ]),
    ).toEqual([
      [true, true, false],
      [true, false, false],
      [false, false, false],
    ]);
    const gadget = customKind('gadget');
    expect(gadget && kinds.isRead(gadget)).toBe(true);
    expect(customKinds()).toEqual(['gadget', 'theme']);
    expect([isCustomKind('theme'), isCustomKind('gvc'), isCustomKind(7), customKindFacts('theme')]).toEqual([
      true,
      false,
      false,
      onlyNamed,
    ]);
  });

  test('a project at hand has its own definitions', () => {
    const own = new Map([['only', onlyNamed]]);
    try {
      separateCustomKinds(() => own);
      expect(customKinds()).toEqual(['only']);
      expect(kinds.isDeclarable('theme')).toBe(false);
    } finally {
      separateCustomKinds(() => undefined);
    }
    expect(customKinds()).toEqual(['gadget', 'theme']);
  });

  test('a later definition replaces an earlier one, and an equal one has no effect', () => {
    const facts = { scope: 'gvc', immutable: ['b', 'a'], listKeys: { y: 'k', x: 'k' }, disposable: true } as const;
    const again = { ...facts, immutable: ['a', 'b'], listKeys: { x: 'k', y: 'k' } };
    expect(sameFacts(facts, again)).toBe(true);
    for (const other of [
      { scope: 'org' },
      { immutable: ['a'] },
      { listKeys: { x: 'k' } },
      { disposable: false },
    ] as const) {
      expect(sameFacts(facts, { ...facts, ...other })).toBe(false);
    }
    defineCustomKinds({ theme: facts });
    defineCustomKind('theme', again);
    expect(customKindFacts('theme')).toBe(facts);
    defineCustomKind('theme', onlyNamed);
    expect(customKindFacts('theme')).toEqual(onlyNamed);
  });

  test.each([
    ['widget', true],
    ['w', true],
    ['w-2', true],
    ['a'.repeat(63), true],
    ['a'.repeat(64), false],
    ['2w', false],
    ['Widget', false],
    ['a/b', false],
    ['a_b', false],
    ['', false],
  ])('%s is a valid name of a custom kind: %s', (name, can) => {
    expect(customKindName.test(name)).toBe(can);
  });
});
