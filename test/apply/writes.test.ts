import { describe, expect, test } from 'vitest';
import type { LiveResource } from '../../src/manifest/live/snapshot.ts';
import { failures, fakePlatform, writes } from './harness/harness.ts';
import { body, change, creating, patching, plan, ref, stack, tags } from './harness/plans.ts';

const gvc = 'gvc/shop';

describe('create', () => {
  test('whose answer was lost is found by owner and record', async () => {
    const { platform, apply } = fakePlatform();
    platform.fault('create', gvc, { kind: 'lost-after' });
    const { result } = await apply(plan(creating(gvc)));
    expect(result).toMatchObject({ done: [gvc], failed: [], verified: true });
    expect(platform.log).toEqual([`create ${gvc}`, `read ${gvc}`, `owned ${stack}`]);
  });

  test('that never arrived is sent again', async () => {
    const { platform, apply } = fakePlatform();
    platform.fault('create', gvc, { kind: 'lost-before' });
    const { result, events } = await apply(plan(creating(gvc)));
    expect(result.done).toEqual([gvc]);
    expect(writes(platform)).toEqual([`create ${gvc}`, `create ${gvc}`]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'retrying', id: gvc }));
  });

  test('of a name that somebody else took is stale', async () => {
    const { platform, apply } = fakePlatform();
    platform.put(ref(gvc), { description: 'made', tags: { owner: 'other' } });
    expect(failures(await apply(plan(creating(gvc))))).toEqual([`${gvc}: plan.stale`]);
  });

  test('of a record of the same owner with another record of what was applied is stale', async () => {
    const { platform, apply } = fakePlatform();
    platform.put(ref(gvc), { description: 'made', tags: { ...tags(gvc), 'gantry/applied': 'another' } });
    expect(failures(await apply(plan(creating(gvc))))).toEqual([`${gvc}: plan.stale`]);
  });

  test('of a record that another run of the same stack created with other values is stale, and no divergence', async () => {
    const { platform, apply } = fakePlatform();
    platform.put(ref(gvc), { description: 'other', tags: tags(gvc) });
    const applied = await apply(plan(creating(gvc), creating('secret/x')));
    expect(failures(applied)).toEqual([`${gvc}: plan.stale`]);
    expect(applied.result.failed[0]?.error.message).toContain('description');
    expect(applied.result.done).toEqual(['secret/x']);
  });

  test('of a record whose second step another run of the same code has made too is done', async () => {
    const { platform, apply } = fakePlatform();
    platform.put(ref(gvc), { description: 'made', tags: tags(gvc, 2) }, 2);
    const then = body({ description: 'made', tags: { 'gantry/applied': tags(gvc, 2)['gantry/applied'] ?? '' } });
    const { result } = await apply(plan(creating(gvc, { then })));
    expect(result).toMatchObject({ done: [gvc], failed: [] });
  });

  test('found again after another writer changed other fields is done', async () => {
    const { platform, apply } = fakePlatform();
    platform.fault('create', gvc, { kind: 'lost-after' });
    platform.fault('read', gvc, {
      kind: 'meanwhile',
      happens: () => platform.put(ref(gvc), { description: 'edited', tags: tags(gvc) }, 2, 'uid-1'),
    });
    const { result } = await apply(plan(creating(gvc)));
    expect(result).toMatchObject({ done: [gvc], verified: true });
  });

  test('while the name is still being deleted is repeated', async () => {
    const { platform, apply } = fakePlatform();
    platform.fault('create', gvc, { kind: 'error', code: 'api.conflict' }, { kind: 'error', code: 'api.conflict' });
    expect((await apply(plan(creating(gvc)))).result.done).toEqual([gvc]);
  });

  test('that is refused for good fails with the platform’s reason', async () => {
    const { platform, apply } = fakePlatform();
    platform.fault('create', gvc, { kind: 'error', code: 'api.quota', message: 'quota of 5 GVCs reached' });
    const applied = await apply(plan(creating(gvc)));
    expect(applied.result.failed[0]?.error.message).toBe('quota of 5 GVCs reached');
    expect(writes(platform)).toHaveLength(1);
  });
});

