import { describe, test } from 'vitest';
import { customShape } from '../../../src/kinds/shapeOf.ts';
import { onlyNamed } from '../../../src/schema/record/customKinds.ts';
import { list, object, scalar, toy, withFacts } from '../toyShape.ts';
import { type Case, check, named, service, seven } from './target.ts';

describe('an object that the manifest omits', () => {
  const shape = object({
    o: object({ a: scalar, b: object({ s: service }), s: service, c: seven }),
    probe: withFacts(object({ a: scalar, s: service }), { presence: true }),
  });
  // biome-ignore format: a row is a case
  test.each<Case>([
    { it: 'is removed', live: { o: { a: 1 } }, desired: {}, target: {} },
    { it: 'is removed with fields that mean nothing', live: { o: { a: 1, c: 7, b: {} } }, desired: {}, target: {} },
    { it: 'keeps values that the platform chose', live: { o: { a: 1, b: { s: 2 } } }, desired: {},
      target: { o: { b: { s: 2 } } } },
    { it: 'keeps unknown fields', live: { o: { a: 1, zz: 2 } }, desired: {}, target: { o: { zz: 2 } } },
    { it: 'stays if it contains nothing else', live: { o: { s: 1, zz: 2 } }, desired: {} },
    { it: 'stays if it means nothing', live: { o: { c: 7 } }, desired: {} },
    { it: 'is removed whole if its presence has a meaning', live: { probe: { a: 1, s: 2 } }, desired: {}, target: {} },
    { it: 'is removed whole if it is not an object', live: { o: ['x'] }, desired: {}, target: {} },
  ])('$it', (each) => check(shape, each));
});

test.each<Case>([
  { it: 'stays if the manifest omits it', live: { zz: { a: 1 } }, desired: {} },
  { it: 'becomes the declared value', live: { zz: { a: 1 } }, desired: { zz: { b: 2 } }, target: { zz: { b: 2 } } },
  { it: 'stays if the manifest has null', live: { zz: 1 }, desired: { zz: null } },
])('an unknown field $it', (each) => check(toy, each));

describe('a derived field (platform/concepts.filled)', () => {
  const shape = object({ name: scalar, d: named, o: object({ name: scalar, d: named }) });
  // biome-ignore format: one case a line
  const cases: readonly Case[] = [
    { it: 'stays if it follows', live: { name: 'a', d: 'a' }, desired: { name: 'a' } },
    { it: 'is removed if it does not follow',
      live: { name: 'a', d: 'b' }, desired: { name: 'a' }, target: { name: 'a' } },
    { it: 'stays if it follows the changed source', live: { name: 'a', d: 'b' }, desired: { name: 'b' },
      target: { name: 'b', d: 'b' } },
    { it: 'is removed if it no longer follows', live: { name: 'a', d: 'a' }, desired: { name: 'b' },
      target: { name: 'b' } },
    { it: 'is not written if it follows', live: { name: 'a' }, desired: { name: 'a', d: 'a' } },
    { it: 'is written if it does not follow', live: { name: 'a' }, desired: { name: 'a', d: 'b' },
      target: { name: 'a', d: 'b' } },
    { it: 'follows in a new object the fields beside it', live: { name: 'a' },
      desired: { name: 'a', o: { name: 'x', d: 'x' } }, target: { name: 'a', o: { name: 'x' } } },
    { it: 'is written in a new object if it follows only fields elsewhere', live: { name: 'a' },
      desired: { name: 'a', o: { name: 'x', d: 'a' } }, target: { name: 'a', o: { name: 'x', d: 'a' } } },
  ];

  test.each(cases)('$it', (each) => check(shape, each));
});

