import { describe, expect, test } from 'vitest';
import { type JsonObject, objectAt, stringAt } from '../../../src/base/json/json.ts';
import { Capabilities } from '../../../src/capabilities/capabilities.ts';
import type { LiveResource, Snapshot } from '../../../src/manifest/live/snapshot.ts';
import type { DesiredResource } from '../../../src/manifest/model/manifest.ts';
import type { PlanOptions } from '../../../src/plan/model/planOptions.ts';
import { readApplied } from '../../../src/plan/record/ownership.ts';
import {
  actions,
  changeOf,
  codes,
  declare,
  foreign,
  live,
  owner,
  partTag,
  plan,
  snapshot,
  volumeset,
  volumesetSpec,
  workload,
} from '../world.ts';

interface Case {
  readonly it: string;
  readonly desired?: readonly DesiredResource[];
  readonly from?: readonly LiveResource[] | Snapshot;
  readonly given?: Partial<PlanOptions>;
  readonly reason: unknown;
  readonly notes?: readonly unknown[];
}

const [one, held] = [declare('group/one'), live('group/one')];
const copied = { applied: { link: '/org/o/group/origin' } };
const other = declare('group/other');
const unfinished = (id: string) => snapshot([], { unfinished: new Map([[id, live(id)]]) });
const byAnn = { type: 'user', name: 'ann', version: 3, at: '2026-01-02T03:04:05Z' } as const;
const anything = expect.any(String);
const part = (...keys: readonly string[]) =>
  declare('group/one', { tags: Object.fromEntries(keys.map((key) => [key, '1'])) }, { part: true });
const parted = (...[set, of]: [Parameters<typeof partTag>[2], Parameters<typeof partTag>[3]?]) =>
  foreign('group/one', { tags: { a: '1', b: '1', ...partTag(owner, { kind: 'group', name: 'one' }, set, of) } });

describe('each change has a reason', () => {
  // biome-ignore format: one case a line
  const cases: readonly Case[] = [
    { it: 'a resource that never existed', desired: [one], reason: 'it does not exist yet' },
    { it: 'a resource that another writer deleted',
      desired: [one], from: snapshot([], { deletions: new Map([['group/one', byAnn]]) }),
      reason: 'it was deleted by ann at 2026-01-02 03:04 UTC' },
    { it: 'a resource that an unfinished replacement deleted', desired: [one], from: unfinished('group/one'),
      reason: 'deleted by an unfinished replacement of this stack' },
    { it: 'a resource that an unfinished replacement deleted under its former name',
      desired: [declare('group/one', {}, { previously: 'first' })],
      from: unfinished('group/first'), reason: 'deleted by an unfinished replacement of this stack, as group/first' },
    { it: 'a resource removed from the manifests', desired: [other], from: [held], reason: 'it is no longer declared' },
    { it: 'a resource of a destroyed stack',
      from: [held], given: { destroys: true }, reason: 'the whole stack is destroyed' },
    { it: 'a named resource of a stack that stays', from: [held],
      given: { destroys: true, targets: ['group/one'] }, reason: 'a part of the stack is destroyed' },
    { it: 'a resource of a destroyed stack of which others are excluded', from: [held, live('group/two', {})],
      given: { destroys: true, excludes: ['group/two'] }, reason: 'a part of the stack is destroyed' },
    { it: 'a retained resource that is no longer declared',
      desired: [other], from: [live('group/one', {}, { applied: { retain: true } })],
      reason: 'it is no longer declared, but has lifecycle.retain' },
    { it: 'a resource that only another input declares', from: [held], given: { scope: 'partial' }, reason: '',
      notes: ['not declared here'] },
    { it: 'an adopted resource that never had an owner',
      desired: [one], from: [foreign('group/one')], given: { adopt: true },
      reason: 'adopted: it has no owner' },
    { it: 'a resource without an owner', desired: [one], from: [foreign('group/one')], reason: 'it has no owner' },
    { it: 'a copied resource', desired: [one], from: [live('group/one', {}, copied)], given: { adopt: true },
      reason: 'adopted: it is a copy of another resource' },
    { it: 'a resource that lost its owner', desired: [one],
      from: [live('group/one', { lastModified: '2026-01-02' }, { owner: null })], given: { adopt: true },
      reason: 'adopted: it has lost its owner',
      notes: [expect.stringMatching(/removed the tag gantry\/stack, last write 2026-01-02$/)] },
    { it: 'a resource that lost its owner at an unknown time',
      desired: [one], from: [live('group/one', {}, { owner: null })],
      reason: 'it has lost its owner', notes: [expect.stringMatching(/removed the tag gantry\/stack$/)] },
    { it: 'a resource of another stack', desired: [one], from: [live('group/one', {}, { owner: 'bank' })],
      reason: 'it has another owner' },
    { it: 'a resource without a record of its last write', desired: [declare('group/one', { description: 'new' })],
      from: [live('group/one', {}, { applied: null })], reason: anything,
      notes: ['the tag gantry/applied is missing: someone removed it'] },
    { it: 'a part that no longer declares an item that was there before', desired: [part('a')],
      from: [parted([['tags', 'a']], { found: [['tags', 'b']] })],
      reason: 'this stack no longer declares some of its items, which stay', notes: [anything] },
    { it: 'a part that declares an item that is there', desired: [part('a', 'b')], from: [parted([['tags', 'a']])],
      reason: 'this stack declares items that are there already',
      notes: [expect.stringContaining('tags.b already exists')] },
    { it: 'a part without items', desired: [part()], from: [parted([], { found: [['tags', 'b']] })],
      reason: 'no part of it belongs to this stack any more', notes: [anything] },
  ];

  test.each(cases)('$it', ({ desired = [], from = [], given, reason, notes = [] }) => {
    const change = changeOf(plan(desired, from, { allowEmpty: true, ...given }), 'group/one');
    expect(change.reason).toEqual(reason);
    expect(change.notes).toEqual(notes);
  });

  test('an undeclared resource without an owner is not in the plan; a declared one is kept', () => {
    const made = plan(
      [other],
      [live('group/one', {}, copied), foreign('group/two'), live('group/three', {}, { owner: 'bank' })],
    );
    expect(made.changes.map(({ id }) => id).sort()).toEqual(['group/one', 'group/other']);
    expect(changeOf(made, 'group/one').notes).toEqual(['a copy of another resource: not owned, never deleted']);
    const odd = plan([other], [live('group/one', {}, { applied: null })]);
    expect(changeOf(odd, 'group/one').notes).toEqual([expect.stringContaining('gantry/applied is missing')]);
  });
});

