import { describe, expect, test } from 'vitest';
import type { LiveResource } from '../../../src/manifest/snapshot.ts';
import { applyPatch } from '../../../src/patch/applyPatch.ts';
import { normalise } from '../../../src/schema/normalise.ts';
import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../../../src/schema/json.ts';
import type { Plan, PlanOptions } from '../../../src/plan/plan.ts';
import { shapeOf } from '../../../src/schema/shapes.ts';
import type { DesiredResource } from '../../../src/manifest/manifest.ts';
import { actions, changeOf, closure, codes, declare, foreign, live, org, plan, snapshot } from '../world.ts';

const part = { part: true } as const;
const web = '/org/o/gvc/g/workload/web';
const docs = '/org/o/gvc/g/workload/docs';
const route = (prefix: string, workloadLink: string = web): JsonObject => ({ prefix, workloadLink });
const domainSpec = (...routes: readonly JsonObject[]): JsonObject => ({
  spec: { ports: [{ number: 443, protocol: 'http2', routes }] },
});
const routesOnly = (...routes: readonly JsonObject[]): JsonObject => ({ spec: { ports: [{ number: 443, routes }] } });
const id = 'domain/shop.com';
const gvc = foreign('gvc/g');
const targets = [gvc, foreign('workload/g/web'), foreign('workload/g/docs')];

/** The domain as another stack, `base`, has it. */
function ownedDomain(...routes: readonly JsonObject[]): LiveResource {
  return live(id, normalise('domain', domainSpec(...routes), { org }), { owner: 'base' });
}

/** What the platform holds after the plan of a stack ran: the proof is not asked, the patch is carried out. */
function carriedOut(made: Plan, of: LiveResource): LiveResource {
  const patch = made.changes.find((change) => change.id === of.id)?.patch?.expose();
  if (patch === undefined) return of;
  const { id: _, version: pinned, ...body } = patch;
  expect(pinned).toBe(of.version);
  const applied = applyPatch(shapeOf(of.ref.kind, of.record), of.record, body, { org });
  if (!applied.ok) throw new Error(JSON.stringify(applied.problems));
  const version = of.version + 1;
  return { ...of, version, record: { ...normalise(of.ref.kind, applied.record, { org }), version } };
}

function planFor(
  owner: string,
  desired: readonly DesiredResource[],
  on: LiveResource,
  given: Partial<PlanOptions> = {},
) {
  return plan(desired, snapshot([on, ...targets]), { owner, ...given });
}

function prefixes(of: LiveResource): readonly unknown[] {
  const port = listAt(objectAt(of.record, 'spec'), 'ports').find(isObject) ?? {};
  return listAt(port, 'routes').map((each) => (isObject(each) ? each['prefix'] : each));
}

/** Runs the plan of a stack, and demands that a second one is empty. */
function run(owner: string, desired: readonly DesiredResource[], on: LiveResource): LiveResource {
  const made = planFor(owner, desired, on, { allowEmpty: true });
  expect(codes(made)).toEqual([]);
  const now = carriedOut(made, on);
  expect(actions(planFor(owner, desired, now))).toEqual([]);
  return now;
}

const withDocs = declare(id, routesOnly(route('/docs', docs)), part);

