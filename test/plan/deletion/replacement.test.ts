import { describe, expect, test } from 'vitest';
import { shapeOf } from '../../../src/kinds/shapeOf.ts';
import { itemsOf } from '../../../src/plan/record/items.ts';
import { waysToCollections } from '../../../src/schema/shape/ownableCollections.ts';
import { declared, held, type PlanRow, testPlans } from '../planText.ts';
import {
  actions,
  changeOf,
  declare,
  foreign,
  live,
  org,
  partTag,
  plan,
  volumeset,
  volumesetSpec,
  workload,
} from '../world.ts';

const fast = { performanceClass: 'high-throughput-ssd', initialCapacity: 200 };
const rows = 'gvc/g; volumeset/g/rows fast replace';
const cloud = 'cloudaccount/cloud aws; identity/g/app account(cloud)';
const liveCloud = 'cloudaccount/cloud gcp; identity/g/app account(cloud)';

// biome-ignore format: a row is a case
const replacing: readonly PlanRow[] = [
  ['a differing immutable field causes a replacement', rows, 'gvc/g; volumeset/g/rows', 'replace volumeset/g/rows'],
  ['an omitted immutable field is no difference', 'gvc/g; volumeset/g/files sharedAlone',
    'gvc/g; volumeset/g/files shared', 'nothing'],
  ['a workload that mounts it is replaced too, and each half waits for the right half',
    `${rows}; workload/g/db mounts(rows)`,
    'gvc/g; volumeset/g/rows; workload/g/db mounts(rows)',
    '… replace volumeset/g/rows gone-after workload/g/db delete; replace workload/g/db after volumeset/g/rows'],
  ['a workload that unmounts it in the same plan is only patched', `${rows}; workload/g/db`,
    'gvc/g; volumeset/g/rows; workload/g/db mounts(rows)',
    'patch workload/g/db; replace volumeset/g/rows gone-after workload/g/db'],
  ['a workload that mounts another set instead is only patched',
    `${rows}; volumeset/g/files; workload/g/db mounts(files)`,
    'gvc/g; volumeset/g/rows; volumeset/g/files; workload/g/db mounts(rows)',
    'patch workload/g/db; replace volumeset/g/rows'],
  ['a workload that is no longer declared is deleted, not replaced',
    rows, 'gvc/g; volumeset/g/rows; workload/g/db mounts(rows)',
    'delete workload/g/db; replace volumeset/g/rows'],
  ['with data it is replaced if both permits are given',
    rows, 'gvc/g; volumeset/g/rows volumes(1)', 'replace volumeset/g/rows',
    { allowDataLoss: 1 }],
  ['with data it is refused without --allow-data-loss', rows, 'gvc/g; volumeset/g/rows volumes(1)',
    'refuse replace volumeset/g/rows refused delete.data'],
  ['with data it is refused without lifecycle.replace',
    'gvc/g; volumeset/g/rows fast', 'gvc/g; volumeset/g/rows volumes(1)',
    'refuse replace volumeset/g/rows refused replace.data', { allowDataLoss: 1 }],
  ['a protected resource is not replaced', rows, 'gvc/g; volumeset/g/rows protected',
    'refuse replace volumeset/g/rows refused delete.protected'],
  ['a volume set that others mount cannot be replaced',
    rows, 'gvc/g; volumeset/g/rows; workload/g/x mounts(rows) foreign',
    'refuse replace volumeset/g/rows refused delete.referenced'],
  ['adopting by replacing needs lifecycle.replace', 'gvc/g; volumeset/g/rows fast adopt',
    'gvc/g; volumeset/g/rows foreign', 'refuse replace volumeset/g/rows refused adopt.replace replace.data'],
  ['a released resource is not replaced with it', rows, 'gvc/g; volumeset/g/rows; workload/g/db mounts(rows) retained',
    '… forget workload/g/db; refuse replace volumeset/g/rows refused delete.referenced'],
  ['a resource of another stack is not replaced with it',
    rows, 'gvc/g; volumeset/g/rows; workload/g/db mounts(rows) by(bank)',
    'refuse replace volumeset/g/rows refused delete.referenced'],
  ['a resource that is only adopted is not replaced with it', `${rows}; workload/g/db mounts(rows) adopt`,
    'gvc/g; volumeset/g/rows; workload/g/db mounts(rows) foreign',
    '… adopt workload/g/db; refuse replace volumeset/g/rows refused delete.referenced'],
  ['a resource that is handed over is not replaced with it', `${rows}; workload/g/db mounts(rows) handOver(bank)`,
    'gvc/g; volumeset/g/rows; workload/g/db mounts(rows)',
    '… forget workload/g/db; refuse replace volumeset/g/rows refused delete.referenced'],
  ['a soft referrer is not changed', 'gvc/g; secret/pull docker; workload/g/web reads(pull)',
    'gvc/g; secret/pull ecr; workload/g/web reads(pull)', 'replace secret/pull'],
  ['a soft referrer of others is not changed', 'gvc/g; secret/pull docker',
    'gvc/g; secret/pull ecr; workload/g/x reads(pull) foreign', 'replace secret/pull'],
];

