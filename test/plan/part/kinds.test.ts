import { describe, expect, test } from 'vitest';
import { objectAt, stringAt } from '../../../src/base/json/json.ts';
import { normalise } from '../../../src/kinds/normalise.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import { actions, changeOf, closure, codes, declare, foreign, live, org, plan, snapshot } from '../world.ts';
import { carriedOut, id, ownedDomain, part, planFor, route, run, targets, withDocs } from './domainParts.ts';

describe('parts of other kinds', () => {
  const groupId = 'group/team';
  const member = (name: string) => `//serviceaccount/${name}`;

  test('members of a group, shown one by one, in any form of link', () => {
    const team = live(groupId, { memberLinks: [`/org/o/serviceaccount/ann`] }, { owner: 'base' });
    const robots = ['ann', 'bob', 'eve'].map((name) => foreign(`serviceaccount/${name}`));
    const of = (...names: readonly string[]) => [declare(groupId, { memberLinks: names.map(member) }, part)];
    const made = plan(of('bob', 'eve'), snapshot([team, ...robots]), { owner: 'docs' });
    expect(changeOf(made, groupId).patch?.expose()['$append/memberLinks']).toEqual([member('bob'), member('eve')]);
    expect(changeOf(made, groupId).fields).toMatchObject([
      { path: 'memberLinks."/org/o/serviceaccount/bob"', new: member('bob') },
      { path: 'memberLinks."/org/o/serviceaccount/eve"', new: member('eve') },
    ]);
    const on = carriedOut(made, team);
    const less = plan(of('eve'), snapshot([on, ...robots]), { owner: 'docs' });
    expect(changeOf(less, groupId).patch?.expose()['$drop/memberLinks']).toEqual(['/org/o/serviceaccount/bob']);
  });

  test('bindings of a policy are identified by their content', () => {
    const bind = (...who: readonly string[]) => ({
      permissions: ['view', 'edit'],
      principalLinks: who.map((name) => `/org/o/group/${name}`),
    });
    const policy = live('policy/p', { targetKind: 'gvc', target: 'all', bindings: [bind('a')] }, { owner: 'base' });
    const groups = ['a', 'b'].map((name) => foreign(`group/${name}`));
    const mine = { permissions: ['edit', 'view'], principalLinks: ['//group/b'] };
    const declared = [declare('policy/p', { bindings: [mine] }, part)];
    const made = plan(declared, snapshot([policy, ...groups]), { owner: 'docs' });
    const on = carriedOut(made, policy);
    expect(on.record['bindings']).toEqual([bind('a'), { ...mine, principalLinks: ['/org/o/group/b'] }]);
    expect(actions(plan(declared, snapshot([on, ...groups]), { owner: 'docs' }))).toEqual([]);
    const gone = plan([], snapshot([on, ...groups]), { owner: 'docs', allowEmpty: true });
    expect(carriedOut(gone, on).record['bindings']).toEqual([bind('a')]);
  });

  test('an approved change has the same text after another stack added items', () => {
    const bind = (permission: string, group: string) => ({ permissions: [permission], principalLinks: [group] });
    const policy = live('policy/p', { targetKind: 'gvc', target: 'all', bindings: [] }, { owner: 'base' });
    const groups = [foreign('group/b')];
    const mine = (permission: string) => [declare('policy/p', { bindings: [bind(permission, '//group/b')] }, part)];
    const on = carriedOut(plan(mine('edit'), snapshot([policy, ...groups]), { owner: 'docs' }), policy);
    const other = plan(
      [declare('policy/p', { bindings: [bind('manage', '//group/b')] }, part)],
      snapshot([on, ...groups]),
      { owner: 'help' },
    );
    const fields = (held: LiveResource) =>
      changeOf(plan(mine('view'), snapshot([held, ...groups]), { owner: 'docs' }), 'policy/p').fields;
    expect(fields(carriedOut(other, on))).toEqual(fields(on));
    expect(fields(on).map(({ new: added }) => added)).toEqual([undefined, bind('view', '//group/b')]);
  });

  test('variables, locations and pull secrets of a GVC, and tags', () => {
    const spec = { staticPlacement: { locationLinks: ['/org/o/location/a'] }, env: [{ name: 'A', value: '1' }] };
    const base = live('gvc/g', normalise('gvc', { spec, tags: { team: 'base' } }, { org }), { owner: 'base' });
    const around = [foreign('location/a'), foreign('location/b'), foreign('secret/pull')];
    const more = declare(
      'gvc/g',
      {
        tags: { cost: 7 },
        spec: {
          staticPlacement: { locationLinks: ['//location/b'] },
          pullSecretLinks: ['//secret/pull'],
          env: [{ name: 'B', value: '2' }],
        },
      },
      part,
    );
    const made = plan([more], snapshot([base, ...around]), { owner: 'docs@eu' });
    expect(changeOf(made, 'gvc/g').patch?.expose()).toMatchObject({
      tags: { cost: 7, 'gantry/applied.docs/eu': expect.any(String) },
      spec: {
        staticPlacement: { '$append/locationLinks': ['//location/b'] },
        pullSecretLinks: ['//secret/pull'],
        '$append/env': [{ name: 'B', value: '2' }],
      },
    });
    const on = carriedOut(made, base);
    expect(actions(plan([more], snapshot([on, ...around]), { owner: 'docs@eu' }))).toEqual([]);
    const gone = carriedOut(
      plan([], snapshot([on, ...around], { closures: closure('g', []) }), { owner: 'docs@eu', allowEmpty: true }),
      on,
    );
    expect(objectAt(gone.record, 'spec')).toMatchObject(spec);
    expect(objectAt(gone.record, 'spec')['pullSecretLinks']).toEqual([]);
    expect(Object.keys(objectAt(gone.record, 'tags')).sort()).toEqual(['gantry/applied', 'gantry/stack', 'team']);
  });
});

