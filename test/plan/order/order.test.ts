import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { DesiredResource } from '../../../src/manifest/model/manifest.ts';
import type { Plan } from '../../../src/plan/model/plan.ts';
import { DependencyCycleError } from '../../../src/plan/order/cycle.ts';
import {
  actions,
  changeOf,
  declare,
  foreign,
  live,
  plan,
  snapshot,
  volumeset,
  volumesetSpec,
  workload,
} from '../world.ts';

function requires(made: Plan, id: string): readonly string[] {
  return changeOf(made, id)
    .requires.map(({ on }) => on)
    .sort();
}

const identified = (image: string, secret?: string): JsonObject => ({
  spec: {
    type: 'standard',
    identityLink: '//identity/app',
    containers: [
      {
        name: 'main',
        image,
        ...(secret === undefined ? {} : { env: [{ name: 'A', value: `scheme://secret/${secret}` }] }),
      },
    ],
  },
});
const reveal: JsonObject = {
  targetKind: 'secret',
  targetLinks: ['//secret/s'],
  bindings: [{ permissions: ['reveal'], principalLinks: ['//gvc/g/identity/app'] }],
};

describe('a referrer waits for what it will refer to (platform/deletion.references)', () => {
  test('a workload after its GVC, identity, secret, volume set, and the policy that lets it read', () => {
    const made = plan(
      [
        declare('workload/g/web', identified('web:1', 's')),
        declare('policy/reveal', reveal),
        declare('secret/s', { type: 'opaque', data: { payload: 'x' } }),
        declare('identity/g/app'),
        declare('gvc/g'),
      ],
      [],
    );
    expect(requires(made, 'workload/g/web')).toEqual(['gvc/g', 'identity/g/app', 'policy/reveal', 'secret/s']);
    expect(actions(made)).toEqual([
      'create gvc/g',
      'create identity/g/app',
      'create secret/s',
      'create policy/reveal',
      'create workload/g/web',
    ]);
    const soft = changeOf(made, 'workload/g/web')
      .requires.filter((edge) => edge.soft)
      .map(({ on }) => on);
    expect(soft.sort()).toEqual(['policy/reveal', 'secret/s']);
  });

  test('a policy for other secrets, or without reveal, makes nothing wait', () => {
    const web = declare('workload/g/web', identified('web:1', 's'));
    const gvc = [live('gvc/g'), live('identity/g/app'), foreign('secret/s'), foreign('secret/other')];
    const policies = [
      declare('policy/other', { ...reveal, targetLinks: ['//secret/other'] }),
      declare('policy/viewing', {
        ...reveal,
        bindings: [{ permissions: ['view'], principalLinks: ['//gvc/g/identity/app'] }],
      }),
      declare('policy/everything', { targetKind: 'secret', target: 'all', bindings: reveal['bindings'] ?? [] }),
    ];
    expect(requires(plan([web, ...policies], gvc, { scope: 'partial' }), web.id)).toEqual(['policy/everything']);
  });

  test('what is needed is waited for also where it is only changed: its failure stops the referrer', () => {
    const pulls = { spec: { pullSecretLinks: ['//secret/registry'] } };
    const registry = (description: string) => ({ type: 'docker', description, data: '{"auths":{"r":{}}}' });
    const made = plan(
      [declare('secret/registry', registry('new')), declare('gvc/g', pulls)],
      [live('secret/registry', registry('old')), live('gvc/g')],
    );
    expect(actions(made)).toEqual(['patch secret/registry', 'patch gvc/g']);
    expect(changeOf(made, 'gvc/g').requires).toMatchObject([{ on: 'secret/registry', soft: false }]);
  });

  test.each([
    { it: 'that stays', declared: [declare('policy/reveal', reveal)], applied: {} },
    { it: 'that is only let go of', declared: [], applied: { retain: true } },
  ])('a policy $it waits for no reader that goes', ({ declared, applied }) => {
    const held = [
      ...[live('group/x'), live('gvc/g'), live('identity/g/app'), live('secret/s', { type: 'opaque' })],
      ...[live('policy/reveal', reveal, { applied }), live('workload/g/web', identified('web:1', 's'))],
    ];
    const staying = [declare('group/x'), declare('gvc/g'), declare('identity/g/app'), declare('secret/s')];
    const made = plan([...staying, ...declared], held);
    expect(actions(made)).toContain('delete workload/g/web');
    expect(requires(made, 'policy/reveal')).toEqual([]);
  });

  test('a policy goes after the workload that reads through it, also where that goes with its GVC', () => {
    const reader = live('workload/g/web', identified('web:1', 's'));
    const held = [
      live('group/x'),
      live('gvc/g'),
      reader,
      live('policy/reveal', reveal),
      live('secret/s', { type: 'opaque' }),
    ];
    const state = snapshot(held, { closures: new Map([['g', { known: true, children: [reader] }]]) });
    const made = plan([declare('group/x')], state);
    expect(actions(made)).toEqual(['delete gvc/g', 'delete workload/g/web', 'delete policy/reveal', 'delete secret/s']);
  });

  test('nothing waits for what stays as it is', () => {
    const made = plan([declare('gvc/g'), declare('identity/g/app')], [live('gvc/g')]);
    expect(requires(made, 'identity/g/app')).toEqual([]);
  });

  test('a sub-domain after its apex: required in ns mode, preferred in cname mode', () => {
    const made = plan(
      [
        declare('domain/example.com', { spec: { dnsMode: 'cname' } }),
        declare('domain/a.example.com', { spec: { dnsMode: 'ns' } }),
        declare('domain/b.example.com', { spec: { dnsMode: 'cname' } }),
      ],
      [],
    );
    expect(changeOf(made, 'domain/a.example.com').requires).toMatchObject([{ on: 'domain/example.com', soft: false }]);
    expect(changeOf(made, 'domain/b.example.com').requires).toMatchObject([{ on: 'domain/example.com', soft: true }]);
  });

  test('an apex goes after its sub-domains, and not before (row 23)', () => {
    const names = ['domain/a.example.com', 'domain/example.com'];
    const held = [live('group/x'), ...names.map((id) => live(id, { spec: { dnsMode: 'cname' } }))];
    const made = plan([declare('group/x')], held);
    expect(actions(made)).toEqual(['delete domain/a.example.com', 'delete domain/example.com']);
    expect(changeOf(made, 'domain/example.com').requires).toMatchObject([{ on: 'domain/a.example.com', soft: false }]);

    const kept = plan([declare('domain/a.example.com', { spec: { dnsMode: 'cname' } })], held);
    expect(changeOf(kept, 'domain/example.com').refusals).toMatchObject([{ code: 'delete.referenced' }]);
  });

  test('lifecycle.dependsOn', () => {
    const made = plan([declare('secret/a', {}, { dependsOn: ['secret/b'] }), declare('secret/b')], []);
    expect(requires(made, 'secret/a')).toEqual(['secret/b']);
  });

  test('lifecycle.wait makes the edge one of readiness', () => {
    const db = declare('workload/g/db', workload('db:1'), { wait: true });
    const web = declare('workload/g/web', workload('web:1'), { dependsOn: ['workload/g/db'] });
    const made = plan([db, web], [live('gvc/g')], { scope: 'partial' });
    expect(changeOf(made, 'workload/g/db').wait).toBe(true);
    expect(changeOf(made, 'workload/g/web').requires).toMatchObject([{ on: 'workload/g/db', ready: true }]);
  });

  test('what refers to an unchanged workload waits until that is ready where it cannot do without it, and not for a route', () => {
    const db = declare('workload/g/db', workload('db:1'), { wait: true });
    const after = declare('workload/g/web', workload('web:1'), { dependsOn: ['workload/g/db'] });
    const spec = { ports: [{ number: 443, routes: [{ prefix: '/', workloadLink: '//gvc/g/workload/db' }] }] };
    const domain = declare('domain/example.com', { spec });
    const there = [live('gvc/g'), live('workload/g/db', { ...workload('db:1'), description: 'db' })];
    const made = plan([db, after, domain], there, { scope: 'partial' });
    expect(changeOf(made, 'workload/g/db')).toMatchObject({ action: 'keep', wait: true });
    expect(changeOf(made, 'workload/g/web').requires).toMatchObject([{ on: 'workload/g/db', ready: true }]);
    expect(changeOf(made, 'domain/example.com').requires).toEqual([]);
  });

  test('--wait waits for workloads, and for nothing that cannot become ready', () => {
    const made = plan([declare('gvc/g'), declare('workload/g/db', workload('db:1'))], [], { wait: true });
    expect(changeOf(made, 'workload/g/db').wait).toBe(true);
    expect(changeOf(made, 'gvc/g').wait).toBe(false);
  });

  test('who newly mounts a volume set waits for who lets go of it', () => {
    const made = plan(
      [
        declare('gvc/g'),
        declare('volumeset/g/rows', volumesetSpec()),
        declare('workload/g/a', workload('b:1', ['rows'])),
      ],
      [live('gvc/g'), live('volumeset/g/rows', volumeset(0)), live('workload/g/z', workload('z:1', ['rows']))],
    );
    expect(actions(made)).toEqual(['delete workload/g/z', 'create workload/g/a']);
  });
});

