import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runApply } from '../../../src/apply/runApply.ts';
import { type JsonObject, objectAt } from '../../../src/base/json/json.ts';
import { makeUndo } from '../../../src/change/makeUndo.ts';
import { normalise } from '../../../src/kinds/normalise.ts';
import type { LiveResource, Snapshot } from '../../../src/manifest/live/snapshot.ts';
import type { DesiredResource, Lifecycle } from '../../../src/manifest/model/manifest.ts';
import { ownerTag } from '../../../src/manifest/model/ownTags.ts';
import type { Plan } from '../../../src/plan/model/plan.ts';
import type { PlanOptions } from '../../../src/plan/model/planOptions.ts';
import { savedRecord } from '../../../src/plan/record/savedRecord.ts';
import { runs } from '../../harness/sampled.ts';
import { builtIn, ModelPlatform } from '../../plan/model.ts';
import { declared, describePlan, held } from '../../plan/planText.ts';
import { parts, stackOf } from '../../plan/stacks.ts';
import {
  actions,
  changeOf,
  codes,
  declare,
  foreign,
  hash,
  live,
  org,
  owner,
  plan,
  workload,
} from '../../plan/world.ts';
import { complete } from './completeParts.ts';
import { planned, readBack, saved, textOf } from './saving.ts';

const clock = { now: () => 0, sleep: async () => {} };
const allowed = { maxDeletes: undefined, allowEmpty: true, adopt: true } as const;

/** Deployments that are ready at any version of the workload. */
const ready: JsonObject = {
  status: {
    ready: true,
    lastProcessedVersion: 99,
    expectedDeploymentVersion: 1,
    versions: [{ workload: 1, ready: true }],
  },
};

async function run(made: Plan, platform: ModelPlatform): Promise<void> {
  const port = { ...platform.port(owner), deployments: async () => [ready] };
  const result = await runApply(made, port, { clock, random: () => 0 });
  expect(result.failed.map(({ id, error }) => `${id}: ${error.message}`)).toEqual([]);
  expect(result.skipped).toEqual([]);
}

