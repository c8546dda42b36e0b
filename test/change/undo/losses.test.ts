import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { blockedChanges, lossesOf } from '../../../src/change/blockedChanges.ts';
import { makeUndo } from '../../../src/change/makeUndo.ts';
import type { LiveResource, Snapshot } from '../../../src/manifest/live/snapshot.ts';
import type { DesiredResource } from '../../../src/manifest/model/manifest.ts';
import type { PlanOptions } from '../../../src/plan/model/planOptions.ts';
import {
  closure,
  declare,
  foreign,
  hash,
  live,
  snapshot,
  volumeset,
  volumesetSpec,
  workload,
} from '../../plan/world.ts';
import { planned, readBack, textOf } from '../saved/saving.ts';

const given: Partial<PlanOptions> = {
  adopt: true,
  allowCollateral: 1,
  allowDataLoss: 1,
  allowEmpty: true,
  writeUnknownSecrets: true,
};
const savedOf = (desired: readonly DesiredResource[], from: readonly LiveResource[] | Snapshot) =>
  readBack(textOf(planned(desired, from, given)));

const opaque = (payload: string, more: JsonObject = {}): JsonObject => ({ type: 'opaque', data: { payload }, ...more });
const [key, liveKey] = [declare('secret/key', opaque('x')), live('secret/key', opaque('x'))];
const anchor = declare('group/anchor');

describe('losses that the inverse of a change does not restore', () => {
  const losses = (desired: readonly DesiredResource[], from: readonly LiveResource[] | Snapshot, never?: string) => {
    const { plan, live: before } = savedOf(desired, from);
    return plan.changes
      .filter(({ id }) => id !== anchor.id)
      .flatMap((change) => lossesOf(change, { kept: before.get(change.id), blockedBecause: never }, plan, hash))
      .map(({ id, because }) => `${id}: ${because}`);
  };

  test.each<{
    it: string;
    desired: readonly DesiredResource[];
    from: readonly LiveResource[] | Snapshot;
    lost: readonly RegExp[];
  }>(
    // biome-ignore format: a row is a case
    [
      { it: 'none for a kept resource', desired: [key], from: [liveKey], lost: [] },
      { it: 'none for a refused change', desired: [key], from: [live('secret/key', opaque('y'), { owner: 'bank' })],
        lost: [] },
      { it: 'none for a creation', desired: [key], from: [], lost: [] },
      { it: 'none for a deleted group', desired: [anchor], from: [live('group/gone')], lost: [] },
      { it: 'the data of a volume set', desired: [declare('gvc/g')],
        from: [live('gvc/g'), live('volumeset/g/rows', volumeset(1))], lost: [/^volumeset\/g\/rows: .*data is gone/] },
      { it: 'changed secret values, by name',
        desired: [declare('secret/key', { ...opaque('y'), description: 'new' })],
        from: [live('secret/key', opaque('x', { description: 'old' }))],
        lost: [/^secret\/key: .*secret values.*: data$/] },
      { it: 'secret values of an adopted record', desired: [declare('secret/key', opaque('y'))],
        from: [foreign('secret/key', opaque('x'))], lost: [/^secret\/key: .*secret values.*: data$/] },
      { it: 'none for a secret with another change',
        desired: [declare('secret/key', { ...opaque('x'), description: 'new' })],
        from: [live('secret/key', opaque('x', { description: 'old' }))], lost: [] },
      { it: 'the former owner of an adopted record',
        desired: [declare('group/a', {}, { adopt: { from: 'bank' } })], from: [live('group/a', {}, { owner: 'bank' })],
        lost: [/^group\/a: it belonged to the stack bank, which must adopt it again$/] },
      { it: 'no owner if only a part was declared',
        desired: [declare('group/a', { memberLinks: ['//serviceaccount/robot'] }, { part: true })],
        from: [live('group/a', {}, { owner: 'bank' }), foreign('serviceaccount/robot')], lost: [] },
      { it: 'no data of a volume set that is only changed',
        desired: [declare('gvc/g'), declare('volumeset/g/rows', volumesetSpec({ initialCapacity: 20 }))],
        from: [live('gvc/g'), live('volumeset/g/rows', volumeset(1))], lost: [] },
      { it: 'a secret value that was written although it was unknown', desired: [key],
        from: snapshot([live('secret/key', { type: 'opaque' })], { unrevealed: new Set(['secret/key']) }),
        lost: [/^secret\/key: .*secret values.*: data$/] },
      { it: 'no owner if there was none', desired: [declare('group/a')], from: [foreign('group/a')], lost: [] },
      { it: 'children of others in a deleted GVC, and none of its own in the plan', desired: [anchor],
        from: snapshot([live('gvc/g'), live('identity/g/mine')],
          { closures: closure('g', [live('identity/g/mine'), foreign('workload/g/theirs', workload('a'))]) }),
        lost: [/^workload\/g\/theirs: it was deleted along with gvc\/g/] },
    ],
  )('$it', ({ desired, from, lost }) => {
    const found = losses(desired, from);
    expect(found).toHaveLength(lost.length);
    for (const [index, pattern] of lost.entries()) expect(found[index]).toMatch(pattern);
  });

  test('the reason why it cannot be undone comes first', () => {
    expect(
      losses([declare('group/a', { description: 'b' })], [live('group/a', { description: 'a' })], 'no way'),
    ).toEqual(['group/a: no way']);
  });

  test('the paths of several secret values, in order', () => {
    const marks = { sensitive: ['spec.env.B.value', 'spec.env.A.value'] };
    const env = (value: string) => ({ spec: { env: ['B', 'A'].map((name) => ({ name, value: `${name}-${value}` })) } });
    expect(losses([declare('gvc/g', env('new'), marks)], [live('gvc/g', env('old'))])).toEqual([
      expect.stringMatching(/: spec\.env\.A\.value, spec\.env\.B\.value$/),
    ]);
  });
});

