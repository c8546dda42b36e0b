import { describe, expect, test } from 'vitest';
import type { PlanOptions } from '../../../src/plan/model/planOptions.ts';
import { declared, expectPlan, held, type PlanRow, testPlans } from '../planText.ts';
import { changeOf, closure, codes, declare, live, plan, snapshot } from '../world.ts';

/** The GVC `g` is no longer declared; `children` are its content. */
const leaving = (children: string) => `group/x; gvc/g${children === '' ? '' : `; ${children}`}`;
const stranger = 'workload/g/web; identity/g/stranger foreign unlisted';
const theirs = 'volumeset/g/rows volumes(1); volumeset/g/x volumes(2) foreign unlisted; volumeset/g/y foreign unlisted';
const many = Array.from({ length: 10 }, (_, index) => `identity/g/i${index}`);
const refused = (code: string) => `… refuse delete gvc/g refused ${code}`;

// biome-ignore format: a row is a case
const gvcs: readonly PlanRow[] = [
  ['own children are deleted by the DELETE of the GVC', 'group/x', leaving('workload/g/web; identity/g/app'),
    '… delete gvc/g cascades-to identity/g/app, workload/g/web; ' +
      'delete workload/g/web after nothing via gvc/g; delete identity/g/app after nothing via gvc/g'],
  ['volume sets, and the workloads that mount them, are deleted first', 'group/x',
    leaving('workload/g/db mounts(rows); workload/g/web; volumeset/g/rows'),
    'delete workload/g/db via nothing; delete volumeset/g/rows after workload/g/db; ' +
      'delete gvc/g after volumeset/g/rows, workload/g/db cascades-to workload/g/web; delete workload/g/web'],
  ['is refused if it would delete a record of others', 'group/x', leaving(stranger), refused('delete.bystander')],
  ['deletes exactly as many records of others as permitted', 'group/x', leaving(stranger), '… delete gvc/g',
    { allowCollateral: 1 }],
  ['is refused if the permit has a larger number', 'group/x', leaving(stranger), refused('delete.bystander'),
    { allowCollateral: 2 }],
  ['counts a child of another stack as one of others', 'group/x', leaving('identity/g/x by(bank)'),
    refused('delete.bystander')],
  ['counts a retained child as one of others', 'group/x', leaving('identity/g/x retained'),
    refused('delete.bystander')],
  ['is refused if data would be lost', 'group/x', leaving('volumeset/g/rows volumes(1)'),
    '… delete gvc/g; refuse delete volumeset/g/rows refused delete.data'],
  ['loses exactly as much data as permitted', 'group/x', leaving('volumeset/g/rows volumes(1)'),
    '… delete gvc/g; delete volumeset/g/rows', { allowDataLoss: 1 }],
  ['counts the data of records of others', 'group/x', leaving('volumeset/g/x volumes(2) foreign unlisted'),
    refused('delete.data'), { allowCollateral: 1 }],
  ['counts unknown volumes as data', 'group/x', leaving('volumeset/g/rows unknown'),
    '… delete gvc/g; refuse delete volumeset/g/rows refused delete.data'],
  ['is refused if a child is protected', 'group/x', leaving('workload/g/web protected'),
    '… delete gvc/g; refuse delete workload/g/web refused delete.protected'],
  ['is refused if a child of others is protected', 'group/x', leaving('workload/g/web protected foreign unlisted'),
    refused('delete.protected'), { allowCollateral: 1 }],
  ['names the change that loses data, and counts it once', 'group/x', leaving(theirs),
    '… delete volumeset/g/rows loses-data-of volumeset/g/rows; delete gvc/g loses-data-of volumeset/g/x',
    { allowCollateral: 2, allowDataLoss: 2 }],
  ['records of others are only part of its cascade', 'group/x', leaving('identity/g/stranger foreign unlisted'),
    'refuse delete gvc/g cascades-to identity/g/stranger refused delete.bystander'],
  ['a child of others that was to be released is in the cascade, and has no own change', 'group/x',
    leaving('workload/g/web; identity/g/kept retained'),
    'delete gvc/g cascades-to identity/g/kept, workload/g/web; delete workload/g/web', { allowCollateral: 1 }],
  ['a volume set that a workload of others mounts is in the cascade, as nothing else can delete it', 'group/x',
    leaving('volumeset/g/rows; workload/g/x mounts(rows) foreign unlisted'), '… delete volumeset/g/rows via gvc/g',
    { allowCollateral: 1 }],
  ['a child that is still declared keeps its GVC', 'group/x; identity/g/app', leaving('identity/g/app'),
    refused('delete.referenced')],
  ['a GVC that contains a newly declared resource is kept',
    'workload/g/web', leaving(''), refused('delete.referenced')],
  ['references into the GVC from outside are dropped before', 'group/x',
    `${leaving('workload/g/web')}; domain/a.com routes(web)`,
    'delete domain/a.com; delete gvc/g; delete workload/g/web'],
  ['resources outside to which its children refer are deleted after it',
    'group/x', `${leaving('workload/g/web reads(s)')}; secret/s`,
    'delete gvc/g; delete workload/g/web; delete secret/s'],
];