describe('replacement', () => {
  const desired = (more = {}, lifecycle = {}) =>
    declare('volumeset/g/rows', { ...volumesetSpec(fast), ...more }, { replace: true, ...lifecycle });
  const there = (more = {}) => live('volumeset/g/rows', { ...volumeset(0), ...more }, { applied: { tagKeys: [] } });
  const created = (rowsDesired = desired(), rowsThere = there()) =>
    changeOf(plan([declare('gvc/g'), rowsDesired], [live('gvc/g'), rowsThere]), 'volumeset/g/rows');

  testPlans(replacing);

  test('names the resource, the reason and the replacements that it causes', () => {
    const change = created();
    expect(change).toMatchObject({ liveVersion: 1, reason: expect.stringContaining('spec.performanceClass') });
    expect(change.create?.expose()).toMatchObject({ name: 'rows', spec: fast });
    const mounted = held('gvc/g; volumeset/g/rows; workload/g/db mounts(rows)');
    const along = changeOf(plan(declared(`${rows}; workload/g/db mounts(rows)`), mounted), 'workload/g/db');
    expect(along.reason).toContain('volumeset/g/rows');
    const refused = plan(declared(rows), held('gvc/g; volumeset/g/rows; workload/g/db mounts(rows) by(bank)'));
    expect(changeOf(refused, 'volumeset/g/rows').refusals[0]?.message).toContain('workload/g/db');
  });

  test('a workload that starts to mount the set is only patched, without a note', () => {
    const mounting = declared(`${rows}; workload/g/db mounts(rows)`);
    const made = plan(mounting, held('gvc/g; volumeset/g/rows; workload/g/db'));
    expect(actions(made).toSorted()).toEqual(['patch workload/g/db', 'replace volumeset/g/rows']);
    expect(changeOf(made, 'workload/g/db').notes).toEqual([]);
  });

  test('a tag of others is kept with its owner: the next plan is empty', () => {
    const tagged = there({ tags: { 'team/cost': '7' } });
    const body = created(desired(), tagged).create?.expose() ?? {};
    expect(body).toMatchObject({ tags: { 'team/cost': '7' } });
    const remade = { ...tagged, uid: 'uid-2', record: { ...body, kind: 'volumeset', id: 'uid-2', version: 1 } };
    expect(actions(plan([declare('gvc/g'), desired()], [live('gvc/g'), remade]))).toEqual([]);
  });

  const bound = (group: string) => ({ permissions: ['view'], principalLinks: [`//group/${group}`] });
  const binding = bound('them');
  const bindings = waysToCollections(shapeOf('policy')).get('bindings');
  if (bindings === undefined || bindings.type === 'object') throw new Error('the bindings of a policy are a list');
  const key = itemsOf(bindings, [binding], { org })[0]?.key ?? '';
  const tags = partTag('bank', { kind: 'policy', name: 'view' }, [['bindings', key]]);

  test('ignored items are carried over to another name, except those that another stack set', () => {
    const fields = { targetKind: 'group', bindings: [binding, bound('people')], tags };
    const old = live('policy/view', fields, { applied: { tagKeys: [] } });
    const renamed = declare('policy/next', { targetKind: 'group' }, { previously: 'view', ignore: ['bindings'] });
    const made = plan([renamed], [old, foreign('group/them'), foreign('group/people')]);
    const { create } = changeOf(made, 'policy/next');
    expect(create?.expose()['bindings']).toEqual([bound('people')]);
  });

  test('items in parts of other stacks are kept with their record', () => {
    const before = { targetKind: 'group', bindings: [binding], tags };
    const policy = live('policy/view', before, { applied: { tagKeys: [] } });
    const made = plan([declare('policy/view', { targetKind: 'workload' })], [policy, foreign('group/them')]);
    const change = changeOf(made, 'policy/view');
    expect(change).toMatchObject({ action: 'replace', notes: ['1 item belongs to bank'] });
    expect(change.create?.expose()).toMatchObject({ bindings: [binding], tags });
  });

  test('operational switches of operators are kept', () => {
    const switched = workload('a:1', [], { defaultOptions: { suspend: true } });
    const made = plan(declared('gvc/g; workload/g/web type(standard)'), [
      live('gvc/g'),
      live('workload/g/web', switched),
    ]);
    const { action, create } = changeOf(made, 'workload/g/web');
    expect([action, create?.expose()]).toMatchObject(['replace', { spec: { defaultOptions: { suspend: true } } }]);
  });

  test('an ignored path and the tags of others are carried over', () => {
    const ignoring = desired({ description: 'ours' }, { ignore: ['description'] });
    const body = created(ignoring, there({ description: 'theirs', tags: { 'other/x': '1' } })).create?.expose();
    expect(body).toMatchObject({ description: 'theirs', tags: { 'other/x': '1' } });
  });
});

