import { describe, expect, test } from 'vitest';
import type { Snapshot } from '../../../src/manifest/live/snapshot.ts';
import type { PlanOptions } from '../../../src/plan/model/planOptions.ts';
import { closure, declare, live, plan, snapshot } from '../world.ts';

const container = { name: 'main', image: 'app:1' };
const reads = { ...container, env: [{ name: 'KEY', value: 'scheme://secret/key.payload' }] };
const gvc = declare('gvc/shop');

function notesOf(made: ReturnType<typeof plan>, id: string): readonly string[] {
  return made.changes.find((change) => change.id === id)?.notes ?? [];
}

test('a secret that nobody has is noted where it is read, and refuses nothing (platform/deletion.references)', () => {
  const made = plan([gvc, declare('workload/shop/web', { spec: { type: 'standard', containers: [reads] } })], []);
  expect(made.changes.map(({ action }) => action)).toEqual(['create', 'create']);
  expect(notesOf(made, 'workload/shop/web')).toEqual([
    'spec.containers.main.env.KEY.value refers to secret/key, which does not exist',
  ]);
});

test('a secret that is declared, or live, is not', () => {
  const workload = declare('workload/shop/web', { spec: { type: 'standard', containers: [reads] } });
  const secret = declare('secret/key', { type: 'opaque', data: { payload: 'x' } });
  expect(notesOf(plan([gvc, secret, workload], []), 'workload/shop/web')).toEqual([]);
  const foreign = live('secret/key', { type: 'opaque' }, { owner: 'bank' });
  expect(notesOf(plan([gvc, workload], [foreign]), 'workload/shop/web')).toEqual([]);
});

const routed = (to: string) => ({
  spec: { ports: [{ number: 443, routes: [{ prefix: '/', workloadLink: `//gvc/shop/workload/${to}` }] }] },
});
const api = live('workload/shop/api', { spec: { type: 'standard', containers: [container] } });
const link = 'spec.ports.443.routes."/".workloadLink';

test('what is deleted although a route leads to it, a secret is read or a policy names it: both ends say so', () => {
  const web = { spec: { type: 'standard', containers: [reads] } };
  const readers = { targetKind: 'secret', targetLinks: ['//secret/key'], bindings: [] };
  const made = plan(
    [
      gvc,
      declare('domain/shop.example.com', routed('api')),
      declare('workload/shop/web', web),
      declare('policy/p', readers),
    ],
    [
      live('gvc/shop'),
      api,
      live('secret/key', { type: 'opaque' }),
      live('domain/shop.example.com', routed('api')),
      live('workload/shop/web', web),
      live('policy/p', readers),
    ],
    { allowDangling: 2 },
  );
  expect(made.changes.filter(({ action }) => action !== 'keep').map(({ id }) => id)).toEqual([
    'secret/key',
    'workload/shop/api',
  ]);
  expect(notesOf(made, 'workload/shop/api')).toEqual([`domain/shop.example.com still refers to it at ${link}`]);
  expect(notesOf(made, 'domain/shop.example.com')).toEqual([`${link} refers to workload/shop/api, which is deleted`]);
  expect(notesOf(made, 'secret/key')).toEqual([
    'policy/p still refers to it at targetLinks.0',
    'workload/shop/web still refers to it at spec.containers.main.env.KEY.value',
  ]);
  expect(notesOf(made, 'policy/p')).toEqual(['targetLinks.0 refers to secret/key, which is deleted']);
});

test('what is written and still refers to what goes says so, unless it is refused for that', () => {
  const changed = (image: string) => ({ spec: { type: 'standard', containers: [{ ...reads, image }] } });
  const domain = (description: string) => ({ description, spec: { workloadLink: '//gvc/shop/workload/api' } });
  const made = plan(
    [gvc, declare('workload/shop/web', changed('app:2')), declare('domain/shop.example.com', domain('new'))],
    [
      ...[live('gvc/shop'), api, live('secret/key', { type: 'opaque' })],
      ...[live('workload/shop/web', changed('app:1')), live('domain/shop.example.com', domain('old'))],
    ],
    { allowDangling: 1 },
  );
  expect(notesOf(made, 'workload/shop/web')).toEqual([
    'spec.containers.main.env.KEY.value refers to secret/key, which is deleted',
  ]);
  const refused = made.changes.find(({ id }) => id === 'domain/shop.example.com');
  expect(refused).toMatchObject({ action: 'refuse', refusals: [{ code: 'reference.missing' }], notes: [] });
});

