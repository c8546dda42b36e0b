import { describe, expect, test } from 'vitest';
import { type JsonObject, objectAt } from '../../../src/base/json/json.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import type { Lifecycle } from '../../../src/manifest/model/lifecycle.ts';
import type { DesiredResource } from '../../../src/manifest/model/manifest.ts';
import type { Edge } from '../../../src/plan/model/change.ts';
import type { Plan } from '../../../src/plan/model/plan.ts';
import type { PlanOptions } from '../../../src/plan/model/planOptions.ts';
import { makeReplan } from '../../../src/plan/replan.ts';
import { withKinds } from '../../kinds/withKinds.ts';
import {
  actions,
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
  volumesetSpec,
  workload,
} from '../world.ts';

const gvc = declare('gvc/g');
const liveGvc = live('gvc/g');

function web(lifecycle: Lifecycle = { previously: 'site' }): DesiredResource {
  return declare('workload/g/web', workload('web:1'), lifecycle);
}
const site = live('workload/g/site', workload('web:1'));

function firewall(name: string): JsonObject {
  const inboundAllowWorkload = [`//gvc/g/workload/${name}`];
  return { firewallConfig: { internal: { inboundAllowType: 'workload-list', inboundAllowWorkload } } };
}

const unread = 'routes of other stacks that lead to it are not looked up: they have to move before it is deleted';

function routes(name: string): JsonObject {
  return { spec: { ports: [{ number: 443, routes: [{ prefix: '/', workloadLink: `//gvc/g/workload/${name}` }] }] } };
}

/** `on`, with what of it is waited for. */
function waits(edges: readonly Edge[] = []): readonly string[] {
  return edges.map(({ on, soft, ready }) => `${on}${ready === true ? ' ready' : ''}${soft ? ' (soft)' : ''}`).sort();
}

/** Of what a deletion waits for: the second steps. */
function stepsAwaited(made: Plan, id: string): readonly string[] {
  return changeOf(made, id).requires.flatMap(({ on, step }) => (step === undefined ? [] : [`${on} ${step}`]));
}

