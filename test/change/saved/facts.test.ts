import { describe, expect, test } from 'vitest';
import { objectAt } from '../../../src/base/json/json.ts';
import { brokenFacts, factsOf, newVictims, unseenIn } from '../../../src/change/savedPlanOf.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import type { DesiredResource } from '../../../src/manifest/model/manifest.ts';
import {
  actions,
  changeOf,
  closure,
  declare,
  foreign,
  hash,
  live,
  snapshot,
  options as usual,
  workload,
} from '../../plan/world.ts';
import { planned } from './saving.ts';

describe('the facts that a plan relies on about records that it only reads', () => {
  const web = declare('workload/g/web', {
    spec: { ...objectAt(workload('web:1'), 'spec'), identityLink: '//identity/app' },
  });
  const team = declare('group/team', { memberLinks: ['//serviceaccount/robot'] }, { dependsOn: ['gvc/g'] });
  const there = [live('gvc/g'), live('identity/g/app'), foreign('serviceaccount/robot'), foreign('group/unused')];
  const of = planned([declare('gvc/g'), declare('identity/g/app'), web, team], there);
  const facts = factsOf(of.plan, of.desired, of.snapshot);

  test('its GVC, its references and its dependencies; neither changed nor unused records', () => {
    expect(facts).toEqual([
      { fact: 'exists', ref: { kind: 'gvc', name: 'g' }, uid: 'uid-gvc/g' },
      { fact: 'exists', ref: { kind: 'identity', name: 'app', gvc: 'g' }, uid: 'uid-identity/g/app' },
      { fact: 'exists', ref: { kind: 'serviceaccount', name: 'robot' }, uid: 'uid-serviceaccount/robot' },
    ]);
    expect(brokenFacts(facts, of.snapshot)).toEqual([]);
  });

  test('ignore later writes, but not a deletion or another record', () => {
    const [gvc, , robot] = there;
    const moved = { ...live('identity/g/app'), version: 9 };
    const now = snapshot([gvc, moved, robot].filter((each) => each !== undefined));
    expect(brokenFacts(facts, now)).toEqual([]);
    const without = snapshot([live('gvc/g'), { ...moved, uid: 'another' }]);
    expect(brokenFacts(facts, without)).toEqual([
      'identity/g/app, which it refers to, was deleted and created again',
      'serviceaccount/robot, which it refers to, is gone',
    ]);
  });

  test('a deleted GVC contains only approved records, or fewer', () => {
    const [gvc, app] = [live('gvc/old'), live('identity/old/app')];
    const state = snapshot([gvc, app], { closures: closure('old', [app]) });
    const going = planned([declare('group/x')], state);
    const held = factsOf(going.plan, going.desired, state);
    expect(held).toEqual([
      {
        fact: 'children',
        ref: { kind: 'gvc', name: 'old' },
        holds: [{ id: 'identity/old/app', uid: 'uid-identity/old/app' }],
      },
    ]);
    const broken = (children: readonly (typeof app)[], known = true) =>
      brokenFacts(held, snapshot([gvc], { closures: closure('old', children, known) }));
    expect(broken([app])).toEqual([]);
    expect(broken([])).toEqual([]);
    expect(broken([app, foreign('workload/old/new')])).toEqual([
      'gvc/old contains workload/old/new, which would be deleted with it and was not shown',
    ]);
    expect(broken([{ ...app, uid: 'another' }])).toHaveLength(1);
    expect(broken([], false)).toEqual(['the content of gvc/old cannot be listed']);
    expect(brokenFacts(held, snapshot([])), 'gone already').toEqual([]);
  });

  test('an affected child that was created since', () => {
    const locations = (...names: readonly string[]) => ({
      spec: { staticPlacement: { locationLinks: names.map((name) => `//location/${name}`) } },
    });
    const gvc = live('gvc/g', locations('aws-eu-central-1', 'gcp-us-east1'));
    const theirs = foreign('workload/g/theirs', workload('t:1'));
    const places = [foreign('location/aws-eu-central-1'), foreign('location/gcp-us-east1')];
    const adopted = foreign('workload/g/adopted', workload('a:1'));
    const state = snapshot([gvc, adopted, ...places], { closures: closure('g', [theirs, adopted]) });
    const taking = planned(
      [
        declare('gvc/g', locations('aws-eu-central-1')),
        declare('workload/g/adopted', workload('a:1'), { adopt: true }),
      ],
      state,
      { allowCollateral: 1 },
    );
    expect(changeOf(taking.plan, 'gvc/g').victims).toEqual(['workload/g/theirs']);
    expect(newVictims(taking.plan, state, hash)).toEqual([]);
    const later = snapshot([gvc], {
      closures: closure('g', [theirs, adopted, foreign('workload/g/late', workload('l:1')), live('workload/g/ours')]),
    });
    expect(newVictims(taking.plan, later, hash)).toEqual([
      'the change of gvc/g affects workload/g/late, which was not shown',
    ]);
  });

  test('an unchanged declaration has no facts, and nor has a reference to another org', () => {
    const there = [live('gvc/g'), live('secret/far'), live('identity/g/app'), foreign('serviceaccount/robot')];
    const linked = { spec: { pullSecretLinks: ['/org/another/secret/far'] } };
    const desired = [
      declare('identity/g/app'),
      declare('gvc/g', { ...linked, description: 'new' }),
      declare('group/same', { memberLinks: ['//serviceaccount/robot'] }),
    ];
    const same = live('group/same', { memberLinks: ['//serviceaccount/robot'] });
    const of = planned(desired, [...there, same], { scope: 'partial' });
    expect(actions(of.plan)).toEqual(['patch gvc/g']);
    expect(factsOf(of.plan, of.desired, of.snapshot)).toEqual([]);
  });

  test('a changed record is pinned by its change, and the facts are sorted', () => {
    const web = declare('workload/g/web', workload('web:1'), { dependsOn: ['group/b', 'group/a'] });
    const awaited = [live('group/b'), live('group/a')];
    const of = planned(
      [declare('gvc/g', { description: 'new' }), web, declare('group/a'), declare('group/b')],
      [live('gvc/g', { description: 'old' }), ...awaited],
    );
    const ids = factsOf(of.plan, of.desired, of.snapshot).map(({ ref }) => `${ref.kind}/${ref.name}`);
    expect(ids).toEqual(['group/a', 'group/b']);
  });

  test('a user is referred to by e-mail, and exists with an id', () => {
    const ann = foreign('user/u1', { email: 'ann@example.com' });
    const team = declare('group/team', { memberLinks: ['//user/ann@example.com'] });
    const of = planned([team], [ann]);
    const found = factsOf(of.plan, of.desired, of.snapshot);
    expect(found).toMatchObject([{ fact: 'exists', uid: ann.uid }]);
    expect(brokenFacts(found, of.snapshot)).toEqual([]);
    expect(brokenFacts(found, snapshot([{ ...ann, uid: 'another' }]))).toHaveLength(1);
    expect(brokenFacts(found, snapshot([]))).toHaveLength(1);
  });

  test('children of a GVC are listed by name', () => {
    const children = ['identity/old/b', 'identity/old/a'].map((id) => live(id));
    const state = snapshot([live('gvc/old'), ...children], { closures: closure('old', children) });
    const [fact] = factsOf(planned([declare('group/x')], state).plan, [], state);
    expect(fact).toMatchObject({ holds: [{ id: 'identity/old/a' }, { id: 'identity/old/b' }] });
    // Without a second list no new children are known.
    expect(brokenFacts(fact === undefined ? [] : [fact], snapshot([live('gvc/old')]))).toEqual([]);
  });
});

