import { describe, test } from 'vitest';
import { object, scalar, toy, withFacts } from '../toyShape.ts';
import { type Case, check } from './target.ts';

describe('maps: every key belongs to the manifest', () => {
  test.each<Case>(
    // biome-ignore format: a row is a case
    [
      { it: 'an undeclared key is removed', live: { m: { a: 1, b: 2 } }, desired: { m: { b: 2 } },
        target: { m: { b: 2 } } },
      { it: 'null is no value', live: { m: { a: 1 } }, desired: { m: { a: null } }, target: { m: {} } },
      { it: 'null adds nothing', live: { m: {} }, desired: { m: { a: null } } },
      { it: 'an empty value is added', live: { maps: {} }, desired: { maps: { x: {} } }, target: { maps: { x: {} } } },
      { it: 'an empty value is removed', live: { maps: { x: {} } }, desired: { maps: {} }, target: { maps: {} } },
      { it: 'an ignored key stays', live: { m: { a: 1, b: 2 } }, desired: { m: { b: 2 } }, ignore: ['m.a'] },
      { it: 'an ignored key is not added', live: { m: {} }, desired: { m: { a: 1 } }, ignore: ['m.a'] },
      { it: 'an ignored key of an omitted map stays', live: { m: { a: 1, b: 2 } }, desired: {},
        ignore: ['m.a'], target: { m: { a: 1 } } },
      { it: 'a value with an ignored field keeps that field', live: { maps: { x: { a: 1, b: 2 }, y: { a: 3 } } },
        desired: { maps: {} }, ignore: ['maps.x.a'], target: { maps: { x: { a: 1 } } } },
    ],
  )('$it', (each) => check(toy, each));
});

describe('lifecycle.ignore', () => {
  // biome-ignore format: one case a line
  const cases: readonly Case[] = [
    { it: 'a malformed path matches nothing', live: { a: 1 }, desired: { a: 2 }, ignore: ['a..b', '"a'],
      target: { a: 2 } },
    { it: 'a path matches only the field of its name', live: { a: 1, m: { undefined: 1 } },
      desired: { a: 2, m: { undefined: 2 } }, ignore: ['undefined', 'm.undefined'],
      target: { a: 2, m: { undefined: 1 } } },
    { it: 'of two paths the outer one counts', live: { o: { a: 1, o: { a: 1 } } },
      desired: { o: { a: 2, o: { a: 2 } } }, ignore: ['o.o.a', 'o'] },
    { it: 'free-form JSON is managed except for the path, and null is a value there',
      live: { free: { x: 1, y: 1, b: 1 } },
      desired: { free: { x: 2, y: null, z: null } }, ignore: ['free.x'], target: { free: { x: 1, y: null, z: null } } },
    { it: 'the ignored part of omitted free-form JSON stays',
      live: { free: { x: { a: 1, b: [2] }, y: 1 } }, desired: {},
      ignore: ['free.x.b'], target: { free: { x: { b: [2] } } } },
    { it: 'nothing stays if the path leads into a plain value', live: { free: { x: 1, y: 1 } }, desired: {},
      ignore: ['free.x.b'], target: {} },
    { it: 'a new object is written without it', live: {},
      desired: { o: { a: 1, b: 2, o: { a: 3, m: { x: 4, y: 5 } } } }, ignore: ['o.a', 'o.o.m.x'],
      target: { o: { b: 2, o: { a: 3, m: { y: 5 } } } } },
    { it: 'a new object with nothing else is not written', live: {}, desired: { o: { o: { a: 3 } } },
      ignore: ['o.o.a'] },
    { it: 'an object in a new object is omitted if it contains nothing else',
      live: {}, desired: { o: { b: 1, o: { a: 3 } } },
      ignore: ['o.o.a'], target: { o: { b: 1 } } },
    { it: 'an item of an existing list by its key: its position matches nothing',
      live: { items: [{ n: 'x', v: 1 }, { n: 'y', v: 1 }, { n: 'z', v: 1 }] },
      desired: { items: [{ n: 'x', v: 2 }, { n: 'y', v: 2 }, { n: 'z', v: 2 }] }, ignore: ['items.x.v', 'items.2.v'],
      target: { items: [{ n: 'x', v: 1 }, { n: 'y', v: 2 }, { n: 'z', v: 2 }] } },
    { it: 'an ignored undeclared item keeps its position; others are removed',
      live: { items: [{ n: 'x', v: 1 }, { n: 'gone', v: 1 }, { n: 'theirs', v: 1 }, { n: 'y', v: 1 }] },
      desired: { items: [{ n: 'x', v: 2 }, { n: 'y', v: 1 }] }, ignore: ['items.theirs'],
      target: { items: [{ n: 'x', v: 2 }, { n: 'theirs', v: 1 }, { n: 'y', v: 1 }] } },
    { it: 'an ignored item is not added to an absent list', live: {}, desired: { items: [{ n: 'x' }, { n: 'y' }] },
      ignore: ['items.x'], target: { items: [{ n: 'y' }] } },
    { it: 'an undeclared item is removed despite an ignored field',
      live: { items: [{ n: 'x', v: 1 }, { n: 'gone', v: 1 }] }, desired: { items: [{ n: 'x', v: 1 }] },
      ignore: ['items.gone.v'], target: { items: [{ n: 'x', v: 1 }] } },
  ];

  test.each(cases)('$it', (each) => check(toy, each));
});

describe('an object whose presence has a meaning', () => {
  const shape = object({ probe: withFacts(object({ a: scalar, b: scalar }), { presence: true }) });
  test.each<Case>(
    // biome-ignore format: a row is a case
    [
      { it: 'is not written for its ignored fields alone', live: {}, desired: { probe: { a: 1 } },
        ignore: ['probe.a'] },
      { it: 'is written for the other fields', live: {}, desired: { probe: { a: 1, b: 2 } }, ignore: ['probe.a'],
        target: { probe: { b: 2 } } },
    ],
  )('$it', (each) => check(shape, each));
});
