import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import { refusePlan } from '../../../src/plan/checks/refusePlan.ts';
import type { PlannedAction } from '../../../src/plan/model/change.ts';
import { type Draft, makeDraft } from '../../../src/plan/model/draft.ts';
import { makePlanContext } from '../../../src/plan/model/planContext.ts';
import type { PlanOptions } from '../../../src/plan/model/planOptions.ts';
import {
  changeOf,
  closure,
  codes,
  declare,
  foreign,
  live,
  options,
  plan,
  snapshot,
  volumeset,
  workload,
} from '../world.ts';

const declared = declare('group/x');

function draft(action: PlannedAction, name: string, more: Partial<Draft> = {}): Draft {
  const { id, ref } = live(`secret/${name}`);
  return { ...makeDraft({ id, ref }, { action, reason: '' }), ...more };
}

/** The codes of the refusals of the whole plan. */
function refused(drafts: readonly Draft[], given: Partial<PlanOptions>, bystanders = 0, desired = [declared]) {
  const planning = makePlanContext(desired, snapshot([]), { ...options, maxDeletes: undefined, ...given });
  return refusePlan(new Map(drafts.map((each) => [each.id, each])), bystanders, planning);
}

describe('a plan as a whole', () => {
  const all = [
    draft('delete', 'a'),
    draft('replace', 'b'),
    draft('patch', 'c'),
    draft('keep', 'd'),
    draft('forget', 'e'),
  ];

  test.each<[string, readonly Draft[], Partial<PlanOptions>, number, readonly string[]]>(
    // biome-ignore format: a row is a case
    [
      ['may delete as many as allowed: deletions, replacements, cascades to others', all, { maxDeletes: 3 }, 1, []],
      ['cannot delete one more', all, { maxDeletes: 2 }, 1, ['delete.too-many']],
      ['may delete any number without a limit', all, {}, 20, []],
      ['may change as many as allowed', all, { maxChanges: 4 }, 1, []],
      ['cannot change one more', all, { maxChanges: 3 }, 0, ['plan.too-many-changes']],
      ['may be as risky as allowed', [draft('patch', 'a', { risk: 'downtime' })], { maxRisk: 'downtime' },
        0, []],
      ['may be less risky', [draft('patch', 'a', { risk: 'metadata' })], { maxRisk: 'downtime' }, 0, []],
      ['cannot be riskier', [draft('patch', 'a', { risk: 'data-loss' })], { maxRisk: 'downtime' }, 0, ['plan.risk']],
      ['does not count the risk of kept resources',
        [draft('keep', 'a', { risk: 'data-loss' })], { maxRisk: 'none' }, 0, []],
      ['has no risk if no change has one', [draft('patch', 'a')], { maxRisk: 'none' }, 0, []],
    ],
  )('%s', (_, drafts, given, bystanders, expected) => {
    expect(refused(drafts, given, bystanders).map(({ code }) => code)).toEqual(expected);
  });

  test('the riskiest changes are named first, then by name, with the permit that would allow them', () => {
    const drafts = [
      draft('patch', 'c', { risk: 'exposure' }),
      draft('patch', 'b', { risk: 'downtime' }),
      draft('patch', 'd', { risk: 'none' }),
      draft('patch', 'a', { risk: 'exposure' }),
    ];
    expect(refused(drafts, { maxRisk: 'metadata' })).toEqual([
      {
        code: 'plan.risk',
        message: 'the risk is greater than metadata for secret/b (downtime), secret/a (exposure), secret/c (exposure)',
        allow: '--max-risk=downtime',
      },
    ]);
  });

  test.each<[string, readonly Draft[], boolean, number | undefined]>([
    ['deletes', [draft('delete', 'a')], false, 1],
    ['releases', [draft('forget', 'a'), draft('delete', 'b')], false, 2],
    ['releases its part of a record', [draft('patch', 'a', { part: true })], false, 1],
    ['deletes, with the permit', [draft('delete', 'a')], true, undefined],
    ['keeps what it owns', [draft('keep', 'a')], false, undefined],
    ['adopts a part', [draft('adopt', 'a', { part: true })], false, undefined],
    ['changes a part that it declares', [draft('patch', 'a', { part: true, desired: declared })], false, undefined],
  ])('of an empty stack that %s', (_, drafts, allowEmpty, count) => {
    const refusals = refused(drafts, { allowEmpty }, 0, []);
    expect(refusals.map(({ code }) => code)).toEqual(count === undefined ? [] : ['stack.empty']);
    for (const { message } of refusals) expect(message).toContain(`all ${count} resources`);
    expect(refused(drafts, { allowEmpty })).toEqual([]);
  });
});