describe('changes that cannot be undone because of others that cannot', () => {
  const reveal = (...names: readonly string[]): JsonObject => ({
    targetKind: 'secret',
    targetLinks: names.map((name) => `//secret/${name}`),
    bindings: [],
  });
  const gone = live('secret/gone', opaque('x'));
  const turned = [
    declare('secret/turned', { type: 'userpass', data: { username: 'u', password: 'p' } }, { replace: true }),
    live('secret/turned', opaque('x')),
  ] as const;

  test.each<{
    it: string;
    desired: readonly DesiredResource[];
    from: readonly LiveResource[];
    stuck: readonly string[];
  }>(
    // biome-ignore format: a row is a case
    [
      { it: 'none, if everything can be undone', desired: [anchor], from: [live('group/a')], stuck: [] },
      { it: 'a secret without its value', desired: [anchor], from: [gone], stuck: ['secret/gone'] },
      { it: 'a record deleted and created again', desired: [turned[0]], from: [turned[1]], stuck: ['secret/turned'] },
      { it: 'a record that referred to a deleted secret', desired: [declare('policy/p', reveal())],
        from: [gone, live('policy/p', reveal('gone'))], stuck: ['policy/p', 'secret/gone'] },
      { it: 'an adopted record that referred to a deleted secret', desired: [declare('policy/p', reveal())],
        from: [gone, foreign('policy/p', reveal('gone'))], stuck: ['policy/p', 'secret/gone'] },
      { it: 'not a record that the platform creates again without it', desired: [anchor],
        from: [gone, live('policy/p', reveal('gone'))], stuck: ['secret/gone'] },
      { it: 'not a released record: it refers to the secret as before', desired: [anchor],
        from: [gone, live('policy/p', reveal('gone'), { applied: { retain: true } })], stuck: ['secret/gone'] },
      { it: 'not a record that referred to one of the same name in another org',
        desired: [declare('policy/p', reveal())],
        from: [gone, live('policy/p', { ...reveal(), targetLinks: ['/org/another/secret/gone'] })],
        stuck: ['secret/gone'] },
      { it: 'not a record whose reference is restored', desired: [declare('group/team', { description: 'new' })],
        from: [gone, live('serviceaccount/robot'), live('group/team', { memberLinks: ['//serviceaccount/robot'] })],
        stuck: ['secret/gone'] },
      { it: 'not a record that refers to one created again', desired: [turned[0], declare('policy/p', reveal())],
        from: [turned[1], live('policy/p', reveal('turned'))], stuck: ['secret/turned'] },
      { it: 'a record created for one that stays',
        desired: [declare('secret/next', opaque('x')), declare('policy/p', reveal('next'))],
        from: [gone, live('policy/p', reveal('gone'))], stuck: ['policy/p', 'secret/gone', 'secret/next'] },
      { it: 'not a record created for one that is restored',
        desired: [declare('serviceaccount/robot'), declare('group/team', { memberLinks: ['//serviceaccount/robot'] })],
        from: [gone, live('group/team')], stuck: ['secret/gone'] },
    ],
  )('$it', ({ desired, from, stuck }) => {
    expect([...blockedChanges(savedOf(desired, from)).keys()].sort()).toEqual(stuck);
  });
});

test('an undo notes once that secret values are not changed, not on each record that its value is unknown', () => {
  const [old, is] = ['old', 'new'].map((description) =>
    live('secret/key', opaque('x', { description }), { version: 2 }),
  );
  if (old === undefined || is === undefined) throw new Error('two records');
  const saved = savedOf([declare('secret/key', opaque('y', { description: 'new' }))], [old]);
  const { plan } = makeUndo(saved, snapshot([is]), {}, hash);
  const [change] = plan.changes;
  expect(change).toMatchObject({ id: 'secret/key', action: 'patch', notes: [] });
  expect(plan.notes).toEqual([expect.stringMatching(/^cannot be undone: secret\/key: .*secret values/)]);
});