describe('a part of a domain', () => {
  test('adds its route by the key of the port, with a tag that remembers it, and nothing else', () => {
    const made = planFor('docs', [withDocs], ownedDomain(route('/')));
    const { patch, part: isPart, action } = changeOf(made, id);
    expect([action, isPart]).toEqual(['patch', true]);
    const { tags, ...rest } = patch?.expose() ?? {};
    expect(rest).toEqual({
      id: `uid-${id}`,
      version: 1,
      spec: { '$patch/ports': [{ number: 443, '$append/routes': [route('/docs', docs)] }] },
    });
    expect(isObject(tags) ? Object.keys(tags) : []).toEqual(['gantry/applied.docs']);
    expect(changeOf(made, id).fields.map(({ path }) => path)).toEqual([
      'spec.ports.443.routes."/docs".prefix',
      'spec.ports.443.routes."/docs".workloadLink',
    ]);
  });

  test('where list keys are not honoured, the list is written as a whole', () => {
    const on = snapshot([ownedDomain(route('/')), ...targets], { directives: 'stated' });
    const made = plan([withDocs], on, { owner: 'docs' });
    const ports = objectAt(changeOf(made, id).patch?.expose() ?? {}, 'spec')['ports'];
    expect(Array.isArray(ports)).toBe(true);
  });

  test('changes its own route and takes out what it no longer declares; the routes of others stay', () => {
    const first = run('docs', [withDocs], ownedDomain(route('/')));
    const moved = declare(id, routesOnly(route('/docs', web), route('/help', docs)), part);
    const second = run('docs', [moved], first);
    expect(prefixes(second)).toEqual(['/docs', '/help', '/']);
    const third = run('docs', [declare(id, routesOnly(route('/help', docs)), part)], second);
    expect(prefixes(third)).toEqual(['/help', '/']);
    const gone = run('docs', [], third);
    expect(prefixes(gone)).toEqual(['/']);
    expect(Object.keys(objectAt(gone.record, 'tags')).sort()).toEqual(['gantry/applied', 'gantry/stack']);
  });

  test.each([
    ['docs', 'help'],
    ['help', 'docs'],
  ])('two stacks, %s first, then %s: neither touches what the other has', (one, two) => {
    const partOf = (name: string) => declare(id, routesOnly(route(`/${name}`, docs)), part);
    const both = run(two, [partOf(two)], run(one, [partOf(one)], ownedDomain(route('/'))));
    expect([...prefixes(both)].sort()).toEqual(['/', '/docs', '/help']);
    expect(actions(planFor(one, [partOf(one)], both))).toEqual([]);
    expect([...prefixes(run(one, [], both))].sort()).toEqual(['/', `/${two}`]);
  });

  test('a port that it alone declares is its own, and goes with it', () => {
    const port = { number: 8443, protocol: 'http2', routes: [route('/admin', docs)] };
    const on = run('docs', [declare(id, { spec: { ports: [port] } }, part)], ownedDomain(route('/')));
    expect(listAt(objectAt(on.record, 'spec'), 'ports')).toHaveLength(2);
    expect(run('docs', [], on).record['spec']).toEqual(ownedDomain(route('/')).record['spec']);
  });

  test('its port stays as long as another stack has a route in it', () => {
    const port = (...routes: readonly JsonObject[]) => ({
      spec: { ports: [{ number: 8443, protocol: 'http2', routes }] },
    });
    const mine = run('docs', [declare(id, port(route('/admin', docs)), part)], ownedDomain(route('/')));
    const both = run(
      'help',
      [declare(id, { spec: { ports: [{ number: 8443, routes: [route('/help', docs)] }] } }, part)],
      mine,
    );
    const left = run('docs', [], both);
    const [, second] = listAt(objectAt(left.record, 'spec'), 'ports');
    expect(isObject(second) ? [second['number'], second['routes']] : second).toEqual([8443, [route('/help', docs)]]);
  });

  test('a port of somebody else is not changed: what a part says otherwise of it is refused', () => {
    const other = declare(
      id,
      { spec: { ports: [{ number: 443, protocol: 'http', routes: [route('/docs', docs)] }] } },
      part,
    );
    expect(codes(planFor('docs', [other], ownedDomain(route('/'))))).toEqual(['part.conflict']);
  });
});

describe('who was first', () => {
  test('a route that is there and says the same is not ours: removing the part leaves it', () => {
    const same = declare(id, routesOnly(route('/')), part);
    const made = planFor('docs', [same], ownedDomain(route('/')));
    expect(actions(made)).toEqual([]);
    expect(changeOf(made, id).notes).toEqual([
      'spec.ports.443.routes."/" is there already, and stays when this part is removed',
    ]);
  });

  test('a route that is there and says something else is refused, with who has it', () => {
    const on = run('help', [declare(id, routesOnly(route('/docs', web)), part)], ownedDomain(route('/')));
    const made = planFor('docs', [withDocs], on);
    expect(codes(made)).toEqual(['part.conflict']);
    expect(changeOf(made, id).refusals[0]?.message).toContain('the stack help');
    expect(codes(planFor('docs', [declare(id, routesOnly(route('/', docs)), part)], on))).toEqual(['part.conflict']);
  });

  test('lifecycle.adopt takes over what no other part owns, and nothing else', () => {
    const adopt = { ...part, adopt: true };
    const on = run(
      'help',
      [declare(id, routesOnly(route('/help', web)), part)],
      ownedDomain(route('/'), route('/old')),
    );
    const claimed = run('docs', [declare(id, routesOnly(route('/old')), adopt)], on);
    expect(actions(planFor('docs', [declare(id, routesOnly(route('/old')), adopt)], on))).toEqual([`adopt ${id}`]);
    expect(prefixes(run('docs', [], claimed))).toEqual(['/help', '/']);
    expect(codes(planFor('docs', [declare(id, routesOnly(route('/help', docs)), adopt)], on))).toEqual([
      'part.conflict',
    ]);
  });
});

