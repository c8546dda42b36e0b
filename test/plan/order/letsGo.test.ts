import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import type { Lifecycle } from '../../../src/manifest/model/lifecycle.ts';
import type { DesiredResource } from '../../../src/manifest/model/manifest.ts';
import { makeDraft } from '../../../src/plan/model/draft.ts';
import type { PlanOptions } from '../../../src/plan/model/planOptions.ts';
import type { StepEdge } from '../../../src/plan/model/steps.ts';
import { orderChanges } from '../../../src/plan/order/orderChanges.ts';
import {
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

interface Case {
  readonly it: string;
  readonly declared: readonly DesiredResource[];
  readonly held: readonly LiveResource[];
  /** What is in the GVC `g`. */
  readonly inside?: readonly LiveResource[];
  readonly options?: Partial<PlanOptions>;
  /** Each with all that it waits for: `gvc/g`, `gvc/g then`. */
  readonly waits: Readonly<Record<string, readonly string[]>>;
}

const reading = (image = 'a', name = 's'): JsonObject => ({
  spec: {
    type: 'standard',
    containers: [{ name: 'main', image, env: [{ name: 'S', value: `scheme://secret/${name}` }] }],
  },
});
const [gvc, group] = [declare('gvc/g'), declare('group/x')];
const [liveGvc, liveGroup] = [live('gvc/g'), live('group/x')];
const secret = live('secret/s', { type: 'opaque' });
const routes = (name: string): JsonObject => ({
  spec: { ports: [{ number: 443, routes: [{ prefix: '/', workloadLink: `//gvc/g/workload/${name}` }] }] },
});
const scaled = (name: string): JsonObject => ({
  keda: { enabled: true, identityLink: `/org/o/gvc/g/identity/${name}` },
});
const keda = (name: string): JsonObject => ({ spec: scaled(name) });
const bound: JsonObject = { loadBalancer: { dedicated: true, ipSet: '//ipset/front' } };
const pulls = (...names: readonly string[]): JsonObject => ({
  spec: { pullSecretLinks: names.map((name) => `/org/o/secret/${name}`) },
});
const docker = (name: string) => declare(`secret/${name}`, { type: 'docker', data: '{"auths":{"r":{}}}' });
const ecr = (name: string) =>
  live(`secret/${name}`, { type: 'ecr', data: { accessKey: 'A', secretKey: 'x', repos: ['r'] } });
const shared = { fileSystemType: 'shared' };
const cname = { spec: { dnsMode: 'cname' } };

describe('a deletion waits for what lets go of its target, and for nothing else (design, law 6)', () => {
  test.each<Case>(
    // biome-ignore format: a row is a case
    [
      { it: 'the deletion of who refers to it', declared: [gvc],
        held: [liveGvc, secret, live('workload/g/web', reading())],
        waits: { 'secret/s': ['workload/g/web'], 'workload/g/web': [] } },
      { it: 'the update that drops the reference',
        declared: [gvc, declare('workload/g/web', workload('a', [], { type: 'standard' }))],
        held: [liveGvc, secret, live('workload/g/web', reading())], waits: { 'secret/s': ['workload/g/web'] } },
      { it: 'not an update that keeps it', options: { allowDangling: 1 },
        declared: [gvc, declare('workload/g/web', reading('b'))],
        held: [liveGvc, secret, live('workload/g/web', reading('a'))],
        waits: { 'secret/s': [], 'workload/g/web': [] } },
      { it: 'not the record that is only let go of, and keeps it', options: { allowDangling: 1 }, declared: [gvc],
        held: [liveGvc, secret, live('workload/g/web', reading(), { applied: { retain: true } })],
        waits: { 'secret/s': [], 'workload/g/web': [] } },
      { it: 'not the record that is handed over as it is', options: { allowDangling: 1 },
        declared: [gvc, declare('workload/g/web', workload('a'), { handOver: 'bank' })],
        held: [liveGvc, secret, live('workload/g/web', reading())], waits: { 'secret/s': [], 'workload/g/web': [] } },
      { it: 'of a child that goes with its GVC, the GVC', declared: [group],
        held: [liveGroup, liveGvc, secret, live('workload/g/web', reading())],
        inside: [live('workload/g/web', reading())], waits: { 'secret/s': ['gvc/g'] } },
      { it: 'of a stranger that goes with its GVC, the GVC', declared: [group], held: [liveGroup, liveGvc, secret],
        inside: [foreign('workload/g/web', reading())], options: { allowCollateral: 1 },
        waits: { 'secret/s': ['gvc/g'], 'gvc/g': [] } },
      { it: 'not the GVC that stays, for a stranger in it', options: { allowDangling: 1 },
        declared: [declare('gvc/g', { description: 'new' })], held: [liveGvc, secret],
        inside: [foreign('workload/g/web', reading())], waits: { 'secret/s': [], 'gvc/g': [] } },
      { it: 'of a GVC, what refers to its children', declared: [group],
        held: [liveGroup, liveGvc, live('workload/g/web', workload('a')), live('domain/a.com', routes('web'))],
        inside: [live('workload/g/web', workload('a'))], waits: { 'gvc/g': ['domain/a.com'], 'domain/a.com': [] } },
      { it: 'of a GVC, no child that goes with it, whatever refers to whom inside', declared: [group],
        held: [liveGroup, liveGvc, live('identity/g/app'),
          live('workload/g/web', workload('a', [], { identityLink: '//identity/app' }))],
        inside: [live('identity/g/app'), live('workload/g/web', workload('a', [], { identityLink: '//identity/app' }))],
        waits: { 'gvc/g': [], 'identity/g/app': [], 'workload/g/web': [] } },
      { it: 'not itself, although it names itself', declared: [gvc],
        held: [liveGvc,
          live('workload/g/web',
            workload('a', [],
              { firewallConfig: {
                  internal: { inboundAllowType: 'workload-list', inboundAllowWorkload: ['//workload/web'] } } }))],
        waits: { 'workload/g/web': [] } },
      { it: 'the second step, where the field leads from one child to another then',
        declared: [declare('gvc/g', { ...keda('fresh'), description: 'ours' }), declare('identity/g/fresh')],
        held: [live('gvc/g', keda('old')), live('identity/g/old')], waits: { 'identity/g/old': ['gvc/g then'] } },
      { it: 'the only step, where that is what the second one would be',
        declared: [declare('gvc/g', keda('fresh')), declare('identity/g/fresh')],
        held: [live('gvc/g', keda('old')), live('identity/g/old')], waits: { 'identity/g/old': ['gvc/g'] } },
      { it: 'the first step, where only a list has another item in its place then',
        declared: [declare('gvc/g', pulls('a')), docker('a')],
        held: [live('gvc/g', pulls('old', 'a')), ecr('a'), live('secret/old', { type: 'docker' })],
        waits: { 'secret/old': ['gvc/g'] } },
      { it: 'not a GVC that keeps its wish for it, although it has a second step for something else',
        declared: [declare('gvc/g', { spec: { ...scaled('app'), ...bound }, description: 'ours' }),
          declare('identity/g/app')], held: [live('gvc/g', { spec: bound }), live('ipset/front')],
        waits: { 'ipset/front': [] } },
    ],
  )('$it', ({ declared, held, inside = [], options, waits }) => {
    const made = plan(declared, snapshot(held, { closures: closure('g', inside) }), options);
    expect(codes(made)).toEqual([]);
    const found = Object.keys(waits).map((id) => {
      const edges = changeOf(made, id).requires;
      expect(edges.filter(({ ready }) => ready !== undefined)).toEqual([]);
      return [id, edges.map(({ on, step }) => (step === undefined ? on : `${on} ${step}`)).sort()];
    });
    expect(Object.fromEntries(found)).toEqual(waits);
  });

  test('who keeps the reference does not come along with a part of the plan', () => {
    const ignoring = declare('workload/g/web', workload('a', [], { type: 'standard' }), {
      ignore: ['spec.containers.main.env'],
    });
    const held = { ...reading(), description: 'web' };
    const made = plan([gvc, ignoring], [liveGvc, secret, live('workload/g/web', held)], {
      targets: ['secret/s'],
      allowDangling: 1,
    });
    expect(changeOf(made, 'secret/s').action).toBe('delete');
    expect(changeOf(made, 'workload/g/web')).toMatchObject({
      action: 'keep',
      notes: [expect.not.stringContaining('included')],
    });
  });

  test('a GVC lets go of two that are replaced, and each of them waits for it', () => {
    const made = plan(
      [docker('a'), docker('b'), declare('gvc/g', pulls('a', 'b'))],
      [ecr('a'), ecr('b'), live('gvc/g', pulls('a', 'b'))],
    );
    expect(codes(made)).toEqual([]);
    for (const id of ['secret/a', 'secret/b'])
      expect(changeOf(made, id).deleteRequires).toMatchObject([{ on: 'gvc/g' }]);
    expect(changeOf(made, 'gvc/g').thenRequires?.map(({ on }) => on)).toEqual(['secret/a', 'secret/b']);
  });

  test('a retained old name is let go of, not deleted: its creation waits for nothing', () => {
    const lifecycle: Lifecycle = { previously: 'db', replace: true, dependsOn: ['secret/s'] };
    const mounting = workload('db:1', ['rows'], { type: 'stateful' });
    const made = plan(
      [
        gvc,
        declare('secret/s', { type: 'opaque', data: { payload: 'x' } }),
        declare('volumeset/g/rows', volumesetSpec()),
        declare('workload/g/store', mounting, lifecycle),
      ],
      [liveGvc, live('volumeset/g/rows', volumeset(0)), live('workload/g/db', mounting, { applied: { retain: true } })],
    );
    expect(changeOf(made, 'workload/g/db').intended ?? changeOf(made, 'workload/g/db').action).toBe('forget');
    expect(changeOf(made, 'workload/g/db').requires.map(({ on }) => on)).not.toContain('secret/s');
  });

  test('who newly mounts what several may mount waits for nobody who keeps mounting it', () => {
    const files = volumesetSpec(shared);
    const made = plan(
      [
        gvc,
        declare('volumeset/g/files', files),
        declare('workload/g/a', workload('a', ['files'])),
        declare('workload/g/z', workload('z:2', ['files'])),
      ],
      [liveGvc, live('volumeset/g/files', volumeset(0, shared)), live('workload/g/z', workload('z:1', ['files']))],
    );
    expect(codes(made)).toEqual([]);
    expect(changeOf(made, 'workload/g/a').requires).toEqual([]);
  });
});

test('a GVC waits for its data to be deleted, and is not deleted without that', () => {
  const [set, db] = [live('volumeset/g/rows', volumeset(0)), live('workload/g/db', workload('a', ['rows']))];
  const made = plan([group], snapshot([liveGroup, liveGvc, set, db], { closures: closure('g', [set, db]) }));
  const edge = { soft: false, because: 'it stores data, or mounts a volume set: it is deleted before its GVC' };
  expect(changeOf(made, 'gvc/g').requires).toEqual([
    { on: 'volumeset/g/rows', ...edge },
    { on: 'workload/g/db', ...edge },
  ]);
});

describe('who mounts', () => {
  const files = declare('volumeset/g/files', volumesetSpec(shared));
  const held = [liveGvc, live('volumeset/g/files', volumeset(0, shared))];
  const mounting = (image: string) => workload(image, ['files']);
  const waits = (id: string, desired: readonly DesiredResource[], there: readonly LiveResource[]) =>
    changeOf(plan([gvc, ...desired], [...held, ...there]), id).requires.map(({ on, soft }) => [on, soft]);

  test('newly waits for who lets go, if it can', () => {
    const moved = [files, declare('workload/g/a', mounting('a')), declare('workload/g/z', workload('z'))];
    expect(
      waits('workload/g/a', moved, [live('workload/g/a', workload('a')), live('workload/g/z', mounting('z'))]),
    ).toEqual([['workload/g/z', true]]);
  });

  test('as before waits for nobody', () => {
    const staying = [files, declare('workload/g/a', mounting('a:2'))];
    expect(
      waits('workload/g/a', staying, [live('workload/g/a', mounting('a:1')), live('workload/g/z', mounting('z'))]),
    ).toEqual([]);
  });

  test('newly does not wait for who only is let go of, and keeps it', () => {
    const kept = live('workload/g/z', mounting('z'), { applied: { retain: true } });
    expect(waits('workload/g/a', [files, declare('workload/g/a', mounting('a'))], [kept])).toEqual([]);
  });

  test('is not who reads: a secret may be read by many', () => {
    const moved = [files, declare('workload/g/a', reading()), declare('workload/g/z', workload('z'))];
    const there = [
      secret,
      live('workload/g/a', workload('a')),
      live('workload/g/z', { ...reading(), description: 'z' }),
    ];
    const made = plan([gvc, declare('secret/s', { type: 'opaque' }), ...moved], [...held, ...there]);
    expect(changeOf(made, 'workload/g/a').requires.map(({ on }) => on)).not.toContain('workload/g/z');
  });
});

describe('a sub-domain and its apex (platform/domain.names)', () => {
  const apex = 'domain/example.com';
  const sub = 'domain/a.b.example.com';

  test.each<[string, JsonObject, boolean]>([
    ['ns', { dnsMode: 'ns' }, false],
    ['cname', { dnsMode: 'cname' }, true],
    ['ns, which follows from its GVC', { gvcLink: '//gvc/g' }, false],
    ['cname in spite of its GVC', { dnsMode: 'cname', gvcLink: '//gvc/g' }, true],
    ['cname by default', {}, true],
  ])('in the mode %s', (_, spec, soft) => {
    const made = plan([declare(apex, cname), declare(sub, { spec })], [foreign('gvc/g')]);
    expect(changeOf(made, sub).requires).toMatchObject([{ on: apex, soft }]);
    expect(changeOf(made, apex).requires).toEqual([]);
  });

  test('waits for the nearest one above it', () => {
    const made = plan([declare(apex, cname), declare('domain/b.example.com', cname), declare(sub, cname)], []);
    expect(changeOf(made, sub).requires.map(({ on }) => on)).toEqual(['domain/b.example.com']);
  });

  test('goes without waiting for the change of an apex that stays, which does not wait for it either', () => {
    const made = plan([declare(apex, { ...cname, description: 'new' })], [live(apex, cname), live(sub, cname)]);
    expect(changeOf(made, sub).requires).toEqual([]);
    expect(changeOf(made, apex).requires).toEqual([]);
  });

  test.each([[['a', 'b']], [['b', 'a']]])(
    'of several that stay the first is named, in whatever order they come: %j',
    (names) => {
      const others = names.map((name) => foreign(`domain/${name}.example.com`, cname));
      const made = plan([group], [liveGroup, live(apex, cname), ...others]);
      expect(changeOf(made, apex).refusals).toMatchObject([
        { code: 'delete.referenced', message: expect.stringContaining('domain/a.example.com') },
      ]);
    },
  );
});

test('two reasons to wait for the same are told as one, the first', () => {
  const web = declare('workload/g/web', workload('a'), { dependsOn: ['gvc/g'] });
  expect(changeOf(plan([gvc, web], []), web.id).requires).toEqual([
    { on: 'gvc/g', because: 'it lives in that GVC', soft: false },
  ]);
});

describe('a cycle', () => {
  const payload = { type: 'opaque', data: { payload: 'x' } };
  const ring = [
    declare('secret/a', payload, { dependsOn: ['secret/b'] }),
    declare('secret/b', payload, { dependsOn: ['secret/a'] }),
  ];

  test('through what is refused is no reason to show no plan', () => {
    const made = plan(ring, [live('secret/a', payload, { owner: 'bank' })]);
    expect(changeOf(made, 'secret/a').requires).toMatchObject([{ on: 'secret/b' }]);
    expect(changeOf(made, 'secret/b').requires).toEqual([]);
    expect(made.changes.map(({ id, action }) => `${action} ${id}`).sort()).toEqual([
      'create secret/b',
      'refuse secret/a',
    ]);
  });

  test('of live records has no place in a file', () => {
    const drafts = ['a', 'b'].map((name) => {
      const { id, ref } = live(`secret/${name}`);
      return makeDraft({ id, ref }, { action: 'delete', reason: '' });
    });
    const [a, b] = drafts;
    const edge = (from = '', on = ''): StepEdge => ({
      ...{ from, on, fromStep: 'main', onStep: 'main', because: 'it refers to it', soft: false, ready: false },
    });
    const attempt = () =>
      orderChanges(new Map(drafts.map((draft) => [draft.id, draft])), [edge(a?.id, b?.id), edge(b?.id, a?.id)]);
    expect(attempt).toThrow(/live {2}secret\/a waits for secret\/b: it refers to it/);
  });

  test('beside what is refused is one', () => {
    expect(() => plan([...ring, group], [live('group/x', {}, { owner: 'bank' })])).toThrow(
      /secret\/a waits for secret\/b/,
    );
  });
});
