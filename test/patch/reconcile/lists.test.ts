import { describe, test } from 'vitest';
import { free, keyed, list, object, scalar, withFacts } from '../toyShape.ts';
import { type Case, check, service } from './target.ts';

describe('keyed lists', () => {
  const first = withFacts(keyed(object({ n: scalar, p: scalar, v: scalar }), 'stated'), {
    list: { class: 'keyed', key: { parts: [{ fields: ['n'] }], evidence: 'stated' }, firstWith: ['p'] },
  });
  const shape = object({ items: keyed(object({ n: scalar, v: scalar }), 'stated'), first });
  // biome-ignore format: one case a line
  const cases: readonly Case[] = [
    { it: 'items keep the live order and their unknown fields; new ones come last',
      live: { items: [{ n: 'a', v: 1, zz: 1 }, { n: 'b' }, { n: 'c', zz: 3 }] },
      desired: { items: [{ n: 'd', v: null }, { n: 'c' }, { n: 'a', v: 2 }] },
      target: { items: [{ n: 'a', v: 2, zz: 1 }, { n: 'c', zz: 3 }, { n: 'd' }] } },
    { it: 'another order has no meaning', live: { items: [{ n: 'a' }, { n: 'b' }] },
      desired: { items: [{ n: 'b' }, { n: 'a' }] } },
    { it: 'an item is removed', live: { items: [{ n: 'a' }, { n: 'b' }] }, desired: { items: [{ n: 'b' }] },
      target: { items: [{ n: 'b' }] } },
    { it: 'the order has a meaning for the first item with a certain field',
      live: { first: [{ n: 'a', p: 1 }, { n: 'b', p: 2 }, { n: 'c' }] },
      desired: { first: [{ n: 'c' }, { n: 'b', p: 2 }, { n: 'a', p: 1 }] },
      target: { first: [{ n: 'b', p: 2 }, { n: 'c' }, { n: 'a', p: 1 }] } },
    { it: 'items before it without that field stay there, and the others follow it',
      live: { first: [{ n: 'a' }, { n: 'b', p: 1 }, { n: 'c', p: 2 }] },
      desired: { first: [{ n: 'c', p: 2 }, { n: 'b', p: 1 }, { n: 'a' }] },
      target: { first: [{ n: 'a' }, { n: 'c', p: 2 }, { n: 'b', p: 1 }] } },
    { it: 'it may follow items without that field',
      live: { first: [{ n: 'a' }, { n: 'b', p: 2 }, { n: 'c', p: 3 }] },
      desired: { first: [{ n: 'b', p: 2 }, { n: 'c', p: 3 }, { n: 'a' }] } },
    { it: 'the order has no meaning if no declared item has that field',
      live: { first: [{ n: 'a', p: 1 }, { n: 'b' }] },
      desired: { first: [{ n: 'b' }, { n: 'a' }] }, ignore: ['first.a.p'] },
    { it: 'with a duplicate key, an item keeps its unknown fields only if its content is equal',
      live: { items: [{ n: 'a', v: 1, zz: 1 }, { n: 'b', zz: 2 }] },
      desired: { items: [{ n: 'a', v: 2 }, { n: 'a', v: 1 }] },
      target: { items: [{ n: 'a', v: 2 }, { n: 'a', v: 1, zz: 1 }] } },
    { it: 'an item is none of two live ones with its key',
      live: { items: [{ n: 'a', v: 1, zz: 1 }, { n: 'a', v: 2, zz: 2 }] }, desired: { items: [{ n: 'a', v: 3 }] },
      target: { items: [{ n: 'a', v: 3 }] } },
    { it: 'beside a duplicate key, an item with a unique key keeps its unknown fields',
      live: { items: [{ n: 'a', v: 1, zz: 1 }, { n: 'b', v: 1, zz: 2 }, { n: 'a', v: 2, zz: 3 }] },
      desired: { items: [{ n: 'c' }, { n: 'b', v: 2 }] }, target: { items: [{ n: 'c' }, { n: 'b', v: 2, zz: 2 }] } },
  ];

  test.each(cases)('$it', (each) => check(shape, each));
});

