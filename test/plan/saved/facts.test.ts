import { describe, expect, test } from 'vitest';
import { brokenFacts, factsOf, newVictims } from '../../../src/plan/saved/facts.ts';
import { objectAt } from '../../../src/schema/json/json.ts';
import { changeOf, closure, declare, foreign, hash, live, snapshot, workload } from '../world.ts';
import { planned } from './saving.ts';

describe('what a plan relies on of what it only reads', () => {
  const web = declare('workload/g/web', {
    spec: { ...objectAt(workload('web:1'), 'spec'), identityLink: '//identity/app' },
  });
  const team = declare('group/team', { memberLinks: ['//serviceaccount/robot'] }, { dependsOn: ['gvc/g'] });
  const there = [live('gvc/g'), live('identity/g/app'), foreign('serviceaccount/robot'), foreign('group/unused')];
  const of = planned([declare('gvc/g'), declare('identity/g/app'), web, team], there);
  const facts = factsOf(of.plan, of.desired, of.snapshot);

  test('its GVC, what it refers to, and what it waits for; nothing that it changes, nothing that it does not use', () => {
    expect(facts).toEqual([
      { fact: 'exists', ref: { kind: 'gvc', name: 'g' }, uid: 'uid-gvc/g' },
      { fact: 'exists', ref: { kind: 'identity', name: 'app', gvc: 'g' }, uid: 'uid-identity/g/app' },
      { fact: 'exists', ref: { kind: 'serviceaccount', name: 'robot' }, uid: 'uid-serviceaccount/robot' },
    ]);
    expect(brokenFacts(facts, of.snapshot)).toEqual([]);
  });

  test('it does not matter that they were written since; it does that they are gone, or others', () => {
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

  test('a GVC that goes holds what was shown, or less', () => {
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

  test('who is hit by an update and came since', () => {
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
});
