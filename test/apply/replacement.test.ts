import { describe, expect, test } from 'vitest';
import { Capabilities } from '../../src/capabilities/capabilities.ts';
import type { LiveResource } from '../../src/manifest/live/snapshot.ts';
import type { Change, UncheckedChange } from '../../src/plan/model/change.ts';
import { failures, fakePlatform, writes } from './harness/harness.ts';
import { creating, following, patching, plan, ref, tags } from './harness/plans.ts';
import { type RunRow, testRuns } from './harness/runText.ts';

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

const later = 'replace workload/town/hall; create secret/later after(workload/town/hall)';
const renaming = 'delete workload/town/hall; create workload/town/new renames(workload/town/hall)';
/** A workload and what it mounts, both replaced: the workload goes first and comes last. */
const mount =
  'replace volumeset/town/rows goneAfter(workload/town/hall); replace workload/town/hall after(volumeset/town/rows)';

// biome-ignore format: a row is a case
const halves: readonly RunRow[] = [
  ['Ctrl-C before its deletion: the record is there, and nothing was begun', later, 'read workload/town/hall: abort',
    'done nothing; skipped workload/town/hall, secret/later; now workload/town/hall@1=old'],
  ['Ctrl-C at its deletion: the record is created, and nothing else is begun', later,
    'delete workload/town/hall: abort', 'done workload/town/hall; skipped secret/later; now workload/town/hall@1=made'],
  ['Ctrl-C at its creation: the record is created, and nothing else is begun', later,
    'create workload/town/hall: abort', 'done workload/town/hall; skipped secret/later; now workload/town/hall@1=made'],
  ['what its creation waits for comes to its end too', mount, 'delete workload/town/hall: abort',
    'done volumeset/town/rows, workload/town/hall; skipped nothing; made delete workload/town/hall, ' +
      'delete volumeset/town/rows, create volumeset/town/rows, create workload/town/hall'],
  ['a creation that the platform cannot take now is tried again', 'replace workload/town/hall',
    'create workload/town/hall: api.unavailable*2, unsent', 'done workload/town/hall; verified true'],
  ['a renaming whose old name goes first: the new one follows it', renaming, 'delete workload/town/hall: abort',
    'done workload/town/hall, workload/town/new'],
  ['what is gone is created again, although something that was to be replaced with it cannot be deleted',
    `${mount}; create secret/a after(volumeset/town/rows)`, 'delete volumeset/town/rows: api.invalid(in use)',
    'failed volumeset/town/rows api.invalid; done workload/town/hall; skipped secret/a; ' +
      'there volumeset/town/rows, workload/town/hall'],
  ['nothing is created where its own deletion was refused', mount, 'delete workload/town/hall: api.invalid(in use)',
    'failed workload/town/hall api.invalid; made delete workload/town/hall'],
];

// biome-ignore format: a row is a case
const unfinished: readonly RunRow[] = [
  ['a new name that is refused when the old one is gone: deleted, and not created again', renaming,
    'create workload/town/new: api.quota(quota)', 'failed workload/town/new api.quota; reached deleted'],
  ['a deletion that was accepted and does not end: deleted, and not created again', 'replace workload/town/hall', '',
    'failed workload/town/hall apply.timeout; reached deleted',
    { deletionMs: 60_000, run: { patience: { deletionMs: 1_000 } } }],
  ['a deletion that is refused: nothing was done', 'replace workload/town/hall',
    'delete workload/town/hall: api.invalid(is mounted)', 'failed workload/town/hall api.invalid; reached nothing'],
  ['a second step that fails: written, and not finished', 'create gvc/town then()', 'patch gvc/town: api.invalid(no)',
    'failed gvc/town api.invalid; reached written'],
];

describe('the two halves of a replacement are one', () => {
  testRuns(halves);

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

describe('what became of a replacement that was not finished', () => {
  testRuns(unfinished);

  test('a creation that is refused: deleted, and not created again', async () => {
    const harness = fakePlatform();
    const old = there(harness, 'workload/town/hall');
    harness.platform.fault('create', old.id, { kind: 'error', code: 'api.quota', message: 'quota' });
    const { result, events } = await harness.apply(plan(replacing(old)));
    expect(result.failed).toMatchObject([{ id: old.id, error: { code: 'api.quota' }, reached: 'deleted' }]);
    expect(events.at(-1)).toMatchObject({ type: 'failed', reached: 'deleted' });
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