describe('renaming a workload', () => {
  test('creates the new one, waits until it is ready, moves routes, and deletes the old one last', () => {
    const domain = declare('domain/shop.example.com', routes('web'));
    const made = plan([gvc, web(), domain], [liveGvc, site, live('domain/shop.example.com', routes('site'))]);
    expect(actions(made)).toEqual(['create workload/g/web', 'patch domain/shop.example.com', 'delete workload/g/site']);
    expect(changeOf(made, 'workload/g/web')).toMatchObject({
      renamedFrom: 'workload/g/site',
      reason: 'it is the new name of workload/g/site',
      wait: true,
    });
    expect(waits(changeOf(made, 'domain/shop.example.com').requires)).toEqual(['workload/g/web ready']);
    const gone = changeOf(made, 'workload/g/site');
    expect(gone.reason).toBe('it is renamed to workload/g/web');
    expect(waits(gone.requires)).toEqual(['domain/shop.example.com', 'workload/g/web ready']);
  });

  test.each([
    {
      it: 'a firewall list',
      id: 'workload/g/api',
      fields: (name: string) => workload('api:1', [], firewall(name)),
    },
    {
      it: 'a policy',
      id: 'policy/viewers',
      fields: (name: string) => ({ targetKind: 'workload', targetLinks: [`//gvc/g/workload/${name}`], bindings: [] }),
    },
    { it: 'an IP set', id: 'ipset/front', fields: (name: string) => ({ spec: { link: `//gvc/g/workload/${name}` } }) },
  ])('$it moves when the new one is ready, and before the old one goes', ({ id, fields }) => {
    const made = plan([gvc, web(), declare(id, fields('web'))], [liveGvc, site, live(id, fields('site'))]);
    expect(waits(changeOf(made, id).requires)).toEqual(['workload/g/web ready']);
    expect(waits(changeOf(made, 'workload/g/site').requires)).toEqual([id, 'workload/g/web ready'].sort());
  });

  test('a GVC that refers to it moves in its second step', () => {
    const alias = (name: string) => ({ spec: { aliasWorkloadLink: `//gvc/g/workload/${name}` } });
    const declared = declare('gvc/g', { ...alias('web'), description: 'new' });
    const made = plan([declared, web()], [live('gvc/g', alias('site')), site]);
    expect(waits(changeOf(made, 'gvc/g').thenRequires)).toContain('workload/g/web ready');
    expect(changeOf(made, 'workload/g/site').requires).toContainEqual(
      expect.objectContaining({ on: 'gvc/g', step: 'then', soft: false }),
    );
  });

  test('a GVC with nothing else to change moves in its only step, and what is no child of it in its first', () => {
    const spec = (workloadName: string, secretName: string) => ({
      spec: {
        aliasWorkloadLink: `//gvc/g/workload/${workloadName}`,
        pullSecretLinks: [`/org/o/secret/${secretName}`],
      },
    });
    const docker = { type: 'docker', data: '{"auths":{"r":{}}}' };
    const pull = declare('secret/pull', docker, { previously: 'old-pull' });
    const [oldPull, newPull] = [live('secret/old-pull', docker), live('secret/pull', docker)];

    const alone = plan(
      [declare('gvc/g', spec('web', 'pull')), web(), declare('secret/pull', docker)],
      [live('gvc/g', spec('site', 'pull')), site, newPull],
    );
    expect(waits(changeOf(alone, 'gvc/g').requires)).toEqual(['workload/g/web ready']);
    expect(changeOf(alone, 'gvc/g').then).toBeUndefined();
    expect(stepsAwaited(alone, 'workload/g/site')).toEqual([]);

    const both = plan(
      [declare('gvc/g', spec('web', 'pull')), web(), pull],
      [live('gvc/g', spec('site', 'old-pull')), site, oldPull],
    );
    expect(waits(changeOf(both, 'gvc/g').requires)).toEqual(['secret/pull']);
    expect(waits(changeOf(both, 'gvc/g').thenRequires)).toEqual(['workload/g/web ready']);
    expect(stepsAwaited(both, 'secret/old-pull')).toEqual([]);
    expect(stepsAwaited(both, 'workload/g/site')).toEqual(['gvc/g then']);
  });

  test('what it depends on may be what moves to it: the backend whose firewall names the frontend', () => {
    const api = (name: string) => {
      const internal = { inboundAllowType: 'workload-list', inboundAllowWorkload: [`//gvc/g/workload/${name}`] };
      return workload('api:1', [], { firewallConfig: { internal } });
    };
    const lifecycle = { previously: 'site', dependsOn: ['workload/g/api'] };
    const made = plan(
      [gvc, web(lifecycle), declare('workload/g/api', api('web'))],
      [liveGvc, site, live('workload/g/api', api('site'))],
    );
    expect(actions(made)).toEqual(['create workload/g/web', 'patch workload/g/api', 'delete workload/g/site']);
    expect(waits(changeOf(made, 'workload/g/api').requires)).toEqual(['workload/g/web ready']);
  });

  test('interrupted, and changed since: a GVC that refers to it still moves in its second step', () => {
    const of = (name: string, more: JsonObject = {}) => ({
      spec: { aliasWorkloadLink: `//gvc/g/workload/${name}` },
      ...more,
    });
    const declared = [
      declare('gvc/g', of('web', { description: 'new' })),
      declare('workload/g/web', workload('web:2'), { previously: 'site' }),
    ];
    const made = plan(declared, [live('gvc/g', of('site')), site, live('workload/g/web', workload('web:1'))]);
    expect(actions(made)).toEqual(['patch gvc/g', 'patch workload/g/web', 'delete workload/g/site']);
    expect(changeOf(made, 'gvc/g').patch?.expose()).not.toHaveProperty('spec');
    expect(waits(changeOf(made, 'gvc/g').thenRequires)).toEqual(['workload/g/web ready']);
  });

  test('interrupted: a GVC waits in its second step for what is there, and for what else is new', () => {
    const of = (name: string, more: JsonObject = {}) => ({
      spec: { aliasWorkloadLink: `//gvc/g/workload/${name}`, ...more },
    });
    const keda = { keda: { enabled: true, identityLink: '//gvc/g/identity/app' } };
    const declared = [declare('gvc/g', { description: 'new', ...of('web', keda) }), web(), declare('identity/g/app')];
    const made = plan(declared, [live('gvc/g', of('site')), site, live('workload/g/web', workload('web:1'))]);
    expect(changeOf(made, 'workload/g/web').action).toBe('keep');
    expect(waits(changeOf(made, 'gvc/g').thenRequires)).toEqual(['identity/g/app', 'workload/g/web ready']);
    const alone = [declare('gvc/g', { description: 'new', ...of('web') }), web()];
    const again = plan(alone, [live('gvc/g', of('site')), site, live('workload/g/web', workload('web:1'))]);
    expect(waits(changeOf(again, 'gvc/g').thenRequires)).toEqual(['workload/g/web ready']);
  });

  test('a cycle through it names the line of the field that moves', () => {
    const api = (image: string, name: string) => ({
      spec: {
        ...objectAt(workload(image, [], firewall(name)), 'spec'),
        type: name === 'web' ? 'standard' : 'stateful',
      },
    });
    const desired = [
      gvc,
      declare('workload/g/web', workload('web:1'), { previously: 'site', dependsOn: ['workload/g/api'] }, 3),
      declare('workload/g/api', api('api:1', 'web'), { replace: true }, 7),
    ];
    expect(() => plan(desired, [liveGvc, site, live('workload/g/api', api('api:1', 'site'))])).toThrow(
      /stack\.yaml:7:1 {2}workload\/g\/api waits for workload\/g\/web: .* moves to it/,
    );
  });

  test('interrupted when the new one is there: the old one still waits until it is ready', () => {
    const domain = declare('domain/shop.example.com', routes('web'));
    const there = live('workload/g/web', workload('web:1'));
    const made = plan([gvc, web(), domain], [liveGvc, site, there, live('domain/shop.example.com', routes('site'))]);
    expect(actions(made)).toEqual(['patch domain/shop.example.com', 'delete workload/g/site']);
    expect(waits(changeOf(made, 'domain/shop.example.com').requires)).toEqual(['workload/g/web ready']);
    expect(waits(changeOf(made, 'workload/g/site').requires)).toContain('workload/g/web ready');
  });

  test.each<{ it: string; live: readonly LiveResource[] }>([
    { it: 'is not there: it was renamed', live: [] },
    { it: 'belongs to another stack', live: [live('workload/g/site', workload('web:1'), { owner: 'bank' })] },
    { it: 'belongs to nobody', live: [foreign('workload/g/site', workload('web:1'))] },
  ])('means nothing where the old one $it', ({ live: others }) => {
    const made = plan([gvc, web()], [liveGvc, live('workload/g/web', workload('web:1')), ...others]);
    expect(actions(made)).toEqual([]);
    expect(changeOf(made, 'workload/g/web').notes).toEqual([]); // said once, when it is created
    const fresh = plan([gvc, web()], [liveGvc, ...others]);
    expect(actions(fresh)).toEqual(['create workload/g/web']);
    expect(changeOf(fresh, 'workload/g/web').renamedFrom).toBeUndefined();
    const note = 'workload/g/site does not belong to this stack, so it is not renamed and stays';
    expect(changeOf(fresh, 'workload/g/web').notes).toEqual(others.length === 0 ? [] : [note]);
  });

  test('is meant by a partial input too: it deletes the old one without --prune', () => {
    const made = plan([web()], [liveGvc, site], { scope: 'partial' });
    expect(actions(made)).toEqual(['create workload/g/web', 'delete workload/g/site']);
  });

  test('forgets what is to be retained, and deletes nothing that is protected', () => {
    const kept = live('workload/g/site', workload('web:1'), { applied: { retain: true } });
    expect(actions(plan([gvc, web()], [liveGvc, kept]))).toEqual(['create workload/g/web', 'forget workload/g/site']);
    const guarded = live('workload/g/site', { ...workload('web:1'), tags: { 'scheme/protected': 'true' } });
    expect(codes(plan([gvc, web()], [liveGvc, guarded]))).toEqual(['delete.protected']);
  });

  test('half done it is refused, with each place that still says the old name; what others hold is noted', () => {
    const domain = declare('domain/shop.example.com', routes('site'), {}, 7);
    const made = plan(
      [gvc, web(), domain],
      [
        liveGvc,
        site,
        live('domain/shop.example.com', routes('site')),
        foreign('domain/their.example.com', routes('site')),
      ],
      { allowDangling: 2 },
    );
    expect(changeOf(made, 'workload/g/site')).toMatchObject({
      action: 'refuse',
      refusals: [
        {
          code: 'rename.referenced',
          message:
            'stack.yaml:7:1: spec.ports.443.routes."/".workloadLink of domain/shop.example.com still refers to the old name: write workload/g/web instead',
        },
      ],
      notes: [
        'domain/their.example.com, which is not declared here, refers to it at spec.ports.443.routes."/".workloadLink',
        unread,
      ],
    });
    expect(codes(made)).toEqual(['rename.referenced']);
  });

  test('half done it is refused for the routes that say the old name, not for those that lead elsewhere', () => {
    const [first, second] = ['api', 'site'].map((name) => ({
      prefix: `/${name}`,
      workloadLink: `//gvc/g/workload/${name}`,
    }));
    const two = { spec: { ports: [{ number: 443, routes: [first, second].filter((each) => each !== undefined) }] } };
    const api = declare('workload/g/api', workload('api:1'));
    const made = plan(
      [gvc, web(), api, declare('domain/shop.example.com', two)],
      [liveGvc, site, live('workload/g/api', workload('api:1')), live('domain/shop.example.com', two)],
    );
    expect(changeOf(made, 'workload/g/site').refusals).toMatchObject([
      { code: 'rename.referenced', message: expect.stringContaining('routes."/site".workloadLink') },
    ]);
  });

  test('what others hold alone is refused, and noted where that is permitted', () => {
    const held = [liveGvc, site, foreign('domain/their.example.com', routes('site'))];
    expect(codes(plan([gvc, web()], held))).toEqual(['delete.referenced']);
    const made = plan([gvc, web()], held, { allowDangling: 1 });
    expect(codes(made)).toEqual([]);
    expect(changeOf(made, 'workload/g/site').notes).toEqual([
      'domain/their.example.com, which is not declared here, refers to it at spec.ports.443.routes."/".workloadLink',
      unread,
    ]);
  });

  test('refused too are a soft reference, a GVC renamed half, and the record itself; not what the platform holds only', () => {
    const limited = (name: string) => workload('web:1', [], firewall(name));
    const own = declare('workload/g/web', limited('site'), { previously: 'site' });
    expect(codes(plan([gvc, own], [liveGvc, site]))).toEqual(['rename.referenced']);

    const api = declare('workload/h/api', limited('web'));
    const linked = declare('policy/viewers', {
      targetKind: 'workload',
      targetLinks: ['//gvc/g/workload/api'],
      bindings: [],
    });
    const old = live('workload/g/api', limited('web'));
    const before = snapshot([liveGvc, old, live('policy/viewers', linked.record)], { closures: closure('g', [old]) });
    const renamed = declare('gvc/h', {}, { previously: 'g', replace: true });
    expect(codes(plan([renamed, api, linked], before))).toContain('rename.referenced');

    // Routes that others added are not in the manifest: no renaming of ours mends them.
    const ignored = declare('domain/shop.example.com', routes('site'), { ignore: ['spec.ports'] });
    const routed = live('domain/shop.example.com', routes('elsewhere'));
    expect(codes(plan([gvc, web(), ignored], [liveGvc, site, routed]))).toEqual([]);
    for (const fields of [routes('web'), {}]) {
      const theirs = declare('domain/shop.example.com', fields, { ignore: ['spec'] });
      const before = [liveGvc, site, live('domain/shop.example.com', routes('site'))];
      expect(codes(plan([gvc, web(), theirs], before))).toEqual(['delete.referenced']);
      expect(codes(plan([gvc, web(), theirs], before, { allowDangling: 1 }))).toEqual([]);
    }
  });

  test('what is written with a link to the old name is refused once: for what it refers to', () => {
    const team = (description: string) => ({ description, memberLinks: ['//serviceaccount/old'] });
    const made = plan(
      [declare('serviceaccount/new', {}, { previously: 'old', replace: true }), declare('group/team', team('new'))],
      [live('serviceaccount/old'), live('group/team', team('old'))],
    );
    expect(codes(made)).toEqual(['reference.missing']);
  });

  test('of what is retained it is only said: it stays', () => {
    const kept = live('workload/g/site', workload('web:1'), { applied: { retain: true } });
    const domain = declare('domain/shop.example.com', routes('site'));
    const made = plan([gvc, web(), domain], [liveGvc, kept, live('domain/shop.example.com', routes('site'))]);
    expect(codes(made)).toEqual([]);
    expect(changeOf(made, 'workload/g/site').notes).toContain(
      'domain/shop.example.com still refers to the old name at spec.ports.443.routes."/".workloadLink, not to workload/g/web',
    );
  });

  test('what is retained says who else refers to it: not what goes or moves, and nothing twice', () => {
    const kept = live('workload/g/site', workload('web:1'), { applied: { retain: true } });
    const ours = declare('domain/ours.example.com', routes('site'));
    const moved = declare('ipset/front', { spec: { link: '//gvc/g/workload/web' } });
    const made = plan(
      [gvc, web(), ours, moved],
      [
        ...[liveGvc, kept, live('domain/ours.example.com', routes('site'))],
        ...[live('domain/gone.example.com', routes('site')), foreign('domain/their.example.com', routes('site'))],
      ],
    );
    const link = 'spec.ports.443.routes."/".workloadLink';
    expect(changeOf(made, 'workload/g/site').notes).toEqual([
      `domain/ours.example.com still refers to the old name at ${link}, not to workload/g/web`,
      `domain/their.example.com, which is not declared here, refers to it at ${link}`,
    ]);
  });

  test('a partial plan deletes the old one only together with the new one and what moves', () => {
    const domain = declare('domain/shop.example.com', routes('web'));
    const before = [liveGvc, site, live('domain/shop.example.com', routes('site'))];
    const all = ['create workload/g/web', 'patch domain/shop.example.com', 'delete workload/g/site'];
    expect(actions(plan([gvc, web(), domain], before, { targets: ['workload/g/site'] }))).toEqual(all);
    expect(actions(plan([gvc, web(), domain], before, { targets: ['workload/g/web'] }))).toEqual(all.slice(0, 1));
    const moved = plan([gvc, web(), domain], before, { targets: ['domain/shop.example.com'] });
    expect(actions(moved)).toEqual(all.slice(0, 2));
    const without = plan([gvc, web(), domain], before, { excludes: ['workload/g/web'] });
    expect(codes(without).length).toBeGreaterThan(0);
  });

  test('planned again, the old one of a partial input is still let go of', () => {
    const kept = live('workload/g/site', workload('web:1'), { applied: { retain: true } });
    const again = makeReplan([web()], snapshot([liveGvc, kept]), { ...options, scope: 'partial' });
    expect(again('workload/g/site', { ...kept, version: 2 })?.action).toBe('forget');
  });

  test('lifecycle.wait: false does not wait for it', () => {
    const made = plan([gvc, web({ previously: 'site', wait: false })], [liveGvc, site]);
    expect(waits(changeOf(made, 'workload/g/site').requires)).toEqual(['workload/g/web']);
  });
});