describe('a GVC of which not everything is visible', () => {
  const blind = (gvc: string) =>
    new Map([[gvc, { known: true, children: [], unseen: ['workload', 'identity'] as const }]]);
  const locations = (...names: readonly string[]) => ({
    spec: { staticPlacement: { locationLinks: names.map((name) => `//location/${name}`) } },
  });
  const places = [foreign('location/aws-eu-central-1'), foreign('location/gcp-us-east1')];
  const both = live('gvc/g', locations('aws-eu-central-1', 'gcp-us-east1'));
  const lines = (gvc: string) =>
    ['workload', 'identity'].map((kind) => expect.stringContaining(`every ${kind} in gvc/${gvc}`));

  test.each<{
    it: string;
    desired: readonly DesiredResource[];
    from: readonly LiveResource[];
    gvc: string;
    allowUnseen?: true;
    said: unknown;
  }>(
    // biome-ignore format: a row is a case
    [
      { it: 'is deleted: the cascade may be larger', desired: [declare('group/x')], from: [live('gvc/g')], gvc: 'g',
        said: lines('g') },
      { it: 'is deleted with the permit',
        desired: [declare('group/x')], from: [live('gvc/g')], gvc: 'g', allowUnseen: true,
        said: [] },
      { it: 'loses a location: more may be affected', desired: [declare('gvc/g', locations('aws-eu-central-1'))],
        from: [both, ...places], gvc: 'g', said: lines('g') },
      { it: 'loses nothing', desired: [declare('gvc/g', { description: 'new' })], from: [live('gvc/g')], gvc: 'g',
        said: [] },
      { it: 'is another one', desired: [declare('group/x')], from: [live('gvc/g')], gvc: 'h', said: [] },
      { it: 'is not the deleted record of the same name',
        desired: [declare('group/x')], from: [live('group/g')], gvc: 'g',
        said: [] },
    ],
  )('$it', ({ desired, from, gvc, allowUnseen, said }) => {
    const { plan: made } = planned(desired, snapshot(from, { closures: closure('g', []) }));
    const options = { ...usual, ...(allowUnseen && { allowUnseen }) };
    expect(unseenIn(made, snapshot(from, { closures: blind(gvc) }), { options })).toEqual(said);
  });

  test('affected children are unknown in a GVC that was not listed again', () => {
    const { plan: made } = planned(
      [declare('gvc/g', locations('aws-eu-central-1'))],
      snapshot([both, ...places], { closures: closure('g', []) }),
    );
    expect(newVictims(made, snapshot([both]), hash)).toEqual([]);
  });
});
