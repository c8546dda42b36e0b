import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { shapeOf } from '../../../src/kinds/shape/shapeOf.ts';
import { itemsOf } from '../../../src/plan/claims/items.ts';
import { waysToCollections } from '../../../src/schema/shape/ownableCollections.ts';
import {
  actions,
  changeOf,
  closure,
  codes,
  declare,
  foreign,
  live,
  org,
  partTag,
  plan,
  snapshot,
  volumeset,
  volumesetSpec,
  workload,
} from '../world.ts';

const fast = { performanceClass: 'high-throughput-ssd', initialCapacity: 200 };
const binding = { permissions: ['view'], principalLinks: ['//group/them'] };
const theirs = ['bindings', bindingKey()];

/** How an item without a key of its own is told from the others. */
function bindingKey(): string {
  const bindings = waysToCollections(shapeOf('policy')).get('bindings');
  if (bindings === undefined || bindings.type === 'object') throw new Error('the bindings of a policy are a list');
  return itemsOf(bindings, [binding], { org })[0]?.key ?? '';
}

const gvc = declare('gvc/g');
const liveGvc = live('gvc/g');

describe('replacement', () => {
  const sets = declare('volumeset/g/rows', volumesetSpec(fast), { replace: true });
  const db = declare('workload/g/db', workload('db:1', ['rows']));
  const liveDb = live('workload/g/db', workload('db:1', ['rows']));

  test('an immutable field that differs replaces, and the reason names it', () => {
    const made = plan([gvc, sets], [liveGvc, live('volumeset/g/rows', volumeset(0))]);
    expect(changeOf(made, 'volumeset/g/rows')).toMatchObject({ action: 'replace', liveVersion: 1 });
    expect(changeOf(made, 'volumeset/g/rows').reason).toContain('spec.performanceClass');
    expect(changeOf(made, 'volumeset/g/rows').create?.expose()).toMatchObject({ name: 'rows', spec: fast });
    expect(codes(made)).toEqual([]);
  });

  test('a tag of another survives it and stays theirs: the plan after it is empty', () => {
    const tagged = { ...volumeset(0), tags: { 'team/cost': '7' } };
    const held = live('volumeset/g/rows', tagged, { applied: { tagKeys: [] } });
    const created = changeOf(plan([gvc, sets], [liveGvc, held]), 'volumeset/g/rows').create?.expose() ?? {};
    expect(created).toMatchObject({ tags: { 'team/cost': '7' } });
    const remade = { ...held, uid: 'uid-2', record: { ...created, kind: 'volumeset', id: 'uid-2', version: 1 } };
    expect(actions(plan([gvc, sets], [liveGvc, remade]))).toEqual([]);
  });

  test('what other stacks own as their part survives it, and so does the memory of it', () => {
    const tag = partTag('bank', { kind: 'policy', name: 'view' }, [theirs]);
    const held = live(
      'policy/view',
      { targetKind: 'group', bindings: [binding], tags: tag },
      { applied: { tagKeys: [] } },
    );
    const declared = declare('policy/view', { targetKind: 'workload' });
    const change = changeOf(plan([declared], [held, foreign('group/them')]), 'policy/view');
    expect(change.action).toBe('replace');
    expect(change.create?.expose()).toMatchObject({ bindings: [binding], tags: tag });
    expect(change.notes).toEqual(['1 item belongs to bank']);
  });

  test('what operators switched stays switched', () => {
    const held = live('workload/g/web', workload('web:1', [], { defaultOptions: { suspend: true } }));
    const declared = declare('workload/g/web', workload('web:1', [], { type: 'standard' }));
    const change = changeOf(plan([gvc, declared], [liveGvc, held]), 'workload/g/web');
    expect(change.action).toBe('replace');
    expect(change.create?.expose()).toMatchObject({ spec: { defaultOptions: { suspend: true } } });
  });

  test('an omitted immutable field is no difference', () => {
    const shared = { fileSystemType: 'shared', initialCapacity: 10 };
    const held = live('volumeset/g/files', volumeset(0, { ...shared, performanceClass: 'shared' }));
    expect(actions(plan([gvc, declare('volumeset/g/files', { spec: shared })], [liveGvc, held]))).toEqual([]);
  });

  test('what mounts it comes along: each half waits for the right half', () => {
    const made = plan([gvc, sets, db], [liveGvc, live('volumeset/g/rows', volumeset(0)), liveDb]);
    expect([...actions(made)].sort()).toEqual(['replace volumeset/g/rows', 'replace workload/g/db']);
    expect(changeOf(made, 'workload/g/db').reason).toContain('volumeset/g/rows');
    expect(changeOf(made, 'volumeset/g/rows').deleteRequires).toMatchObject([
      { on: 'workload/g/db', step: 'delete', soft: false },
    ]);
    expect(changeOf(made, 'workload/g/db').requires).toContainEqual(
      expect.objectContaining({ on: 'volumeset/g/rows', soft: false }),
    );
    expect(changeOf(made, 'workload/g/db').requires.find(({ on }) => on === 'volumeset/g/rows')?.step).toBeUndefined();
  });

  test('a workload that lets go of it in the same plan is only patched', () => {
    const free = declare('workload/g/db', workload('db:1'));
    const made = plan([gvc, sets, free], [liveGvc, live('volumeset/g/rows', volumeset(0)), liveDb]);
    expect(actions(made)).toEqual(['patch workload/g/db', 'replace volumeset/g/rows']);
    expect(changeOf(made, 'volumeset/g/rows').deleteRequires).toMatchObject([{ on: 'workload/g/db' }]);
  });

  test.each([
    { it: 'loses data only when both are said', lifecycle: { replace: true }, allowDataLoss: 1, refused: [] },
    { it: 'is refused without the number', lifecycle: { replace: true }, allowDataLoss: 0, refused: ['delete.data'] },
    { it: 'is refused without lifecycle.replace', lifecycle: {}, allowDataLoss: 1, refused: ['replace.data'] },
  ])('with data it $it', ({ lifecycle, allowDataLoss, refused }) => {
    const declared = declare('volumeset/g/rows', volumesetSpec(fast), lifecycle);
    const made = plan([gvc, declared], [liveGvc, live('volumeset/g/rows', volumeset(1))], { allowDataLoss });
    expect(codes(made)).toEqual(refused);
  });

  test('a protected resource is not replaced', () => {
    const held = live('volumeset/g/rows', { ...volumeset(0), tags: { 'scheme/protected': 'true' } });
    expect(codes(plan([gvc, sets], [liveGvc, held]))).toEqual(['delete.protected']);
  });

  test('what others mount cannot be replaced', () => {
    const made = plan(
      [gvc, sets],
      [liveGvc, live('volumeset/g/rows', volumeset(0)), foreign('workload/g/x', workload('x:1', ['rows']))],
    );
    expect(codes(made)).toEqual(['delete.referenced']);
  });

  test('to adopt by replacing needs lifecycle.replace', () => {
    const declared = declare('volumeset/g/rows', volumesetSpec(fast), { adopt: true });
    expect(codes(plan([gvc, declared], [liveGvc, foreign('volumeset/g/rows', volumeset(0))]))).toEqual([
      'adopt.replace',
      'replace.data',
    ]);
  });

  test('an ignored path is carried over, and so are the tags of others', () => {
    const declared = declare(
      'volumeset/g/rows',
      { ...volumesetSpec(fast), description: 'ours' },
      { replace: true, ignore: ['description'] },
    );
    const held = live(
      'volumeset/g/rows',
      { ...volumeset(0), description: 'theirs', tags: { 'other/x': '1' } },
      { applied: { tagKeys: [] } },
    );
    const body = changeOf(plan([gvc, declared], [liveGvc, held]), 'volumeset/g/rows').create?.expose();
    expect(body).toMatchObject({ description: 'theirs', tags: { 'other/x': '1' } });
  });
});

