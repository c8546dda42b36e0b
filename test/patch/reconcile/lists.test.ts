import { describe, test } from 'vitest';
import { free, keyed, list, object, scalar, withFacts } from '../toyShape.ts';
import { type Case, check } from './target.ts';

describe('keyed lists', () => {
  const first = withFacts(keyed(object({ n: scalar, p: scalar, v: scalar }), 'stated'), {
    list: { class: 'keyed', key: { parts: [{ fields: ['n'] }], evidence: 'stated' }, firstWith: ['p'] },
  });
  const shape = object({ items: keyed(object({ n: scalar, v: scalar }), 'stated'), first });
  // biome-ignore format: one case a line
  const cases: readonly Case[] = [
    { it: 'items stay in the live order and keep what is not known; new ones come last',
      live: { items: [{ n: 'a', v: 1, zz: 1 }, { n: 'b' }, { n: 'c', zz: 3 }] },
      desired: { items: [{ n: 'd', v: null }, { n: 'c' }, { n: 'a', v: 2 }] },
      target: { items: [{ n: 'a', v: 2, zz: 1 }, { n: 'c', zz: 3 }, { n: 'd' }] } },
    { it: 'another order means nothing', live: { items: [{ n: 'a' }, { n: 'b' }] },
      desired: { items: [{ n: 'b' }, { n: 'a' }] } },
    { it: 'an item goes', live: { items: [{ n: 'a' }, { n: 'b' }] }, desired: { items: [{ n: 'b' }] },
      target: { items: [{ n: 'b' }] } },
    { it: 'the order means something for the first item with a certain field',
      live: { first: [{ n: 'a', p: 1 }, { n: 'b', p: 2 }, { n: 'c' }] },
      desired: { first: [{ n: 'c' }, { n: 'b', p: 2 }, { n: 'a', p: 1 }] },
      target: { first: [{ n: 'b', p: 2 }, { n: 'c' }, { n: 'a', p: 1 }] } },
    { it: 'what stands before it without that field stays there, and the others go behind it',
      live: { first: [{ n: 'a' }, { n: 'b', p: 1 }, { n: 'c', p: 2 }] },
      desired: { first: [{ n: 'c', p: 2 }, { n: 'b', p: 1 }, { n: 'a' }] },
      target: { first: [{ n: 'a' }, { n: 'c', p: 2 }, { n: 'b', p: 1 }] } },
    { it: 'it may stand behind items without that field',
      live: { first: [{ n: 'a' }, { n: 'b', p: 2 }, { n: 'c', p: 3 }] },
      desired: { first: [{ n: 'b', p: 2 }, { n: 'c', p: 3 }, { n: 'a' }] } },
    { it: 'the order means nothing where no declared item has it', live: { first: [{ n: 'a', p: 1 }, { n: 'b' }] },
      desired: { first: [{ n: 'b' }, { n: 'a' }] }, ignore: ['first.a.p'] },
    { it: 'a key that is there twice: an item keeps what is not known of it where it says the same, and no other does',
      live: { items: [{ n: 'a', v: 1, zz: 1 }, { n: 'b', zz: 2 }] },
      desired: { items: [{ n: 'a', v: 2 }, { n: 'a', v: 1 }] },
      target: { items: [{ n: 'a', v: 2 }, { n: 'a', v: 1, zz: 1 }] } },
    { it: 'beside a key that is there twice, an item whose key is there once keeps its own',
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
      { it: 'the live order stays, and what is new comes last', live: { set: ['c', 'x', 'a'] },
        desired: { set: ['b', 'a', 'c'] }, target: { set: ['c', 'a', 'b'] } },
      { it: 'once is enough', live: { set: ['a', 'a', 'b'] }, desired: { set: ['c', 'a', 'c'] },
        target: { set: ['a', 'c'] } },
      { it: 'twice means the same as once', live: { set: ['a', 'a'] }, desired: { set: ['a'] } },
      { it: 'the live spelling stays', live: { links: ['/org/acme/secret/a', '//secret/b'] },
        desired: { links: ['//secret/c', '//secret/a'] }, target: { links: ['/org/acme/secret/a', '//secret/c'] } },
    ],
  )('$it', (each) => check(shape, each));
});