describe('sets', () => {
  const link = withFacts(scalar, { link: { to: ['secret'], strength: 'hard' } });
  const shape = object({ set: list('set', scalar), links: list('set', link) });
  test.each<Case>(
    // biome-ignore format: a row is a case
    [
      { it: 'the live order is kept, and new values come last', live: { set: ['c', 'x', 'a'] },
        desired: { set: ['b', 'a', 'c'] }, target: { set: ['c', 'a', 'b'] } },
      { it: 'equal values are written once', live: { set: ['a', 'a', 'b'] }, desired: { set: ['c', 'a', 'c'] },
        target: { set: ['a', 'c'] } },
      { it: 'a duplicate equals a single value', live: { set: ['a', 'a'] }, desired: { set: ['a'] } },
      { it: 'the live spelling is kept', live: { links: ['/org/acme/secret/a', '//secret/b'] },
        desired: { links: ['//secret/c', '//secret/a'] }, target: { links: ['/org/acme/secret/a', '//secret/c'] } },
    ],
  )('$it', (each) => check(shape, each));
});

describe('lists whose order has a meaning', () => {
  const byRegex = withFacts(keyed(object({ n: scalar, r: scalar, v: scalar }), 'stated'), {
    list: { class: 'keyed', key: { parts: [{ fields: ['n'] }], evidence: 'stated' }, sequenceIfAny: ['r'] },
  });
  const shape = object({
    plain: list('sequence', object({ a: scalar, b: scalar })),
    texts: list('sequence', withFacts(scalar, { link: { to: ['secret'], strength: 'hard' } })),
    routes: byRegex,
    chosen: list('sequence', object({ a: scalar, s: service })),
    free: list('sequence', free),
    bare: { type: 'list', item: object({ a: scalar }), facts: {} },
  });
  // biome-ignore format: one case a line
  const rows: readonly Case[] = [
    { it: 'a moved item keeps its unknown fields', live: { plain: [{ a: 1, zz: 1 }, { a: 2, zz: 2 }] },
      desired: { plain: [{ a: 2 }, { a: 1 }] }, target: { plain: [{ a: 2, zz: 2 }, { a: 1, zz: 1 }] } },
    { it: 'an item with other content is another one, even at the same position',
      live: { plain: [{ a: 1, zz: 1 }, { a: 2, zz: 2 }] }, desired: { plain: [{ a: 5 }, { a: 2 }] },
      target: { plain: [{ a: 5 }, { a: 2, zz: 2 }] } },
    { it: 'of two live items with equal content neither is known to be kept: no unknown fields are copied',
      live: { plain: [{ a: 1, zz: 1 }, { a: 2, zz: 2 }, { a: 1, zz: 3 }] },
      desired: { plain: [{ a: 9 }, { a: 2 }, { a: 1 }] }, target: { plain: [{ a: 9 }, { a: 2, zz: 2 }, { a: 1 }] } },
    { it: 'if both are kept, each keeps its own unknown fields',
      live: { plain: [{ a: 1, zz: 1 }, { a: 2, zz: 2 }, { a: 1, zz: 3 }] },
      desired: { plain: [{ a: 9 }, { a: 1 }, { a: 1 }] },
      target: { plain: [{ a: 9 }, { a: 1, zz: 1 }, { a: 1, zz: 3 }] } },
    { it: 'if another declared item can only be one of two possible live ones, neither is known to be kept',
      live: { chosen: [{ a: 1, s: 1, zz: 1 }, { a: 1, s: 2, zz: 2 }] }, desired: { chosen: [{ a: 1 }, { a: 1, s: 1 }] },
      target: { chosen: [{ a: 1 }, { a: 1, s: 1 }] } },
    { it: 'of two completely equal items one is kept', live: { plain: [{ a: 1, zz: 1 }, { a: 1, zz: 1 }] },
      desired: { plain: [{ a: 1 }] }, target: { plain: [{ a: 1, zz: 1 }] } },
    { it: 'each live item is used once', live: { plain: [{ a: 1, zz: 1 }] },
      desired: { plain: [{ a: 2 }, { a: 1 }, { a: 1 }] }, target: { plain: [{ a: 2 }, { a: 1, zz: 1 }, { a: 1 }] } },
    { it: 'a new item is written without its nulls', live: { plain: [{ a: 1 }] },
      desired: { plain: [{ a: 1 }, { a: 2, b: null }] }, target: { plain: [{ a: 1 }, { a: 2 }] } },
    { it: 'fewer items', live: { plain: [{ a: 1 }, { a: 2 }] }, desired: { plain: [{ a: 1 }] },
      target: { plain: [{ a: 1 }] } },
    { it: 'the same items', live: { plain: [{ a: 1 }, { a: 2 }] }, desired: { plain: [{ a: 1 }, { a: 2 }] } },
    { it: 'the live spelling moves with the item', live: { texts: ['/org/acme/secret/a', '/org/acme/secret/b'] },
      desired: { texts: ['//secret/b', '//secret/a', '//secret/c'] },
      target: { texts: ['/org/acme/secret/b', '/org/acme/secret/a', '//secret/c'] } },
    { it: 'a value that stays at its position keeps its spelling',
      live: { texts: ['//secret/a', '/org/acme/secret/a'] }, desired: { texts: ['//secret/b', '//secret/a'] },
      target: { texts: ['//secret/b', '/org/acme/secret/a'] } },
    { it: 'values of any type', live: { free: [1, null] }, desired: { free: ['1', null] },
      target: { free: ['1', null] } },
    { it: 'items of a list whose class is unknown', live: { bare: [{ a: 1, zz: 1 }, { a: 2 }] },
      desired: { bare: [{ a: 2 }, { a: 1 }] }, target: { bare: [{ a: 2 }, { a: 1, zz: 1 }] } },
    { it: 'an item with a key is found by its key',
      live: { routes: [{ n: 'x', r: 1, zz: 1 }, { n: 'y', v: 1, zz: 2 }] },
      desired: { routes: [{ n: 'y', v: 2 }, { n: 'x', r: 1 }] },
      target: { routes: [{ n: 'y', v: 2, zz: 2 }, { n: 'x', r: 1, zz: 1 }] } },
    { it: 'an item without a key is not found, although the live ones have none either',
      live: { routes: [{ r: 1, zz: 1 }, { r: 2, v: 1, zz: 2 }] }, desired: { routes: [{ r: 2, v: 2 }, { r: 3 }] },
      target: { routes: [{ r: 2, v: 2 }, { r: 3 }] } },
  ];

  test.each(rows)('$it', (each) => check(shape, each));
});