test('what stays as it is says that what it needs goes, where the platform lets it go', () => {
  const serving = { spec: { workloadLink: '//gvc/shop/workload/api' } };
  const made = plan(
    [gvc, declare('domain/shop.example.com', serving)],
    [live('gvc/shop'), api, live('domain/shop.example.com', serving)],
  );
  expect(notesOf(made, 'domain/shop.example.com')).toEqual([
    'spec.workloadLink refers to workload/shop/api, which is deleted',
  ]);
});

test('who lets go or goes too says nothing, who was left with nothing before says so; of many the first ten are named', () => {
  const before = [live('gvc/shop'), api, live('domain/shop.example.com', routed('api'))];
  const other = declare('workload/shop/web', { spec: { type: 'standard', containers: [container] } });
  const moved = plan([gvc, other, declare('domain/shop.example.com', routed('web'))], before);
  expect(moved.changes.flatMap(({ notes }) => notes)).toEqual([]);
  expect(plan([gvc], before).changes.flatMap(({ notes }) => notes)).toEqual([]);
  const gone = plan(
    [gvc, declare('domain/shop.example.com', routed('api'))],
    [before[0], before[2]].flatMap((x) => x ?? []),
  );
  expect(gone.changes.map(({ action, notes }) => [action, notes])).toEqual([
    ['keep', [`${link} refers to workload/shop/api, which does not exist`]],
    ['keep', []],
  ]);

  const spec = { type: 'standard', containers: [container] };
  const inboundAllowWorkload = ['//gvc/shop/workload/api'];
  const peer = {
    spec: { ...spec, firewallConfig: { internal: { inboundAllowType: 'workload-list', inboundAllowWorkload } } },
  };
  const allowed = plan(
    [gvc, declare('workload/shop/web', peer)],
    [live('gvc/shop'), api, live('workload/shop/web', peer)],
  );
  const inList = 'spec.firewallConfig.internal.inboundAllowWorkload.0';
  expect(notesOf(allowed, 'workload/shop/web')).toEqual([`${inList} refers to workload/shop/api, which is deleted`]);
  expect(notesOf(allowed, 'workload/shop/api')).toEqual([`workload/shop/web still refers to it at ${inList}`]);

  const many = Array.from({ length: 12 }, (_, index) => `policy/p${index}`);
  const names = { targetKind: 'workload', targetLinks: ['//gvc/shop/workload/api'], bindings: [] };
  const made = plan(
    [gvc, ...many.map((id) => declare(id, names))],
    [live('gvc/shop'), api, ...many.map((id) => live(id, names))],
  );
  expect(notesOf(made, 'workload/shop/api')).toHaveLength(11);
  expect(notesOf(made, 'workload/shop/api').at(-1)).toBe('and 2 more references to it');
});

test('the legacy port is kept where the platform answers with a list of ports (platform/concepts.filled)', () => {
  const spec = { type: 'standard', containers: [{ ...container, port: 8080 }] };
  const answered = { type: 'standard', containers: [{ ...container, ports: [{ protocol: 'http', number: 8080 }] }] };
  const made = plan(
    [gvc, declare('workload/shop/web', { spec })],
    [live('gvc/shop'), live('workload/shop/web', { spec: answered })],
  );
  expect(made.changes.map(({ action }) => action)).toEqual(['keep', 'keep']);
});

