import { describe, expect, test } from 'vitest';
import type { Snapshot } from '../../../src/manifest/live/snapshot.ts';
import type { PlanOptions } from '../../../src/plan/model/planOptions.ts';
import { type PlanRow, testPlans } from '../planText.ts';
import { closure, createdBefore, declare, live, plan, snapshot } from '../world.ts';

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
  ['a missing secret is noted where it is read, and not refused (platform/deletion.references)',
    'gvc/g; workload/g/web reads(key)', '', `create gvc/g; create workload/g/web noting ${missing}`],
  ['a declared secret is not noted', 'gvc/g; secret/key; workload/g/web reads(key)', '',
    '… create workload/g/web noting nothing'],
  ['a live secret is not noted', 'gvc/g; workload/g/web reads(key)', 'secret/key by(bank)',
    '… create workload/g/web noting nothing'],
  ['the note is in every plan, even without changes', 'gvc/g; workload/g/web reads(key)',
    'gvc/g; workload/g/web reads(key)', `keep workload/g/web noting ${missing}`],
  ['the note is in every plan, even with other changes', 'gvc/g; workload/g/web reads(key); group/x',
    'gvc/g; workload/g/web reads(key)', `… create group/x; keep workload/g/web noting ${missing}`],
  ['a missing required target that the platform let others delete is noted too', 'domain/a.com serves(api)',
    'domain/a.com serves(api)',
    'keep domain/a.com noting spec.workloadLink refers to workload/g/api, which does not exist'],
  ['a deletion with a remaining route, reader or policy target is noted at both ends',
    'gvc/g; domain/a.com routes(api); workload/g/web reads(key); policy/p targets(secret/key)',
    `${held}; secret/key; workload/g/web reads(key); policy/p targets(secret/key)`,
    `… delete workload/g/api noting domain/a.com still refers to it at ${route}; ` +
      `keep domain/a.com noting ${route} refers to workload/g/api, which is deleted; ` +
      `delete secret/key noting policy/p still refers to it at targetLinks.0 | workload/g/web still refers to it at ${env}; ` +
      'keep policy/p noting targetLinks.0 refers to secret/key, which is deleted', { allowDangling: 2 }],
  ['a written referrer of a deleted record has a note, unless it is refused',
    'gvc/g; workload/g/web image(b) reads(key); domain/a.com text(new) serves(api)',
    'gvc/g; workload/g/api; secret/key; workload/g/web reads(key); domain/a.com text(old) serves(api)',
    `… patch workload/g/web noting ${env} refers to secret/key, which is deleted; ` +
      'refuse patch domain/a.com refused reference.missing noting nothing', { allowDangling: 1 }],
  ['a kept referrer notes the deletion of a required target, if the platform permits it',
    'gvc/g; domain/a.com serves(api)',
    'gvc/g; workload/g/api; domain/a.com serves(api)',
    '… refuse delete workload/g/api refused delete.referenced noting nothing; ' +
      'keep domain/a.com noting spec.workloadLink refers to workload/g/api, which is deleted'],
  ['a referrer that drops the reference has no note', 'gvc/g; workload/g/web; domain/a.com routes(web)', held,
    '… delete workload/g/api noting nothing; patch domain/a.com noting nothing; create workload/g/web noting nothing'],
  ['a deleted referrer has no note', 'gvc/g', held,
    '… delete workload/g/api noting nothing; delete domain/a.com noting nothing'],
  ['a reference that dangled before is noted', 'gvc/g; domain/a.com routes(api)', 'gvc/g; domain/a.com routes(api)',
    `… keep domain/a.com noting ${route} refers to workload/g/api, which does not exist; keep gvc/g noting nothing`],
  ['a list of callers is noted too', 'gvc/g; workload/g/web calls(api)',
    'gvc/g; workload/g/api; workload/g/web calls(api)',
    `… keep workload/g/web noting ${listed} refers to workload/g/api, which is deleted; ` +
      `delete workload/g/api noting workload/g/web still refers to it at ${listed}`],
  ['a referrer of others is named as such; one that is deleted with its GVC is not',
    'group/x', 'secret/key; gvc/g; policy/p targets(secret/key) by(bank); workload/g/web reads(key) by(bank) unlisted',
    '… delete secret/key noting policy/p, which is not declared here, refers to it at targetLinks.0',
    { allowCollateral: 1 }],
  ['a created referrer of a deleted record is noted at both ends', 'policy/p targets(secret/key)',
    'secret/key',
    '… create policy/p noting targetLinks.0 refers to secret/key, which is deleted; ' +
      'delete secret/key noting policy/p still refers to it at targetLinks.0'],
  ['a protected record notes its referrers too', 'policy/p targets(secret/key)', 'secret/key protected',
    '… refuse delete secret/key refused delete.protected noting policy/p still refers to it at targetLinks.0'],
  ['a required reference to a missing record is refused, without another note',
    'gvc/g; workload/g/web identity(nobody)', '',
    '… refuse create workload/g/web refused reference.missing noting nothing'],
];

testPlans(rows);

const routed = (to: string) => ({
  spec: { ports: [{ number: 443, routes: [{ prefix: '/', workloadLink: `//gvc/shop/workload/${to}` }] }] },
});
const api = live('workload/shop/api', { spec: { type: 'standard', containers: [container] } });
const link = 'spec.ports.443.routes."/".workloadLink';

test('of many referrers of a deleted record the first ten are named', () => {
  const many = Array.from({ length: 12 }, (_, index) => `policy/p${index}`);
  const names = { targetKind: 'workload', targetLinks: ['//gvc/shop/workload/api'], bindings: [] };
  const made = plan(
    [gvc, ...many.map((id) => declare(id, names))],
    [live('gvc/shop'), api, ...many.map((id) => live(id, names))],
  );
  expect(notesOf(made, 'workload/shop/api')).toHaveLength(11);
  expect(notesOf(made, 'workload/shop/api').at(-1)).toBe('and 2 more references to it');
});