describe('two-step changes (platform/deletion.references)', () => {
  const keda = (name?: string): JsonObject => ({
    spec: { keda: { enabled: true, ...(name === undefined ? {} : { identityLink: `//identity/${name}` }) } },
  });

  test('a new GVC refers to its identity in a second step', () => {
    const made = plan([declare('gvc/g', keda('app')), declare('identity/g/app')], []);
    const change = changeOf(made, 'gvc/g');
    expect(JSON.stringify(change.create?.expose())).not.toContain('identity');
    expect(change.then?.expose()).toMatchObject({
      spec: { keda: { identityLink: expect.stringContaining('identity/app') } },
    });
    expect(Object.keys(change.then?.expose() ?? {})).not.toContain('version');
    expect(change.thenRequires).toMatchObject([{ on: 'identity/g/app', soft: false }]);
    expect(requires(made, 'identity/g/app')).toEqual(['gvc/g']);
    expect(change.expectedThen?.expose()).toMatchObject({
      spec: { keda: { identityLink: '/org/o/gvc/g/identity/app' } },
    });
  });

  test('an existing GVC is patched directly where the identity is there', () => {
    const made = plan(
      [declare('gvc/g', keda('app')), declare('identity/g/app')],
      [live('gvc/g', keda()), live('identity/g/app')],
    );
    expect(actions(made)).toEqual(['patch gvc/g']);
    expect(changeOf(made, 'gvc/g').then).toBeUndefined();
  });

  test('it waits for a new identity where nothing else changes', () => {
    const made = plan([declare('gvc/g', keda('app')), declare('identity/g/app')], [live('gvc/g', keda())]);
    expect(actions(made)).toEqual(['create identity/g/app', 'patch gvc/g']);
    expect(changeOf(made, 'gvc/g').then).toBeUndefined();
  });

  test('it takes two steps where something else changes too', () => {
    const desired = declare('gvc/g', { ...keda('app'), description: 'ours' });
    const made = plan([desired, declare('identity/g/app')], [live('gvc/g', keda())]);
    expect(changeOf(made, 'gvc/g').patch?.expose()).toMatchObject({ description: 'ours' });
    expect(JSON.stringify(changeOf(made, 'gvc/g').patch?.expose())).not.toContain('identityLink');
    expect(changeOf(made, 'gvc/g').then?.expose()).toMatchObject({ spec: { keda: expect.anything() } });
    expect(requires(made, 'identity/g/app')).toEqual(['gvc/g']);
  });

  test('an identity of which the GVC lets go in its second step is deleted after that', () => {
    const desired = declare('gvc/g', { ...keda('fresh'), description: 'ours' });
    const held = live('gvc/g', { spec: { keda: { enabled: true, identityLink: '/org/o/gvc/g/identity/old' } } });
    const made = plan([desired, declare('identity/g/fresh')], [held, live('identity/g/old')]);
    expect(changeOf(made, 'identity/g/old').requires).toMatchObject([{ on: 'gvc/g', step: 'then' }]);
  });
});

