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
    ['lets go', [draft('forget', 'a'), draft('delete', 'b')], false, 2],
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

  test('a missing resource under lifecycle.ignore is no reason to refuse', () => {
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

describe('notes about secrets', () => {
  const reads = (key = ''): JsonObject => ({
    spec: {
      type: 'standard',
      containers: [{ name: 'main', image: 'a', env: [{ name: 'K', value: `scheme://secret/key${key}` }] }],
    },
  });
  const dictionary = (data: JsonObject): JsonObject => ({ type: 'dictionary', data });
  const [before, after] = [dictionary({ b: '1', a: '1' }), dictionary({ b: '2', a: '2' })];
  const notes = (desired: JsonObject, held: LiveResource, ...others: readonly LiveResource[]) =>
    changeOf(
      plan([declare('gvc/g'), declare('secret/key', desired)], [live('gvc/g'), held, ...others], { adopt: true }),
      'secret/key',
    ).notes;

  test('keys and readers are sorted', () => {
    const readers = ['z', 'a'].map((name) => foreign(`workload/g/${name}`, reads()));
    expect(notes(after, live('secret/key', before), ...readers)).toEqual([
      'keys: a changed, b changed',
      'read by workload/g/a, workload/g/z',
    ]);
  });

  test('deleted readers and workloads that read other secrets are not named', () => {
    const going = live('workload/g/going', reads());
    const other = foreign('workload/g/other', {
      spec: {
        type: 'standard',
        containers: [{ name: 'main', image: 'a', env: [{ name: 'K', value: 'scheme://secret/x' }] }],
      },
    });
    expect(notes(after, live('secret/key', before), going, other)).toEqual(['keys: a changed, b changed']);
  });

  test('a policy of others that targets the secret is not a reader', () => {
    const policy = foreign('policy/p', { targetKind: 'secret', targetLinks: ['//secret/key'], bindings: [] });
    expect(notes(after, live('secret/key', before), policy)).toEqual(['keys: a changed, b changed']);
  });

  test('changed keys of an adopted or replaced secret are named', () => {
    expect(notes(after, foreign('secret/key', before))).toEqual(['keys: a changed, b changed']);
    expect(notes(dictionary({ payload: 'x' }), live('secret/key', { type: 'opaque', data: { payload: 'y' } }))).toEqual(
      ['keys: payload changed'],
    );
  });

  test('a change of the description does not affect the note on keys', () => {
    expect(notes({ ...after, description: 'new' }, live('secret/key', before))).toEqual(['keys: a changed, b changed']);
  });

  test('ten of eleven readers are named', () => {
    const readers = Array.from({ length: 11 }, (_, index) => foreign(`workload/g/r${index}`, reads()));
    const [, read = ''] = notes(after, live('secret/key', before), ...readers);
    expect(read.match(/workload\/g\/r/g)).toHaveLength(10);
  });
});

describe('a change of the initial capacity', () => {
  const set = (initialCapacity: number, fields: JsonObject = {}) => ({
    spec: { fileSystemType: 'ext4', initialCapacity, performanceClass: 'general-purpose-ssd' },
    ...fields,
  });
  const note = 'spec.initialCapacity applies to new volumes only: existing volumes keep their size';
  const places = (...counts: readonly number[]): JsonObject => ({
    status: {
      locations: counts.map((count, index) => ({
        name: `l${index}`,
        volumes: Array.from({ length: count }, (_, at) => ({ index: at, lifecycle: 'bound' })),
      })),
    },
  });

  test.each<[string, JsonObject, JsonObject, readonly string[]]>([
    ['is noted as applying to new volumes if volumes exist', set(10, places(1)), set(20), [note]],
    ['is noted if only one location has volumes', set(10, places(0, 1)), set(20), [note]],
    ['is not noted if no volumes exist', set(10, places(0, 0)), set(20), []],
    ['is noted beside other changes', set(10, places(1)), set(20, { description: 'new' }), [note]],
    ['is not noted if something else changes', set(10, places(1)), set(10, { description: 'new' }), []],
  ])('%s', (_, held, desired, expected) => {
    const made = plan(
      [declare('gvc/g'), declare('volumeset/g/rows', desired)],
      [live('gvc/g'), live('volumeset/g/rows', held)],
    );
    expect(changeOf(made, 'volumeset/g/rows').notes).toEqual(expected);
  });
});
