import { describe, test } from 'vitest';
import { keyed, list, object, scalar, withFacts } from '../toyShape.ts';
import { type Case, check, named, service, seven, switched } from './target.ts';

describe('a new value is written without fields equal to the meaning of their absence', () => {
  const item = object({ n: seven, v: seven, s: service, name: scalar, d: named });
  const shape = object({
    c: seven,
    s: service,
    off: switched,
    o: object({ c: seven, s: service, off: switched, a: scalar, set: list('set', scalar), deep: object({ c: seven }) }),
    here: withFacts(object({ c: seven }), { presence: true }),
    items: keyed(item, 'stated'),
    plain: list('sequence', item),
    unclassed: { type: 'list', item, facts: {} },
  });
  // biome-ignore format: one case a line
  const cases: readonly Case[] = [
    { it: 'a default', live: {}, desired: { c: 7, off: false, o: {}, items: [] } },
    { it: 'a value that is not the default is written', live: {}, desired: { c: 8, s: 1 }, target: { c: 8, s: 1 } },
    { it: 'defaults inside of an object', live: {},
      desired: { o: { a: 1, c: 7, s: 2, off: false, set: [], deep: { c: 7 } } }, target: { o: { a: 1, s: 2 } } },
    { it: 'an object with only defaults', live: {}, desired: { o: { c: 7, deep: { c: 7 } } } },
    { it: 'not an object whose presence has a meaning', live: {}, desired: { here: { c: 7 } }, target: { here: {} } },
    { it: 'not an unknown field', live: {}, desired: { o: { c: 7, zz: {} } }, target: { o: { zz: {} } } },
    { it: 'an item keeps its key', live: {}, desired: { items: [{ n: 7, v: 7, s: 1 }] },
      target: { items: [{ n: 7, s: 1 }] } },
    { it: 'an item added to others keeps its key', live: { items: [{ n: 1, v: 2 }] },
      desired: { items: [{ n: 7, v: 7, name: 'x', d: 'x' }, { n: 1, v: 2 }] },
      target: { items: [{ n: 1, v: 2 }, { n: 7, name: 'x' }] } },
    { it: 'an item without a key has no field to keep', live: {}, desired: { plain: [{ n: 7, v: 7, s: 1 }, { v: 8 }] },
      target: { plain: [{ s: 1 }, { v: 8 }] } },
    { it: 'an item of a list of an unknown type has no field to keep',
      live: {}, desired: { unclassed: [{ n: 7, v: 8 }] },
      target: { unclassed: [{ v: 8 }] } },
  ];

  test.each(cases)('$it', (each) => check(shape, each));
});
