import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { normalise } from '../../src/kinds/normalise.ts';
import { shapeOf } from '../../src/kinds/shapeOf.ts';
import { applyPatch } from '../../src/patch/applyPatch.ts';
import { firstProven, leadsTo, replaceFields, type Writer, writersOf } from '../../src/patch/diff.ts';
import type { Directives } from '../../src/patch/writePatch.ts';

test.each(
  // biome-ignore format: a row is a case
  [
    { it: 'nothing differs', live: { a: 1 }, target: { a: 1 }, patch: undefined },
    { it: 'only the order of fields differs', live: { a: { x: 1, y: 2 } }, target: { a: { y: 2, x: 1 } },
      patch: undefined },
    { it: 'one is added', live: { a: 1 }, target: { a: 1, b: [2] }, patch: { '$replace/b': [2] } },
    { it: 'one is changed inside', live: { a: { x: 1 } }, target: { a: { x: 2 } }, patch: { '$replace/a': { x: 2 } } },
    { it: 'two are removed', live: { a: 1, b: 2, c: 3 }, target: { b: 2 }, patch: { $drop: ['a', 'c'] } },
    { it: 'one is removed and one is changed', live: { a: 1, b: 2 }, target: { b: 3 },
      patch: { $drop: ['a'], '$replace/b': 3 } },
    { it: 'a value is null', live: { a: 1 }, target: { a: null }, patch: { '$replace/a': null } },
  ],
)('every differing field is written whole: $it', ({ live, target, patch }) => {
  expect(replaceFields(live, target)).toEqual(patch);
});

test('the result of the patch is the target (platform/patch.directives)', () => {
  const live = { name: 'readers', description: 'old', tags: { a: '1' }, memberLinks: ['//user/a'] };
  const target = { name: 'readers', tags: { b: '2' }, memberLinks: ['//user/b', '//user/a'] };
  const patch = replaceFields(live, target) ?? {};
  const applied = applyPatch(shapeOf('group', live), live, patch, { org: 'local' });
  expect(applied).toMatchObject({ ok: true, record: target });
  expect(applied.ok && Object.keys(applied.record).sort()).toEqual(['memberLinks', 'name', 'tags']);
});

/** Writers of patches `{ n: 1 }`, `{ n: 2 }`, …, and the ones that were called. */
function writers(...patches: readonly (JsonObject | undefined)[]) {
  const asked: number[] = [];
  const all: readonly Writer[] = patches.map((patch, index) => () => {
    asked.push(index);
    return patch;
  });
  return { all, asked };
}

test.each(
  // biome-ignore format: a row is a case
  [
    { it: 'the first proven one is chosen', patches: [{ n: 1 }, { n: 2 }], proving: 1, chosen: { n: 1 }, asked: [0] },
    { it: 'the next one is chosen if the first is not proven',
      patches: [{ n: 1 }, { n: 2 }, { n: 3 }], proving: 2, chosen: { n: 2 },
      asked: [0, 1] },
    { it: 'none is chosen if nothing changes', patches: [undefined, { n: 2 }], proving: 2, chosen: undefined,
      asked: [0] },
    { it: 'none is chosen if the next one has nothing to change',
      patches: [{ n: 1 }, undefined], proving: 2, chosen: undefined,
      asked: [0, 1] },
  ],
)('of several patches $it', ({ patches, proving, chosen, asked }) => {
  const given = writers(...patches);
  expect(firstProven(given.all, (patch) => patch['n'] === proving, 'none')).toEqual(chosen);
  expect(given.asked).toEqual(asked);
});

test('if no patch is proven, nothing is sent, and it is an error', () => {
  const given = writers({ n: 1 }, { n: 2 });
  expect(() => firstProven(given.all, () => false, 'no patch leads there')).toThrow('no patch leads there');
  expect(given.asked).toEqual([0, 1]);
});