describe('refusals of a single change', () => {
  const gvc = declare('gvc/g');
  const route = (name: string): JsonObject => ({ spec: { workloadLink: `/org/o/gvc/g/workload/${name}` } });
  const pulls: JsonObject = { spec: { pullSecretLinks: ['/org/o/secret/s'] } };
  const retyped = declare('secret/s', { type: 'dictionary', data: { a: 'x' } }, { ignore: ['data.a'] });
  const typed = live('secret/s', { type: 'opaque' });

  test('retained data is not counted as lost', () => {
    const [lost, kept] = [live('volumeset/g/a', volumeset(1)), live('volumeset/g/b', volumeset(1))];
    const staying = declare('volumeset/g/b', {
      spec: { fileSystemType: 'ext4', initialCapacity: 10, performanceClass: 'general-purpose-ssd' },
    });
    expect(codes(plan([gvc, staying], [live('gvc/g'), lost, kept], { allowDataLoss: 1 }))).toEqual([]);
  });

  test('a missing target of a policy is no reason to refuse', () => {
    const policy = declare('policy/p', { targetKind: 'secret', targetLinks: ['//secret/none'], bindings: [] });
    expect(codes(plan([policy], []))).toEqual([]);
  });

  test('a workload that a domain serves is kept, so nothing is refused', () => {
    const held = [live('gvc/g'), live('workload/g/web', workload('a')), live('domain/a.com', route('none'))];
    const made = plan([gvc, declare('workload/g/web', workload('a')), declare('domain/a.com', route('web'))], held);
    expect(codes(made)).toEqual([]);
  });

  test('every live and declared record that still refers to a deleted one is named', () => {
    const held = [live('group/x'), live('secret/s', { type: 'docker' }), foreign('gvc/a', pulls)];
    const made = plan([declared, declare('gvc/b', pulls)], held);
    expect(changeOf(made, 'secret/s').refusals.map(({ message }) => message.split(' ')[0])).toEqual(['gvc/a', 'gvc/b']);
  });

  test('records of other owners that would be deleted are named', () => {
    const state = snapshot([live('group/x'), live('gvc/g')], {
      closures: closure('g', [foreign('identity/g/a'), foreign('identity/g/b')]),
    });
    expect(changeOf(plan([declared], state), 'gvc/g').refusals[0]?.message).toBe(
      'it would also delete 2 resources of other owners: identity/g/a, identity/g/b',
    );
  });

  test.each<[string, readonly LiveResource[], ReadonlyMap<string, LiveResource>, string]>([
    ['of a live record', [typed], new Map(), 'cannot be read'],
    ['that a replacement deleted', [], new Map([['secret/s', typed]]), 'the audit trail contains no secrets'],
  ])('a refusal says why the value of a secret %s would be lost', (_, held, unfinished, why) => {
    const made = plan([retyped], snapshot(held, { unfinished }));
    expect(changeOf(made, 'secret/s').refusals[0]?.message).toContain(why);
  });

  test.each([
    { it: 'created', held: [], action: 'create' },
    { it: 'written', held: [live('gvc/g')], action: 'patch' },
  ])('a masked sensitive value is not $it', ({ held, action }) => {
    const env = [{ name: 'A', value: { sensitive: true } }];
    const filled = declare('gvc/g', { spec: { env } }, { sensitive: ['spec.env.A.value'] });
    const made = plan([filled], held);
    expect(changeOf(made, 'gvc/g')).toMatchObject({
      action: 'refuse',
      intended: action,
      refusals: [{ code: 'plan.masked' }],
    });
    const plain = declare('gvc/g', { spec: { env: [{ name: 'A', value: 'x' }] } }, { sensitive: ['spec.env.A.value'] });
    expect(codes(plan([plain], held))).toEqual([]);
  });
});
