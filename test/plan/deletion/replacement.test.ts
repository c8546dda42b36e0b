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
  ['an immutable field that differs replaces', rows, 'gvc/g; volumeset/g/rows', 'replace volumeset/g/rows'],
  ['an omitted immutable field is no difference', 'gvc/g; volumeset/g/files sharedAlone',
    'gvc/g; volumeset/g/files shared', 'nothing'],
  ['what mounts it comes along: each half waits for the right half', `${rows}; workload/g/db mounts(rows)`,
    'gvc/g; volumeset/g/rows; workload/g/db mounts(rows)',
    '… replace volumeset/g/rows gone-after workload/g/db delete; replace workload/g/db after volumeset/g/rows'],
  ['a workload that lets go of it in the same plan is only patched', `${rows}; workload/g/db`,
    'gvc/g; volumeset/g/rows; workload/g/db mounts(rows)',
    'patch workload/g/db; replace volumeset/g/rows gone-after workload/g/db'],
  ['what mounts something else instead is only patched', `${rows}; volumeset/g/files; workload/g/db mounts(files)`,
    'gvc/g; volumeset/g/rows; volumeset/g/files; workload/g/db mounts(rows)',
    'patch workload/g/db; replace volumeset/g/rows'],
  ['what goes anyway is deleted, not replaced', rows, 'gvc/g; volumeset/g/rows; workload/g/db mounts(rows)',
    'delete workload/g/db; replace volumeset/g/rows'],
  ['with data it goes where both are said', rows, 'gvc/g; volumeset/g/rows volumes(1)', 'replace volumeset/g/rows',
    { allowDataLoss: 1 }],
  ['with data it is refused without the number', rows, 'gvc/g; volumeset/g/rows volumes(1)',
    'refuse replace volumeset/g/rows refused delete.data'],
  ['with data it is refused without lifecycle.replace', 'gvc/g; volumeset/g/rows fast', 'gvc/g; volumeset/g/rows volumes(1)',
    'refuse replace volumeset/g/rows refused replace.data', { allowDataLoss: 1 }],
  ['a protected resource is not replaced', rows, 'gvc/g; volumeset/g/rows protected',
    'refuse replace volumeset/g/rows refused delete.protected'],
  ['what others mount cannot be replaced', rows, 'gvc/g; volumeset/g/rows; workload/g/x mounts(rows) foreign',
    'refuse replace volumeset/g/rows refused delete.referenced'],
  ['to adopt by replacing needs lifecycle.replace', 'gvc/g; volumeset/g/rows fast adopt',
    'gvc/g; volumeset/g/rows foreign', 'refuse replace volumeset/g/rows refused adopt.replace replace.data'],
  ['what is let go of is not replaced along', rows, 'gvc/g; volumeset/g/rows; workload/g/db mounts(rows) retained',
    '… forget workload/g/db; refuse replace volumeset/g/rows refused delete.referenced'],
  ['what another stack has is not replaced along', rows, 'gvc/g; volumeset/g/rows; workload/g/db mounts(rows) by(bank)',
    'refuse replace volumeset/g/rows refused delete.referenced'],
  ['what is only adopted is not replaced along', `${rows}; workload/g/db mounts(rows) adopt`,
    'gvc/g; volumeset/g/rows; workload/g/db mounts(rows) foreign',
    '… adopt workload/g/db; refuse replace volumeset/g/rows refused delete.referenced'],
  ['what is handed over is not replaced along', `${rows}; workload/g/db mounts(rows) handOver(bank)`,
    'gvc/g; volumeset/g/rows; workload/g/db mounts(rows)',
    '… forget workload/g/db; refuse replace volumeset/g/rows refused delete.referenced'],
  ['what refers to it without holding it stays as it is', 'gvc/g; secret/pull docker; workload/g/web reads(pull)',
    'gvc/g; secret/pull ecr; workload/g/web reads(pull)', 'replace secret/pull'],
  ['what others read from it without holding it stays theirs', 'gvc/g; secret/pull docker',
    'gvc/g; secret/pull ecr; workload/g/x reads(pull) foreign', 'replace secret/pull'],
];