describe('a volume set that only one may mount (platform/volumeset.volumes)', () => {
  const rows = declare('volumeset/g/rows', volumesetSpec());
  const before = [
    liveGvc,
    live('volumeset/g/rows', volumeset(1)),
    live('workload/g/old-db', workload('db:1', ['rows'])),
  ];
  const db = (lifecycle: Lifecycle) => declare('workload/g/db', workload('db:1', ['rows']), lifecycle);

  test('the renaming is refused: the old one would have to go first', () => {
    const made = plan([gvc, rows, db({ previously: 'old-db' })], before);
    expect(codes(made)).toEqual(['rename.mounted']);
  });

  test('allowed, the old one goes before the new one comes, and no data does', () => {
    const named = { targets: ['workload/g/db'] };
    const made = plan([gvc, rows, db({ previously: 'old-db', replace: true })], before);
    expect(actions(made)).toEqual(['delete workload/g/old-db', 'create workload/g/db']);
    expect(codes(made)).toEqual([]);
    expect(waits(changeOf(made, 'workload/g/db').requires)).toEqual(['workload/g/old-db']);
    expect(actions(plan([gvc, rows, db({ previously: 'old-db', replace: true })], before, named))).toEqual(
      actions(made),
    );
    expect(changeOf(made, 'workload/g/db').notes).toEqual([
      'both mount volumeset/g/rows: the old one is deleted first, and nothing serves until this one is ready',
    ]);
  });

  test('what the old one does not mount is not in the way', () => {
    const old = live('workload/g/old-db', workload('db:1'));
    const made = plan([gvc, rows, db({ previously: 'old-db' })], [...before.slice(0, 2), old]);
    expect(codes(made)).toEqual([]);
    expect(actions(made)).toEqual(['create workload/g/db', 'delete workload/g/old-db']);
  });

  test('it is one whoever declares it', () => {
    const theirs = live('volumeset/g/rows', volumeset(1), { owner: 'bank' });
    expect(codes(plan([gvc, db({ previously: 'old-db' })], [liveGvc, theirs, ...before.slice(2)]))).toEqual([
      'rename.mounted',
    ]);
  });

  test('what moves to the new one waits for it alone: the old one does not wait for what moves', () => {
    const domain = (name: string) => routes(name);
    const made = plan(
      [gvc, rows, db({ previously: 'old-db', replace: true }), declare('domain/shop.example.com', domain('db'))],
      [...before, live('domain/shop.example.com', domain('old-db'))],
    );
    expect(actions(made)).toEqual([
      'delete workload/g/old-db',
      'create workload/g/db',
      'patch domain/shop.example.com',
    ]);
    expect(waits(changeOf(made, 'domain/shop.example.com').requires)).toEqual(['workload/g/db ready']);
  });

  test('a stranger of the old name that mounts it is in the way', () => {
    const stranger = foreign('workload/g/old-db', workload('db:1', ['rows']));
    const made = plan([gvc, rows, db({ previously: 'old-db', replace: true })], [...before.slice(0, 2), stranger]);
    expect(codes(made)).toEqual(['rename.mounted']);
  });

  test('a shared one has room for both', () => {
    const files = declare('volumeset/g/rows', { spec: { fileSystemType: 'shared', initialCapacity: 10 } });
    const shared = live('volumeset/g/rows', volumeset(1, { fileSystemType: 'shared', performanceClass: 'shared' }));
    const made = plan([gvc, files, db({ previously: 'old-db' })], [liveGvc, shared, ...before.slice(2)]);
    expect(actions(made)).toEqual(['create workload/g/db', 'delete workload/g/old-db']);
  });
});