test('what operators switched is reported beside another change too, and not reverted', () => {
  const declared = declare('workload/shop/web', {
    spec: { type: 'standard', containers: [{ ...container, image: 'app:2' }] },
  });
  const running = live('workload/shop/web', {
    spec: { type: 'standard', containers: [container], defaultOptions: { suspend: true } },
  });
  const made = plan([gvc, declared], [live('gvc/shop'), running]);
  const change = made.changes.find(({ id }) => id === 'workload/shop/web');
  expect(change?.action).toBe('patch');
  expect(change?.patch?.expose()['spec']).toEqual({ '$patch/containers': [{ name: 'main', image: 'app:2' }] });
  expect(change?.notes).toEqual([
    'spec.defaultOptions.suspend is true: not declared, so operators decide (--revert-operational resets it)',
  ]);
});

describe('a secret that is read, and that is not seen here', () => {
  const reader = declare('workload/shop/web', { spec: { type: 'standard', containers: [reads] } });
  const path = 'spec.containers.main.env.KEY.value';
  const notesWith = (given: Partial<PlanOptions>, parts: Partial<Snapshot> = {}) =>
    notesOf(plan([gvc, reader], snapshot([], parts), given), 'workload/shop/web');

  test('may be hidden from this token', () => {
    const hidden = new Map([['secret/key', 'view']]);
    expect(notesWith({}, { hidden })).toEqual([`${path} refers to secret/key, which this token cannot view`]);
  });

  test('may be created by another stack before', () => {
    expect(notesWith({ promised: new Set(['secret/key']) })).toEqual([]);
    expect(notesWith({ promised: new Set(['secret/other']) })).toHaveLength(1);
  });

  test('may be declared by another stack that is not applied before', () => {
    expect(notesWith({ elsewhere: new Map([['secret/key', 'bank']]) })).toEqual([
      `${path} refers to secret/key, which does not exist yet: the stack "bank" declares it`,
    ]);
  });
});

test('who belongs to others and refers to what goes is named as such; what goes with its GVC refers to nothing', () => {
  const theirs = live(
    'policy/p',
    { targetKind: 'secret', targetLinks: ['//secret/key'], bindings: [] },
    { owner: 'bank' },
  );
  const along = live('workload/shop/web', { spec: { type: 'standard', containers: [reads] } }, { owner: 'bank' });
  const from = snapshot([live('secret/key', { type: 'opaque' }), live('gvc/shop'), theirs], {
    closures: closure('shop', [along]),
  });
  const made = plan([declare('group/x')], from, { allowCollateral: 1 });
  expect(notesOf(made, 'secret/key')).toEqual(['policy/p, which is not declared here, refers to it at targetLinks.0']);
});

test('a renaming refuses who still refers to the old name, and does not say it twice', () => {
  const readers = { targetKind: 'identity', targetLinks: ['//gvc/shop/identity/old'], bindings: [] };
  const made = plan(
    [gvc, declare('identity/shop/new', {}, { previously: 'old' }), declare('policy/p', readers)],
    [live('gvc/shop'), live('identity/shop/old'), live('policy/p', readers)],
  );
  expect(made.changes.flatMap(({ refusals }) => refusals.map(({ code }) => code))).toEqual(['rename.referenced']);
  expect(made.changes.flatMap(({ notes }) => notes).filter((note) => note.includes('still refers'))).toEqual([]);
});

test('what is created and refers to what goes says so, and so does what goes', () => {
  const readers = { targetKind: 'secret', targetLinks: ['//secret/key'], bindings: [] };
  const made = plan([declare('policy/p', readers)], [live('secret/key', { type: 'opaque' })], { allowEmpty: true });
  expect(notesOf(made, 'policy/p')).toEqual(['targetLinks.0 refers to secret/key, which is deleted']);
  expect(notesOf(made, 'secret/key')).toEqual(['policy/p still refers to it at targetLinks.0']);
});

