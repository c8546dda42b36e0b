import { describe, expect, test } from 'vitest';
import { Capabilities } from '../../src/capabilities/capabilities.ts';
import type { LiveResource } from '../../src/manifest/live/snapshot.ts';
import type { Change, UncheckedChange } from '../../src/plan/model/change.ts';
import { failures, fakePlatform, writes } from './harness/harness.ts';
import { body, creating, deleting, following, patching, plan, ref, tags } from './harness/plans.ts';

type Harness = ReturnType<typeof fakePlatform>;

/** The id of a record that is there, and of which the plan makes another. */
function there({ platform }: Harness, id: string): LiveResource {
  return platform.put(ref(id), { tags: tags(id), status: { locations: [] } });
}

function replacing(live: LiveResource, fields: Partial<UncheckedChange> = {}): Change {
  return creating(live.id, { action: 'replace', liveUid: live.uid, liveVersion: live.version, ...fields });
}

/** A workload and what it mounts, both replaced: the workload goes first and comes last. */
function mounted(harness: Harness): readonly Change[] {
  const [rows, hall] = [there(harness, 'volumeset/town/rows'), there(harness, 'workload/town/hall')];
  const letGo = { on: hall.id, because: 'it mounts it', soft: false, step: 'delete' } as const;
  return [replacing(rows, { deleteRequires: [letGo] }), replacing(hall, following(rows.id))];
}