describe('lists in which the order has a meaning', () => {
  const byRegex = withFacts(keyed(object({ n: scalar, r: scalar, v: scalar }), 'stated'), {
    list: { class: 'keyed', key: { parts: [{ fields: ['n'] }], evidence: 'stated' }, sequenceIfAny: ['r'] },
  });
  const shape = object({
    plain: list('sequence', object({ a: scalar, b: scalar })),
    texts: list('sequence', withFacts(scalar, { link: { to: ['secret'], strength: 'hard' } })),
    routes: byRegex,
    free: list('sequence', free),
  });
  // biome-ignore format: one case a line
  const rows: readonly Case[] = [
    { it: 'an item that moves keeps what is not known of it', live: { plain: [{ a: 1, zz: 1 }, { a: 2, zz: 2 }] },
      desired: { plain: [{ a: 2 }, { a: 1 }] }, target: { plain: [{ a: 2, zz: 2 }, { a: 1, zz: 1 }] } },
    { it: 'an item that says something else is another one, in the same place too',
      live: { plain: [{ a: 1, zz: 1 }, { a: 2, zz: 2 }] }, desired: { plain: [{ a: 5 }, { a: 2 }] },
      target: { plain: [{ a: 5 }, { a: 2, zz: 2 }] } },
    { it: 'of two live items that say the same it is not known which one stays: nothing is taken from either',
      live: { plain: [{ a: 1, zz: 1 }, { a: 2, zz: 2 }, { a: 1, zz: 3 }] },
      desired: { plain: [{ a: 9 }, { a: 2 }, { a: 1 }] }, target: { plain: [{ a: 9 }, { a: 2, zz: 2 }, { a: 1 }] } },
    { it: 'where both of them stay, each keeps its own',
      live: { plain: [{ a: 1, zz: 1 }, { a: 2, zz: 2 }, { a: 1, zz: 3 }] },
      desired: { plain: [{ a: 9 }, { a: 1 }, { a: 1 }] },
      target: { plain: [{ a: 9 }, { a: 1, zz: 1 }, { a: 1, zz: 3 }] } },
    { it: 'of two that are the same throughout, one stays', live: { plain: [{ a: 1, zz: 1 }, { a: 1, zz: 1 }] },
      desired: { plain: [{ a: 1 }] }, target: { plain: [{ a: 1, zz: 1 }] } },
    { it: 'each live item is taken over once', live: { plain: [{ a: 1, zz: 1 }] },
      desired: { plain: [{ a: 2 }, { a: 1 }, { a: 1 }] }, target: { plain: [{ a: 2 }, { a: 1, zz: 1 }, { a: 1 }] } },
    { it: 'what is new is written without its nulls', live: { plain: [{ a: 1 }] },
      desired: { plain: [{ a: 1 }, { a: 2, b: null }] }, target: { plain: [{ a: 1 }, { a: 2 }] } },
    { it: 'fewer items', live: { plain: [{ a: 1 }, { a: 2 }] }, desired: { plain: [{ a: 1 }] },
      target: { plain: [{ a: 1 }] } },
    { it: 'the same items', live: { plain: [{ a: 1 }, { a: 2 }] }, desired: { plain: [{ a: 1 }, { a: 2 }] } },
    { it: 'the live spelling moves along', live: { texts: ['/org/acme/secret/a', '/org/acme/secret/b'] },
      desired: { texts: ['//secret/b', '//secret/a', '//secret/c'] },
      target: { texts: ['/org/acme/secret/b', '/org/acme/secret/a', '//secret/c'] } },
    { it: 'values of any kind', live: { free: [1, null] }, desired: { free: ['1', null] },
      target: { free: ['1', null] } },
    { it: 'an item with a key is found by its key',
      live: { routes: [{ n: 'x', r: 1, zz: 1 }, { n: 'y', v: 1, zz: 2 }] },
      desired: { routes: [{ n: 'y', v: 2 }, { n: 'x', r: 1 }] },
      target: { routes: [{ n: 'y', v: 2, zz: 2 }, { n: 'x', r: 1, zz: 1 }] } },
    { it: 'an item without a key is not, although the live ones have none either',
      live: { routes: [{ r: 1, zz: 1 }, { r: 2, v: 1, zz: 2 }] }, desired: { routes: [{ r: 2, v: 2 }, { r: 3 }] },
      target: { routes: [{ r: 2, v: 2 }, { r: 3 }] } },
  ];

  test.each(rows)('$it', (each) => check(shape, each));
});

