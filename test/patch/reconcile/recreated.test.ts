import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { recreated } from '../../../src/patch/recreated.ts';
import { context, free, keyed, list, map, object, scalar, withFacts } from '../toyShape.ts';
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
  free,
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
  /** Absent if it equals the declared record. */
  readonly record?: JsonObject;
  /** With undeclared fields; absent if it equals `record`. */
  readonly whole?: JsonObject;
}

// biome-ignore format: a row is a case
const cases: readonly Case[] = [
  { it: 'the declared values, as written', live: { a: 1 }, declared: { a: 2 } },
  { it: 'no value that the platform chose', live: { chosen: 5 }, declared: { a: 1 } },
  { it: 'none in an item either', live: { items: [{ n: 'x', chosen: 5 }] }, declared: { items: [{ n: 'x' }] } },
  { it: 'free-form JSON as declared', live: { free: [{ a: 1 }] }, declared: { free: [{ a: 2 }] } },
  { it: 'an ignored live value', live: { a: 1 }, declared: { a: 2 }, ignore: ['a'], record: { a: 1 } },
  { it: 'the declared value of an ignored field that is not live', live: {}, declared: { a: 2 }, ignore: ['a'] },
  { it: 'the ignored value of the item with the same key, at any position',
    live: { items: [{ n: 'x', v: 1 }, { n: 'y', v: 2 }] }, declared: { items: [{ n: 'new', v: 7 }, { n: 'y', v: 8 }] },
    ignore: ['items.*.v'], record: { items: [{ n: 'new', v: 7 }, { n: 'y', v: 2 }] } },
  { it: 'an ignored undeclared item, and no other',
    live: { items: [{ n: 'theirs', v: 1 }, { n: 'gone', v: 1 }, { n: 'x', v: 1 }] },
    declared: { items: [{ n: 'x', v: 2 }] }, ignore: ['items.theirs'],
    record: { items: [{ n: 'x', v: 2 }, { n: 'theirs', v: 1 }] } },
  { it: 'no value of a removed item in the one at its position', live: { items: [{ n: 'x', v: 1 }] },
    declared: { items: [{ n: 'y', v: 2 }] }, ignore: ['items.x.v', 'items.y.v'] },
  { it: 'the same in a list that a field makes a sequence',
    live: { routes: [{ n: 'x', r: 1, v: 1 }, { n: 'y', v: 2 }] },
    declared: { routes: [{ n: 'z', v: 7 }, { n: 'y', v: 8 }] }, ignore: ['routes.*.v'],
    record: { routes: [{ n: 'z', v: 7 }, { n: 'y', v: 2 }] } },
  { it: 'no field of an item without a key for another one', live: { routes: [{ r: 1, v: 1 }] },
    declared: { routes: [{ r: 2, v: 2 }] }, ignore: ['routes.*.v'] },
  { it: 'items of others in a list of a custom kind, at their positions',
    live: { merged: [{ n: 'theirs', v: 1 }, { n: 'x', v: 2, zz: 4 }] }, declared: { merged: [{ n: 'x', v: 3 }] },
    whole: { merged: [{ n: 'theirs', v: 1 }, { n: 'x', v: 3, zz: 4 }] } },
  { it: 'in a list without keys, values of the item that is otherwise equal', live: { plain: [{ a: 1, b: 9 }] },
    declared: { plain: [{ a: 2, b: 1 }, { a: 1, b: 1 }] }, ignore: ['plain.*.b'],
    record: { plain: [{ a: 2, b: 1 }, { a: 1, b: 9 }] } },
  { it: 'an ignored key of a map, declared or not', live: { m: { x: 1, y: 2, z: 3 } }, declared: { m: { x: 5, z: 6 } },
    ignore: ['m.x', 'm.y'], record: { m: { x: 1, z: 6, y: 2 } } },
  { it: 'an ignored field of an undeclared object', live: { o: { a: 1, o: { a: 2 } } }, declared: {},
    ignore: ['o.o.a'], record: { o: { o: { a: 2 } } } },
  { it: 'an ignored field of an object that is declared as absent', live: { o: { a: 1, o: { a: 2 } } },
    declared: { o: null }, ignore: ['o.o.a'], record: { o: { o: { a: 2 } } } },
  { it: 'null for an object that is declared as absent', live: { o: { a: 1 } }, declared: { o: null } },
  { it: 'unknown fields in objects and in items of the same key, but not in the envelope',
    live: { zz: 1, o: { a: 1, zz: 2 }, items: [{ n: 'x', zz: 3 }, { n: 'y', zz: 4 }] },
    declared: { o: { a: 5 }, items: [{ n: 'y', v: 1 }, { n: 'new' }] },
    whole: { o: { a: 5, zz: 2 }, items: [{ n: 'y', v: 1, zz: 4 }, { n: 'new' }] } },
  { it: 'no unknown fields of a secret, which may have another type', live: { secret: { zz: 1 } },
    declared: { secret: { a: 1 } } },
  { it: 'no read-only field', live: { answered: 1 }, declared: { a: 1 }, ignore: ['answered'] },
  { it: 'no member of a set', live: { set: ['a', 'b'] }, declared: { set: ['b'] }, ignore: ['set.0'] },
];

describe('a record that replaces another has', () => {
  test.each(cases)('$it', ({ live, declared, ignore = [], record = declared, whole = record }) => {
    const found = recreated(shape, live, declared, { context, ignore });
    expect(found).toStrictEqual({ record, whole });
    if (whole === declared) expect(found.whole).toBe(found.record);
  });
});