describe('a field that cannot be changed in place causes a replacement', () => {
  const [gvc, liveGvc] = [declare('gvc/g'), live('gvc/g')];
  const rows = (lifecycle = {}) => declare('volumeset/g/rows', volumesetSpec({ fileSystemType: 'xfs' }), lifecycle);

  test('with the field and the cause, and only the differing fields', () => {
    const tagged = live(
      'volumeset/g/rows',
      { ...volumeset(0), tags: { theirs: '1', 'gantry/replacing': 'shop' } },
      { applied: { tagKeys: [] } },
    );
    const change = changeOf(plan([gvc, rows({ replace: true })], [liveGvc, tagged]), 'volumeset/g/rows');
    expect(change.action).toBe('replace');
    expect(change.reason).toMatch(/^spec\.fileSystemType cannot be changed in place; ./);
    expect(change.fields.map(({ path }) => path)).toContain('spec.fileSystemType');
    expect(change.fields.filter(({ path }) => path.startsWith('tags'))).toEqual([]);
    expect(Object.keys(objectAt(change.create?.expose() ?? {}, 'tags')).sort()).toEqual([
      ...['gantry/applied', 'gantry/stack', 'theirs'],
    ]);
  });

  test('of an adopted resource only with the permit', () => {
    const theirs = foreign('volumeset/g/rows', volumeset(0));
    const made = (lifecycle: object) => plan([gvc, rows(lifecycle)], [liveGvc, theirs], { adopt: true });
    expect(changeOf(made({}), 'volumeset/g/rows').refusals[0]).toMatchObject({
      code: 'adopt.replace',
      message: expect.stringContaining('spec.fileSystemType'),
    });
    expect(codes(made({ replace: true }))).toEqual([]);
    expect(changeOf(made({ replace: true }), 'volumeset/g/rows').cause).toBeUndefined();
  });
});

