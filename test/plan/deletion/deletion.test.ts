import { describe, expect, test } from 'vitest';
import type { PlanOptions } from '../../../src/plan/model/planOptions.ts';
import { declared, expectPlan, held, type PlanRow, testPlans } from '../planText.ts';
import { changeOf, closure, codes, declare, live, plan, snapshot } from '../world.ts';

/** The GVC `g` is no longer declared; `children` are in it. */
const leaving = (children: string) => `group/x; gvc/g${children === '' ? '' : `; ${children}`}`;
const stranger = 'workload/g/web; identity/g/stranger foreign unlisted';
const theirs = 'volumeset/g/rows volumes(1); volumeset/g/x volumes(2) foreign unlisted; volumeset/g/y foreign unlisted';
const many = Array.from({ length: 10 }, (_, index) => `identity/g/i${index}`);
const refused = (code: string) => `… refuse delete gvc/g refused ${code}`;

// biome-ignore format: a row is a case
const gvcs: readonly PlanRow[] = [
  ['owned children go with its own DELETE', 'group/x', leaving('workload/g/web; identity/g/app'),
    '… delete gvc/g cascades-to identity/g/app, workload/g/web; ' +
      'delete workload/g/web after nothing via gvc/g; delete identity/g/app after nothing via gvc/g'],
  ['volume sets, and the workloads that mount them, are deleted first', 'group/x',
    leaving('workload/g/db mounts(rows); workload/g/web; volumeset/g/rows'),
    'delete workload/g/db via nothing; delete volumeset/g/rows after workload/g/db; ' +
      'delete gvc/g after volumeset/g/rows, workload/g/db cascades-to workload/g/web; delete workload/g/web'],
  ['it is refused to take a bystander along', 'group/x', leaving(stranger), refused('delete.bystander')],
  ['takes along exactly as many as are allowed', 'group/x', leaving(stranger), '… delete gvc/g',
    { allowCollateral: 1 }],
  ['is refused when fewer are there than allowed', 'group/x', leaving(stranger), refused('delete.bystander'),
    { allowCollateral: 2 }],
  ['counts a child of another stack as a bystander', 'group/x', leaving('identity/g/x by(bank)'),
    refused('delete.bystander')],
  ['counts what is to be retained as a bystander', 'group/x', leaving('identity/g/x retained'),
    refused('delete.bystander')],
  ['is refused to lose data', 'group/x', leaving('volumeset/g/rows volumes(1)'),
    '… delete gvc/g; refuse delete volumeset/g/rows refused delete.data'],
  ['loses exactly as much as is allowed', 'group/x', leaving('volumeset/g/rows volumes(1)'),
    '… delete gvc/g; delete volumeset/g/rows', { allowDataLoss: 1 }],
  ['counts the data of bystanders', 'group/x', leaving('volumeset/g/x volumes(2) foreign unlisted'),
    refused('delete.data'), { allowCollateral: 1 }],
  ['counts unknown volumes as data', 'group/x', leaving('volumeset/g/rows unknown'),
    '… delete gvc/g; refuse delete volumeset/g/rows refused delete.data'],
  ['is refused while a child is protected', 'group/x', leaving('workload/g/web protected'),
    '… delete gvc/g; refuse delete workload/g/web refused delete.protected'],
  ['is refused while a bystander is protected', 'group/x', leaving('workload/g/web protected foreign unlisted'),
    refused('delete.protected'), { allowCollateral: 1 }],
  ['names whose data is lost, so that no other data is lost by it', 'group/x', leaving(theirs),
    '… delete volumeset/g/rows loses-data-of volumeset/g/rows; delete gvc/g loses-data-of volumeset/g/x',
    { allowCollateral: 2, allowDataLoss: 2 }],
  ['bystanders stand only among what it takes along', 'group/x', leaving('identity/g/stranger foreign unlisted'),
    'refuse delete gvc/g cascades-to identity/g/stranger refused delete.bystander'],
  ['a bystander that was to be let go of goes with the GVC, and has no change of its own', 'group/x',
    leaving('workload/g/web; identity/g/kept retained'),
    'delete gvc/g cascades-to identity/g/kept, workload/g/web; delete workload/g/web', { allowCollateral: 1 }],
  ['a volume set that a bystander mounts goes with the GVC, because nothing else can take it', 'group/x',
    leaving('volumeset/g/rows; workload/g/x mounts(rows) foreign unlisted'), '… delete volumeset/g/rows via gvc/g',
    { allowCollateral: 1 }],
  ['a child that is still declared keeps its GVC', 'group/x; identity/g/app', leaving('identity/g/app'),
    refused('delete.referenced')],
  ['a GVC in which something new is declared stays', 'workload/g/web', leaving(''), refused('delete.referenced')],
  ['what refers into the GVC from outside lets go before', 'group/x',
    `${leaving('workload/g/web')}; domain/a.com routes(web)`,
    'delete domain/a.com; delete gvc/g; delete workload/g/web'],
  ['what its children refer to outside goes after it', 'group/x', `${leaving('workload/g/web reads(s)')}; secret/s`,
    'delete gvc/g; delete workload/g/web; delete secret/s'],
];