describe('cycles', () => {
  test('soft edges are cut: a GVC and the IP set that point to each other', () => {
    const made = plan(
      [
        declare('gvc/g', { spec: { loadBalancer: { dedicated: true, ipSet: '//ipset/front' } } }),
        declare('ipset/front', { spec: { link: '//gvc/g' } }),
      ],
      [],
    );
    expect(actions(made)).toHaveLength(2);
    expect(requires(made, 'gvc/g').length + requires(made, 'ipset/front').length).toBe(1);
  });

  test('a cycle that cannot be cut names every link with its file and line', () => {
    const desired = [
      declare('secret/a', {}, { dependsOn: ['secret/b'] }, 10),
      declare('secret/b', {}, { dependsOn: ['secret/a'] }, 20),
    ];
    const attempt = (): Plan => plan(desired, []);
    expect(attempt).toThrow(DependencyCycleError);
    expect(attempt).toThrow(
      /stack\.yaml:10:1 {2}secret\/a waits for secret\/b[\s\S]*stack\.yaml:20:1 {2}secret\/b waits for secret\/a/,
    );
  });
});

describe('plan(shuffled input) = plan(input), byte for byte (design, law 4)', () => {
  const desired: readonly DesiredResource[] = [
    declare('gvc/g', { spec: { keda: { enabled: true, identityLink: '//identity/app' } } }),
    declare('identity/g/app'),
    declare('policy/reveal', reveal),
    declare('secret/s', { type: 'opaque', data: { payload: 'x' } }),
    declare('volumeset/g/rows', volumesetSpec({ performanceClass: 'high-throughput-ssd', initialCapacity: 200 }), {
      replace: true,
    }),
    declare('workload/g/db', workload('db:2', ['rows'])),
    declare('workload/g/web', identified('web:1', 's')),
    declare('ipset/front', { spec: { link: '//gvc/g' } }),
  ];
  const held = [
    live('volumeset/g/rows', volumeset(0)),
    live('workload/g/db', workload('db:1', ['rows'])),
    live('gvc/g'),
    live('gvc/old'),
    live('workload/old/w', workload('w:1', ['v'])),
    live('volumeset/old/v', volumeset(0)),
    foreign('identity/old/x'),
    live('secret/gone'),
    live('domain/example.com'),
    foreign('domain/a.example.com'),
    foreign('domain/b.example.com'),
  ];
  const state = (order: typeof held) =>
    snapshot(order, {
      closures: new Map([['old', { known: true, children: order.filter(({ ref }) => ref.gvc === 'old') }]]),
    });

  test('in whatever order resources and records come', () => {
    const expected = JSON.stringify(plan(desired, state(held)));
    const shuffled = <T>(items: readonly T[]) =>
      fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length });
    fc.assert(
      fc.property(shuffled(desired), shuffled(held), (declared, records) => {
        expect(JSON.stringify(plan(declared, state(records)))).toBe(expected);
      }),
      { numRuns: 200 },
    );
  });

  test('what stands first waits for nothing that stands later', () => {
    const made = plan(desired, state(held));
    const place = new Map(made.changes.map(({ id }, index) => [id, index]));
    for (const { id, requires: edges, action } of made.changes) {
      if (action === 'replace') continue;
      for (const { on, step } of edges)
        if (step === undefined) expect(place.get(on), `${id} on ${on}`).toBeLessThan(place.get(id) ?? -1);
    }
  });
});
