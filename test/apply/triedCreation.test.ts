import { describe, expect, test } from 'vitest';
import { trialName } from '../../src/apply/steps/tryCreation.ts';
import type { JsonObject } from '../../src/base/json/json.ts';
import { checkRecord } from '../../src/kinds/check/registry.ts';
import type { LiveResource } from '../../src/manifest/live/snapshot.ts';
import type { Change, UncheckedChange } from '../../src/plan/model/change.ts';
import type { Plan } from '../../src/plan/model/plan.ts';
import { countApplyRequests } from '../../src/plan/order/applyRequests.ts';
import { creatableKinds } from '../../src/schema/record/kinds.ts';
import type { BodyProblem } from '../../src/schema/record/problem.ts';
import type { ResourceId } from '../../src/schema/record/ref.ts';
import type { FakeOptions } from './harness/fakePlatform.ts';
import { failures, fakePlatform, writes } from './harness/harness.ts';
import { change, creating, deleting, following, plan, ref, tags } from './harness/plans.ts';

type Harness = ReturnType<typeof fakePlatform>;

const hall = 'workload/town/hall';
const trial = 'workload/town/hall-dry-run';
const mount = { uri: 'scheme://volumeset/rows', path: '/rows' };

/** The workload that is there; it mounts a volume set. */
function there({ platform }: Harness, id = hall): LiveResource {
  const spec = { type: 'stateful', containers: [{ name: 'main', volumes: [mount] }] };
  return platform.put(ref(id), { tags: tags(id), spec, status: { locations: [] } });
}

function replacing(live: LiveResource, fields: Partial<UncheckedChange> = {}, record: JsonObject = {}): Change {
  return creating(live.id, { action: 'replace', liveUid: live.uid, liveVersion: live.version, ...fields }, record);
}

const offered = (...changes: readonly Change[]): Plan => ({ ...plan(...changes), dryRun: 'honoured' });

function tries({ platform }: Harness): readonly string[] {
  return platform.log.filter((line) => line.startsWith('try '));
}

/** It always finds this wrong with every new body. */
const refusing = (...problems: readonly BodyProblem[]): Omit<FakeOptions, 'clock'> => ({
  refuses: (_, { description }) => (description === 'made' ? problems : []),
});

const tooMuch = { path: 'spec.defaultOptions.capacityAI', message: 'this org may not use it' };

