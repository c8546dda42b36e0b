import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { recreated } from '../../../src/patch/recreated.ts';
import { context, keyed, list, map, object, scalar, withFacts } from '../toyShape.ts';
import { service } from './target.ts';

const route = object({ n: scalar, r: scalar, v: scalar });
const shape = object({
  a: scalar,
  items: keyed(object({ n: scalar, v: scalar, chosen: service }), 'stated'),
  routes: withFacts(keyed(route, 'stated'), {
    list: { class: 'keyed', key: { parts: [{ fields: ['n'] }], evidence: 'stated' }, sequenceIfAny: ['r'] },
  }),
  merged: withFacts(keyed(object({ n: scalar, v: scalar }), 'stated'), { merged: true }),
  plain: list('sequence', object({ a: scalar, b: scalar })),
  set: list('set', scalar),
  m: map(scalar),
  o: object({ a: scalar, o: object({ a: scalar }) }),
  chosen: service,
  secret: withFacts(object({ a: scalar }), { sensitive: true }),
  answered: withFacts(scalar, { responseOnly: true }),
});

interface Case {
  readonly it: string;
  readonly live: JsonObject;
  readonly declared: JsonObject;
  readonly ignore?: readonly string[];
  /** Absent: what is declared. */
  readonly record?: JsonObject;
  /** With what nobody declares; absent: the same as `record`. */
  readonly whole?: JsonObject;
}

// biome-ignore format: a row is a case
const cases: readonly Case[] = [
  { it: 'what is declared, as it is written', live: { a: 1 }, declared: { a: 2 } },
  { it: 'what the platform chose is chosen again', live: { chosen: 5 }, declared: { a: 1 } },
  { it: 'an ignored value of live', live: { a: 1 }, declared: { a: 2 }, ignore: ['a'], record: { a: 1 } },
  { it: 'an ignored value that live does not hold is the declared one', live: {}, declared: { a: 2 }, ignore: ['a'] },
  { it: 'the ignored value of the item with the same key, wherever it stands',
    live: { items: [{ n: 'x', v: 1 }, { n: 'y', v: 2 }] }, declared: { items: [{ n: 'new', v: 7 }, { n: 'y', v: 8 }] },
    ignore: ['items.*.v'], record: { items: [{ n: 'new', v: 7 }, { n: 'y', v: 2 }] } },
  { it: 'an ignored item that nobody declares here, and no other',
    live: { items: [{ n: 'theirs', v: 1 }, { n: 'gone', v: 1 }, { n: 'x', v: 1 }] },
    declared: { items: [{ n: 'x', v: 2 }] }, ignore: ['items.theirs'],
    record: { items: [{ n: 'x', v: 2 }, { n: 'theirs', v: 1 }] } },
  { it: 'no value of an item that goes is put into the one in its place', live: { items: [{ n: 'x', v: 1 }] },
    declared: { items: [{ n: 'y', v: 2 }] }, ignore: ['items.x.v', 'items.y.v'] },
  { it: 'the same in a list that a field has made a sequence',
    live: { routes: [{ n: 'x', r: 1, v: 1 }, { n: 'y', v: 2 }] },
    declared: { routes: [{ n: 'z', v: 7 }, { n: 'y', v: 8 }] }, ignore: ['routes.*.v'],
    record: { routes: [{ n: 'z', v: 7 }, { n: 'y', v: 2 }] } },
  { it: 'nothing of an item without a key for another one', live: { routes: [{ r: 1, v: 1 }] },
    declared: { routes: [{ r: 2, v: 2 }] }, ignore: ['routes.*.v'] },
  { it: 'items of others in a list of a kind that only its user knows, in their places',
    live: { merged: [{ n: 'theirs', v: 1 }, { n: 'x', v: 2, zz: 4 }] }, declared: { merged: [{ n: 'x', v: 3 }] },
    whole: { merged: [{ n: 'theirs', v: 1 }, { n: 'x', v: 3, zz: 4 }] } },
  { it: 'of a list without keys the item that is the same apart from it', live: { plain: [{ a: 1, b: 9 }] },
    declared: { plain: [{ a: 2, b: 1 }, { a: 1, b: 1 }] }, ignore: ['plain.*.b'],
    record: { plain: [{ a: 2, b: 1 }, { a: 1, b: 9 }] } },
  { it: 'an ignored key of a map, declared or not', live: { m: { x: 1, y: 2, z: 3 } }, declared: { m: { x: 5, z: 6 } },
    ignore: ['m.x', 'm.y'], record: { m: { x: 1, z: 6, y: 2 } } },
  { it: 'what is ignored in an object that is not declared', live: { o: { a: 1, o: { a: 2 } } }, declared: {},
    ignore: ['o.o.a'], record: { o: { o: { a: 2 } } } },
  { it: 'what nobody knows, in objects and in items of the same key, but not in the envelope',
    live: { zz: 1, o: { a: 1, zz: 2 }, items: [{ n: 'x', zz: 3 }, { n: 'y', zz: 4 }] },
    declared: { o: { a: 5 }, items: [{ n: 'y', v: 1 }, { n: 'new' }] },
    whole: { o: { a: 5, zz: 2 }, items: [{ n: 'y', v: 1, zz: 4 }, { n: 'new' }] } },
  { it: 'not what nobody knows in a secret, which may be of another type', live: { secret: { zz: 1 } },
    declared: { secret: { a: 1 } } },
  { it: 'nothing of what only answers hold', live: { answered: 1 }, declared: { a: 1 }, ignore: ['answered'] },
  { it: 'no member of a set', live: { set: ['a', 'b'] }, declared: { set: ['b'] }, ignore: ['set.0'] },
];

describe('a record that is created in the place of another has', () => {
  test.each(cases)('$it', ({ live, declared, ignore = [], record = declared, whole = record }) => {
    expect(recreated(shape, live, declared, { context, ignore })).toStrictEqual({ record, whole });
  });
});