describe('the two halves of a replacement are one', () => {
  test.each(['read', 'delete', 'create'] as const)(
    'Ctrl-C at its %s: the record is there afterwards, and nothing else was begun',
    async (verb) => {
      const harness = fakePlatform();
      const old = there(harness, 'workload/town/hall');
      const controller = new AbortController();
      harness.platform.fault(verb, old.id, { kind: 'meanwhile', happens: () => controller.abort() });
      const { result } = await harness.apply(
        plan(replacing(old), creating('secret/later', following('workload/town/hall'))),
        { signal: controller.signal },
      );
      expect(harness.platform.at(old.id) === undefined).toBe(false);
      const replaced = verb !== 'read';
      expect(harness.platform.at(old.id)?.uid !== old.uid).toBe(replaced);
      expect(result.done).toEqual(replaced ? [old.id] : []);
      expect(result.skipped.map(({ id }) => id)).toContain('secret/later');
    },
  );

  test('Ctrl-C while an accepted deletion goes on: it is waited for, and the record is created', async () => {
    const harness = fakePlatform({ deletionMs: 5_000 });
    const old = there(harness, 'workload/town/hall');
    const controller = new AbortController();
    const { result } = await harness.apply(plan(replacing(old)), {
      signal: controller.signal,
      onEvent: (event) => event.type === 'waiting' && controller.abort(),
    });
    expect(result).toMatchObject({ done: [old.id], interrupted: true });
  });

  test('what its creation waits for comes to its end too', async () => {
    const harness = fakePlatform();
    const changes = mounted(harness);
    const controller = new AbortController();
    harness.platform.fault('delete', 'workload/town/hall', { kind: 'meanwhile', happens: () => controller.abort() });
    const { result } = await harness.apply(plan(...changes), { signal: controller.signal });
    expect(writes(harness.platform).filter((write) => !write.startsWith('patch '))).toEqual([
      'delete workload/town/hall',
      'delete volumeset/town/rows',
      'create volumeset/town/rows',
      'create workload/town/hall',
    ]);
    expect(result).toMatchObject({ done: ['volumeset/town/rows', 'workload/town/hall'], skipped: [] });
  });

  test('stopped at any moment: what it replaces is there', async () => {
    let calls = 0;
    for (let at = 0; at <= calls; at += 1) {
      const harness = fakePlatform();
      const changes = mounted(harness);
      const web = there(harness, 'workload/town/web');
      const controller = new AbortController();
      const { platform } = harness;
      const push = platform.log.push.bind(platform.log);
      platform.log.push = (...lines) => {
        const count = push(...lines);
        if (count === at) controller.abort();
        return count;
      };
      await harness.apply(plan(...changes, replacing(web), creating('secret/a', following(web.id))), {
        signal: controller.signal,
      });
      calls = Math.max(calls, platform.log.length);
      expect(platform.ids(), `stopped at call ${at}`).toEqual(
        expect.arrayContaining(['volumeset/town/rows', 'workload/town/hall', 'workload/town/web']),
      );
    }
    expect(calls).toBeGreaterThan(12);
  });

  test('a divergence elsewhere stops everything but the creation', async () => {
    const harness = fakePlatform({ deletionMs: 5_000 });
    const { platform } = harness;
    const [old, group] = [there(harness, 'workload/town/hall'), there(harness, 'group/team')];
    platform.fault('patch', group.id, { kind: 'divergent', change: (record) => ({ ...record, description: 'other' }) });
    const applied = await harness.apply(
      plan(
        replacing(old),
        creating('secret/a'),
        creating('secret/b', following('secret/a')),
        creating('secret/c', following('secret/b')),
        patching(group, { description: 'ours' }, following('secret/c')),
        creating('secret/later', following('group/team')),
      ),
    );
    expect(failures(applied)).toEqual(['group/team: apply.divergence']);
    expect(applied.result.done).toContain(old.id);
    expect(platform.at('secret/later')).toBeUndefined();
  });

  test('a creation that the platform cannot take now is tried again', async () => {
    const harness = fakePlatform();
    const old = there(harness, 'workload/town/hall');
    const unavailable = { kind: 'error', code: 'api.unavailable', message: 'the retries are used up' } as const;
    harness.platform.fault('create', old.id, unavailable, unavailable, { kind: 'lost-before' });
    const { result } = await harness.apply(plan(replacing(old)));
    expect(result).toMatchObject({ done: [old.id], failed: [], verified: true });
  });

  test('a renaming whose old name goes first: the new one follows it', async () => {
    const harness = fakePlatform();
    const old = there(harness, 'workload/town/hall');
    const controller = new AbortController();
    harness.platform.fault('delete', old.id, { kind: 'meanwhile', happens: () => controller.abort() });
    const next = creating('workload/town/new', { renamedFrom: old.id, ...following(old.id) });
    const { result } = await harness.apply(plan(deleting(old), next), { signal: controller.signal });
    expect(result.done).toEqual([old.id, 'workload/town/new']);
  });

  test('requests are repeated until it is done, and not any longer', async () => {
    const harness = fakePlatform();
    const old = there(harness, 'workload/town/hall');
    const controller = new AbortController();
    harness.platform.fault('delete', old.id, { kind: 'meanwhile', happens: () => controller.abort() });
    let given: readonly string[] | undefined;
    await harness.apply(plan(replacing(old)), {
      signal: controller.signal,
      stopRetrying: () => {
        given = writes(harness.platform);
      },
    });
    expect(given).toEqual(['patch workload/town/hall', 'delete workload/town/hall', 'create workload/town/hall']);
  });
});

describe('what is gone is created again', () => {
  test('although something that was to be replaced with it cannot be deleted: that is still there', async () => {
    const harness = fakePlatform();
    const changes = mounted(harness);
    harness.platform.fault('delete', 'volumeset/town/rows', { kind: 'error', code: 'api.invalid', message: 'in use' });
    const { result } = await harness.apply(plan(...changes, creating('secret/a', following('volumeset/town/rows'))));
    expect(result).toMatchObject({ done: ['workload/town/hall'], failed: [{ id: 'volumeset/town/rows' }] });
    expect(result.skipped.map(({ id }) => id)).toEqual(['secret/a']);
    expect(harness.platform.at('workload/town/hall')).toBeDefined();
  });

  test('not where its own deletion was refused', async () => {
    const harness = fakePlatform();
    const changes = mounted(harness);
    harness.platform.fault('delete', 'workload/town/hall', { kind: 'error', code: 'api.invalid', message: 'in use' });
    await harness.apply(plan(...changes));
    expect(writes(harness.platform).filter((write) => write.startsWith('create '))).toEqual([]);
  });
});