describe('renaming other kinds', () => {
  test.each<{ id: string; fields: JsonObject }>([
    { id: 'identity/g/', fields: {} },
    { id: 'secret/', fields: { type: 'opaque', data: { payload: 'x' } } },
    { id: 'policy/', fields: { targetKind: 'secret', bindings: [] } },
    { id: 'group/', fields: {} },
    { id: 'cloudaccount/', fields: { provider: 'aws', data: { roleArn: 'arn' } } },
  ])('$id is made anew, then the old one goes', ({ id, fields }) => {
    const made = plan([gvc, declare(`${id}new`, fields, { previously: 'old' })], [liveGvc, live(`${id}old`, fields)]);
    expect(actions(made)).toEqual([`create ${id}new`, `delete ${id}old`]);
    expect(waits(changeOf(made, `${id}old`).requires)).toEqual([`${id}new`]);
    expect(changeOf(made, `${id}new`)).toMatchObject({ wait: false, reason: `it is the new name of ${id}old` });
    expect(changeOf(made, `${id}old`).notes).toEqual([]);
  });

  test('an audit context is never deleted: the old one is forgotten', () => {
    const made = plan([declare('auditctx/new', {}, { previously: 'old' })], [live('auditctx/old')]);
    expect(actions(made)).toEqual(['create auditctx/new', 'forget auditctx/old']);
  });

  test.each([
    { id: 'ipset/', code: 'rename.ipset', lost: 'its addresses' },
    { id: 'serviceaccount/', code: 'rename.serviceaccount', lost: 'its keys' },
    { id: 'agent/', code: 'rename.agent', lost: 'everything registered' },
    { id: 'location/', code: 'rename.location', lost: 'everything connected' },
  ])('$id loses something, so it has to be allowed', ({ id, code, lost }) => {
    const made = plan([declare(`${id}new`, {}, { previously: 'old' })], [live(`${id}old`)]);
    expect(made.changes.flatMap(({ refusals }) => refusals)).toMatchObject([
      { code, message: expect.stringContaining(lost), allow: expect.stringContaining('lifecycle.replace') },
    ]);
    const allowed = plan([declare(`${id}new`, {}, { previously: 'old', replace: true })], [live(`${id}old`)]);
    expect(actions(allowed)).toEqual([`create ${id}new`, `delete ${id}old`]);
  });

  test('nothing is lost by one that is there already: the old one goes as anything that is not declared', () => {
    const made = plan([declare('ipset/new', {}, { previously: 'old' })], [live('ipset/old'), live('ipset/new')]);
    expect(codes(made)).toEqual([]);
    expect(actions(made)).toEqual(['delete ipset/old']);
    expect(changeOf(made, 'ipset/new').notes).toEqual([]);
  });

  test('a domain is its name: nothing allows it', () => {
    const made = plan(
      [declare('domain/b.example.com', {}, { previously: 'a.example.com', replace: true })],
      [live('domain/a.example.com')],
    );
    const [refusal] = changeOf(made, 'domain/b.example.com').refusals;
    expect(refusal).toMatchObject({ code: 'rename.domain', message: expect.stringContaining('another domain') });
    expect(refusal?.allow).toBeUndefined();
  });

  test('a volume set keeps its data under the old name: it needs lifecycle.replace and the number', () => {
    const next = (lifecycle: Lifecycle) => declare('volumeset/g/new', volumesetSpec(), lifecycle);
    const before = [liveGvc, live('volumeset/g/old', volumeset(1))];
    expect(codes(plan([gvc, next({ previously: 'old' })], before))).toEqual(['delete.data', 'rename.volumeset']);
    const [refusal] = changeOf(plan([gvc, next({ previously: 'old' })], before), 'volumeset/g/new').refusals;
    expect(refusal).toMatchObject({ message: expect.stringContaining('its data'), allow: expect.any(String) });
    expect(codes(plan([gvc, next({ previously: 'old', replace: true })], before))).toEqual(['delete.data']);
    const allowed = plan([gvc, next({ previously: 'old', replace: true })], before, { allowDataLoss: 1 });
    expect(actions(allowed)).toEqual(['create volumeset/g/new', 'delete volumeset/g/old']);
  });

  test('what still refers to the old name refuses its deletion, as in any deletion', () => {
    const made = plan(
      [gvc, declare('identity/g/new', {}, { previously: 'old' })],
      [
        liveGvc,
        live('identity/g/old'),
        foreign('workload/g/x', { spec: { type: 'cron', identityLink: '//identity/old' } }),
      ],
    );
    expect(codes(made)).toEqual(['delete.referenced']);
  });
});