describe('patch', () => {
  test('carries the pinned id and version', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) }, 7);
    await apply(plan(patching(live, { description: 'new' })));
    expect(platform.at(gvc)).toMatchObject({ version: 8, record: { description: 'new' } });
  });

  test('whose answer was lost is recognised by what is there', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) });
    platform.fault('patch', gvc, { kind: 'lost-after' });
    expect((await apply(plan(patching(live, { description: 'new' })))).result.done).toEqual([gvc]);
    expect(writes(platform)).toHaveLength(1);
  });

  test('that never arrived is sent again with the same pin', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) });
    platform.fault('patch', gvc, { kind: 'lost-before' });
    expect((await apply(plan(patching(live, { description: 'new' })))).result.done).toEqual([gvc]);
    expect(writes(platform)).toHaveLength(2);
  });

  test('of a busy record is repeated, with longer and longer pauses', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) });
    const busy = { kind: 'error', code: 'api.conflict', message: 'busy' } as const;
    platform.fault('patch', gvc, busy, busy, busy);
    const { result, events } = await apply(plan(patching(live, { description: 'new' })));
    expect(result.done).toEqual([gvc]);
    const delays = events.flatMap((event) => (event.type === 'retrying' ? [event.delayMs] : []));
    expect(delays).toEqual([...delays].sort((a, b) => a - b));
    expect(new Set(delays).size).toBe(3);
  });

  test('of a record that stays busy fails when the patience is used up', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) });
    platform.fault(
      'patch',
      gvc,
      ...Array.from({ length: 99 }, () => ({ kind: 'error', code: 'api.conflict' }) as const),
    );
    const applied = await apply(plan(patching(live, { description: 'new' })), { patience: { busyMs: 5_000 } });
    expect(failures(applied)).toEqual([`${gvc}: api.conflict`]);
  });

  test('of a record that moved is stale, and says from which version to which', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) }, 3);
    platform.put(ref(gvc), { description: 'edited', tags: tags(gvc) }, 5, live.uid);
    const applied = await apply(plan(patching(live, { description: 'new' })));
    expect(failures(applied)).toEqual([`${gvc}: plan.stale`]);
    expect(applied.result.failed[0]?.error.message).toContain('it was at version 3, now it is at 5');
    expect(platform.at(gvc)?.record['description']).toBe('edited');
  });

  test('of a record that somebody else deleted is stale', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) });
    platform.drop(gvc);
    const applied = await apply(plan(patching(live, { description: 'new' })));
    expect(failures(applied)).toEqual([`${gvc}: plan.stale`]);
    expect(applied.result.failed[0]?.error.message).toContain('it no longer exists');
  });

  test('of a record that was deleted and created again is stale', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) });
    platform.put(ref(gvc), { description: 'old', tags: tags(gvc) }, 1, 'another');
    expect(failures(await apply(plan(patching(live, { description: 'new' }))))).toEqual([`${gvc}: plan.stale`]);
  });

  test('is taken up with the new version where planning it again gives the same patch', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) });
    platform.put(ref(gvc), { description: 'old', alias: 'x', tags: tags(gvc) }, 2, live.uid);
    const { result } = await apply(plan(patching(live, { description: 'new' })), {
      replan: (_, now) => patching(now, { description: 'new' }),
    });
    expect(result.done).toEqual([gvc]);
    expect(platform.at(gvc)).toMatchObject({ version: 3, record: { alias: 'x', description: 'new' } });
  });

  test('is stale where planning it again gives another patch, and done where nothing is left', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) });
    platform.put(ref(gvc), { description: 'edited', tags: tags(gvc) }, 2, live.uid);
    const planned = plan(patching(live, { description: 'new' }));
    const other = await apply(planned, { replan: (_, now) => patching(now, { description: 'other' }) });
    expect(failures(other)).toEqual([`${gvc}: plan.stale`]);
    const nothing = await apply(planned, { replan: () => undefined });
    expect(nothing.result.done).toEqual([gvc]);
    expect(platform.at(gvc)?.version).toBe(2);
  });

  test('that is stale names the fields for which the plan would be another one now', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) });
    platform.put(ref(gvc), { description: 'edited', tags: tags(gvc) }, 2, live.uid);
    const planned = patching(
      live,
      { description: 'new' },
      { fields: [{ path: 'description', old: 'old', new: 'new' }] },
    );
    const applied = await apply(plan(planned), {
      replan: (_, now) =>
        patching(
          now,
          { description: 'new', alias: null },
          {
            fields: [
              { path: 'description', old: 'edited', new: 'new' },
              { path: 'alias', old: 'x' },
            ],
          },
        ),
    });
    expect(applied.result.failed[0]?.error).toMatchObject({
      code: 'plan.stale',
      message: expect.stringContaining('the change is different for alias, description'),
    });
  });

  test('is stale where somebody else has written another value into its field, although the patch is the same', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) });
    platform.put(ref(gvc), { description: 'theirs', tags: tags(gvc) }, 2, live.uid);
    const field = (old: string) => ({ fields: [{ path: 'description', old, new: 'new' }] });
    const applied = await apply(plan(patching(live, { description: 'new' }, field('old'))), {
      replan: (_, now) => patching(now, { description: 'new' }, field('theirs')),
    });
    expect(failures(applied)).toEqual([`${gvc}: plan.stale`]);
    expect(platform.at(gvc)?.record['description']).toBe('theirs');
  });

  const forgetting = ({ id, uid, version }: LiveResource) =>
    change(id, {
      action: 'forget',
      patch: body({ tags: { $drop: ['gantry/stack', 'gantry/applied'] }, id: uid, version }),
      expected: body({ description: 'a' }),
      liveUid: uid,
      liveVersion: version,
    });

  test('that forgets is recognised by the missing owner when its answer was lost', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref('auditctx/a'), { description: 'a', tags: tags('auditctx/a') });
    platform.fault('patch', 'auditctx/a', { kind: 'lost-after' });
    const { result } = await apply(plan(forgetting(live)));
    expect(result).toMatchObject({ done: ['auditctx/a'], verified: true });
    expect(platform.at('auditctx/a')?.record['tags']).toEqual({});
  });

  test('that forgets is sent again while the owner is there, although another write has raised the version', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref('auditctx/a'), { description: 'a', tags: tags('auditctx/a') });
    platform.fault('patch', 'auditctx/a', { kind: 'lost-before' });
    const edited = () => platform.put(live.ref, { ...live.record, alias: 'x' }, 2, live.uid);
    platform.fault('read', 'auditctx/a', { kind: 'meanwhile', happens: edited });
    const { result } = await apply(plan(forgetting(live)), { replan: (_, now) => forgetting(now) });
    expect(result).toMatchObject({ done: ['auditctx/a'], verified: true });
    expect(platform.at('auditctx/a')).toMatchObject({ version: 3, record: { alias: 'x', tags: {} } });
  });

  test.each([
    { it: 'five times', others: 5, outcome: { done: [gvc] } },
    { it: 'no sixth time', others: 6, outcome: { failed: [{ id: gvc, error: { code: 'plan.stale' } }] } },
  ])('is taken up again after writes of others $it', async ({ others, outcome }) => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) });
    const edits = Array.from({ length: others }, (_, edit) => () => {
      platform.put(ref(gvc), { description: 'old', tags: { ...tags(gvc), by: `x${edit}` } }, edit + 2, live.uid);
    });
    platform.fault('patch', gvc, ...edits.map((happens) => ({ kind: 'meanwhile', happens }) as const));
    const { result } = await apply(plan(patching(live, { description: 'new' })), {
      replan: (_, now) => patching(now, { description: 'new' }),
    });
    expect(result).toMatchObject(outcome);
    expect(writes(platform)).toHaveLength(6);
  });
});