describe('a GVC is never replaced along: it is changed around it', () => {
  const pulls = { spec: { pullSecretLinks: ['/org/o/secret/registry'] } };
  const docker = declare('secret/registry', { type: 'docker', data: '{"auths":{"r":{}}}' });
  const ecr = live('secret/registry', { type: 'ecr', data: { accessKey: 'AKIA', secretKey: 'x', repos: ['r'] } });

  test('it lets go first, and refers again in a second step', () => {
    const made = plan([docker, declare('gvc/g', pulls)], [ecr, live('gvc/g', pulls)]);
    expect([...actions(made)].sort()).toEqual(['patch gvc/g', 'replace secret/registry']);
    expect(changeOf(made, 'secret/registry').deleteRequires).toMatchObject([{ on: 'gvc/g' }]);
    expect(changeOf(made, 'gvc/g').thenRequires).toMatchObject([{ on: 'secret/registry' }]);
    expect(JSON.stringify(changeOf(made, 'gvc/g').then?.expose())).toContain('/org/o/secret/registry');
  });

  const account = (provider: string) => declare('cloudaccount/cloud', { provider, data: { roleArn: 'arn' } });
  const app = { aws: { cloudAccountLink: '/org/o/cloudaccount/cloud', roleName: 'r' } };
  const keda = (identity?: string) => ({
    spec: {
      keda: { enabled: true, ...(identity === undefined ? {} : { identityLink: `/org/o/gvc/g/identity/${identity}` }) },
    },
  });
  const liveWith = (gvcSpec: JsonObject) => [
    live('cloudaccount/cloud', { provider: 'gcp', data: { projectId: 'p' } }),
    live('gvc/g', gvcSpec),
    live('identity/g/app', app),
  ];

  test('what is replaced along takes its own dependents along', () => {
    const made = plan(
      [account('aws'), declare('gvc/g', keda('app')), declare('identity/g/app', app)],
      liveWith(keda('app')),
    );
    expect([...actions(made)].sort()).toEqual(['patch gvc/g', 'replace cloudaccount/cloud', 'replace identity/g/app']);
    expect(changeOf(made, 'cloudaccount/cloud').deleteRequires).toMatchObject([
      { on: 'identity/g/app', step: 'delete' },
    ]);
    expect(changeOf(made, 'identity/g/app').deleteRequires).toMatchObject([{ on: 'gvc/g' }]);
    expect(changeOf(made, 'gvc/g').thenRequires).toMatchObject([{ on: 'identity/g/app' }]);
  });

  test('a GVC that begins to refer to a replaced child does so in its second step', () => {
    const made = plan(
      [account('aws'), declare('gvc/g', { ...keda('app'), description: 'd' }), declare('identity/g/app', app)],
      liveWith(keda()),
    );
    expect(JSON.stringify(changeOf(made, 'gvc/g').patch?.expose())).not.toContain('identityLink');
    expect(changeOf(made, 'gvc/g').thenRequires).toMatchObject([{ on: 'identity/g/app' }]);
  });

  test('a refused plan is shown whole, also where its changes could not be ordered', () => {
    const web = declare('workload/g/web', { ...workload('w:1', [], { identityLink: '//identity/app' }) });
    const held = [
      ...liveWith(keda('app')),
      live('workload/g/web', workload('w:1', [], { identityLink: '/org/o/gvc/g/identity/spare' })),
    ];
    const made = plan(
      [account('aws'), declare('identity/g/app', app), web],
      snapshot(held, { closures: closure('g', []) }),
    );
    expect(changeOf(made, 'gvc/g')).toMatchObject({ action: 'refuse', intended: 'delete' });
    expect(made.changes).toHaveLength(4);
  });
});
