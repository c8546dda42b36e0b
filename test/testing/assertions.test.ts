import { AssertionError } from 'node:assert';
import { Gvc, Identity, Testing } from 'gantry';
import { assertHasResource, assertNoResource, assertPlan, assertValid, synth } from 'gantry/testing';
import { expect, test } from 'vitest';

const readers = [{ kind: 'group', name: 'readers' }];

test('assertions for node:test do nothing if they hold', async () => {
  assertValid(readers);
  assertHasResource(readers, 'group', { name: 'readers' });
  assertNoResource(readers, 'group', { name: 'writers' });
  await assertPlan(readers, { create: 1 });
});

test('failed assertions throw an AssertionError with both sides', async () => {
  expect(() => assertHasResource(readers, 'group', { name: 'writers' })).toThrow(AssertionError);
  expect(() => assertHasResource(readers, 'group', { name: 'writers' })).toThrow(
    'name is "readers", expected "writers"',
  );
  expect(() => assertNoResource(readers, 'group')).toThrow('expected no such group, but there is group/readers');
  expect(() => assertValid([{ kind: 'group', name: 'Readers!' }])).toThrow('expected no mistake, but there is 1:');
  await expect(assertPlan(readers, { patch: 1 })).rejects.toMatchObject({
    code: 'ERR_ASSERTION',
    operator: 'assertPlan',
    actual: { create: 1 },
    expected: { patch: 1 },
  });
});

test('a resource that indirectly waits for itself is a mistake even without a plan, and so is an old name', () => {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'shop');
  const one = new Identity(gvc, 'one-a', { lifecycle: { dependsOn: ['identity/shop/one-b'] } });
  new Identity(gvc, 'one-b', { lifecycle: { dependsOn: [one] } });
  expect(() => synth(stack)).toThrow(expect.objectContaining({ code: 'plan.cycle' }));
  const renamed = [
    { kind: 'gvc', name: 'shop' },
    { kind: 'identity', gvc: 'shop', name: 'new-name', lifecycle: { previously: 'old-name' } },
    { kind: 'identity', gvc: 'shop', name: 'other', lifecycle: { dependsOn: ['identity/shop/old-name'] } },
  ];
  expect(() => assertValid(renamed)).toThrow('identity/shop/old-name is the old name of identity/shop/new-name');
});