describe('the owner', () => {
  const whole = (...routes: readonly JsonObject[]) => declare(id, domainSpec(...routes));

  test('leaves the routes of parts where they are, removes others, and says whose they are', () => {
    const on = run('docs', [withDocs], ownedDomain(route('/'), route('/foreign')));
    const made = planFor('base', [whole(route('/'))], on);
    expect(prefixes(carriedOut(made, on))).toEqual(['/docs', '/']);
    expect(changeOf(made, id).notes).toEqual(['1 item belongs to docs']);
    expect(Object.keys(objectAt(carriedOut(made, on).record, 'tags'))).toContain('gantry/applied.docs');
    expect(actions(planFor('base', [whole(route('/'))], carriedOut(made, on)))).toEqual([]);
  });

  test('that declares no port any more keeps the port for the routes of others only', () => {
    const on = run('docs', [withDocs], ownedDomain(route('/')));
    const left = carriedOut(planFor('base', [declare(id)], on), on);
    expect(prefixes(left)).toEqual(['/docs']);
  });

  test('that declares a route of a part as something else is refused', () => {
    const on = run('docs', [withDocs], ownedDomain(route('/')));
    expect(codes(planFor('base', [whole(route('/'), route('/docs', web))], on))).toEqual(['part.conflict']);
    expect(codes(planFor('base', [whole(route('/'), route('/docs', docs))], on))).toEqual([]);
  });

  test('takes the parts of others along only when told how many', () => {
    const on = run('docs', [withDocs], ownedDomain(route('/')));
    const gone = planFor('base', [], on, { allowEmpty: true });
    expect(codes(gone)).toEqual(['delete.part']);
    expect(changeOf(gone, id).refusals[0]?.message).toBe('it would take along what belongs to docs');
    expect(codes(planFor('base', [], on, { allowEmpty: true, allowCollateral: 1 }))).toEqual([]);
  });

  test('a tag of a part that was copied from another resource protects nothing', () => {
    const on = run('docs', [withDocs], ownedDomain(route('/')));
    const text = stringAt(objectAt(on.record, 'tags'), 'gantry/applied.docs') ?? '';
    const copy = {
      ...on.record,
      tags: { ...objectAt(on.record, 'tags'), 'gantry/applied.docs': text.replace(/;l.{12}/, ';lAAAAAAAAAAAA') },
    };
    expect(prefixes(carriedOut(planFor('base', [whole(route('/'))], { ...on, record: copy }), on))).toEqual(['/']);
  });
});

describe('other kinds', () => {
  const groupId = 'group/team';
  const member = (name: string) => `//serviceaccount/${name}`;

  test("a group's members, shown one by one, in any form of link", () => {
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

  test('bindings of a policy are told apart by what they say', () => {
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

describe('what a part never does', () => {
  test('it makes no resource', () => {
    const made = plan([withDocs], snapshot(targets), { owner: 'docs' });
    expect(codes(made)).toEqual(['part.absent']);
    expect(changeOf(made, id)).toMatchObject({ action: 'refuse', intended: 'patch' });
  });

  test('it stands beside no ownership of the whole', () => {
    expect(codes(planFor('base', [withDocs], ownedDomain(route('/'))))).toEqual(['part.owned']);
  });

  test('an empty stack does not give it up unasked, and a partial one only when told to prune', () => {
    const on = run('docs', [withDocs], ownedDomain(route('/')));
    expect(codes(planFor('docs', [], on))).toEqual(['stack.empty']);
    expect(actions(planFor('docs', [], on, { scope: 'partial' }))).toEqual([]);
    expect(actions(planFor('docs', [], on, { scope: 'partial', prune: true, allowEmpty: true }))).toEqual([
      `patch ${id}`,
    ]);
  });

  test('it remembers at most 480 bytes: what is more is refused', () => {
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

  test('what refers to a deleted secret lets go of it first', () => {
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