describe('replacement', () => {
  const desired = (more = {}, lifecycle = {}) =>
    declare('volumeset/g/rows', { ...volumesetSpec(fast), ...more }, { replace: true, ...lifecycle });
  const there = (more = {}) => live('volumeset/g/rows', { ...volumeset(0), ...more }, { applied: { tagKeys: [] } });
  const created = (rowsDesired = desired(), rowsThere = there()) =>
    changeOf(plan([declare('gvc/g'), rowsDesired], [live('gvc/g'), rowsThere]), 'volumeset/g/rows');

  testPlans(replacing);

  test('says what is replaced, why, and for whose sake', () => {
    const change = created();
    expect(change).toMatchObject({ liveVersion: 1, reason: expect.stringContaining('spec.performanceClass') });
    expect(change.create?.expose()).toMatchObject({ name: 'rows', spec: fast });
    const mounted = held('gvc/g; volumeset/g/rows; workload/g/db mounts(rows)');
    const along = changeOf(plan(declared(`${rows}; workload/g/db mounts(rows)`), mounted), 'workload/g/db');
    expect(along.reason).toContain('volumeset/g/rows');
    const refused = plan(declared(rows), held('gvc/g; volumeset/g/rows; workload/g/db mounts(rows) by(bank)'));
    expect(changeOf(refused, 'volumeset/g/rows').refusals[0]?.message).toContain('workload/g/db');
  });

  test('what begins to mount it is only patched, and nothing is noted', () => {
    const mounting = declared(`${rows}; workload/g/db mounts(rows)`);
    const made = plan(mounting, held('gvc/g; volumeset/g/rows; workload/g/db'));
    expect(actions(made).toSorted()).toEqual(['patch workload/g/db', 'replace volumeset/g/rows']);
    expect(changeOf(made, 'workload/g/db').notes).toEqual([]);
  });

  test('a tag of another survives it and stays theirs: the plan after it is empty', () => {
    const tagged = there({ tags: { 'team/cost': '7' } });
    const body = created(desired(), tagged).create?.expose() ?? {};
    expect(body).toMatchObject({ tags: { 'team/cost': '7' } });
    const remade = { ...tagged, uid: 'uid-2', record: { ...body, kind: 'volumeset', id: 'uid-2', version: 1 } };
    expect(actions(plan([declare('gvc/g'), desired()], [live('gvc/g'), remade]))).toEqual([]);
  });

  test('what other stacks own as their part survives it, and so does the memory of it', () => {
    const binding = { permissions: ['view'], principalLinks: ['//group/them'] };
    const bindings = waysToCollections(shapeOf('policy')).get('bindings');
    if (bindings === undefined || bindings.type === 'object') throw new Error('the bindings of a policy are a list');
    const key = itemsOf(bindings, [binding], { org })[0]?.key ?? '';
    const tags = partTag('bank', { kind: 'policy', name: 'view' }, [['bindings', key]]);
    const before = { targetKind: 'group', bindings: [binding], tags };
    const policy = live('policy/view', before, { applied: { tagKeys: [] } });
    const made = plan([declare('policy/view', { targetKind: 'workload' })], [policy, foreign('group/them')]);
    const change = changeOf(made, 'policy/view');
    expect(change).toMatchObject({ action: 'replace', notes: ['1 item belongs to bank'] });
    expect(change.create?.expose()).toMatchObject({ bindings: [binding], tags });
  });

  test('what operators switched stays switched', () => {
    const switched = workload('a:1', [], { defaultOptions: { suspend: true } });
    const made = plan(declared('gvc/g; workload/g/web type(standard)'), [
      live('gvc/g'),
      live('workload/g/web', switched),
    ]);
    const { action, create } = changeOf(made, 'workload/g/web');
    expect([action, create?.expose()]).toMatchObject(['replace', { spec: { defaultOptions: { suspend: true } } }]);
  });

  test('an ignored path is carried over, and so are the tags of others', () => {
    const ignoring = desired({ description: 'ours' }, { ignore: ['description'] });
    const body = created(ignoring, there({ description: 'theirs', tags: { 'other/x': '1' } })).create?.expose();
    expect(body).toMatchObject({ description: 'theirs', tags: { 'other/x': '1' } });
  });
});