describe('the parts of an update', () => {
  const fieldsOf = (desired: DesiredResource, from: LiveResource | Snapshot, given: Partial<PlanOptions> = {}) =>
    changeOf(plan([desired], 'resources' in from ? from : [from], given), desired.id).fields.map(
      ({ path, old, new: next }) => ({ path, old, next }),
    );

  test('tags that are set, changed and dropped, each with both values', () => {
    const tags = { a: '1', b: '1', gone: '1', 'x.y': '1' };
    const before = live('group/one', { tags }, { applied: { tagKeys: ['gone'] } });
    expect(
      fieldsOf(declare('group/one', { tags: { a: '2', c: '3', 'x.y': '2' }, description: 'one' }), before),
    ).toEqual([
      { path: 'tags.a', old: '1', next: '2' },
      { path: 'tags.c', old: undefined, next: '3' },
      { path: 'tags."x.y"', old: '1', next: '2' },
      { path: 'tags.gone', old: '1', next: undefined },
    ]);
  });

  test('retention, which is recorded in the same apply', () => {
    const from = live('group/one', {}, { applied: { retain: true } });
    expect(fieldsOf(declare('group/one'), from)).toEqual([{ path: 'lifecycle.retain', old: true, next: false }]);
    expect(fieldsOf(declare('group/one', {}, { retain: true }), live('group/one'))).toEqual([
      { path: 'lifecycle.retain', old: false, next: true },
    ]);
  });

  test.each<{ it: string; ignore: readonly string[]; written: readonly string[] }>([
    { it: 'one', ignore: ['tags.a'], written: ['b'] },
    { it: 'all', ignore: ['tags'], written: [] },
    { it: 'none', ignore: ['description'], written: ['a', 'b'] },
  ])('ignored tags are not written: $it', ({ ignore, written }) => {
    const desired = declare('group/one', { tags: { a: '2', b: '2' } }, { ignore });
    const made = plan([desired], [live('group/one', { tags: { a: '1', b: '1' } })]);
    const tags = objectAt(changeOf(made, 'group/one').patch?.expose() ?? {}, 'tags');
    expect(Object.keys(tags).filter((key) => !key.startsWith('gantry/'))).toEqual(written);
  });

  const secret = { type: 'opaque', data: { payload: 'x' } };
  const unread = snapshot([live('secret/key', { type: 'opaque' })], { unrevealed: new Set(['secret/key']) });

  test('a secret that cannot be read is always written if that was requested', () => {
    const given = { writeUnknownSecrets: true };
    const change = changeOf(plan([declare('secret/key', secret)], unread, given), 'secret/key');
    expect(change.fields).toEqual([{ path: 'data', new: { sensitive: true, changed: true }, risk: anything }]);
    expect(change.reason).toMatch(/its value is not revealed, so it is written as a whole$/);
    expect(change.notes).toEqual([]);
  });

  test('without $replace on the platform, the declared keys are merged into it', () => {
    const capabilities = new Capabilities([['write.replace', 'otherwise']]);
    const made = plan([declare('secret/key', secret)], { ...unread, capabilities }, { writeUnknownSecrets: true });
    const change = changeOf(made, 'secret/key');
    expect(change.patch?.expose()).toMatchObject({ data: { payload: 'x' } });
    expect(change.reason).toMatch(/its value is not revealed, so all that is declared of it is written$/);
  });

  test('an ignored part of a secret is not written', () => {
    const kept = declare('secret/key', secret, { ignore: ['data.payload'] });
    expect(actions(plan([kept], unread, { writeUnknownSecrets: true }))).toEqual([]);
  });
});

