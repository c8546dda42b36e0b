import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { onlyNamed } from '../../src/schema/record/customKinds.ts';
import { changeOf, declare, live, plan, snapshot } from '../plan/world.ts';
import { withKinds } from './withKinds.ts';

withKinds({ cache: { ...onlyNamed, immutable: ['spec.zone'], listKeys: { 'spec.rules': 'name' }, disposable: true } });

const held = {
  spec: {
    zone: 'a',
    size: 2,
    quota: { burst: 9, rate: 1 },
    rules: [
      { name: 'x', v: 1, by: 'others' },
      { name: 'y', v: 2, on: ['a', { b: 1 }], by: 'them' },
    ],
  },
  owner: 'ops',
};
const declared = {
  spec: { zone: 'b', size: 3, quota: { rate: 1 }, rules: [{ name: 'y', v: 2, on: ['a', { b: 1 }] }] },
};

function replaced(fields: JsonObject, set: readonly string[] = []) {
  const before = live('cache/c', held, { applied: { servicePaths: set } });
  return changeOf(plan([declare('cache/c', fields)], snapshot([before])), 'cache/c');
}

describe('the replacement of a record of a custom kind', () => {
  test('keeps fields of others, also in objects and in items with a key', () => {
    const change = replaced(declared);
    expect(change).toMatchObject({ action: 'replace', reason: expect.stringContaining('spec.zone') });
    expect(change.create?.expose()).toMatchObject({
      spec: {
        zone: 'b',
        size: 3,
        quota: { rate: 1, burst: 9 },
        // x is an item that others added, so it is kept.
        rules: [
          { name: 'x', v: 1, by: 'others' },
          { name: 'y', v: 2, on: ['a', { b: 1 }], by: 'them' },
        ],
      },
      owner: 'ops',
    });
  });

  test('notes the kept fields, an item by its key, and shows the others as changes', () => {
    const { notes, fields } = replaced(declared);
    expect(notes).toEqual([
      'carried over, although it is not declared here: spec.quota.burst, spec.rules.x, spec.rules.y.by, owner',
    ]);
    expect(fields.map(({ path }) => path)).toEqual(['spec.zone', 'spec.size']);
  });

  test('does not keep fields that this stack set and no longer declares', () => {
    const { create, notes } = replaced(declared, ['owner', 'spec.quota.burst']);
    expect(create?.expose()).not.toHaveProperty('owner');
    expect(create?.expose()).toMatchObject({ spec: { quota: { rate: 1 } } });
    expect(notes).toEqual(['carried over, although it is not declared here: spec.rules.x, spec.rules.y.by']);
  });

  test('accepts other values of the platform in undeclared fields: the response need not repeat them', () => {
    const { expected } = replaced(declared);
    expect(expected?.expose()).not.toHaveProperty('owner');
    expect(expected?.expose()['spec']).toEqual(declared.spec);
  });
});