describe('nothing of a live item is taken by another one', () => {
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
      { it: 'a new route is written as it is declared, not as the one whose place it has',
        live: { routes: [{ regex: '/y.*', to: 'red', zz: 1 }, { prefix: '/', to: 'blue', zz: 2 }] },
        desired: { routes: [{ prefix: '/c', to: 'green' }, { prefix: '/', to: 'blue' }] }, ignore: ['routes."/c".to'],
        target: { routes: [{ prefix: '/c', to: 'green' }, { prefix: '/', to: 'blue', zz: 2 }] } },
      { it: 'a route beside a regex keeps its ignored value by its prefix and host, wherever it stands',
        live: { routes: [{ prefix: '/a', to: 'red' }, { prefix: '/a', host: 'x', to: 'theirs' }] },
        desired: { routes: [{ regex: '/n.*', to: 'new' }, { prefix: '/a', host: 'x', to: 'blue' },
            { prefix: '/a', to: 'red' }] }, ignore: ['routes."/a+x".to'],
        target: { routes: [{ regex: '/n.*', to: 'new' }, { prefix: '/a', host: 'x', to: 'theirs' },
            { prefix: '/a', to: 'red' }] } },
      { it: 'a route beside a regex that is ignored as a whole is not made again',
        live: { routes: [{ regex: '/y.*', to: 'red' }] },
        desired: { routes: [{ prefix: '/d', to: 'blue' }, { regex: '/y.*', to: 'red' }] }, ignore: ['routes."/d"'] },
      { it: 'the order of routes means nothing for a regex that is ignored and not there',
        live: { routes: [{ prefix: '/d', to: 'blue' }, { prefix: '/', to: 'red' }] },
        desired: { routes: [{ prefix: '/', to: 'red' }, { prefix: '/d', to: 'blue' }, { regex: '/y.*', to: 'red' }] },
        ignore: ['routes."/y.*"'] },
      { it: 'a route beside a regex that is ignored as a whole stays where it is, whatever its place in the code',
        live: { routes: [{ regex: '/y.*', to: 'red' }, { prefix: '/', to: 'red' }, { prefix: '/b', to: 'theirs' }] },
        desired: { routes: [{ prefix: '/b', to: 'blue' }, { regex: '/y.*', to: 'red' }, { prefix: '/', to: 'red' }] },
        ignore: ['routes."/b"'] },
      { it: 'an ignored route stays among its neighbours where another one before it goes',
        live: { routes: [{ prefix: '/a', to: 'red' }, { regex: '/y.*', to: 'red' }, { prefix: '/b', to: 'theirs' },
            { prefix: '/c', to: 'red' }] },
        desired: { routes: [{ regex: '/y.*', to: 'red' }, { prefix: '/c', to: 'red' }, { prefix: '/b', to: 'blue' }] },
        ignore: ['routes."/b"'],
        target: {
          routes: [{ regex: '/y.*', to: 'red' }, { prefix: '/b', to: 'theirs' }, { prefix: '/c', to: 'red' }] } },
      { it: 'an ignored route stays behind both of two that change places, and before what is new behind them',
        live: { routes: [{ prefix: '/a', to: 'red' }, { regex: '/y.*', to: 'red' }, { prefix: '/b', to: 'theirs' }] },
        desired: { routes: [{ prefix: '/b', to: 'blue' }, { regex: '/y.*', to: 'red' }, { prefix: '/a', to: 'red' },
            { prefix: '/n', to: 'red' }] }, ignore: ['routes."/b"'],
        target: { routes: [{ regex: '/y.*', to: 'red' }, { prefix: '/a', to: 'red' }, { prefix: '/b', to: 'theirs' },
            { prefix: '/n', to: 'red' }] } },
      { it: 'a prefix is no regex of the same text', live: { routes: [{ prefix: '/a', to: 'theirs', zz: 1 }] },
        desired: { routes: [{ regex: '/a', to: 'red' }] }, ignore: ['routes.*.to'],
        target: { routes: [{ regex: '/a', to: 'red' }] } },
      { it: 'a route without a prefix is the one of the prefix that is meant then',
        live: { routes: [{ regex: '/y', to: 'red' }, { prefix: '/', to: 'theirs' }] },
        desired: { routes: [{ to: 'blue' }] }, ignore: ['routes."/".to'], target: { routes: [{ to: 'theirs' }] } },
      { it: 'a member that a stranger added stays in its binding, and gets the rights of no other',
        live: { bindings: [{ may: ['view'], who: ['a', 'stranger'] }] },
        desired: { bindings: [{ may: ['manage'], who: ['b'] }, { may: ['view'], who: ['a'] }] },
        ignore: ['bindings.*.who'],
        target: { bindings: [{ may: ['manage'], who: ['b'] }, { may: ['view'], who: ['a', 'stranger'] }] } },
      { it: 'a binding by its position: the one in that place now is another one',
        live: { bindings: [{ may: ['view'], who: ['a', 'stranger'] }] },
        desired: { bindings: [{ may: ['manage'], who: ['b'] }, { may: ['view'], who: ['a'] }] },
        ignore: ['bindings.0.who'],
        target: { bindings: [{ may: ['manage'], who: ['b'] }, { may: ['view'], who: ['a'] }] } },
      { it: 'two bindings for one live one: which of them it is is not known, so both are as declared',
        live: { bindings: [{ may: ['view'], who: ['stranger'] }] },
        desired: { bindings: [{ may: ['view'], who: ['a'] }, { may: ['view'], who: ['b'] }] },
        ignore: ['bindings.*.who'],
        target: { bindings: [{ may: ['view'], who: ['a'] }, { may: ['view'], who: ['b'] }] } },
      { it: 'what others changed in an ignored field is no change, in any order of the bindings',
        live: { bindings: [{ may: ['view'], who: ['a', 'x'] }, { may: ['edit'], who: ['b', 'y'] }] },
        desired: { bindings: [{ may: ['view'], who: ['a'] }, { may: ['edit'], who: ['b'] }] },
        ignore: ['bindings.*.who'] },
      { it: 'an item by its position in the manifest keeps its value, as long as the rest of it is the same',
        live: { plain: [{ a: 1, b: 9 }, { a: 2, b: 2 }] }, desired: { plain: [{ a: 1, b: 1 }, { a: 3, b: 2 }] },
        ignore: ['plain.0.b'], target: { plain: [{ a: 1, b: 9 }, { a: 3, b: 2 }] } },
      { it: 'a whole item of a list without keys is never kept by its position',
        live: { plain: [{ a: 1 }, { a: 2 }], args: ['theirs', 'b'] },
        desired: { plain: [{ a: 3 }, { a: 2 }], args: ['a', 'b'] }, ignore: ['plain.0', 'args.0'],
        target: { plain: [{ a: 3 }, { a: 2 }], args: ['a', 'b'] } },
      { it: 'an item of another key does not stand for it where all of an item is ignored',
        live: { items: [{ n: 'a', v: 1 }, { n: 'b', v: 2 }] }, desired: { items: [{ n: 'a', v: 5 }, { n: 'c', v: 3 }] },
        ignore: ['items.*'], target: { items: [{ n: 'a', v: 1 }, { n: 'c', v: 3 }] } },
    ],
  )('$it', (each) => check(shape, each));
});

describe('lists of which an item is what it says (bindings of a policy)', () => {
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
      { it: 'another order means nothing', live: { bindings: [one, two] }, desired: { bindings: [two, oneAgain] } },
      { it: 'elsewhere it does', live: { steps: [one, two] }, desired: { steps: [two, oneAgain] },
        target: { steps: [two, one] } },
      { it: 'another item is one', live: { bindings: [one, two] }, desired: { bindings: [two, { b: 3 }] },
        target: { bindings: [two, { b: 3 }] } },
    ],
  )('$it', (each) => check(shape, each));
});