test('a record that may not go says who refers to it, too', () => {
  const readers = { targetKind: 'secret', targetLinks: ['//secret/key'], bindings: [] };
  const guarded = live('secret/key', { type: 'opaque', tags: { 'scheme/protected': 'true' } });
  const made = plan([declare('policy/p', readers)], [guarded], { allowEmpty: true });
  expect(made.changes.flatMap(({ refusals }) => refusals.map(({ code }) => code))).toEqual(['delete.protected']);
  expect(notesOf(made, 'secret/key')).toContain('policy/p still refers to it at targetLinks.0');
});

test('a required reference to what is not there is refused, and no note says it again', () => {
  const web = { spec: { type: 'standard', containers: [container], identityLink: '//identity/nobody' } };
  const made = plan([gvc, declare('workload/shop/web', web)], []);
  expect(made.changes.flatMap(({ refusals }) => refusals.map(({ code }) => code))).toEqual(['reference.missing']);
  expect(notesOf(made, 'workload/shop/web')).toEqual([]);
});

describe('deleting what something that stays needs in order to run', () => {
  const web = { spec: { type: 'standard', containers: [reads] } };
  const mounts = { ...container, volumes: [{ uri: 'scheme://secret/key', path: '/key' }] };
  const key = live('secret/key', { type: 'opaque' });
  const scaled = (name: string) => ({
    metric: 'keda',
    keda: { triggers: [{ type: 'cron', metadata: {}, authenticationRef: { name } }] },
  });
  const refusalsOf = (made: ReturnType<typeof plan>, id: string) =>
    made.changes.find((change) => change.id === id)?.refusals.map(({ code, message, allow }) => [code, message, allow]);
  const allow = '--allow-dangling=1, or no reference to it any more';

  test.each([
    { it: 'a secret in a variable', record: web, path: 'spec.containers.main.env.KEY.value' },
    {
      it: 'a secret in a volume',
      record: { spec: { type: 'standard', containers: [mounts] } },
      path: 'spec.containers.main.volumes."/key".uri',
    },
    {
      it: 'a secret of a trigger',
      record: {
        spec: { type: 'standard', containers: [container], defaultOptions: { autoscaling: scaled('//secret/key') } },
      },
      path: 'spec.defaultOptions.autoscaling.keda.triggers.0.authenticationRef.name',
    },
  ])('is refused: $it of a declared workload that does not change', ({ record, path }) => {
    const made = plan(
      [gvc, declare('workload/shop/web', record)],
      [live('gvc/shop'), key, live('workload/shop/web', record)],
    );
    expect(refusalsOf(made, 'secret/key')).toEqual([
      ['delete.referenced', `workload/shop/web stays, and needs it at ${path}`, allow],
    ]);
  });

  test('is refused also where the referrer is of somebody else, is written, or is let go of', () => {
    const path = 'spec.containers.main.env.KEY.value';
    const message = `workload/shop/web stays, and needs it at ${path}`;
    const written = declare('workload/shop/web', { ...web, description: 'new' });
    const released = declare('workload/shop/web', web, { handOver: 'bank' });
    const ours = live('workload/shop/web', web);
    for (const [declared, held] of [
      [[gvc], live('workload/shop/web', web, { owner: 'bank' })],
      [[gvc, written], ours],
      [[gvc, released], ours],
    ] as const) {
      const made = plan(declared, [live('gvc/shop'), key, held]);
      expect(refusalsOf(made, 'secret/key')).toEqual([['delete.referenced', message, allow]]);
    }
  });

  test('is refused for the workload of a route, and for what goes along with a GVC', () => {
    const domain = live('domain/shop.example.com', routed('api'), { owner: 'bank' });
    const alone = plan([gvc], [live('gvc/shop'), api, domain]);
    expect(refusalsOf(alone, 'workload/shop/api')).toMatchObject([['delete.referenced', expect.any(String), allow]]);

    const theirs = live('workload/shop/api', api.record, { owner: 'bank' });
    const children = snapshot([live('gvc/shop'), domain, live('group/x')], { closures: closure('shop', [theirs]) });
    const whole = plan([declare('group/x')], children, { allowCollateral: 1 });
    expect(refusalsOf(whole, 'gvc/shop')).toEqual([
      ['delete.referenced', `domain/shop.example.com stays, and needs workload/shop/api at ${link}`, allow],
    ]);
  });

  test('is permitted by the exact number of those that lose something, and noted then', () => {
    const held = [live('gvc/shop'), key, live('workload/shop/web', web)];
    const declared = [gvc, declare('workload/shop/web', web)];
    const permitted = plan(declared, held, { allowDangling: 1 });
    expect(refusalsOf(permitted, 'secret/key')).toEqual([]);
    expect(notesOf(permitted, 'secret/key')).toEqual([
      'workload/shop/web still refers to it at spec.containers.main.env.KEY.value',
    ]);
    expect(refusalsOf(plan(declared, held, { allowDangling: 2 }), 'secret/key')).toHaveLength(1);
  });

  test('is not refused where the platform itself lets go: targets of policies, members of groups', () => {
    const readers = { targetKind: 'secret', targetLinks: ['//secret/key'], bindings: [] };
    const team = { memberLinks: ['//serviceaccount/robot'] };
    const made = plan(
      [declare('policy/p', readers), declare('group/team', team)],
      [key, live('serviceaccount/robot'), live('policy/p', readers), live('group/team', team)],
      { allowDataLoss: 0 },
    );
    expect(refusalsOf(made, 'secret/key')).toEqual([]);
    expect(refusalsOf(made, 'serviceaccount/robot')).toEqual([]);
  });

  test('is not refused where the referrer goes too, or lets go of it', () => {
    const held = [live('gvc/shop'), key, live('workload/shop/web', web)];
    expect(refusalsOf(plan([gvc], held), 'secret/key')).toEqual([]);
    const without = declare('workload/shop/web', { spec: { type: 'standard', containers: [container] } });
    expect(refusalsOf(plan([gvc, without], held), 'secret/key')).toEqual([]);
  });
});