describe('a change in two steps', () => {
  const app = declare('identity/g/app');
  const keda = { spec: { keda: { enabled: true, identityLink: '//gvc/g/identity/app' } } };
  const appliedOf = (body: { expose: () => JsonObject } | undefined) => {
    const tags = objectAt(body?.expose() ?? {}, 'tags');
    return [Object.keys(tags).sort(), readApplied(stringAt(tags, 'gantry/applied') ?? '')?.version];
  };

  test.each<{
    it: string;
    fields: JsonObject;
    from: readonly LiveResource[];
    given?: Partial<PlanOptions>;
    version: number;
  }>([
    { it: 'a creation', fields: {}, from: [], version: 1 },
    { it: 'an update', fields: { description: 'new' }, from: [live('gvc/g', {}, { version: 4 })], version: 5 },
    { it: 'an update of tags', fields: { tags: { a: '1' } }, from: [live('gvc/g', {}, { version: 4 })], version: 5 },
    { it: 'an adoption', fields: {}, from: [foreign('gvc/g')], given: { adopt: true }, version: 2 },
  ])('$it: each step counts its own write, and the second writes no other tags', ({ fields, from, given, version }) => {
    const made = plan([declare('gvc/g', { ...fields, ...keda }), app], from, given);
    const { create, patch, then, expected, expectedThen } = changeOf(made, 'gvc/g');
    const own = ['gantry/applied', 'gantry/stack', ...Object.keys(objectAt(fields, 'tags'))].sort();
    expect([create ?? patch, expected].map(appliedOf)).toEqual([
      [expect.arrayContaining(['gantry/applied']), version],
      [own, version],
    ]);
    expect([then, expectedThen].map(appliedOf)).toEqual([
      [['gantry/applied'], version + 1],
      [own, version + 1],
    ]);
  });

  test('without other differences there is one step', () => {
    const alias = declare('gvc/g', { spec: { aliasWorkloadLink: '//gvc/g/workload/web' } });
    const made = plan([alias, declare('workload/g/web', workload('web:1'))], [live('gvc/g')]);
    expect(changeOf(made, 'gvc/g').then).toBeUndefined();
    expect(JSON.stringify(changeOf(made, 'gvc/g').patch?.expose())).toContain('workload/web');
    expect(actions(plan([declare('gvc/g', keda), app], [live('gvc/g', keda), live('identity/g/app')]))).toEqual([]);
  });
});

test('differing fields have a cause, adopted ones have none', () => {
  const next = declare('group/one', { description: 'new' });
  expect(changeOf(plan([next], [held]), 'group/one').cause).toBeDefined();
  expect(changeOf(plan([next], [foreign('group/one')], { adopt: true }), 'group/one').cause).toBeUndefined();
});

describe('values that a new record carries over', () => {
  const containers = (...names: readonly string[]): JsonObject => ({
    spec: {
      type: 'standard',
      containers: names.map((name) => ({ name, image: `${name}:live`, cpu: '50m', memory: '128Mi' })),
    },
  });

  test('values of items by their name, at any position', () => {
    const desired = declare('workload/g/web', containers('b', 'a'), {
      ignore: ['spec.containers.a.image'],
      previously: 'old',
    });
    const old = live('workload/g/old', {
      spec: {
        ...objectAt(containers('a'), 'spec'),
        containers: [{ name: 'a', image: 'a:7', cpu: '50m', memory: '128Mi' }],
      },
    });
    const made = plan([declare('gvc/g'), desired], [live('gvc/g'), old]);
    expect(changeOf(made, 'workload/g/web').create?.expose()).toMatchObject({
      spec: {
        containers: [
          { name: 'b', image: 'b:live' },
          { name: 'a', image: 'a:7' },
        ],
      },
    });
  });

  test('tags of others from an unfinished replacement, as fields of the creation', () => {
    const before = live(
      'workload/g/web',
      { ...workload('web:1'), tags: { theirs: '1', mine: '1', 'scheme/x': '1' } },
      { applied: { tagKeys: ['mine'] } },
    );
    const state = snapshot([live('gvc/g')], { unfinished: new Map([['workload/g/web', before]]) });
    const desired = declare('workload/g/web', { ...workload('web:1'), tags: { own: '1' } });
    const change = changeOf(plan([declare('gvc/g'), desired], state), 'workload/g/web');
    const tags = Object.keys(objectAt(change.create?.expose() ?? {}, 'tags')).sort();
    expect(tags).toEqual(['gantry/applied', 'gantry/stack', 'own', 'theirs']);
    const shown = change.fields.map(({ path }) => path).filter((path) => path.startsWith('tags'));
    expect(shown.sort()).toEqual(['tags.own', 'tags.theirs']);
  });
});

test('nulls that the platform shows for absent values are not written in a replaced list', () => {
  const shown = (image: string): JsonObject => ({
    spec: { type: 'standard', containers: [{ name: 'main', image, workingDir: null, args: null }] },
  });
  const declared = { spec: { type: 'standard', containers: [{ name: 'main', image: 'b:1' }] } };
  const capabilities = new Capabilities([['write.directives', 'otherwise']]);
  const from = snapshot([live('gvc/g'), live('workload/g/web', shown('a:1'))], { capabilities });
  const change = changeOf(plan([declare('gvc/g'), declare('workload/g/web', declared)], from), 'workload/g/web');
  expect(change.fields.map(({ path }) => path)).toEqual(['spec.containers.main.image']);
  expect(change.patch?.expose()).toMatchObject({ spec: { '$replace/containers': [{ name: 'main', image: 'b:1' }] } });
});