describe('renaming a GVC (scenario 25)', () => {
  const next = (lifecycle: Lifecycle) => declare('gvc/h', {}, lifecycle);
  const child = declare('workload/h/web', workload('web:1'));
  const oldWeb = live('workload/g/web', workload('web:1'));
  const domain = declare('domain/shop.example.com', {
    spec: { ports: [{ number: 443, routes: [{ prefix: '/', workloadLink: '//gvc/h/workload/web' }] }] },
  });
  const before = snapshot([liveGvc, oldWeb, live('domain/shop.example.com', routes('web'))], {
    closures: closure('g', [oldWeb]),
  });

  test('is refused with the reason', () => {
    const refused = plan([next({ previously: 'g' }), child, domain], before);
    expect(codes(refused)).toEqual(['rename.gvc']);
    expect(changeOf(refused, 'gvc/h').refusals).toMatchObject([
      { message: expect.stringContaining('everything in it'), allow: expect.stringContaining('lifecycle.replace') },
    ]);
  });

  test('allowed, everything in the new one is ready and routes have moved before the old one goes', () => {
    const made = plan([next({ previously: 'g', replace: true }), child, domain], before);
    expect(actions(made)).toEqual([
      'create gvc/h',
      'create workload/h/web',
      'patch domain/shop.example.com',
      'delete gvc/g',
      'delete workload/g/web',
    ]);
    expect(changeOf(made, 'workload/h/web')).toMatchObject({ renamedFrom: 'workload/g/web', wait: true });
    expect(waits(changeOf(made, 'domain/shop.example.com').requires)).toEqual(['workload/h/web ready']);
    expect(waits(changeOf(made, 'gvc/g').requires)).toEqual([
      'domain/shop.example.com',
      'gvc/h',
      'workload/h/web ready',
    ]);
  });

  test('the second step of the new one comes before the old one goes', () => {
    const alias = declare(
      'gvc/h',
      { spec: { aliasWorkloadLink: '//gvc/h/workload/web' } },
      { previously: 'g', replace: true },
    );
    expect(stepsAwaited(plan([alias, child, domain], before), 'gvc/g')).toEqual(['gvc/h then']);
  });

  describe('of data and what mounts it nothing goes before all of the new one is ready and routes have moved', () => {
    const names = ['logs', 'rows'];
    const first = [
      'domain/shop.example.com',
      'gvc/h',
      'volumeset/h/logs',
      'volumeset/h/rows',
      'workload/h/logs-db ready',
      'workload/h/rows-db ready',
      'workload/h/web ready',
    ];
    const db = (name: string, gvcName: string, callers: readonly string[]): JsonObject => {
      const inboundAllowWorkload = callers.map((caller) => `//gvc/${gvcName}/workload/${caller}-db`);
      return workload('db:1', [name], {
        firewallConfig: { internal: { inboundAllowType: 'workload-list', inboundAllowWorkload } },
      });
    };
    /** `callers`: whose workload the firewall of which one names. */
    function renamed(
      callers: Readonly<Record<string, readonly string[]>> = {},
      beside: { readonly declared?: readonly DesiredResource[]; readonly there?: readonly LiveResource[] } = {},
      given: Partial<PlanOptions> = {},
    ): Plan {
      const inside = names.flatMap((name) => [
        live(`volumeset/g/${name}`, volumeset(1)),
        live(`workload/g/${name}-db`, db(name, 'g', callers[name] ?? [])),
      ]);
      const moved = names.flatMap((name) => [
        declare(`volumeset/h/${name}`, volumesetSpec()),
        declare(`workload/h/${name}-db`, db(name, 'h', callers[name] ?? [])),
      ]);
      const { declared = [], there = [] } = beside;
      const full = snapshot([liveGvc, oldWeb, ...inside, live('domain/shop.example.com', routes('web')), ...there], {
        closures: closure('g', [oldWeb, ...inside]),
      });
      const desired = [next({ previously: 'g', replace: true }), child, domain, ...moved, ...declared];
      const made = plan(desired, full, { allowDataLoss: 2, ...given });
      expect(codes(made)).toEqual([]);
      return made;
    }

    test.each<{ it: string; callers: Readonly<Record<string, readonly string[]>>; goes: string }>([
      { it: 'the first by name', callers: {}, goes: 'logs' },
      { it: 'one that no other has to be deleted before', callers: { rows: ['logs'] }, goes: 'rows' },
      { it: 'a workload, where they name each other', callers: { rows: ['logs'], logs: ['rows'] }, goes: 'logs' },
    ])('$it waits for all of it, and the others for that one', ({ callers, goes }) => {
      const made = renamed(callers);
      expect(waits(changeOf(made, `workload/g/${goes}-db`).requires)).toEqual(expect.arrayContaining(first));
      const others = ['volumeset/g/logs', 'volumeset/g/rows', 'workload/g/logs-db', 'workload/g/rows-db'];
      for (const other of others.filter((id) => id !== `workload/g/${goes}-db`))
        expect(waits(changeOf(made, other).requires)).toContain(`workload/g/${goes}-db`);
      expect(changeOf(made, 'workload/g/web').requires, 'it goes with its GVC').toEqual([]);
    });

    test('it waits for nothing else, and not for what is renamed beside it', () => {
      const made = renamed({}, { declared: [declare('group/b', {}, { previously: 'a' })], there: [live('group/a')] });
      expect(waits(changeOf(made, 'workload/g/logs-db').requires)).toEqual(first);
    });

    test('nor where it is the only one of it that is to go', () => {
      const made = renamed({}, {}, { targets: ['workload/g/logs-db'] });
      expect(actions(made)).not.toContain('delete gvc/g');
      expect(waits(changeOf(made, 'workload/g/logs-db').requires)).toEqual(first);
    });

    test('nor for what is renamed within the old one, which waits for it', () => {
      const inside = [
        live('volumeset/g/logs', volumeset(1)),
        live('volumeset/g/rows', volumeset(1)),
        live('workload/g/logs-db', workload('db:1', ['logs'])),
        live('workload/g/site', workload('db:1', ['rows'])),
      ];
      const full = snapshot([liveGvc, ...inside], { closures: closure('g', inside) });
      const web = declare('workload/g/web', workload('db:1', ['rows']), { previously: 'site', replace: true });
      const desired = [declare('gvc/h', {}, { previously: 'g', replace: true }), web];
      const made = plan(desired, full, { allowDataLoss: 2, targets: [web.id] });
      expect(codes(made)).toEqual([]);
      expect(actions(made)).toEqual([
        'create gvc/h',
        'delete workload/g/logs-db',
        'delete workload/g/site',
        'create workload/g/web',
      ]);
      expect(codes(plan(desired, full, { allowDataLoss: 2 }))).toContain('delete.referenced');
    });

    test('interrupted, each that is there already is waited for once', () => {
      const there = names.flatMap((name) => [
        live(`volumeset/h/${name}`, volumeset(1)),
        live(`workload/h/${name}-db`, db(name, 'h', [])),
      ]);
      const made = renamed({}, { there: [live('gvc/h'), live('workload/h/web', workload('web:1')), ...there] });
      expect(actions(made)[0]).toBe('patch domain/shop.example.com');
      expect(waits(changeOf(made, 'workload/g/logs-db').requires)).toEqual(
        first.filter((wait) => wait.startsWith('domain') || wait.endsWith('ready')),
      );
    });
  });

  test('a group that had the name of a GVC holds nothing up in that', () => {
    const made = plan(
      [gvc, declare('group/h', {}, { previously: 'g' })],
      [liveGvc, live('group/g'), live('identity/g/unused')],
    );
    expect(waits(changeOf(made, 'identity/g/unused').requires)).toEqual([]);
  });

  test('and data and bystanders in it need their numbers too', () => {
    const rows = live('volumeset/g/rows', volumeset(2));
    const stranger = foreign('identity/g/theirs');
    const full = snapshot([liveGvc, rows], { closures: closure('g', [rows, stranger]) });
    expect(codes(plan([next({ previously: 'g', replace: true })], full))).toEqual(['delete.bystander', 'delete.data']);
    const flags = { allowCollateral: 1, allowDataLoss: 1 };
    expect(codes(plan([next({ previously: 'g', replace: true })], full, flags))).toEqual([]);
  });
});