describe('patches from the smallest to the most robust', () => {
  const context = { org: 'acme' };
  const shape = shapeOf('identity');
  const resource = (name: string, ...hosts: readonly string[]): JsonObject => ({ name, FQDN: 'a.test', ports: hosts });
  const live = { name: 'i', networkResources: [resource('a', '80'), resource('b', '443')] };
  const target = { name: 'i', networkResources: [resource('a', '80'), resource('b', '444')] };
  const whole = target.networkResources;
  const byKey = { '$patch/networkResources': [{ name: 'b', ports: ['444'] }] };
  const patches = (directives: Directives) =>
    writersOf(shape, live, target, { context, directives }).map((write) => write());

  test('by keys that we chose, by keys that clients rely on, and by whole fields', () => {
    expect(patches('all')).toEqual([byKey, { networkResources: whole }, { '$replace/networkResources': whole }]);
  });

  test('without keys that we chose if the platform does not support them', () => {
    expect(patches('stated')).toEqual([{ networkResources: whole }, { '$replace/networkResources': whole }]);
  });

  test('write.directives: the whole list by $replace without directives for list items', () => {
    const replaced = { '$replace/networkResources': whole };
    expect(patches('replace')).toEqual([replaced, replaced]);
  });

  test('write.replace: the whole list as a plain field without directives', () => {
    expect(patches('plain')).toEqual([{ networkResources: whole }]);
  });

  test('write.list: the existing list is dropped first if a plain field does not replace it', () => {
    expect(patches('drop')).toEqual([{ $drop: ['networkResources'], networkResources: whole }]);
    // A list that stays is not dropped.
    const [held, wanted] = [
      { ...live, nativeNetworkResources: [resource('n')] },
      { ...target, nativeNetworkResources: [resource('n')] },
    ];
    const [write] = writersOf(shape, held, wanted, { context, directives: 'drop' });
    expect(write?.()).toEqual({ $drop: ['networkResources'], networkResources: whole });
  });

  test('links in a set are their own keys, which every platform supports', () => {
    const [held, wanted] = [
      ['//user/a', '//user/b'],
      ['//user/a', '//user/b', '//user/c'],
    ];
    const found = writersOf(
      shapeOf('group'),
      { memberLinks: held },
      { memberLinks: wanted },
      { context, directives: 'all' },
    );
    const added = { '$append/memberLinks': ['//user/c'] };
    expect(found.map((write) => write())).toEqual([added, added, { '$replace/memberLinks': wanted }]);
  });

  test('each of them produces the target', () => {
    const proof = normalise('identity', target, context);
    for (const patch of patches('all'))
      expect(leadsTo(proof, { kind: 'identity', live, context }, patch ?? {})).toBe(true);
  });
});

test.each([
  { it: 'written as the platform stores it', patch: { memberLinks: ['/org/acme/user/b'] }, leads: true },
  { it: 'in another spelling', patch: { memberLinks: ['//user/b'] }, leads: true },
  { it: 'not with another member', patch: { memberLinks: ['//user/c'] }, leads: false },
  { it: 'not with an additional change', patch: { memberLinks: ['//user/b'], tags: { a: '1' } }, leads: false },
  { it: 'not with a refused patch', patch: { $drop: 'memberLinks' }, leads: false },
])('a patch produces the proven record: $it', ({ patch, leads }) => {
  const context = { org: 'acme' };
  const live = { name: 'g', memberLinks: ['/org/acme/user/a'] };
  const proof = normalise('group', { name: 'g', memberLinks: ['//user/b'] }, context);
  expect(leadsTo(proof, { kind: 'group', live, context }, patch)).toBe(leads);
});

test('a refused patch produces nothing, not even the live record', () => {
  const context = { org: 'acme' };
  const live = { name: 'g' };
  const proof = normalise('group', live, context);
  expect(leadsTo(proof, { kind: 'group', live, context }, {})).toBe(true);
  expect(leadsTo(proof, { kind: 'group', live, context }, { $drop: 'tags' })).toBe(false);
});