test('the legacy port is kept if the platform answers with a list of ports (platform/concepts.filled)', () => {
  const spec = { type: 'standard', containers: [{ ...container, port: 8080 }] };
  const answered = { type: 'standard', containers: [{ ...container, ports: [{ protocol: 'http', number: 8080 }] }] };
  const made = plan(
    [gvc, declare('workload/shop/web', { spec })],
    [live('gvc/shop'), live('workload/shop/web', { spec: answered })],
  );
  expect(made.changes.map(({ action }) => action)).toEqual(['keep', 'keep']);
});

test('an operational switch is noted beside other changes, and not reverted', () => {
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

test('an operational switch in an item is noted, in any order of the list', () => {
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

describe('a secret that is read and does not exist', () => {
  const reader = declare('workload/shop/web', { spec: { type: 'standard', containers: [reads] } });
  const path = 'spec.containers.main.env.KEY.value';
  const notesWith = (given: Partial<PlanOptions>, parts: Partial<Snapshot> = {}) =>
    notesOf(plan([gvc, reader], snapshot([], parts), given), 'workload/shop/web');

  test('may be hidden from this token', () => {
    const hidden = new Map([['secret/key', 'view']]);
    expect(notesWith({}, { hidden })).toEqual([`${path} refers to secret/key, which this token cannot view`]);
  });

  test('may be created by another stack earlier', () => {
    expect(notesWith({ before: createdBefore('secret/key') })).toEqual([]);
    expect(notesWith({ before: createdBefore('secret/other') })).toHaveLength(1);
  });

  test('may be declared by another stack that is not applied earlier', () => {
    expect(notesWith({ elsewhere: new Map([['secret/key', 'bank']]) })).toEqual([
      `${path} refers to secret/key, which does not exist yet: the stack "bank" declares it`,
    ]);
  });
});

test('a renaming refuses references to the old name, without a second note', () => {
  const readers = { targetKind: 'identity', targetLinks: ['//gvc/shop/identity/old'], bindings: [] };
  const made = plan(
    [gvc, declare('identity/shop/new', {}, { previously: 'old' }), declare('policy/p', readers)],
    [live('gvc/shop'), live('identity/shop/old'), live('policy/p', readers)],
  );
  expect(made.changes.flatMap(({ refusals }) => refusals.map(({ code }) => code))).toEqual(['rename.referenced']);
  expect(made.changes.flatMap(({ notes }) => notes).filter((note) => note.includes('still refers'))).toEqual([]);
});

describe('deleting a record that a kept workload requires to run', () => {
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
  )('is refused: $it of an unchanged declared workload', ({ record, path }) => {
    const made = plan(
      [gvc, declare('workload/shop/web', record)],
      [live('gvc/shop'), key, live('workload/shop/web', record)],
    );
    expect(refusalsOf(made, 'secret/key')).toEqual([
      ['delete.referenced', `workload/shop/web stays, and needs it at ${path}`, allow],
    ]);
  });

  test('is refused even if the referrer belongs to others, is written, or is released', () => {
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

  test('is refused for the workload of a route, and for a cascade of a GVC', () => {
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

  test('is permitted by the exact number of affected records, and then noted', () => {
    const held = [live('gvc/shop'), key, live('workload/shop/web', web)];
    const declared = [gvc, declare('workload/shop/web', web)];
    const permitted = plan(declared, held, { allowDangling: 1 });
    expect(refusalsOf(permitted, 'secret/key')).toEqual([]);
    expect(notesOf(permitted, 'secret/key')).toEqual([
      'workload/shop/web still refers to it at spec.containers.main.env.KEY.value',
    ]);
    expect(refusalsOf(plan(declared, held, { allowDangling: 2 }), 'secret/key')).toHaveLength(1);
  });

  test('is not refused if the platform drops the reference: targets of policies, members of groups', () => {
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

  test('is not refused if the referrer is deleted too, or drops the reference', () => {
    const held = [live('gvc/shop'), key, live('workload/shop/web', web)];
    expect(refusalsOf(plan([gvc], held), 'secret/key')).toEqual([]);
    const without = declare('workload/shop/web', { spec: { type: 'standard', containers: [container] } });
    expect(refusalsOf(plan([gvc, without], held), 'secret/key')).toEqual([]);
  });
});

describe('a missing target is reported by every plan, not only when it changes', () => {
  const web = { spec: { type: 'standard', containers: [reads] } };
  const declared = [gvc, declare('workload/shop/web', web)];
  const held = [live('gvc/shop'), live('workload/shop/web', web)];

  test('and nothing is searched if every name was found', () => {
    const made = plan(declared, snapshot(held, { unfound: new Set() }));
    expect(notesOf(made, 'workload/shop/web')).toEqual([]);
  });
});

test('an unchanged resource notes that its dependsOn target is missing', () => {
  const waits = declare('gvc/shop', {}, { dependsOn: ['group/ops'] });
  const unfound = new Set(['group/ops']);
  const made = plan([waits], snapshot([live('gvc/shop')], { unfound }));
  expect(made.changes.map(({ action }) => action)).toEqual(['keep']);
  expect(notesOf(made, 'gvc/shop')).toEqual(['lifecycle.dependsOn.0 refers to group/ops, which does not exist']);
  const there = plan([waits], snapshot([live('gvc/shop'), live('group/ops', {}, { owner: 'ops' })]));
  expect(notesOf(there, 'gvc/shop')).toEqual([]);
});