describe('no item gets fields of another live item', () => {
  const route = object({ prefix: scalar, regex: scalar, to: scalar, host: scalar });
  const shape = object({
    routes: withFacts(keyed(route, 'proposed'), {
      list: {
        class: 'keyed',
        key: {
          parts: [
            { fields: ['prefix', 'regex'], otherwise: '/' },
            { fields: ['host'], optional: true },
          ],
          evidence: 'proposed',
        },
        sequenceIfAny: ['regex'],
      },
    }),
    bindings: withFacts(list('sequence', object({ may: list('set', scalar), who: list('set', scalar) })), {
      byContent: true,
    }),
    plain: list('sequence', object({ a: scalar, b: scalar })),
    args: list('sequence', scalar),
    items: keyed(object({ n: scalar, v: scalar }), 'stated'),
  });
  test.each<Case>(
    // biome-ignore format: a row is a case
    [
      { it: 'a new route is written as declared, without fields of the one at its position',
        live: { routes: [{ regex: '/y.*', to: 'red', zz: 1 }, { prefix: '/', to: 'blue', zz: 2 }] },
        desired: { routes: [{ prefix: '/c', to: 'green' }, { prefix: '/', to: 'blue' }] }, ignore: ['routes."/c".to'],
        target: { routes: [{ prefix: '/c', to: 'green' }, { prefix: '/', to: 'blue', zz: 2 }] } },
      { it: 'a route beside a regex keeps its ignored value by prefix and host, at any position',
        live: { routes: [{ prefix: '/a', to: 'red' }, { prefix: '/a', host: 'x', to: 'theirs' }] },
        desired: { routes: [{ regex: '/n.*', to: 'new' }, { prefix: '/a', host: 'x', to: 'blue' },
            { prefix: '/a', to: 'red' }] }, ignore: ['routes."/a+x".to'],
        target: { routes: [{ regex: '/n.*', to: 'new' }, { prefix: '/a', host: 'x', to: 'theirs' },
            { prefix: '/a', to: 'red' }] } },
      { it: 'an ignored route beside a regex is not created again',
        live: { routes: [{ regex: '/y.*', to: 'red' }] },
        desired: { routes: [{ prefix: '/d', to: 'blue' }, { regex: '/y.*', to: 'red' }] }, ignore: ['routes."/d"'] },
      { it: 'the order of routes has no meaning because of a regex that is ignored and not live',
        live: { routes: [{ prefix: '/d', to: 'blue' }, { prefix: '/', to: 'red' }] },
        desired: { routes: [{ prefix: '/', to: 'red' }, { prefix: '/d', to: 'blue' }, { regex: '/y.*', to: 'red' }] },
        ignore: ['routes."/y.*"'] },
      { it: 'an ignored route beside a regex keeps its position, whatever its position in the code',
        live: { routes: [{ regex: '/y.*', to: 'red' }, { prefix: '/', to: 'red' }, { prefix: '/b', to: 'theirs' }] },
        desired: { routes: [{ prefix: '/b', to: 'blue' }, { regex: '/y.*', to: 'red' }, { prefix: '/', to: 'red' }] },
        ignore: ['routes."/b"'] },
      { it: 'an ignored route stays between the routes beside it if an earlier one is removed',
        live: { routes: [{ prefix: '/a', to: 'red' }, { regex: '/y.*', to: 'red' }, { prefix: '/b', to: 'theirs' },
            { prefix: '/c', to: 'red' }] },
        desired: { routes: [{ regex: '/y.*', to: 'red' }, { prefix: '/c', to: 'red' }, { prefix: '/b', to: 'blue' }] },
        ignore: ['routes."/b"'],
        target: {
          routes: [{ regex: '/y.*', to: 'red' }, { prefix: '/b', to: 'theirs' }, { prefix: '/c', to: 'red' }] } },
      { it: 'an ignored route stays after two that swap positions, and before new ones after them',
        live: { routes: [{ prefix: '/a', to: 'red' }, { regex: '/y.*', to: 'red' }, { prefix: '/b', to: 'theirs' }] },
        desired: { routes: [{ prefix: '/b', to: 'blue' }, { regex: '/y.*', to: 'red' }, { prefix: '/a', to: 'red' },
            { prefix: '/n', to: 'red' }] }, ignore: ['routes."/b"'],
        target: { routes: [{ regex: '/y.*', to: 'red' }, { prefix: '/a', to: 'red' }, { prefix: '/b', to: 'theirs' },
            { prefix: '/n', to: 'red' }] } },
      { it: 'a prefix does not equal a regex of the same text',
        live: { routes: [{ prefix: '/a', to: 'theirs', zz: 1 }] },
        desired: { routes: [{ regex: '/a', to: 'red' }] }, ignore: ['routes.*.to'],
        target: { routes: [{ regex: '/a', to: 'red' }] } },
      { it: 'a route with another host is another one, even if the host is ignored',
        live: { routes: [{ prefix: '/a', host: 'x', to: 'red', zz: 1 }] },
        desired: { routes: [{ prefix: '/a', host: 'y', to: 'red' }] }, ignore: ['routes.*.host'],
        target: { routes: [{ prefix: '/a', host: 'y', to: 'red' }] } },
      { it: 'a route without a prefix equals the one with the default prefix',
        live: { routes: [{ regex: '/y', to: 'red' }, { prefix: '/', to: 'theirs' }] },
        desired: { routes: [{ to: 'blue' }] }, ignore: ['routes."/".to'], target: { routes: [{ to: 'theirs' }] } },
      { it: 'a member that others added stays in its binding, and gets no rights of another',
        live: { bindings: [{ may: ['view'], who: ['a', 'stranger'] }] },
        desired: { bindings: [{ may: ['manage'], who: ['b'] }, { may: ['view'], who: ['a'] }] },
        ignore: ['bindings.*.who'],
        target: { bindings: [{ may: ['manage'], who: ['b'] }, { may: ['view'], who: ['a', 'stranger'] }] } },
      { it: 'a binding by its position: the one at that position now is another one',
        live: { bindings: [{ may: ['view'], who: ['a', 'stranger'] }] },
        desired: { bindings: [{ may: ['manage'], who: ['b'] }, { may: ['view'], who: ['a'] }] },
        ignore: ['bindings.0.who'],
        target: { bindings: [{ may: ['manage'], who: ['b'] }, { may: ['view'], who: ['a'] }] } },
      { it: 'two bindings for one live one: neither is known to be it, so both are as declared',
        live: { bindings: [{ may: ['view'], who: ['stranger'] }] },
        desired: { bindings: [{ may: ['view'], who: ['a'] }, { may: ['view'], who: ['b'] }] },
        ignore: ['bindings.*.who'],
        target: { bindings: [{ may: ['view'], who: ['a'] }, { may: ['view'], who: ['b'] }] } },
      { it: 'a change of others in an ignored field is no change, in any order of the bindings',
        live: { bindings: [{ may: ['view'], who: ['a', 'x'] }, { may: ['edit'], who: ['b', 'y'] }] },
        desired: { bindings: [{ may: ['view'], who: ['a'] }, { may: ['edit'], who: ['b'] }] },
        ignore: ['bindings.*.who'] },
      { it: 'an item by its position in the manifest keeps its value while its other fields are equal',
        live: { plain: [{ a: 1, b: 9 }, { a: 2, b: 2 }] }, desired: { plain: [{ a: 1, b: 1 }, { a: 3, b: 2 }] },
        ignore: ['plain.0.b'], target: { plain: [{ a: 1, b: 9 }, { a: 3, b: 2 }] } },
      { it: 'an item whose differing value is ignored only in another one is new',
        live: { plain: [{ a: 1, b: 1, zz: 1 }] }, desired: { plain: [{ a: 9 }, { a: 1, b: 2 }] },
        ignore: ['plain.0.b'], target: { plain: [{ a: 9 }, { a: 1, b: 2 }] } },
      { it: 'a whole item of a list without keys is never kept by its position',
        live: { plain: [{ a: 1 }, { a: 2 }], args: ['theirs', 'b'] },
        desired: { plain: [{ a: 3 }, { a: 2 }], args: ['a', 'b'] }, ignore: ['plain.0', 'args.0'],
        target: { plain: [{ a: 3 }, { a: 2 }], args: ['a', 'b'] } },
      { it: 'an item with another key does not replace a completely ignored one',
        live: { items: [{ n: 'a', v: 1 }, { n: 'b', v: 2 }] }, desired: { items: [{ n: 'a', v: 5 }, { n: 'c', v: 3 }] },
        ignore: ['items.*'], target: { items: [{ n: 'a', v: 1 }, { n: 'c', v: 3 }] } },
    ],
  )('$it', (each) => check(shape, each));
});

describe('lists of items identified by their content (bindings of a policy)', () => {
  const item = object({ a: list('set', scalar), b: scalar });
  const shape = object({
    bindings: withFacts(list('sequence', item), { byContent: true }),
    steps: list('sequence', item),
  });
  const [one, two] = [{ a: ['x', 'y'] }, { b: 2 }];
  const oneAgain = { a: ['y', 'x'] };
  test.each<Case>(
    // biome-ignore format: a row is a case
    [
      { it: 'another order has no meaning', live: { bindings: [one, two] }, desired: { bindings: [two, oneAgain] } },
      { it: 'in other lists it has a meaning', live: { steps: [one, two] }, desired: { steps: [two, oneAgain] },
        target: { steps: [two, one] } },
      { it: 'another item is a difference', live: { bindings: [one, two] }, desired: { bindings: [two, { b: 3 }] },
        target: { bindings: [two, { b: 3 }] } },
    ],
  )('$it', (each) => check(shape, each));
});