describe('the creation of a replacement is tried first', () => {
  test('a body that the platform refuses: nothing is marked and nothing deleted', async () => {
    const harness = fakePlatform(refusing(tooMuch));
    const old = there(harness);
    const applied = await harness.apply(offered(replacing(old)));
    expect(failures(applied)).toEqual([`${hall}: apply.creation-refused`]);
    expect(applied.result.failed[0]?.error.message).toBe(
      'workload/town/hall was not deleted, because the platform would refuse to create it again: spec.defaultOptions.capacityAI: this org may not use it',
    );
    expect(applied.result.failed[0]).not.toHaveProperty('reached');
    expect(writes(harness.platform)).toEqual([]);
    expect(harness.platform.at(hall)).toBe(old);
  });

  test('one that it takes: asked once, under a name that is free, before the mark', async () => {
    const harness = fakePlatform();
    const made = offered(replacing(there(harness)));
    const { result } = await harness.apply(made);
    const sent = harness.platform.log.filter((line) => !line.startsWith('read ') && !line.startsWith('owned '));
    expect(sent).toEqual([`try ${trial}`, `patch ${hall}`, `delete ${hall}`, `create ${hall}`]);
    expect(result.requests).toBe(countApplyRequests(made.changes, made));
    expect(harness.platform.ids()).toEqual([hall]);
  });

  test('of two replacements the refused one stops alone', async () => {
    const court = 'workload/town/court';
    const harness = fakePlatform({
      refuses: ({ name }, { description }) => (name.startsWith('hall') && description === 'made' ? [tooMuch] : []),
    });
    const [old, other] = [there(harness), there(harness, court)];
    const applied = await harness.apply(offered(replacing(old), replacing(other)));
    expect(failures(applied)).toEqual([`${hall}: apply.creation-refused`]);
    expect(applied.result.done).toEqual([court]);
    expect(writes(harness.platform)).toEqual([`patch ${court}`, `delete ${court}`, `create ${court}`]);
    expect(harness.platform.at(hall)).toBe(old);
  });

  test('nothing is asked of a platform that does not offer it', async () => {
    const harness = fakePlatform(refusing(tooMuch));
    await harness.apply(plan(replacing(there(harness))));
    expect(tries(harness)).toEqual([]);
    expect(harness.platform.at(hall)).toBeUndefined();
  });

  test('a renaming whose old name goes first', async () => {
    const harness = fakePlatform(refusing(tooMuch));
    const old = there(harness);
    const next = creating('workload/town/court', { renamedFrom: old.id, ...following(old.id) });
    const applied = await harness.apply(offered(deleting(old), next));
    expect(tries(harness)[0]).toBe('try workload/town/court-dry-run');
    expect(failures(applied)).toEqual([`${hall}: apply.creation-refused`]);
    expect(applied.result.failed[0]?.error.message).toContain(
      'would refuse to create workload/town/court in its place',
    );
    expect(harness.platform.ids()).toEqual([hall]);
  });

  test('not a creation that waits for something that comes after the deletion', async () => {
    const harness = fakePlatform(refusing(tooMuch));
    const [rows, old] = [there(harness, 'volumeset/town/rows'), there(harness)];
    const letGo = { on: hall, because: 'it mounts it', soft: false, step: 'delete' } as const;
    const changes = [replacing(rows, { deleteRequires: [letGo] }), replacing(old, following(rows.id))];
    await harness.apply(offered(...changes));
    expect(new Set(tries(harness))).toEqual(new Set(['try volumeset/town/rows-dry-run']));
    expect(countApplyRequests(changes, { dryRun: 'honoured' })).toBe(countApplyRequests(changes) + 1);
  });

  test('not a domain: its name means something', () => {
    const domain = creating('domain/www.example.com', { action: 'replace', liveUid: 'uid-1', liveVersion: 1 });
    expect(countApplyRequests([domain], { dryRun: 'honoured' })).toBe(countApplyRequests([domain]));
  });

  test('not what goes with its GVC', () => {
    const old = change(hall, { action: 'delete', via: 'gvc/town' });
    const changes = [old, creating('workload/town/new', { renamedFrom: hall, ...following(hall) })];
    expect(countApplyRequests(changes, { dryRun: 'honoured' })).toBe(countApplyRequests(changes));
  });
});

describe('what says nothing about the body does not stop a replacement', () => {
  test.each([
    'api.conflict',
    'api.quota',
    'api.forbidden',
    'api.not-found',
    'api.method',
    'api.unavailable',
    'api.reply-lost',
    'api.bad-reply',
  ])('%s', async (code) => {
    const harness = fakePlatform();
    const old = there(harness);
    harness.platform.fault('try', trial, { kind: 'error', code });
    const { result } = await harness.apply(offered(replacing(old)));
    expect(result).toMatchObject({ done: [hall], failed: [] });
  });

  test('a problem with the name that is tried', async () => {
    const reserved = { path: 'name', message: 'this name is reserved' };
    const harness = fakePlatform({ refuses: ({ name }) => (name === 'hall-dry-run' ? [reserved] : []) });
    const { result } = await harness.apply(offered(replacing(there(harness))));
    expect(result).toMatchObject({ done: [hall], failed: [] });
  });

  test.each([
    ['its own name, which is not there yet', 'there is no workload "court"'],
    ['its old name, which is still there', 'the workload "hall" mounts it as stateful'],
  ])('a problem of a renaming with %s', async (_, message) => {
    const harness = fakePlatform({
      refuses: ({ name }, { description }) =>
        name === 'court-dry-run' && description === 'made' ? [{ path: 'spec', message }] : [],
    });
    const old = there(harness);
    const next = creating('workload/town/court', { renamedFrom: old.id, ...following(old.id) });
    await harness.apply(offered(deleting(old), next));
    expect(harness.platform.ids()).toEqual(['workload/town/court']);
  });

  test('a record that has the name: it was judged as an update of that', async () => {
    const harness = fakePlatform({
      refuses: ({ name }, { description }) => (name !== 'hall' && description === 'made' ? [tooMuch] : []),
    });
    harness.platform.put(ref(trial), {});
    const { result } = await harness.apply(offered(replacing(there(harness))));
    expect(result.done).toEqual([hall]);
  });

  test.each([
    { it: 'before it is asked: it is not', verb: 'read', id: hall, asked: 0 },
    { it: 'while it is asked: nothing is begun', verb: 'try', id: trial, asked: 1 },
  ] as const)('Ctrl-C $it', async ({ verb, id, asked }) => {
    const harness = fakePlatform();
    const old = there(harness);
    const controller = new AbortController();
    harness.platform.fault(verb, id, { kind: 'meanwhile', happens: () => controller.abort() });
    const { result } = await harness.apply(offered(replacing(old)), { signal: controller.signal });
    expect(result).toMatchObject({ done: [], failed: [] });
    expect(harness.platform.at(hall)).toBe(old);
    expect(tries(harness)).toHaveLength(asked);
  });

  test('but a mistake of our own', async () => {
    const harness = fakePlatform();
    const happens = () => {
      throw new TypeError('ours');
    };
    harness.platform.fault('try', trial, { kind: 'meanwhile', happens });
    await expect(harness.apply(offered(replacing(there(harness))))).rejects.toThrow('ours');
  });
});