// biome-ignore format: a row is a case
const around: readonly PlanRow[] = [
  ['the GVC drops its reference first, and restores it in a second step', 'secret/pull docker; gvc/g pulls(pull)',
    'secret/pull ecr; gvc/g pulls(pull)',
    '… replace secret/pull gone-after gvc/g; patch gvc/g then-after secret/pull'],
  ['a new reference of the GVC waits for the new record, in one step',
    'secret/pull docker; gvc/g pulls(pull)', 'secret/pull ecr; gvc/g pulls()',
    'replace secret/pull; patch gvc/g then-after nothing'],
  ['a record replaced with another one causes its own referrers to be replaced or patched',
    `${cloud}; gvc/g keda(app)`, `${liveCloud}; gvc/g keda(app)`,
    '… replace cloudaccount/cloud gone-after identity/g/app delete; replace identity/g/app gone-after gvc/g; ' +
      'patch gvc/g then-after identity/g/app'],
  ['a part in a GVC of others cannot be changed around it', 'secret/pull docker; gvc/g pulls(pull) part',
    'secret/pull ecr; gvc/g pulls(pull) by(base)', '… refuse replace secret/pull refused delete.referenced'],
];

describe('a GVC is never replaced with its child: it is patched around it', () => {
  const gvcOf = (desired: string, there: string) => changeOf(plan(declared(desired), held(there)), 'gvc/g');
  const again = (of: ReturnType<typeof gvcOf>) => JSON.stringify(of.then?.expose());

  testPlans(around);

  test('the note names the reason, once for each reference', () => {
    const change = gvcOf('secret/pull docker; gvc/g pulls(pull)', 'secret/pull ecr; gvc/g pulls(pull)');
    expect(change.notes).toEqual(['spec.pullSecretLinks.0 refers to secret/pull, which is replaced']);
    expect(change.reason).toBe('its reference to the replaced resource is removed, and written again afterwards');
    expect(again(change)).toContain('/org/o/secret/pull');
    const scaled = gvcOf(`${cloud}; gvc/g keda(app)`, `${liveCloud}; gvc/g keda(app)`);
    expect(scaled.notes).toEqual(['spec.keda.identityLink refers to identity/g/app, which is replaced']);
  });

  test('a first reference to a replaced child is written in the second step, with the reason', () => {
    const dropping = live(
      'gvc/g',
      { spec: { pullSecretLinks: ['/org/o/secret/other'], endpointNamingFormat: 'org' } },
      { applied: { servicePaths: ['spec.endpointNamingFormat'] } },
    );
    const state = [...held(`${liveCloud}; secret/other docker`).resources.values(), dropping];
    const desired = declared(`${cloud}; secret/other docker; gvc/g pulls(other) keda(app)`);
    const beside = changeOf(plan(desired, state), 'gvc/g');
    expect(beside.notes).toEqual(['it refers to identity/g/app again once that is created again']);
    const described = gvcOf(`${cloud}; gvc/g keda(app) text(d)`, `${liveCloud}; gvc/g keda`);
    expect(described.thenRequires).toMatchObject([{ on: 'identity/g/app' }]);
    for (const change of [beside, described]) {
      expect(JSON.stringify(change.patch?.expose())).not.toContain('identity/app');
      expect(again(change)).toContain('identity/app');
    }
  });

  test('a new list entry beside another reference needs one step too, without a note', () => {
    const desired = 'secret/pull docker; gvc/g pulls(pull) keda(app); identity/g/app';
    const { notes, then } = gvcOf(desired, 'secret/pull ecr; gvc/g pulls() keda(app); identity/g/app');
    expect([notes, then]).toEqual([[], undefined]);
  });

  test('a value that the stack set and no longer declares is still removed', () => {
    const spec = { pullSecretLinks: ['/org/o/secret/pull'], endpointNamingFormat: 'org' };
    const was = live('gvc/g', { spec }, { applied: { servicePaths: ['spec.endpointNamingFormat'] } });
    const state = [...held('secret/pull ecr').resources.values(), was];
    const { patch, then } = changeOf(plan(declared('secret/pull docker; gvc/g pulls(pull)'), state), 'gvc/g');
    expect(patch?.expose()['$replace/spec']).toEqual({ pullSecretLinks: [] });
    expect(then?.expose()['spec']).toEqual({ pullSecretLinks: ['/org/o/secret/pull'] });
  });

  test('a refused plan is complete even if its changes could not be ordered', () => {
    const desired = declared(`${cloud}; workload/g/web identity(app)`);
    const made = plan(desired, held(`${liveCloud}; gvc/g keda(app); workload/g/web identity(spare)`));
    expect(changeOf(made, 'gvc/g')).toMatchObject({ action: 'refuse', intended: 'delete' });
    expect(made.changes).toHaveLength(4);
  });
});

// biome-ignore format: a row is a case
const along: readonly PlanRow[] = [
  ['a workload that shares a mount with one of others is in the cascade, with the set', 'group/x',
    'group/x; gvc/g; volumeset/g/rows; workload/g/db mounts(rows); workload/g/x mounts(rows) foreign unlisted',
    '… delete gvc/g cascades-to volumeset/g/rows, workload/g/db, workload/g/x; delete volumeset/g/rows via gvc/g; ' +
      'delete workload/g/db via gvc/g', { allowCollateral: 1 }],
  ['a record in another GVC is not in it', 'group/x; gvc/h; identity/h/app', 'group/x; gvc/g; gvc/h; identity/h/app',
    'delete gvc/g cascades-to nothing'],
  ['a child of a kept GVC is deleted itself', 'gvc/g', 'gvc/g; identity/g/app',
    'delete identity/g/app via nothing'],
];

describe('the cascade of a GVC', () => {
  testPlans(along);
});
