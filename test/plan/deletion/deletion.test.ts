import { describe, expect, test } from 'vitest';
import type { LiveResource, Snapshot } from '../../../src/manifest/live/snapshot.ts';
import type { Plan } from '../../../src/plan/model/plan.ts';
import type { PlanOptions } from '../../../src/plan/model/planOptions.ts';
import {
  actions,
  changeOf,
  closure,
  codes,
  declare,
  foreign,
  live,
  plan,
  snapshot,
  volumeset,
  volumesetSpec,
  workload,
} from '../world.ts';

const other = declare('group/others');
const groups = live('group/others');

/** The GVC `g` is no longer declared; `children` are in it. */
function leaving(children: readonly LiveResource[], more: readonly LiveResource[] = [], known = true): Snapshot {
  const owned = children.filter(
    (child) => child.record['tags'] !== undefined && JSON.stringify(child.record).includes('gantry/stack'),
  );
  return snapshot([groups, live('gvc/g'), ...owned, ...more], { closures: closure('g', children, known) });
}

function removal(
  children: readonly LiveResource[],
  options: Partial<PlanOptions> = {},
  more: readonly LiveResource[] = [],
): Plan {
  return plan([other], leaving(children, more), options);
}

describe('deleting a GVC is planned, never discovered', () => {
  const data = live('volumeset/g/rows', volumeset(1));
  const empty = live('volumeset/g/rows', volumeset(0));
  const db = live('workload/g/db', workload('db:1', ['rows']));
  const web = live('workload/g/web', workload('web:1'));
  const identity = live('identity/g/app');
  const stranger = foreign('identity/g/stranger');

  test('owned children go with its own DELETE', () => {
    const made = removal([web, identity]);
    expect(changeOf(made, 'gvc/g').cascadesTo).toEqual(['identity/g/app', 'workload/g/web']);
    for (const id of ['workload/g/web', 'identity/g/app']) {
      expect(changeOf(made, id)).toMatchObject({ action: 'delete', via: 'gvc/g', requires: [] });
    }
    expect(codes(made)).toEqual([]);
  });

  test('volume sets, and the workloads that mount them, are deleted first', () => {
    const made = removal([db, web, empty]);
    expect(actions(made)).toEqual([
      'delete workload/g/db',
      'delete volumeset/g/rows',
      'delete gvc/g',
      'delete workload/g/web',
    ]);
    expect(changeOf(made, 'workload/g/db').via).toBeUndefined();
    expect(changeOf(made, 'volumeset/g/rows').requires.map(({ on }) => on)).toEqual(['workload/g/db']);
    expect(
      changeOf(made, 'gvc/g')
        .requires.map(({ on }) => on)
        .sort(),
    ).toEqual(['volumeset/g/rows', 'workload/g/db']);
    expect(changeOf(made, 'gvc/g').cascadesTo).toEqual(['workload/g/web']);
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'refuses to take a bystander along', children: [web, stranger], options: {},
        refused: ['delete.bystander'] },
      { it: 'takes along exactly as many as are allowed', children: [web, stranger], options: { allowCollateral: 1 },
        refused: [] },
      { it: 'refuses when fewer are there than allowed', children: [web, stranger], options: { allowCollateral: 2 },
        refused: ['delete.bystander'] },
      { it: 'counts a child of another stack as a bystander', children: [live('identity/g/x', {}, { owner: 'bank' })],
        options: {}, refused: ['delete.bystander'] },
      { it: 'counts what is to be retained as a bystander',
        children: [live('identity/g/x', {}, { applied: { retain: true } })], options: {},
        refused: ['delete.bystander'] },
      { it: 'refuses to lose data', children: [data], options: {}, refused: ['delete.data'] },
      { it: 'loses exactly as much as is allowed', children: [data], options: { allowDataLoss: 1 }, refused: [] },
      { it: 'counts the data of bystanders', children: [foreign('volumeset/g/x', volumeset(2))],
        options: { allowCollateral: 1 }, refused: ['delete.data'] },
      { it: 'counts unknown volumes as data', children: [live('volumeset/g/rows', volumesetSpec())], options: {},
        refused: ['delete.data'] },
      { it: 'refuses while a child is protected',
        children: [live('workload/g/web', { ...workload('web:1'), tags: { 'scheme/protected': 'true' } })], options: {},
        refused: ['delete.protected'] },
      { it: 'refuses while a bystander is protected',
        children: [foreign('workload/g/web', { tags: { 'scheme/protected': true } })], options: { allowCollateral: 1 },
        refused: ['delete.protected'] },
    ],
  )('$it', ({ children, options, refused }) => {
    const made = removal(children, options);
    expect(codes(made)).toEqual(refused);
    expect(changeOf(made, 'gvc/g').intended ?? changeOf(made, 'gvc/g').action).toBe('delete');
  });

  test('names whose data is lost, so that no other data is lost by it', () => {
    const theirs = foreign('volumeset/g/x', volumeset(2));
    const made = removal([data, theirs, foreign('volumeset/g/y', volumeset(0))], {
      allowCollateral: 2,
      allowDataLoss: 2,
    });
    expect(codes(made)).toEqual([]);
    expect(changeOf(made, 'volumeset/g/rows').losesData).toEqual(['volumeset/g/rows']);
    expect(changeOf(made, 'gvc/g').losesData).toEqual(['volumeset/g/x']);
    expect(changeOf(removal([empty]), 'volumeset/g/rows')).not.toHaveProperty('losesData');
  });

  test('bystanders stand in cascadesTo only', () => {
    const made = removal([stranger]);
    expect(made.changes.map(({ id }) => id)).not.toContain('identity/g/stranger');
    expect(changeOf(made, 'gvc/g')).toMatchObject({
      action: 'refuse',
      intended: 'delete',
      cascadesTo: ['identity/g/stranger'],
    });
    expect(changeOf(made, 'gvc/g').refusals[0]?.allow).toBe('--allow-collateral=1');
  });

  test('a bystander that was to be let go of goes with the GVC, and has no change of its own', () => {
    const kept = live('identity/g/kept', {}, { applied: { retain: true } });
    const made = removal([web, kept], { allowCollateral: 1 });
    expect(actions(made)).toEqual(['delete gvc/g', 'delete workload/g/web']);
    expect(changeOf(made, 'gvc/g').cascadesTo).toEqual(['identity/g/kept', 'workload/g/web']);
  });

  test('a volume set that a bystander mounts goes with the GVC, because nothing else can take it', () => {
    const made = removal([empty, foreign('workload/g/x', workload('x:1', ['rows']))], { allowCollateral: 1 });
    expect(changeOf(made, 'volumeset/g/rows').via).toBe('gvc/g');
  });

  test('nobody deletes a GVC whose content is not known', () => {
    expect(codes(plan([other], leaving([], [], false)))).toEqual(['delete.closure-unknown']);
    expect(codes(plan([other], snapshot([groups, live('gvc/g')])))).toEqual(['delete.closure-unknown']);
  });

  test('a child that is still declared keeps its GVC', () => {
    const made = plan([other, declare('identity/g/app')], leaving([identity]));
    expect(changeOf(made, 'gvc/g').refusals.map(({ code }) => code)).toEqual(['delete.referenced']);
  });

  test('deleting stops at 10 unless allowed, children of GVCs counted', () => {
    const many = Array.from({ length: 10 }, (_, index) => live(`identity/g/i${index}`));
    expect(codes(removal(many))).toEqual(['delete.too-many']);
    expect(codes(removal(many, { maxDeletes: 11 }))).toEqual([]);
    expect(codes(removal(many, { maxDeletes: undefined }))).toEqual([]);
  });

  test('bystanders count towards the deletions that are allowed', () => {
    const limited = (maxDeletes: number) => removal([web, stranger], { allowCollateral: 1, maxDeletes });
    expect(limited(2).refusals).toMatchObject([{ code: 'delete.too-many', allow: '--max-deletes=3' }]);
    expect(codes(limited(3))).toEqual([]);
  });

  test('what is replaced is deleted too', () => {
    const [before, after] = [
      { type: 'opaque', data: { payload: 'x' } },
      { type: 'userpass', data: { username: 'u', password: 'p' } },
    ];
    const replacing = (maxDeletes: number) =>
      plan([declare('secret/kept', after)], [live('secret/kept', before), live('secret/gone', before)], { maxDeletes });
    expect(replacing(1).refusals).toEqual([
      {
        code: 'delete.too-many',
        message: '2 resources would be deleted, 1 of them to be created again; at most 1 are allowed',
        allow: '--max-deletes=2',
      },
    ]);
    expect(codes(replacing(2))).toEqual([]);
  });

  test('what refers into the GVC from outside lets go before', () => {
    const route = (link: string) => ({ spec: { ports: [{ routes: [{ prefix: '/', workloadLink: link }] }] } });
    const domain = live('domain/shop.example.com', route('/org/o/gvc/g/workload/web'));
    const made = removal([web], {}, [domain]);
    expect(actions(made)).toEqual(['delete domain/shop.example.com', 'delete gvc/g', 'delete workload/g/web']);
  });

  test('what its children refer to outside goes after it', () => {
    const reader = live('workload/g/web', {
      spec: {
        type: 'standard',
        containers: [{ name: 'main', image: 'web:1', env: [{ name: 'A', value: 'scheme://secret/s' }] }],
      },
    });
    expect(actions(removal([reader], {}, [live('secret/s')]))).toEqual([
      'delete gvc/g',
      'delete workload/g/web',
      'delete secret/s',
    ]);
  });
});