describe('a problem that a copy of the old record has too', () => {
  const inUse = { path: 'spec.containers.main.volumes./rows', message: 'the volume set is in use' };
  const mounts = (body: JsonObject): boolean => JSON.stringify(body).includes(mount.uri);
  const standard = {
    description: 'made',
    spec: { type: 'standard', containers: [{ name: 'main', volumes: [mount] }] },
  };
  const taken = (body: JsonObject, ids: readonly ResourceId[]) => (mounts(body) && ids.includes(hall) ? [inUse] : []);

  test('is no reason: it may be gone with the record', async () => {
    const harness = fakePlatform({ refuses: (_, body, ids) => taken(body, ids) });
    const { result } = await harness.apply(offered(replacing(there(harness), {}, standard)));
    expect(result).toMatchObject({ done: [hall], failed: [] });
    expect(tries(harness)).toHaveLength(2);
  });

  test('is not named where another one is the reason', async () => {
    const harness = fakePlatform({
      refuses: (_, body, ids) => [...taken(body, ids), ...(body['description'] === 'made' ? [tooMuch] : [])],
    });
    const old = there(harness);
    const applied = await harness.apply(offered(replacing(old, {}, standard)));
    expect(failures(applied)).toEqual([`${hall}: apply.creation-refused`]);
    expect(applied.result.failed[0]?.error.causes).toEqual([
      { code: 'api.invalid', message: `${tooMuch.path}: ${tooMuch.message}`, resource: hall },
    ]);
    expect(harness.platform.at(hall)).toBe(old);
  });

  test('is not known where the copy gets no answer', async () => {
    const harness = fakePlatform({ refuses: (_, body, ids) => taken(body, ids) });
    const nothing = { kind: 'meanwhile', happens: () => {} } as const;
    harness.platform.fault('try', trial, nothing, { kind: 'error', code: 'api.forbidden' });
    const { result } = await harness.apply(offered(replacing(there(harness), {}, standard)));
    expect(result.done).toEqual([hall]);
  });
});

test('a record that cannot be marked is read again before it is deleted: the dry run took its time', async () => {
  const harness = fakePlatform();
  const old = there(harness);
  const happens = () => void harness.platform.put(old.ref, { ...old.record, description: 'of others' }, 2, old.uid);
  harness.platform.fault('try', trial, { kind: 'meanwhile', happens });
  harness.platform.fault('patch', hall, { kind: 'error', code: 'api.forbidden' });
  const applied = await harness.apply(offered(replacing(old)));
  expect(failures(applied)).toEqual([`${hall}: plan.stale`]);
  expect(harness.platform.at(hall)?.record).toMatchObject({ description: 'of others' });
});

describe('the name that is tried', () => {
  const named = ['abc', 'a-b', `a${'b'.repeat(48)}`, `a${'-'.repeat(45)}b`, `a${'9'.repeat(63)}`];
  test.each(creatableKinds.filter((kind) => kind !== 'domain'))('is one that a %s may have', (kind) => {
    for (const name of named) {
      const problems = checkRecord(kind, { name: trialName(name) }, { org: 'acme', gvc: 'town' }, 'server');
      expect(
        problems.filter(({ path }) => path === 'name'),
        name,
      ).toEqual([]);
    }
  });
});