// biome-ignore format: a row is a case
const around: readonly PlanRow[] = [
  ['it lets go first, and refers again in a second step', 'secret/pull docker; gvc/g pulls(pull)',
    'secret/pull ecr; gvc/g pulls(pull)',
    '… replace secret/pull gone-after gvc/g; patch gvc/g then-after secret/pull'],
  ['that begins to list it waits for it, in one step', 'secret/pull docker; gvc/g pulls(pull)', 'secret/pull ecr; gvc/g pulls()',
    'replace secret/pull; patch gvc/g then-after nothing'],
  ['what is replaced along takes its own dependents along', `${cloud}; gvc/g keda(app)`, `${liveCloud}; gvc/g keda(app)`,
    '… replace cloudaccount/cloud gone-after identity/g/app delete; replace identity/g/app gone-after gvc/g; ' +
      'patch gvc/g then-after identity/g/app'],
  ['a part in a GVC of others cannot be changed around it', 'secret/pull docker; gvc/g pulls(pull) part',
    'secret/pull ecr; gvc/g pulls(pull) by(base)', '… refuse replace secret/pull refused delete.referenced'],
];

describe('a GVC is never replaced along: it is changed around it', () => {
  const gvcOf = (desired: string, there: string) => changeOf(plan(declared(desired), held(there)), 'gvc/g');
  const again = (of: ReturnType<typeof gvcOf>) => JSON.stringify(of.then?.expose());

  testPlans(around);

  test('and says why, once for each', () => {
    const change = gvcOf('secret/pull docker; gvc/g pulls(pull)', 'secret/pull ecr; gvc/g pulls(pull)');
    expect(change.notes).toEqual(['spec.pullSecretLinks.0 refers to secret/pull, which is replaced']);
    expect(change.reason).toBe('its reference to the replaced resource is removed, and written again afterwards');
    expect(again(change)).toContain('/org/o/secret/pull');
    const scaled = gvcOf(`${cloud}; gvc/g keda(app)`, `${liveCloud}; gvc/g keda(app)`);
    expect(scaled.notes).toEqual(['spec.keda.identityLink refers to identity/g/app, which is replaced']);
  });

  test('that begins to refer to a replaced child does so in its second step, and says why', () => {
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

  test('that begins to list it beside another reference has one step too, and no note', () => {
    const desired = 'secret/pull docker; gvc/g pulls(pull) keda(app); identity/g/app';
    const { notes, then } = gvcOf(desired, 'secret/pull ecr; gvc/g pulls() keda(app); identity/g/app');
    expect([notes, then]).toEqual([[], undefined]);
  });

  test('drops what it set and no longer declares all the same', () => {
    const spec = { pullSecretLinks: ['/org/o/secret/pull'], endpointNamingFormat: 'org' };
    const was = live('gvc/g', { spec }, { applied: { servicePaths: ['spec.endpointNamingFormat'] } });
    const state = [...held('secret/pull ecr').resources.values(), was];
    const { patch, then } = changeOf(plan(declared('secret/pull docker; gvc/g pulls(pull)'), state), 'gvc/g');
    expect(patch?.expose()['$replace/spec']).toEqual({ pullSecretLinks: [] });
    expect(then?.expose()['spec']).toEqual({ pullSecretLinks: ['/org/o/secret/pull'] });
  });

  test('a refused plan is shown whole, also where its changes could not be ordered', () => {
    const desired = declared(`${cloud}; workload/g/web identity(app)`);
    const made = plan(desired, held(`${liveCloud}; gvc/g keda(app); workload/g/web identity(spare)`));
    expect(changeOf(made, 'gvc/g')).toMatchObject({ action: 'refuse', intended: 'delete' });
    expect(made.changes).toHaveLength(4);
  });
});

// biome-ignore format: a row is a case
const along: readonly PlanRow[] = [
  ['a workload that mounts what a stranger mounts too goes along, with the set', 'group/x',
    'group/x; gvc/g; volumeset/g/rows; workload/g/db mounts(rows); workload/g/x mounts(rows) foreign unlisted',
    '… delete gvc/g cascades-to volumeset/g/rows, workload/g/db, workload/g/x; delete volumeset/g/rows via gvc/g; ' +
      'delete workload/g/db via gvc/g', { allowCollateral: 1 }],
  ['what lives elsewhere is no part of it', 'group/x; gvc/h; identity/h/app', 'group/x; gvc/g; gvc/h; identity/h/app',
    'delete gvc/g cascades-to nothing'],
  ['what a GVC that stays holds is deleted by itself', 'gvc/g', 'gvc/g; identity/g/app',
    'delete identity/g/app via nothing'],
];

describe('what goes with a GVC', () => {
  testPlans(along);
});