describe('a reference keeps its target (platform/deletion.references)', () => {
  const gvc = (secrets: readonly string[]) => ({
    spec: { pullSecretLinks: secrets.map((name) => `/org/o/secret/${name}`) },
  });

  test('a deletion waits for the update that lets go of it', () => {
    const state = snapshot([live('gvc/g', gvc(['old'])), live('secret/old')], { closures: closure('g', []) });
    const made = plan([declare('gvc/g', gvc([]))], state);
    expect(actions(made)).toEqual(['patch gvc/g', 'delete secret/old']);
    expect(changeOf(made, 'secret/old').requires).toMatchObject([{ on: 'gvc/g', soft: false }]);
  });

  test('what is still referred to is not deleted', () => {
    const made = plan([declare('gvc/g', gvc(['old']))], [live('gvc/g', gvc(['old'])), live('secret/old')]);
    expect(changeOf(made, 'secret/old').refusals).toMatchObject([{ code: 'delete.referenced' }]);
    expect(changeOf(made, 'secret/old').refusals[0]?.message).toContain('gvc/g');
  });

  test('what will be referred to is not deleted either', () => {
    expect(codes(plan([declare('gvc/g', gvc(['old']))], [live('gvc/g'), live('secret/old')]))).toEqual([
      'delete.referenced',
    ]);
  });

  test('what others refer to is not deleted', () => {
    const made = plan([other], [groups, live('secret/old'), foreign('gvc/theirs', gvc(['old']))]);
    expect(codes(made)).toEqual(['delete.referenced']);
  });

  test('a soft reference orders, and does not block where that is permitted', () => {
    const reader = foreign('workload/x/w', {
      spec: {
        type: 'standard',
        containers: [{ name: 'main', image: 'a:1', env: [{ name: 'A', value: 'scheme://secret/old' }] }],
      },
    });
    expect(codes(plan([other], [groups, live('secret/old'), reader], { allowDangling: 1 }))).toEqual([]);
  });

  test('a required reference to nothing is refused with its place', () => {
    const made = plan([declare('gvc/g', gvc(['absent']), {}, 12)], []);
    const [refusal] = changeOf(made, 'gvc/g').refusals;
    expect(refusal).toMatchObject({ code: 'reference.missing' });
    expect(refusal?.message).toMatch(/stack\.yaml:12:1.*secret\/absent/);
    expect(changeOf(made, 'gvc/g')).toMatchObject({ action: 'refuse', intended: 'create' });
  });

  test('a typo of an id says what was probably meant', () => {
    const other = declare('group/readers');
    const waiting = declare('gvc/g', gvc(['pul']), { dependsOn: ['group/raeders'] }, 4);
    const made = plan([waiting, other, declare('secret/pull', { type: 'opaque', data: { payload: 'x' } })], []);
    expect(changeOf(made, 'gvc/g').refusals.map(({ message }) => message)).toEqual([
      expect.stringMatching(/ refers to secret\/pul, which is neither declared nor live; did you mean secret\/pull\?$/),
      'stack.yaml:4:1: lifecycle.dependsOn.0 refers to group/raeders, which is neither declared nor live; did you mean group/readers?',
    ]);
  });

  test('a GVC that is not there is a missing reference of what lives in it', () => {
    expect(codes(plan([declare('identity/g/app')], []))).toEqual(['reference.missing']);
  });

  test('a live record that nobody declares satisfies a reference', () => {
    expect(codes(plan([declare('gvc/g', gvc(['theirs']))], [foreign('secret/theirs')]))).toEqual([]);
  });

  test('a GVC in which something new is declared stays', () => {
    const made = plan([declare('workload/g/web', workload('web:1'))], leaving([]));
    expect(changeOf(made, 'gvc/g').refusals).toMatchObject([{ code: 'delete.referenced' }]);
  });

  test('what a domain is told to serve must not go, although the platform would let it (row 21)', () => {
    const domain = declare('domain/example.com', { spec: { workloadLink: '//gvc/g/workload/db' } });
    const made = plan([declare('gvc/g'), domain], [live('gvc/g'), live('workload/g/db', workload('db:1'))]);
    expect(changeOf(made, 'domain/example.com').refusals).toMatchObject([{ code: 'reference.missing' }]);
    expect(changeOf(made, 'workload/g/db').refusals).toEqual([]);
  });

  test('a domain that serves it already is an obstacle only for us, and a permit lets it go', () => {
    const spec = { spec: { workloadLink: '/org/o/gvc/g/workload/db' } };
    const db = live('workload/g/db', workload('db:1'));
    const held = [live('gvc/g'), foreign('domain/example.com', spec), db];
    expect(codes(plan([declare('gvc/g')], held))).toEqual(['delete.referenced']);
    expect(codes(plan([declare('gvc/g')], held, { allowDangling: 1 }))).toEqual([]);
  });
});
