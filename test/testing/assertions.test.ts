import { AssertionError } from 'node:assert';
import { assertHasResource, assertNoResource, assertPlan, assertValid } from 'gantry/testing';
import { expect, test } from 'vitest';

const readers = [{ kind: 'group', name: 'readers' }];

test('assertions for node:test say nothing where they hold', async () => {
  assertValid(readers);
  assertHasResource(readers, 'group', { name: 'readers' });
  assertNoResource(readers, 'group', { name: 'writers' });
  await assertPlan(readers, { create: 1 });
});

test('and throw an AssertionError with both sides where they do not', async () => {
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