describe('a target that is missing is told by every plan, not only at the change', () => {
  const web = { spec: { type: 'standard', containers: [reads] } };
  const declared = [gvc, declare('workload/shop/web', web)];
  const held = [live('gvc/shop'), live('workload/shop/web', web)];
  const note = 'spec.containers.main.env.KEY.value refers to secret/key, which does not exist';

  test('where nothing changes', () => {
    const made = plan(declared, held);
    expect(made.changes.map(({ action }) => action)).toEqual(['keep', 'keep']);
    expect(notesOf(made, 'workload/shop/web')).toEqual([note]);
  });

  test('where something else changes', () => {
    const made = plan([...declared, declare('group/x')], held);
    expect(notesOf(made, 'workload/shop/web')).toEqual([note]);
  });

  test('also by a required link, whose target the platform let go', () => {
    const serving = { spec: { workloadLink: '//gvc/shop/workload/api' } };
    const made = plan([declare('domain/a.com', serving)], [live('domain/a.com', serving)]);
    expect(notesOf(made, 'domain/a.com')).toEqual([
      'spec.workloadLink refers to workload/shop/api, which does not exist',
    ]);
  });

  test('and nothing is looked for where every name was found', () => {
    const made = plan(declared, snapshot(held, { unfound: new Set() }));
    expect(notesOf(made, 'workload/shop/web')).toEqual([]);
  });
});

test('an unchanged resource says that what it depends on is gone', () => {
  const waits = declare('gvc/shop', {}, { dependsOn: ['group/ops'] });
  const unfound = new Set(['group/ops']);
  const made = plan([waits], snapshot([live('gvc/shop')], { unfound }));
  expect(made.changes.map(({ action }) => action)).toEqual(['keep']);
  expect(notesOf(made, 'gvc/shop')).toEqual(['lifecycle.dependsOn.0 refers to group/ops, which does not exist']);
  const there = plan([waits], snapshot([live('gvc/shop'), live('group/ops', {}, { owner: 'ops' })]));
  expect(notesOf(there, 'gvc/shop')).toEqual([]);
});
