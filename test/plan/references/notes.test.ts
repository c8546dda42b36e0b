import { describe, expect, test } from 'vitest';
import type { Snapshot } from '../../../src/manifest/live/snapshot.ts';
import type { PlanOptions } from '../../../src/plan/model/planOptions.ts';
import { type PlanRow, testPlans } from '../planText.ts';
import { closure, declare, live, plan, snapshot } from '../world.ts';

const container = { name: 'main', image: 'app:1' };
const reads = { ...container, env: [{ name: 'KEY', value: 'scheme://secret/key.payload' }] };
const gvc = declare('gvc/shop');

function notesOf(made: ReturnType<typeof plan>, id: string): readonly string[] {
  return made.changes.find((change) => change.id === id)?.notes ?? [];
}

const held = 'gvc/g; workload/g/api; domain/a.com routes(api)';
const env = 'spec.containers.main.env.KEY.value';
const route = 'spec.ports.443.routes."/".workloadLink';
const listed = 'spec.firewallConfig.internal.inboundAllowWorkload.0';
const missing = `${env} refers to secret/key, which does not exist`;

// biome-ignore format: a row is a case
const rows: readonly PlanRow[] = [
  ['a secret that nobody has is noted where it is read, and refuses nothing (platform/deletion.references)',
    'gvc/g; workload/g/web reads(key)', '', `create gvc/g; create workload/g/web noting ${missing}`],
  ['a secret that is declared is not', 'gvc/g; secret/key; workload/g/web reads(key)', '',
    '… create workload/g/web noting nothing'],
  ['a secret that is live is not', 'gvc/g; workload/g/web reads(key)', 'secret/key by(bank)',
    '… create workload/g/web noting nothing'],
  ['it is told by every plan, where nothing changes', 'gvc/g; workload/g/web reads(key)',
    'gvc/g; workload/g/web reads(key)', `keep workload/g/web noting ${missing}`],
  ['it is told by every plan, where something else changes', 'gvc/g; workload/g/web reads(key); group/x',
    'gvc/g; workload/g/web reads(key)', `… create group/x; keep workload/g/web noting ${missing}`],
  ['a required link whose target the platform let go is told, too', 'domain/a.com serves(api)',
    'domain/a.com serves(api)',
    'keep domain/a.com noting spec.workloadLink refers to workload/g/api, which does not exist'],
  ['what is deleted although a route leads to it, a secret is read or a policy names it: both ends say so',
    'gvc/g; domain/a.com routes(api); workload/g/web reads(key); policy/p targets(secret/key)',
    `${held}; secret/key; workload/g/web reads(key); policy/p targets(secret/key)`,
    `… delete workload/g/api noting domain/a.com still refers to it at ${route}; ` +
      `keep domain/a.com noting ${route} refers to workload/g/api, which is deleted; ` +
      `delete secret/key noting policy/p still refers to it at targetLinks.0 | workload/g/web still refers to it at ${env}; ` +
      'keep policy/p noting targetLinks.0 refers to secret/key, which is deleted', { allowDangling: 2 }],
  ['what is written and still refers to what goes says so, unless it is refused for that',
    'gvc/g; workload/g/web image(b) reads(key); domain/a.com text(new) serves(api)',
    'gvc/g; workload/g/api; secret/key; workload/g/web reads(key); domain/a.com text(old) serves(api)',
    `… patch workload/g/web noting ${env} refers to secret/key, which is deleted; ` +
      'refuse patch domain/a.com refused reference.missing noting nothing', { allowDangling: 1 }],
  ['what stays as it is says that what it needs goes, where the platform lets it go', 'gvc/g; domain/a.com serves(api)',
    'gvc/g; workload/g/api; domain/a.com serves(api)',
    '… refuse delete workload/g/api refused delete.referenced; ' +
      'keep domain/a.com noting spec.workloadLink refers to workload/g/api, which is deleted'],
  ['who lets go says nothing', 'gvc/g; workload/g/web; domain/a.com routes(web)', held,
    '… delete workload/g/api noting nothing; patch domain/a.com noting nothing; create workload/g/web noting nothing'],
  ['who goes too says nothing', 'gvc/g', held,
    '… delete workload/g/api noting nothing; delete domain/a.com noting nothing'],
  ['who was left with nothing before says so', 'gvc/g; domain/a.com routes(api)', 'gvc/g; domain/a.com routes(api)',
    `… keep domain/a.com noting ${route} refers to workload/g/api, which does not exist; keep gvc/g noting nothing`],
  ['a list of callers says so, too', 'gvc/g; workload/g/web calls(api)',
    'gvc/g; workload/g/api; workload/g/web calls(api)',
    `… keep workload/g/web noting ${listed} refers to workload/g/api, which is deleted; ` +
      `delete workload/g/api noting workload/g/web still refers to it at ${listed}`],
  ['who belongs to others and refers to what goes is named as such; what goes with its GVC refers to nothing',
    'group/x', 'secret/key; gvc/g; policy/p targets(secret/key) by(bank); workload/g/web reads(key) by(bank) unlisted',
    '… delete secret/key noting policy/p, which is not declared here, refers to it at targetLinks.0',
    { allowCollateral: 1 }],
  ['what is created and refers to what goes says so, and so does what goes', 'policy/p targets(secret/key)',
    'secret/key',
    '… create policy/p noting targetLinks.0 refers to secret/key, which is deleted; ' +
      'delete secret/key noting policy/p still refers to it at targetLinks.0'],
  ['a record that may not go says who refers to it, too', 'policy/p targets(secret/key)', 'secret/key protected',
    '… refuse delete secret/key refused delete.protected noting policy/p still refers to it at targetLinks.0'],
  ['a required reference to what is not there is refused, and no note says it again',
    'gvc/g; workload/g/web identity(nobody)', '',
    '… refuse create workload/g/web refused reference.missing noting nothing'],
];

