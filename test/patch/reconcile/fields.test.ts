import { describe, test } from 'vitest';
import { customShape } from '../../../src/kinds/shapeOf.ts';
import { list, object, scalar, toy, withFacts } from '../toyShape.ts';
import { type Case, check, named, service, seven } from './target.ts';

describe('an object that the manifest leaves out', () => {
  const shape = object({
    o: object({ a: scalar, b: object({ s: service }), s: service, c: seven }),
    probe: withFacts(object({ a: scalar, s: service }), { presence: true }),
  });
  // biome-ignore format: a row is a case
  test.each<Case>([
    { it: 'goes', live: { o: { a: 1 } }, desired: {}, target: {} },
    { it: 'goes with what means nothing', live: { o: { a: 1, c: 7, b: {} } }, desired: {}, target: {} },
    { it: 'keeps what the platform chose', live: { o: { a: 1, b: { s: 2 } } }, desired: {},
      target: { o: { b: { s: 2 } } } },
    { it: 'keeps what the schema does not know', live: { o: { a: 1, zz: 2 } }, desired: {}, target: { o: { zz: 2 } } },
    { it: 'stays where only that is in it', live: { o: { s: 1, zz: 2 } }, desired: {} },
    { it: 'stays where it means nothing', live: { o: { c: 7 } }, desired: {} },
    { it: 'goes as a whole where it is there for a reason', live: { probe: { a: 1, s: 2 } }, desired: {}, target: {} },
    { it: 'goes as a whole where it is none', live: { o: ['x'] }, desired: {}, target: {} },
  ])('$it', (each) => check(shape, each));
});

test.each<Case>([
  { it: 'stays where the manifest does not name it', live: { zz: { a: 1 } }, desired: {} },
  { it: 'becomes what the manifest says', live: { zz: { a: 1 } }, desired: { zz: { b: 2 } }, target: { zz: { b: 2 } } },
  { it: 'stays where the manifest says null', live: { zz: 1 }, desired: { zz: null } },
])('a field that the schema does not know $it', (each) => check(toy, each));

describe('a derived field (platform/concepts.filled)', () => {
  const shape = object({ name: scalar, d: named, o: object({ name: scalar, d: named }) });
  // biome-ignore format: one case a line
  const cases: readonly Case[] = [
    { it: 'stays where it follows', live: { name: 'a', d: 'a' }, desired: { name: 'a' } },
    { it: 'goes where it does not follow', live: { name: 'a', d: 'b' }, desired: { name: 'a' }, target: { name: 'a' } },
    { it: 'stays where it follows from what is changed', live: { name: 'a', d: 'b' }, desired: { name: 'b' },
      target: { name: 'b', d: 'b' } },
    { it: 'goes where it no longer follows', live: { name: 'a', d: 'a' }, desired: { name: 'b' },
      target: { name: 'b' } },
    { it: 'is not written where it follows', live: { name: 'a' }, desired: { name: 'a', d: 'a' } },
    { it: 'is written where it does not follow', live: { name: 'a' }, desired: { name: 'a', d: 'b' },
      target: { name: 'a', d: 'b' } },
    { it: 'follows in a new object from its neighbours there', live: { name: 'a' },
      desired: { name: 'a', o: { name: 'x', d: 'x' } }, target: { name: 'a', o: { name: 'x' } } },
    { it: 'is written in a new object where it follows from others only', live: { name: 'a' },
      desired: { name: 'a', o: { name: 'x', d: 'a' } }, target: { name: 'a', o: { name: 'x', d: 'a' } } },
  ];

  test.each(cases)('$it', (each) => check(shape, each));
});

describe('a choice of the platform that a neighbour excludes', () => {
  const shape = object({
    multi: list('sequence', scalar),
    free: service,
    alone: withFacts(scalar, { fill: 'service', notBeside: ['multi'] }),
    again: withFacts(scalar, { fill: 'service', notBeside: ['multi'], default: 7 }),
  });
  // biome-ignore format: one case a line
  const rows: readonly Case[] = [
    { it: 'goes with the change', live: { alone: 1 }, desired: { multi: [1] }, target: { multi: [1] } },
    { it: 'stays beside an empty one', live: { alone: 1 }, desired: { multi: [] } },
    { it: 'stays where the platform would choose the same', live: { again: 7 }, desired: { multi: [1] },
      target: { again: 7, multi: [1] } },
    { it: 'goes where the platform would choose another', live: { again: 8 }, desired: { multi: [1] },
      target: { multi: [1] } },
    { it: 'stays where nothing excludes it', live: { free: 1 }, desired: { multi: [1] },
      target: { free: 1, multi: [1] } },
    { it: 'stays while nothing changes', live: { alone: 1, multi: [1] }, desired: { multi: [1] } },
    { it: 'stays where the neighbour goes', live: { alone: 1, multi: [1] }, desired: {}, target: { alone: 1 } },
  ];

  test.each(rows)('$it', (each) => check(shape, each));
});

describe('what is known of a custom kind: nothing', () => {
  test.each<Case>(
    // biome-ignore format: a row is a case
    [
      { it: 'objects are merged at any depth', live: { config: { a: 1, deep: { b: 1, c: 1 } } },
        desired: { config: { a: 2, deep: { b: 2 } } }, target: { config: { a: 2, deep: { b: 2, c: 1 } } } },
      { it: 'a list is one value, with its nulls', live: { config: { l: [1, { a: 1, b: 1 }] } },
        desired: { config: { l: [{ a: 2, b: null }] } }, target: { config: { l: [{ a: 2, b: null }] } } },
      { it: 'null adds nothing', live: { config: { a: 1 } }, desired: { config: { a: 1, b: null, deep: { c: null } } },
        target: { config: { a: 1, deep: {} } } },
      { it: 'what the manifest leaves out stays', live: { config: { a: 1, b: [2] } }, desired: { config: { a: 1 } } },
      { it: 'what this stack set goes', live: { config: { a: 1, b: [2] } }, desired: { config: { a: 1 } },
        set: ['config.b'], target: { config: { a: 1 } } },
      { it: 'of an object that is left out, what this stack set goes', live: { config: { a: 1, deep: { b: 1, c: 1 } } },
        desired: {}, set: ['config', 'config.a', 'config.deep', 'config.deep.b'],
        target: { config: { deep: { c: 1 } } } },
      { it: 'an object that is emptied goes', live: { config: { deep: { b: 1 } } }, desired: {}, set: ['config.deep.b'],
        target: {} },
      { it: 'an empty object stays', live: { config: {} }, desired: {} },
      { it: 'an empty object that this stack set goes', live: { config: {} }, desired: {}, set: ['config'],
        target: {} },
    ],
  )('$it', (each) => check(customShape(), each));
});