/** Every field that a person could have written, by id; without Gantry's tags and the platform's numbers. */
function content(platform: ModelPlatform): Readonly<Record<string, JsonObject>> {
  const entries = [...platform.snapshot().resources.values()].map((live) => [live.id, bare(live)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function bare(live: LiveResource): JsonObject {
  const tags = Object.entries(objectAt(live.record, 'tags')).filter(([key]) => !key.startsWith('gantry/'));
  const stored = normalise(live.ref.kind, savedRecord(live), { org });
  return { ...stored, tags: Object.fromEntries(tags) };
}

/** The snapshot of an undo: without secret values. */
function unread(platform: ModelPlatform): Snapshot {
  const { resources, ...rest } = platform.snapshot();
  const without = ({ record: { data: _data, ...record }, ...live }: LiveResource): LiveResource => ({
    ...live,
    record,
  });
  return { ...rest, resources: new Map([...resources].map(([id, live]) => [id, without(live)])) };
}

/** The plan of the undo, only from the file. */
function undone(of: ReturnType<typeof planned>, now: Snapshot) {
  return makeUndo(readBack(textOf(of)), now, { allowCollateral: 0, allowDataLoss: 0 }, hash);
}

/** Applies and undoes. */
async function thereAndBack(
  platform: ModelPlatform,
  desired: readonly DesiredResource[],
  given: Partial<PlanOptions> = {},
): Promise<{ readonly there: Plan; readonly back: Plan }> {
  const of = planned(desired, platform.snapshot(), { ...allowed, ...given });
  expect(codes(of.plan)).toEqual([]);
  await run(of.plan, platform);
  const undo = undone(of, platform.snapshot());
  expect(codes(undo.plan)).toEqual([]);
  // An undo can be saved as any plan, and contains no secret.
  expect(saved(undo).secrets).toEqual([]);
  await run(readBack(textOf(undo)).plan, platform);
  return { there: of.plan, back: undo.plan };
}

/** `strangers` exist before the stack; the stack goes from `first` to `second`, and `back` is the plan of the undo. */
type Row = readonly [title: string, strangers: string, first: string, second: string, back: string];

const here = 'gvc/g text(here)';
const standard = `${here}; workload/g/web type(standard); domain/a.com routes(web)`;
const mounts = `${here}; volumeset/g/rows`;

// biome-ignore format: a row is a case
const rows: readonly Row[] = [
  ['created: it is deleted', '', here, `${here}; workload/g/web`, 'delete workload/g/web'],
  ['deleted: it is created as it was', '', `${here}; workload/g/web tag(team,red)`, here, 'create workload/g/web'],
  ['deleted with its GVC: both are created, in order', '', `${here}; workload/g/web`, '',
    'create gvc/g; create workload/g/web'],
  ['adopted and changed: the former values, without an owner', 'gvc/g text(theirs) tag(a) foreign', '',
    'gvc/g text(ours) tag(b,2)', 'forget gvc/g'],
  ['adopted unchanged: it is released', 'group/people foreign', '', 'group/people text(people)',
    'forget group/people'],
  ['adopted and changed in two steps: the second one releases it', 'gvc/g text(theirs) tag(a) foreign', '',
    'gvc/g text(ours) keda(app); identity/g/app', 'forget gvc/g; delete identity/g/app after gvc/g'],
  ['deleted with its reference: it is restored in two steps', '', `${here} keda(app); identity/g/app`, '',
    'create gvc/g then-after identity/g/app; create identity/g/app'],
  ['released: it is adopted again', '', 'group/people text(people) retain', '', 'adopt group/people'],
  ['two steps: the GVC drops its identity, and the identity is deleted', '', here, `${here} keda(app); identity/g/app`,
    'patch gvc/g; delete identity/g/app'],
  // As in any renaming, nothing moves and nothing is deleted before the former one is ready again.
  ['renamed: the old name is restored, with the references to it', '', standard,
    `${here}; workload/g/site type(standard) previously(web); domain/a.com routes(site)`,
    'create workload/g/web; patch domain/a.com after workload/g/web ready; ' +
      'delete workload/g/site after domain/a.com, workload/g/web ready'],
  ['renamed with a volume set that only one may mount: the undo has the same permit', '',
    `${mounts}; workload/g/old mounts(rows)`, `${mounts}; workload/g/db mounts(rows) previously(old) replace`,
    'delete workload/g/db; create workload/g/old'],
];

describe('an undo restores every field that a plan changed', () => {
  const web = (image: string, more: JsonObject = {}) =>
    declare('workload/g/web', { ...workload(image), ...more }, {}, 1);
  const gvc = declare('gvc/g', { description: 'here' }, {}, 1);

  async function start(
    desired: readonly DesiredResource[],
    strangers: readonly LiveResource[] = [],
    given: Partial<PlanOptions> = {},
  ) {
    const platform = new ModelPlatform();
    platform.put([...builtIn, ...strangers]);
    await run(plan(desired, platform.snapshot(), { ...allowed, ...given }), platform);
    return { platform, before: content(platform) };
  }

  test.each(rows)('%s', async (_, strangers, first, second, back) => {
    const owners = (platform: ModelPlatform) =>
      [...platform.snapshot().resources.values()]
        .map(({ id, record }) => [id, objectAt(record, 'tags')[ownerTag]])
        .sort();
    const { platform, before } = await start(declared(first), [...held(strangers).resources.values()]);
    const owned = owners(platform);
    const ways = await thereAndBack(platform, declared(second));
    expect(describePlan(ways.back, back)).toBe(back);
    expect(content(platform)).toEqual(before);
    expect(owners(platform)).toEqual(owned);
    expect(actions(plan(declared(first), platform.snapshot(), allowed))).toEqual([]);
  });

  test('patched: the former values, with removed fields and tags of the stack; tags of others stay theirs', async () => {
    const first = [gvc, web('web:1', { tags: { team: 'red', gone: 'x' } })];
    const { platform, before } = await start(first);
    const { back } = await thereAndBack(platform, [gvc, web('web:2', { tags: { team: 'blue', added: 'y' } })]);
    expect(actions(back)).toEqual(['patch workload/g/web']);
    // The code is not read, so no change of it is reported.
    expect(changeOf(back, 'workload/g/web')).toMatchObject({ reason: 'changed by the plan that is undone' });
    expect(changeOf(back, 'workload/g/web')).not.toHaveProperty('cause');
    expect(content(platform)).toEqual(before);
    expect(actions(plan(first, platform.snapshot(), allowed))).toEqual([]);
  });

  test('a tag of others is not adopted by the undo', async () => {
    const { platform } = await start([gvc]);
    platform.patch({ kind: 'gvc', name: 'g' }, { tags: { foreign: '1' } });
    const before = content(platform);
    await thereAndBack(platform, [declare('gvc/g', { description: 'there' })]);
    expect(content(platform)).toEqual(before);
    expect(actions(plan([gvc], platform.snapshot(), allowed))).toEqual([]);
  });

  test('deleted: values of the platform and tags of others are restored, and still do not belong to the stack', async () => {
    const { platform } = await start([gvc]);
    platform.patch({ kind: 'gvc', name: 'g' }, { tags: { foreign: '1' }, spec: { endpointNamingFormat: 'legacy' } });
    const before = content(platform);
    const { back } = await thereAndBack(platform, []);
    expect(actions(back)).toEqual(['create gvc/g']);
    expect(content(platform)).toEqual(before);
    expect(actions(plan([gvc], platform.snapshot(), allowed))).toEqual([]);
  });

  test('deleted: fields of others and of the platform are restored, and still do not belong to the stack', async () => {
    const first = [gvc, web('web:1', { tags: { team: 'red' } })];
    const { platform } = await start(first);
    platform.patch(
      { kind: 'workload', name: 'web', gvc: 'g' },
      { tags: { foreign: '1' }, spec: { defaultOptions: { autoscaling: { metric: 'cpu', target: 80 } } } },
    );
    const before = content(platform);
    expect(actions(plan(first, platform.snapshot(), allowed))).toEqual([]);
    await thereAndBack(platform, [gvc]);
    expect(content(platform)).toEqual(before);
    expect(actions(plan(first, platform.snapshot(), allowed))).toEqual([]);
  });

  test('deleted with parts of other stacks: their parts are restored, and are still theirs', async () => {
    const { platform } = await start([gvc]);
    const part = declare('gvc/g', { spec: { env: [{ name: 'THEIRS', value: '1' }] } }, { part: true });
    const theirs = () => plan([part], platform.snapshot(), { owner: 'other' });
    const made = theirs();
    expect(actions(made)).toEqual(['patch gvc/g']);
    await run(made, platform);
    const before = content(platform);
    const { back } = await thereAndBack(platform, [], { allowCollateral: 1 });
    expect(actions(back)).toEqual(['create gvc/g']);
    expect(content(platform)).toEqual(before);
    expect(actions(plan([gvc], platform.snapshot(), allowed))).toEqual([]);
    expect(actions(theirs())).toEqual([]);
    expect(actions(plan([], platform.snapshot(), { owner: 'other', allowEmpty: true }))).toEqual(['patch gvc/g']);
  });

  test('adopted after others removed its owner and set a value: that value still does not belong to the stack', async () => {
    const { platform } = await start([gvc, web('web:1')]);
    const [theirs, ref] = [
      { defaultOptions: { timeoutSeconds: 55 } },
      { kind: 'workload', name: 'web', gvc: 'g' } as const,
    ];
    platform.patch(ref, { spec: theirs, tags: { $drop: [ownerTag] } });
    const { there, back } = await thereAndBack(platform, [gvc, web('web:1')]);
    expect(changeOf(there, 'workload/g/web').fields.map(({ path }) => path)).toEqual([
      'spec.defaultOptions.timeoutSeconds',
    ]);
    expect(actions(back)).toEqual(['forget workload/g/web']);
    const again = plan([gvc, web('web:1')], platform.snapshot(), allowed);
    expect(changeOf(again, 'workload/g/web').fields.map(({ path }) => path)).toEqual([
      'spec.defaultOptions.timeoutSeconds',
    ]);
  });

  test.each<readonly [whole: string, Lifecycle, readonly LiveResource[]]>([
    ['a resource', {}, []],
    ['a part', { part: true }, [foreign('gvc/g', { tags: { [ownerTag]: 'other' } })]],
  ])('marked values of %s are not changed, as the file does not contain them', async (_, lifecycle, strangers) => {
    const of = (tag: string, env: readonly JsonObject[]) =>
      declare('gvc/g', { tags: { tag }, spec: { env } }, { ...lifecycle, sensitive: ['spec.env.*.value'] });
    const token = [{ name: 'TOKEN', value: 't0p' }];
    const { platform, before } = await start([of('a', token)], strangers);
    const { back } = await thereAndBack(platform, [of('b', token)]);
    expect(changeOf(back, 'gvc/g').fields.map(({ path }) => path)).toEqual(['tags.tag']);
    expect(changeOf(back, 'gvc/g').reason).not.toContain('created it');
    expect(content(platform)).toEqual(before);

    const dropping = planned([of('a', [])], platform.snapshot(), allowed);
    await run(dropping.plan, platform);
    expect(codes(undone(dropping, platform.snapshot()).plan)).toEqual(['plan.masked']);
  });

  test('a marked tag of an adopted record is not in the plan that releases it', async () => {
    const tags = { team: 't3am' };
    const { platform, before } = await start([], [foreign('group/a', { tags })]);
    const adopting = declare('group/a', { tags }, { adopt: true, sensitive: ['tags.team'] });
    const { back } = await thereAndBack(platform, [adopting]);
    expect(changeOf(back, 'group/a')).toMatchObject({
      action: 'forget',
      expected: { masked: { tags: { team: { sensitive: true } } } },
    });
    expect(content(platform)).toEqual(before);
  });

  test('of a secret everything except its value, without a note on values that were not lost', async () => {
    const of = (description: string) => declare('secret/key', { type: 'opaque', data: { payload: 'x' }, description });
    const { platform } = await start([of('a'), declare('gvc/g')]);
    const there = planned([of('b'), declare('gvc/g', { description: 'new' })], platform.snapshot(), allowed);
    await run(there.plan, platform);
    const undo = undone(there, unread(platform));
    const { patch, notes } = changeOf(undo.plan, 'secret/key');
    expect(Object.keys(patch?.expose() ?? {}).sort()).toEqual(['description', 'id', 'tags', 'version']);
    expect([notes, undo.plan.notes]).toEqual([[], []]);
    expect([...undo.snapshot.unrevealed]).toEqual(['secret/key']);
  });

  test('a reference that was dropped with its target is written again in a second step, which also releases', async () => {
    const spec = { keda: { enabled: true, identityLink: '//gvc/g/identity/app' } };
    const { platform } = await start([], [foreign('gvc/g', { spec }), foreign('identity/g/app')]);
    platform.put([live('identity/g/app')]);
    const before = content(platform);
    const { back } = await thereAndBack(platform, [declare('gvc/g', { spec: { keda: { enabled: false } } })]);
    expect(changeOf(back, 'gvc/g').then).toBeDefined();
    expect(content(platform)).toEqual(before);
    expect(objectAt(platform.read({ kind: 'gvc', name: 'g' })?.record ?? {}, 'tags')).toEqual({});
  });

  test('a part of a resource of another stack: its items are restored, and those of others stay', async () => {
    const routes = (...prefixes: readonly string[]) =>
      prefixes.map((prefix) => ({ prefix, workloadLink: '//gvc/g/workload/web' }));
    const domain = (...prefixes: readonly string[]) =>
      declare(
        'domain/example.com',
        { tags: { [`by-${prefixes.length}`]: 'us' }, spec: { ports: [{ number: 443, routes: routes(...prefixes) }] } },
        { part: true },
      );
    const theirs = { spec: { ports: [{ number: 443, protocol: 'http2', routes: routes('/theirs') }] } };
    const owned = foreign('domain/example.com', { ...theirs, tags: { [ownerTag]: 'other' } });
    const strangers = [foreign('gvc/g'), foreign('workload/g/web', workload('web:1')), owned];
    for (const [first, second] of [
      [[], [domain('/a')]],
      [[domain('/a', '/b')], [domain('/a', '/c', '/d')]],
      [[domain('/a')], []],
    ] as const) {
      const { platform, before } = await start(first, strangers, { adopt: false });
      const { back } = await thereAndBack(platform, second, { adopt: false });
      expect(actions(back)).toEqual(['patch domain/example.com']);
      expect(back.notes).toEqual([]);
      expect(content(platform)).toEqual(before);
      expect(actions(plan(first, platform.snapshot(), { ...allowed, adopt: false }))).toEqual([]);
    }
  });

  test('other resources of the stack are not changed, whatever happened to them since', async () => {
    const { platform } = await start([gvc]);
    const of = planned([gvc, web('web:1')], platform.snapshot());
    await run(of.plan, platform);
    await run(plan([gvc, web('web:1'), declare('group/later')], platform.snapshot(), allowed), platform);
    const undo = undone(of, platform.snapshot());
    expect(undo.plan.changes.map(({ action, id, reason }) => [action, id, reason])).toEqual([
      ['delete', 'workload/g/web', 'the plan that is undone created it'],
    ]);
    // Of the other records only the owner tag is ignored.
    const group = undo.snapshot.resources.get('group/later');
    expect(Object.keys(objectAt(group?.record ?? {}, 'tags'))).toEqual([ownerTag]);
  });

  test('an undo reports the costs of storage as the plan did', async () => {
    const storagePrice = { storageGbMonth: 0.1, currency: 'EUR' };
    const { platform } = await start([gvc]);
    const permits = { allowCollateral: 0, allowDataLoss: 0 };
    for (const given of [{ storagePrice }, {}]) {
      const of = planned([gvc, declare('group/new')], platform.snapshot(), given);
      const { options } = makeUndo(readBack(textOf(of)), platform.snapshot(), permits, hash);
      expect(options.storagePrice).toEqual(given.storagePrice);
    }
  });

  test('over generated stacks: everything is restored, and the former code has no changes', async () => {
    await fc.assert(
      fc.asyncProperty(parts, parts, async (first, second) => {
        const platform = new ModelPlatform();
        platform.put(builtIn);
        const former = stackOf(complete(first, first));
        await run(plan(former, platform.snapshot(), allowed), platform);
        const before = content(platform);
        const of = planned(stackOf(complete(second, first)), platform.snapshot(), allowed);
        expect(codes(of.plan)).toEqual([]);
        await run(of.plan, platform);
        const undo = undone(of, platform.snapshot());
        expect(undo.plan.notes).toEqual([]);
        expect(codes(undo.plan)).toEqual([]);
        await run(undo.plan, platform);
        expect(content(platform)).toEqual(before);
        expect(actions(plan(former, platform.snapshot(), allowed))).toEqual([]);
      }),
      { numRuns: runs(60) },
    );
  });
});

test('a plan with values in doubt is saved as any other', () => {
  const held = live('group/team', { tags: { t: '1' } }, { version: 5, applied: { tagKeys: ['t'], version: 3 } });
  const of = planned([declare('group/team', { description: 'new' })], [held]);
  expect(of.plan.inDoubt).toEqual([held.uid]);
  expect(actions(readBack(textOf(of)).plan)).toEqual(['patch group/team']);
});

describe('items that a part adopted', () => {
  test('are released and kept; those that it created are removed', async () => {
    const platform = new ModelPlatform();
    platform.put([...builtIn, foreign('group/people', { memberLinks: ['//user/ann'] })]);
    platform.put([foreign('user/ann'), foreign('user/bob')]);
    const part = declare('group/people', { memberLinks: ['//user/ann', '//user/bob'] }, { part: true, adopt: true });
    const of = planned([part], platform.snapshot());
    expect(actions(of.plan)).toEqual(['patch group/people']);
    await run(of.plan, platform);
    const undo = undone(of, platform.snapshot());
    expect(undo.plan.notes).toEqual([]);
    await run(undo.plan, platform);
    const { record } = platform.read({ kind: 'group', name: 'people' }) ?? {};
    expect(record).toMatchObject({ memberLinks: [expect.stringMatching(/user\/ann$/)] });
    expect(objectAt(record ?? {}, 'tags')).toEqual({});
  });
});

describe('changes that cannot be undone are listed with the reason', () => {
  /** The undo of going from one stack to another, if all of it is permitted. */
  async function undoOf(
    first: readonly DesiredResource[],
    second: readonly DesiredResource[],
    given: Partial<PlanOptions> = {},
  ): Promise<Plan> {
    const platform = new ModelPlatform();
    platform.put(builtIn);
    await run(plan(first, platform.snapshot(), allowed), platform);
    const of = planned(second, platform.snapshot(), given);
    expect(codes(of.plan)).toEqual([]);
    await run(of.plan, platform);
    const undo = undone(of, platform.snapshot()).plan;
    expect(codes(undo)).toEqual([]);
    return undo;
  }

  test('a renamed secret: the new name and its readers stay, as the old value exists nowhere else', async () => {
    const key = (name: string, lifecycle: Lifecycle = {}) =>
      declare(`secret/${name}`, { type: 'opaque', data: { payload: 'x' } }, lifecycle);
    const web = (name: string, image: string) => {
      const env = [{ name: 'KEY', value: `scheme://secret/${name}` }];
      return declare('workload/g/web', { spec: { type: 'standard', containers: [{ name: 'main', image, env }] } });
    };
    const gvc = (description: string) => declare('gvc/g', { description });
    const first = [gvc('a'), key('old-key'), web('old-key', 'web:1')];
    const undo = await undoOf(first, [gvc('b'), key('key', { previously: 'old-key' }), web('key', 'web:2')]);
    expect(actions(undo)).toEqual(['patch gvc/g']);
    expect(undo.notes).toEqual([
      'cannot be undone: secret/key: it replaced secret/old-key, which cannot be restored',
      'cannot be undone: secret/old-key: it was deleted, and its secret values are not in the file',
      'cannot be undone: workload/g/web: it referred to secret/old-key, which cannot be restored',
    ]);
  });

  test('a resource deleted with its secret: the rest is undone', async () => {
    const key = declare('secret/key', { type: 'docker', data: '{"auths":{"r":{}}}' });
    const pulling = declare('gvc/g', { spec: { pullSecretLinks: ['//secret/key'] } });
    const undo = await undoOf([key, pulling, declare('identity/g/app')], [declare('group/new')], allowed);
    expect(actions(undo)).toEqual(['delete group/new']);
    expect(undo.notes).toEqual([
      'cannot be undone: gvc/g: it referred to secret/key, which cannot be restored',
      'cannot be undone: identity/g/app: it referred to gvc/g, which cannot be restored',
      'cannot be undone: secret/key: it was deleted, and its secret values are not in the file',
    ]);
  });

  test('a resource created for one that stays, and its GVC', async () => {
    const key = (name: string) => declare(`secret/${name}`, { type: 'opaque', data: { payload: 'x' } });
    const viewers = (...targets: readonly string[]) =>
      declare('policy/viewers', { targetKind: 'secret', targetLinks: targets, bindings: [] });
    const both = declare('identity/g/app');
    const bound = {
      targetKind: 'secret',
      targetLinks: ['//secret/key'],
      bindings: [{ permissions: ['view'], principalLinks: ['//gvc/g/identity/app'] }],
    };
    const next = [key('key'), declare('gvc/g'), both, declare('policy/viewers', bound), declare('group/people')];
    const undo = await undoOf([key('old-key'), viewers('//secret/old-key')], next);
    expect(actions(undo)).toEqual(['delete group/people']);
    expect(undo.notes).toEqual([
      'cannot be undone: gvc/g: identity/g/app refers to it, and is not changed',
      'cannot be undone: identity/g/app: policy/viewers refers to it, and is not changed',
      'cannot be undone: policy/viewers: it referred to secret/old-key, which cannot be restored',
      'cannot be undone: secret/key: policy/viewers refers to it, and is not changed',
      'cannot be undone: secret/old-key: it was deleted, and its secret values are not in the file',
    ]);
  });

  function notesOf(desired: readonly DesiredResource[], platform: ModelPlatform): readonly string[] {
    const of = planned(desired, platform.snapshot(), { ...allowed, allowCollateral: 1 });
    expect(codes(of.plan)).toEqual([]);
    return undone(of, platform.snapshot()).plan.notes;
  }

  test('a deleted secret, a changed secret, a replaced record, a record of others, the data of a volume set', async () => {
    const platform = new ModelPlatform();
    platform.put(builtIn);
    const key = (id: string, payload: string) => declare(`secret/${id}`, { type: 'opaque', data: { payload } });
    const rows = declare('volumeset/g/rows', {
      spec: { fileSystemType: 'ext4', initialCapacity: 10, performanceClass: 'general-purpose-ssd' },
    });
    const kept = (type: string) =>
      declare(
        'secret/kept',
        type === 'opaque' ? { type, data: { payload: 'x' } } : { type, data: { username: 'u', password: 'p' } },
        { replace: true },
      );
    const first = [declare('gvc/g'), rows, key('gone', 'a'), key('turned', 'b'), kept('opaque')];
    await run(plan(first, platform.snapshot(), allowed), platform);
    platform.put([foreign('workload/g/theirs', workload('t:1'))]);
    expect(notesOf([key('turned', 'c'), kept('userpass')], platform)).toEqual([
      'cannot be undone: workload/g/theirs: it was deleted along with gvc/g, and belonged to another owner',
      'cannot be undone: secret/gone: it was deleted, and its secret values are not in the file',
      'cannot be undone: secret/kept: it was deleted and created again: the id and everything else of the old record are lost',
      'cannot be undone: secret/turned: the former secret values are not in the file: data',
      'cannot be undone: volumeset/g/rows: it is created again empty: its data is gone',
    ]);
  });
});