describe('what takes the place of another takes over from it what a replacement would', () => {
  const containers = (image: string) => [{ name: 'main', image, cpu: '50m', memory: '128Mi' }];
  const created = (made: ReturnType<typeof plan>) => changeOf(made, 'workload/g/web').create?.expose() ?? {};

  test('the live value of what is set only once', () => {
    const deployed = live('workload/g/site', workload('web:7'));
    const lifecycle = { previously: 'site', ignore: ['spec.containers.main.image'] };
    expect(created(plan([gvc, web(lifecycle)], [liveGvc, deployed]))).toMatchObject({
      name: 'web',
      spec: { containers: containers('web:7') },
    });
  });

  test('what operators switched, which is said; unless it is to be taken back', () => {
    const suspended = live('workload/g/site', workload('web:1', [], { defaultOptions: { suspend: true } }));
    const made = plan([gvc, web()], [liveGvc, suspended]);
    expect(created(made)).toMatchObject({ spec: { defaultOptions: { suspend: true } } });
    expect(changeOf(made, 'workload/g/web').notes).toEqual([
      'spec.defaultOptions.suspend stays true: not declared, so operators decide (--revert-operational resets it)',
    ]);
    expect(created(plan([gvc, web()], [liveGvc, suspended], { revertOperational: true }))).not.toHaveProperty(
      'spec.defaultOptions',
    );
  });

  test('a switch that stands where it stands by default is neither carried over nor mentioned', () => {
    const running = live('workload/g/site', workload('web:1', [], { defaultOptions: { suspend: false } }));
    const made = plan([gvc, web()], [liveGvc, running]);
    expect(created(made)['spec']).not.toHaveProperty('defaultOptions');
    expect(changeOf(made, 'workload/g/web').notes).toEqual([]);
  });

  test('tags of others, and neither its own nor those that remember parts of the old record', () => {
    const tags = { theirs: 'a', ours: 'b', 'gantry/applied.bank': 'of another resource' };
    const tagged = live('workload/g/site', { ...workload('web:1'), tags }, { applied: { tagKeys: ['ours'] } });
    const { tags: written } = created(plan([gvc, web()], [liveGvc, tagged]));
    expect(Object.keys(Object(written)).sort()).toEqual(['gantry/applied', 'gantry/stack', 'theirs']);
  });

  test('a secret whose live value counts is refused: the value would be lost with the old name', () => {
    const key = { type: 'opaque', data: { payload: 'long out of date' } };
    const held = live('secret/old-key', { type: 'opaque' });
    const renamed = (lifecycle: Lifecycle) => plan([declare('secret/key', key, lifecycle)], [held]);
    expect(codes(renamed({ previously: 'old-key', ignore: ['data'] }))).toEqual(['rename.unread']);
    expect(codes(renamed({ previously: 'old-key' }))).toEqual([]);
  });
});

describe('renaming a record of a custom kind', () => {
  withKinds({
    vault: { scope: 'org', immutable: [], listKeys: {}, disposable: false },
    label: { scope: 'org', immutable: [], listKeys: {}, disposable: true },
  });

  test('loses what it may store, of which nothing is known; nothing where that can be made again', () => {
    const of = (kind: string) => plan([declare(`${kind}/new`, {}, { previously: 'old' })], [live(`${kind}/old`)]);
    expect(changeOf(of('vault'), 'vault/new').refusals).toMatchObject([
      { message: expect.stringContaining('not known'), allow: expect.stringContaining('lifecycle.replace') },
    ]);
    expect(codes(of('label'))).toEqual([]);
  });
});