describe('limits of a part', () => {
  test('it creates no resource', () => {
    const made = plan([withDocs], snapshot(targets), { owner: 'docs' });
    expect(codes(made)).toEqual(['part.absent']);
    expect(changeOf(made, id)).toMatchObject({ action: 'refuse', intended: 'patch' });
  });

  test('an empty stack releases it only with a permit, and a partial one only with --prune', () => {
    const on = run('docs', [withDocs], ownedDomain(route('/')));
    expect(codes(planFor('docs', [], on))).toEqual(['stack.empty']);
    expect(actions(planFor('docs', [], on, { scope: 'partial' }))).toEqual([]);
    expect(actions(planFor('docs', [], on, { scope: 'partial', prune: true, allowEmpty: true }))).toEqual([
      `patch ${id}`,
    ]);
  });

  test('its tag has at most 480 bytes, and more items are refused', () => {
    const many = (count: number) => [
      declare(
        'group/team',
        { memberLinks: Array.from({ length: count }, (_, index) => `//serviceaccount/s${index}`) },
        part,
      ),
    ];
    const team = live('group/team', { memberLinks: [] }, { owner: 'base' });
    const robots = Array.from({ length: 90 }, (_, index) => foreign(`serviceaccount/s${index}`));
    expect(codes(plan(many(90), snapshot([team, ...robots]), { owner: 'docs' }))).toEqual(['part.too-many']);
    const made = plan(many(70), snapshot([team, ...robots]), { owner: 'docs' });
    expect(codes(made)).toEqual([]);
    const text =
      stringAt(objectAt(changeOf(made, 'group/team').patch?.expose() ?? {}, 'tags'), 'gantry/applied.docs') ?? '';
    expect(text.length).toBeLessThanOrEqual(480);
    expect(text).toMatch(/^1;l.{12};v2;i[\w-]{420}$/);
  });

  test('a part that refers to a deleted secret drops the reference first', () => {
    const base = live('gvc/g', normalise('gvc', { spec: { pullSecretLinks: ['//secret/pull'] } }, { org }), {
      owner: 'base',
    });
    const before = live('gvc/g', normalise('gvc', { spec: {} }, { org }), { owner: 'base' });
    const secret = live('secret/pull', { type: 'docker' }, { owner: 'docs' });
    const declared = declare('gvc/g', { spec: { pullSecretLinks: ['//secret/pull'] } }, part);
    const tagged = carriedOut(
      plan([declared], snapshot([before, secret]), { owner: 'docs', scope: 'partial' }),
      before,
    );
    const closures = closure('g', []);
    const made = plan([], snapshot([tagged, secret], { closures }), { owner: 'docs', allowEmpty: true });
    expect(codes(made)).toEqual([]);
    expect(changeOf(made, 'secret/pull').requires.map(({ on }) => on)).toEqual(['gvc/g']);
    expect(codes(plan([], snapshot([base, secret]), { owner: 'docs', allowEmpty: true }))).toEqual([
      'delete.referenced',
    ]);
  });
});