describe('a value that the platform chose and another field excludes', () => {
  const shape = object({
    multi: list('sequence', scalar),
    free: service,
    alone: withFacts(scalar, { fill: 'service', notBeside: ['multi'] }),
    again: withFacts(scalar, { fill: 'service', notBeside: ['multi'], default: 7 }),
  });
  // biome-ignore format: one case a line
  const rows: readonly Case[] = [
    { it: 'is removed with the change', live: { alone: 1 }, desired: { multi: [1] }, target: { multi: [1] } },
    { it: 'stays beside an empty one', live: { alone: 1 }, desired: { multi: [] } },
    { it: 'stays if the platform would choose the same', live: { again: 7 }, desired: { multi: [1] },
      target: { again: 7, multi: [1] } },
    { it: 'is removed if the platform would choose another', live: { again: 8 }, desired: { multi: [1] },
      target: { multi: [1] } },
    { it: 'stays if no field excludes it', live: { free: 1 }, desired: { multi: [1] },
      target: { free: 1, multi: [1] } },
    { it: 'stays without changes', live: { alone: 1, multi: [1] }, desired: { multi: [1] } },
    { it: 'stays if the other field is removed', live: { alone: 1, multi: [1] }, desired: {}, target: { alone: 1 } },
  ];

  test.each(rows)('$it', (each) => check(shape, each));
});

describe('a custom kind without a schema', () => {
  test.each<Case>(
    // biome-ignore format: a row is a case
    [
      { it: 'objects are merged at any depth', live: { config: { a: 1, deep: { b: 1, c: 1 } } },
        desired: { config: { a: 2, deep: { b: 2 } } }, target: { config: { a: 2, deep: { b: 2, c: 1 } } } },
      { it: 'a list is one value, including its nulls', live: { config: { l: [1, { a: 1, b: 1 }] } },
        desired: { config: { l: [{ a: 2, b: null }] } }, target: { config: { l: [{ a: 2, b: null }] } } },
      { it: 'null adds nothing', live: { config: { a: 1 } }, desired: { config: { a: 1, b: null, deep: { c: null } } },
        target: { config: { a: 1, deep: {} } } },
      { it: 'undeclared fields stay', live: { config: { a: 1, b: [2] } }, desired: { config: { a: 1 } } },
      { it: 'fields that this stack set are removed', live: { config: { a: 1, b: [2] } }, desired: { config: { a: 1 } },
        set: ['config.b'], target: { config: { a: 1 } } },
      { it: 'fields that this stack set in an omitted object are removed',
        live: { config: { a: 1, deep: { b: 1, c: 1 } } },
        desired: {}, set: ['config', 'config.a', 'config.deep', 'config.deep.b'],
        target: { config: { deep: { c: 1 } } } },
      { it: 'an object that becomes empty is removed',
        live: { config: { deep: { b: 1 } } }, desired: {}, set: ['config.deep.b'],
        target: {} },
      { it: 'an empty object stays', live: { config: {} }, desired: {} },
      { it: 'an empty object that this stack set is removed', live: { config: {} }, desired: {}, set: ['config'],
        target: {} },
    ],
  )('$it', (each) => check(customShape(), each));

  test.each<Case>(
    // biome-ignore format: a row is a case
    [
      { it: 'undeclared items stay', live: { rules: [{ n: 'a' }, { n: 'b' }] }, desired: { rules: [{ n: 'b' }] } },
      { it: 'items that this stack set are removed', live: { rules: [{ n: 'a' }, { n: 'b' }] },
        desired: { rules: [{ n: 'b' }] }, set: ['rules.a.n'], target: { rules: [{ n: 'b' }] } },
      { it: 'items that this stack set stay under lifecycle.ignore', live: { rules: [{ n: 'a' }, { n: 'b' }] },
        desired: { rules: [{ n: 'b' }] }, set: ['rules.a.n'], ignore: ['rules.*'] },
      { it: 'an empty list stays', live: { rules: [] }, desired: {} },
      { it: 'an empty list that this stack set is removed', live: { rules: [] }, desired: {}, set: ['rules'],
        target: {} },
    ],
  )('of which the key of a list is known: $it', (each) => {
    check(customShape({ ...onlyNamed, listKeys: { rules: 'n' } }), each);
  });
});