describe('the answer to a write', () => {
  test('that is not what was proved stops all further writes', async () => {
    const { platform, apply } = fakePlatform();
    platform.fault('create', 'secret/a', {
      kind: 'divergent',
      change: (record) => ({ ...record, description: 'something else' }),
    });
    const applied = await apply(plan(creating('secret/a'), creating('secret/b'), creating('secret/c')), {
      concurrency: 1,
    });
    expect(failures(applied)).toEqual(['secret/a: apply.divergence']);
    expect(applied.result.failed[0]?.error.message).toContain('description');
    expect(applied.result.skipped.map(({ id }) => id)).toEqual(['secret/b', 'secret/c']);
    expect(applied.result.interrupted).toBe(false);
    expect(writes(platform)).toEqual(['create secret/a']);
  });

  test('may say the same in other words, hold more, and leave secret values out', async () => {
    const { platform, apply } = fakePlatform();
    const record = { type: 'opaque', data: { payload: 'hush', encoding: 'plain' } };
    const change = ({ data, ...rest }: Record<string, unknown>) => ({ ...rest, status: {}, links: [] }) as never;
    platform.fault('create', 'secret/a', { kind: 'divergent', change });
    platform.fault('create', 'volumeset/shop/data', {
      kind: 'divergent',
      change: (sent) => ({ ...sent, spec: { initialCapacity: 10, performanceClass: 'general-purpose-ssd', extra: 1 } }),
    });
    const spec = { initialCapacity: 10, performanceClass: 'general-purpose-ssd' };
    const { result } = await apply(
      plan(creating('secret/a', {}, record), creating('volumeset/shop/data', {}, { spec })),
    );
    expect(result.failed).toEqual([]);
    expect(result.done).toHaveLength(2);
  });
});