describe('deleting a GVC is planned, never discovered', () => {
  const removal = (children: string, given: Partial<PlanOptions> = {}) =>
    plan(declared('group/x'), held(leaving(children)), given);

  testPlans(gvcs);

  test('where no data is lost, none is named', () => {
    expect(changeOf(removal('volumeset/g/rows'), 'volumeset/g/rows')).not.toHaveProperty('losesData');
  });

  test('bystanders have no change, and are allowed by their number', () => {
    const made = removal('identity/g/stranger foreign unlisted');
    expect(made.changes.map(({ id }) => id)).not.toContain('identity/g/stranger');
    expect(changeOf(made, 'gvc/g').refusals[0]?.allow).toBe('--allow-collateral=1');
  });

  test('nobody deletes a GVC whose content is not known', () => {
    const records = [live('group/x'), live('gvc/g')];
    for (const closures of [closure('g', [], false), new Map()])
      expect(codes(plan(declared('group/x'), snapshot(records, { closures })))).toEqual(['delete.closure-unknown']);
  });

  test('deleting stops at 10 unless allowed, children of GVCs counted', () => {
    const limited = (given: Partial<PlanOptions>) => codes(removal(many.join('; '), given));
    expect(limited({})).toEqual(['delete.too-many']);
    for (const maxDeletes of [11, undefined]) expect(limited({ maxDeletes })).toEqual([]);
  });

  test('bystanders count towards the deletions that are allowed', () => {
    const limited = (maxDeletes: number) => removal(stranger, { allowCollateral: 1, maxDeletes });
    expect(limited(2).refusals).toMatchObject([{ code: 'delete.too-many', allow: '--max-deletes=3' }]);
    expect(codes(limited(3))).toEqual([]);
  });

  test('what is replaced is deleted too', () => {
    const replacing = (maxDeletes: number) =>
      plan(declared('secret/kept userpass'), held('secret/kept; secret/gone'), { maxDeletes });
    const message = '2 resources would be deleted, 1 of them to be created again; at most 1 are allowed';
    expect(replacing(1).refusals).toEqual([{ code: 'delete.too-many', message, allow: '--max-deletes=2' }]);
    expect(codes(replacing(2))).toEqual([]);
  });
});

// biome-ignore format: a row is a case
const references: readonly PlanRow[] = [
  ['a deletion waits for the update that lets go of it', 'gvc/g pulls()', 'gvc/g pulls(old); secret/old',
    'patch gvc/g; delete secret/old after gvc/g'],
  ['what will be referred to is not deleted', 'gvc/g pulls(old)', 'gvc/g; secret/old',
    '… patch gvc/g; refuse delete secret/old refused delete.referenced'],
  ['what others refer to is not deleted', 'group/x', 'group/x; secret/old; gvc/theirs pulls(old) foreign',
    'refuse delete secret/old refused delete.referenced'],
  ['a soft reference orders, and does not block where that is permitted', 'group/x',
    'group/x; secret/old; workload/x/w reads(old) foreign', 'delete secret/old', { allowDangling: 1 }],
  ['a GVC that is not there is a missing reference of what lives in it', 'identity/g/app', '',
    'refuse create identity/g/app refused reference.missing'],
  ['a live record that nobody declares satisfies a reference', 'gvc/g pulls(theirs)', 'secret/theirs foreign',
    'create gvc/g'],
  ['what a domain is told to serve must not go, although the platform would let it (row 21)',
    'gvc/g; domain/a.com serves(db)', 'gvc/g; workload/g/db',
    '… refuse create domain/a.com refused reference.missing; delete workload/g/db'],
  ['a domain that serves it already is an obstacle only for us', 'gvc/g',
    'gvc/g; domain/a.com serves(db) foreign; workload/g/db', 'refuse delete workload/g/db refused delete.referenced'],
  ['a permit lets it go although a domain serves it', 'gvc/g', 'gvc/g; domain/a.com serves(db) foreign; workload/g/db',
    'delete workload/g/db', { allowDangling: 1 }],
];

describe('a reference keeps its target (platform/deletion.references)', () => {
  testPlans(references);

  test('what is still referred to is not deleted, and the refusal says by whom', () => {
    const made = plan(declared('gvc/g pulls(old)'), held('gvc/g pulls(old); secret/old'));
    expect(changeOf(made, 'secret/old').refusals).toMatchObject([
      { code: 'delete.referenced', message: expect.stringContaining('gvc/g') },
    ]);
  });

  test('a required reference to nothing is refused with its place', () => {
    expectPlan('gvc/g pulls(absent)', '', 'refuse create gvc/g refused reference.missing');
    const made = plan([declare('gvc/g', { spec: { pullSecretLinks: ['/org/o/secret/absent'] } }, {}, 12)], []);
    expect(changeOf(made, 'gvc/g').refusals[0]?.message).toMatch(/stack\.yaml:12:1.*secret\/absent/);
  });

  test('a typo of an id says what was probably meant', () => {
    const pulling = { spec: { pullSecretLinks: ['/org/o/secret/pul'] } };
    const waiting = declare('gvc/g', pulling, { dependsOn: ['group/raeders'] }, 4);
    const made = plan([waiting, ...declared('group/readers; secret/pull')], []);
    expect(changeOf(made, 'gvc/g').refusals.map(({ message }) => message)).toEqual([
      expect.stringMatching(/ refers to secret\/pul, which is neither declared nor live; did you mean secret\/pull\?$/),
      'stack.yaml:4:1: lifecycle.dependsOn.0 refers to group/raeders, which is neither declared nor live; did you mean group/readers?',
    ]);
  });
});
