import { expect, test } from 'vitest';
import { applyPatch } from '../../src/patch/apply/applyPatch.ts';
import { firstProven, type Writer } from '../../src/patch/firstProven.ts';
import { replaceFields } from '../../src/patch/write/replaceFields.ts';
import type { JsonObject } from '../../src/schema/json/json.ts';
import { shapeOf } from '../../src/schema/shape/shapeOf.ts';

test.each([
  { it: 'nothing differs', live: { a: 1 }, target: { a: 1 }, patch: undefined },
  {
    it: 'nothing but the order of fields differs',
    live: { a: { x: 1, y: 2 } },
    target: { a: { y: 2, x: 1 } },
    patch: undefined,
  },
  { it: 'one is added', live: { a: 1 }, target: { a: 1, b: [2] }, patch: { '$replace/b': [2] } },
  { it: 'one is changed inside', live: { a: { x: 1 } }, target: { a: { x: 2 } }, patch: { '$replace/a': { x: 2 } } },
  { it: 'two are gone', live: { a: 1, b: 2, c: 3 }, target: { b: 2 }, patch: { $drop: ['a', 'c'] } },
  {
    it: 'one is gone and one is changed',
    live: { a: 1, b: 2 },
    target: { b: 3 },
    patch: { $drop: ['a'], '$replace/b': 3 },
  },
  { it: 'a value is null', live: { a: 1 }, target: { a: null }, patch: { '$replace/a': null } },
])('every field that differs as a whole: $it', ({ live, target, patch }) => {
  expect(replaceFields(live, target)).toEqual(patch);
});

test('what it writes makes the record into the target (platform/patch.directives)', () => {
  const live = { name: 'readers', description: 'old', tags: { a: '1' }, memberLinks: ['//user/a'] };
  const target = { name: 'readers', tags: { b: '2' }, memberLinks: ['//user/b', '//user/a'] };
  const patch = replaceFields(live, target) ?? {};
  const applied = applyPatch(shapeOf('group', live), live, patch, { org: 'local' });
  expect(applied).toMatchObject({ ok: true, record: target });
  expect(applied.ok && Object.keys(applied.record).sort()).toEqual(['memberLinks', 'name', 'tags']);
});

/** Writers of patches `{ n: 1 }`, `{ n: 2 }`, …, and who was asked. */
function writers(...patches: readonly (JsonObject | undefined)[]) {
  const asked: number[] = [];
  const all: readonly Writer[] = patches.map((patch, index) => () => {
    asked.push(index);
    return patch;
  });
  return { all, asked };
}

test.each([
  { it: 'the first that proves', patches: [{ n: 1 }, { n: 2 }], proving: 1, chosen: { n: 1 }, asked: [0] },
  {
    it: 'the next, where it does not',
    patches: [{ n: 1 }, { n: 2 }, { n: 3 }],
    proving: 2,
    chosen: { n: 2 },
    asked: [0, 1],
  },
  {
    it: 'none, where there is nothing to change',
    patches: [undefined, { n: 2 }],
    proving: 2,
    chosen: undefined,
    asked: [0],
  },
  {
    it: 'none, where the next finds nothing to change',
    patches: [{ n: 1 }, undefined],
    proving: 2,
    chosen: undefined,
    asked: [0, 1],
  },
])('of several patches $it', ({ patches, proving, chosen, asked }) => {
  const given = writers(...patches);
  expect(firstProven(given.all, (patch) => patch['n'] === proving, 'none')).toEqual(chosen);
  expect(given.asked).toEqual(asked);
});

test('where no patch proves, nothing is sent: it is an error', () => {
  const given = writers({ n: 1 }, { n: 2 });
  expect(() => firstProven(given.all, () => false, 'no patch leads there')).toThrow('no patch leads there');
  expect(given.asked).toEqual([0, 1]);
});