describe('what became of a replacement that was not finished', () => {
  test('a creation that is refused: deleted, and not created again', async () => {
    const harness = fakePlatform();
    const old = there(harness, 'workload/town/hall');
    harness.platform.fault('create', old.id, { kind: 'error', code: 'api.quota', message: 'quota' });
    const { result, events } = await harness.apply(plan(replacing(old)));
    expect(result.failed).toMatchObject([{ id: old.id, error: { code: 'api.quota' }, reached: 'deleted' }]);
    expect(events.at(-1)).toMatchObject({ type: 'failed', reached: 'deleted' });
  });

  test('a new name that is refused when the old one is gone: deleted, and not created again', async () => {
    const harness = fakePlatform();
    const old = there(harness, 'workload/town/hall');
    harness.platform.fault('create', 'workload/town/new', { kind: 'error', code: 'api.quota', message: 'quota' });
    const next = creating('workload/town/new', { renamedFrom: old.id, ...following(old.id) });
    const { result } = await harness.apply(plan(deleting(old), next));
    expect(result.failed).toMatchObject([
      { id: 'workload/town/new', error: { code: 'api.quota' }, reached: 'deleted' },
    ]);
  });

  test('a deletion that was accepted and does not end: deleted, and not created again', async () => {
    const harness = fakePlatform({ deletionMs: 60_000 });
    const old = there(harness, 'workload/town/hall');
    const { result } = await harness.apply(plan(replacing(old)), { patience: { deletionMs: 1_000 } });
    expect(result.failed).toMatchObject([{ error: { code: 'apply.timeout' }, reached: 'deleted' }]);
  });

  test('a deletion that is refused: nothing was done', async () => {
    const harness = fakePlatform();
    const old = there(harness, 'workload/town/hall');
    harness.platform.fault('delete', old.id, { kind: 'error', code: 'api.invalid', message: 'is mounted' });
    const { result } = await harness.apply(plan(replacing(old)));
    expect(result.failed).toHaveLength(1);
    expect(result.failed[0]).not.toHaveProperty('reached');
  });

  test('a second step that fails: written, and not finished', async () => {
    const harness = fakePlatform();
    harness.platform.fault('patch', 'gvc/town', { kind: 'error', code: 'api.invalid', message: 'no' });
    const then = { then: body({ description: 'second' }), thenRequires: [] };
    const { result } = await harness.apply(plan(creating('gvc/town', then)));
    expect(result.failed).toMatchObject([{ id: 'gvc/town', reached: 'written' }]);
  });
});

describe('delete.name-reusable: a platform that does not give a deleted name again', () => {
  test.each(['api.name-spent', 'api.conflict'] as const)(
    '%s: the first replacement says what happened, and no other one is begun',
    async (spendsNames) => {
      const harness = fakePlatform({ spendsNames });
      const [rows, hall] = [there(harness, 'volumeset/town/rows'), there(harness, 'workload/town/hall')];
      const after = { on: rows.id, because: 'it comes later', soft: true };
      const applied = await harness.apply(plan(replacing(rows), replacing(hall, { deleteRequires: [after] })));
      expect(failures(applied).toSorted()).toEqual([`${rows.id}: apply.name-spent`, `${hall.id}: apply.name-spent`]);
      const messages = applied.result.failed.map(({ error }) => error.message);
      expect(messages[0]).toContain('was deleted to be replaced, and cannot be created again');
      expect(messages[1]).toContain('was not deleted, because it could not be created again');
      expect(harness.platform.ids()).toHaveLength(1);
      expect(applied.result.failed[0]).toMatchObject({ reached: 'deleted' });
    },
  );

  test('where it is known, nothing is deleted', async () => {
    const harness = fakePlatform({ spendsNames: 'api.name-spent' });
    const capabilities = new Capabilities([['delete.name-reusable', 'otherwise']]);
    Object.assign(harness.platform, { capabilities });
    const hall = there(harness, 'workload/town/hall');
    expect(failures(await harness.apply(plan(replacing(hall))))).toEqual([`${hall.id}: apply.name-spent`]);
    expect(writes(harness.platform)).toEqual([]);
  });
});