testPlans(rows);

const routed = (to: string) => ({
  spec: { ports: [{ number: 443, routes: [{ prefix: '/', workloadLink: `//gvc/shop/workload/${to}` }] }] },
});
const api = live('workload/shop/api', { spec: { type: 'standard', containers: [container] } });
const link = 'spec.ports.443.routes."/".workloadLink';

test('of many who refer to what goes the first ten are named', () => {
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

test('what operators switched in an item is reported in whatever order the list is declared', () => {
  const [a, b] = [
    { location: '//location/a', timeoutSeconds: 5 },
    { location: '//location/b', timeoutSeconds: 5 },
  ];
  const spec = { type: 'standard', containers: [container] };
  const declared = declare('workload/shop/web', { spec: { ...spec, localOptions: [b, a] } });
  const running = live('workload/shop/web', { spec: { ...spec, localOptions: [{ ...a, suspend: true }, b] } });
  const made = plan([gvc, declared], [live('gvc/shop'), running]);
  expect(made.changes.find(({ id }) => id === 'workload/shop/web')).toMatchObject({
    action: 'keep',
    notes: expect.arrayContaining([
      'spec.localOptions.a.suspend is true: not declared, so operators decide (--revert-operational resets it)',
    ]),
  });
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

test('a renaming refuses who still refers to the old name, and does not say it twice', () => {
  const readers = { targetKind: 'identity', targetLinks: ['//gvc/shop/identity/old'], bindings: [] };
  const made = plan(
    [gvc, declare('identity/shop/new', {}, { previously: 'old' }), declare('policy/p', readers)],
    [live('gvc/shop'), live('identity/shop/old'), live('policy/p', readers)],
  );
  expect(made.changes.flatMap(({ refusals }) => refusals.map(({ code }) => code))).toEqual(['rename.referenced']);
  expect(made.changes.flatMap(({ notes }) => notes).filter((note) => note.includes('still refers'))).toEqual([]);
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

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'a secret in a variable', record: web, path: 'spec.containers.main.env.KEY.value' },
      { it: 'a secret in a volume', record: { spec: { type: 'standard', containers: [mounts] } },
        path: 'spec.containers.main.volumes."/key".uri' },
      { it: 'a secret of a trigger',
        record: { spec: { type: 'standard', containers: [container],
            defaultOptions: { autoscaling: scaled('//secret/key') } } },
        path: 'spec.defaultOptions.autoscaling.keda.triggers.0.authenticationRef.name' },
    ],
  )('is refused: $it of a declared workload that does not change', ({ record, path }) => {
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