describe('the deletion of a GVC is planned with its whole cascade', () => {
  const removal = (children: string, given: Partial<PlanOptions> = {}) =>
    plan(declared('group/x'), held(leaving(children)), given);

  testPlans(gvcs);

  test('a deletion without data loss names none', () => {
    expect(changeOf(removal('volumeset/g/rows'), 'volumeset/g/rows')).not.toHaveProperty('losesData');
  });

  test('records of others have no own change, and are permitted by their number', () => {
    const made = removal('identity/g/stranger foreign unlisted');
    expect(made.changes.map(({ id }) => id)).not.toContain('identity/g/stranger');
    expect(changeOf(made, 'gvc/g').refusals[0]?.allow).toBe('--allow-collateral=1');
  });

  test('a GVC with unknown content is not deleted', () => {
    const records = [live('group/x'), live('gvc/g')];
    for (const closures of [closure('g', [], false), new Map()])
      expect(codes(plan(declared('group/x'), snapshot(records, { closures })))).toEqual(['delete.closure-unknown']);
  });

  test('more than 10 deletions need a permit, and children of GVCs count', () => {
    const limited = (given: Partial<PlanOptions>) => codes(removal(many.join('; '), given));
    expect(limited({})).toEqual(['delete.too-many']);
    for (const maxDeletes of [11, undefined]) expect(limited({ maxDeletes })).toEqual([]);
  });

  test('deleted records of others count towards the permitted deletions', () => {
    const limited = (maxDeletes: number) => removal(stranger, { allowCollateral: 1, maxDeletes });
    expect(limited(2).refusals).toMatchObject([{ code: 'delete.too-many', allow: '--max-deletes=3' }]);
    expect(codes(limited(3))).toEqual([]);
  });

  test('a replacement counts as a deletion', () => {
    const replacing = (maxDeletes: number) =>
      plan(declared('secret/kept userpass'), held('secret/kept; secret/gone'), { maxDeletes });
    const message = '2 resources would be deleted, 1 of them to be created again; at most 1 are allowed';
    expect(replacing(1).refusals).toEqual([{ code: 'delete.too-many', message, allow: '--max-deletes=2' }]);
    expect(codes(replacing(2))).toEqual([]);
  });
});

// biome-ignore format: a row is a case
const references: readonly PlanRow[] = [
  ['a deletion waits for the update that drops the reference', 'gvc/g pulls()', 'gvc/g pulls(old); secret/old',
    'patch gvc/g; delete secret/old after gvc/g'],
  ['a resource to which the plan adds a reference is not deleted', 'gvc/g pulls(old)', 'gvc/g; secret/old',
    '… patch gvc/g; refuse delete secret/old refused delete.referenced'],
  ['a resource to which others refer is not deleted', 'group/x', 'group/x; secret/old; gvc/theirs pulls(old) foreign',
    'refuse delete secret/old refused delete.referenced'],
  ['a soft reference orders the deletion, and blocks it only without a permit', 'group/x',
    'group/x; secret/old; workload/x/w reads(old) foreign', 'delete secret/old', { allowDangling: 1 }],
  ['a missing GVC is a missing reference of its children', 'identity/g/app', '',
    'refuse create identity/g/app refused reference.missing'],
  ['an undeclared live record satisfies a reference', 'gvc/g pulls(theirs)', 'secret/theirs foreign',
    'create gvc/g'],
  ['a workload that a domain will serve is not deleted, although the platform would do it (row 21)',
    'gvc/g; domain/a.com serves(db)', 'gvc/g; workload/g/db',
    '… refuse create domain/a.com refused reference.missing; delete workload/g/db'],
  ['a domain that serves a workload blocks its deletion, although only for Gantry', 'gvc/g',
    'gvc/g; domain/a.com serves(db) foreign; workload/g/db', 'refuse delete workload/g/db refused delete.referenced'],
  ['a permit deletes it although a domain serves it', 'gvc/g', 'gvc/g; domain/a.com serves(db) foreign; workload/g/db',
    'delete workload/g/db', { allowDangling: 1 }],
];

describe('a reference keeps its target (platform/deletion.references)', () => {
  testPlans(references);

  test('a resource with referrers is not deleted, and the refusal names them', () => {
    const made = plan(declared('gvc/g pulls(old)'), held('gvc/g pulls(old); secret/old'));
    expect(changeOf(made, 'secret/old').refusals).toMatchObject([
      { code: 'delete.referenced', message: expect.stringContaining('gvc/g') },
    ]);
  });

  test('a required reference to a missing resource is refused with its place', () => {
    expectPlan('gvc/g pulls(absent)', '', 'refuse create gvc/g refused reference.missing');
    const made = plan([declare('gvc/g', { spec: { pullSecretLinks: ['/org/o/secret/absent'] } }, {}, 12)], []);
    expect(changeOf(made, 'gvc/g').refusals[0]?.message).toMatch(/stack\.yaml:12:1.*secret\/absent/);
  });

  test('an unknown id is reported with the nearest name', () => {
    const pulling = { spec: { pullSecretLinks: ['/org/o/secret/pul'] } };
    const waiting = declare('gvc/g', pulling, { dependsOn: ['group/raeders'] }, 4);
    const made = plan([waiting, ...declared('group/readers; secret/pull')], []);
    expect(changeOf(made, 'gvc/g').refusals.map(({ message }) => message)).toEqual([
      expect.stringMatching(/ refers to secret\/pul, which is neither declared nor live; did you mean secret\/pull\?$/),
      'stack.yaml:4:1: lifecycle.dependsOn.0 refers to group/raeders, which is neither declared nor live; did you mean group/readers?',
    ]);
  });
});
