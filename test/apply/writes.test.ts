import { describe, expect, test } from 'vitest';
import type { LiveResource } from '../../src/manifest/live/snapshot.ts';
import { failures, fakePlatform, writes } from './harness/harness.ts';
import { body, change, creating, patching, plan, ref, tags } from './harness/plans.ts';
import { type RunRow, testRuns } from './harness/runText.ts';

const gvc = 'gvc/shop';

const secrets = 'create secret/a; create secret/b; create secret/c';

// biome-ignore format: a row is a case
const creations: readonly RunRow[] = [
  ['with a lost response is found by owner and record', 'create gvc/shop', 'create gvc/shop: lost',
    'done gvc/shop; calls create gvc/shop, read gvc/shop; verified true'],
  ['with a lost response has its second step too', 'create gvc/shop then', 'create gvc/shop: lost',
    'done gvc/shop; sent create gvc/shop, patch gvc/shop; now gvc/shop@2=second; verified true'],
  ['that did not arrive is sent again', 'create gvc/shop', 'create gvc/shop: unsent',
    'done gvc/shop; sent create gvc/shop, create gvc/shop; retried gvc/shop'],
  ['of a name that others use is stale', 'create gvc/shop', 'gvc/shop: taken', 'failed gvc/shop plan.stale'],
  ['of a record of the same owner with another applied record is stale', 'create gvc/shop',
    'gvc/shop: marked(another)', 'failed gvc/shop plan.stale'],
  ['of a record that another run of the same stack created with other values is stale, and no divergence',
    'create gvc/shop; create secret/x', 'gvc/shop: made(other)',
    'failed gvc/shop plan.stale (description); done secret/x'],
  ['that is found after others changed other fields is done', 'create gvc/shop',
    'create gvc/shop: lost; read gvc/shop: edited(2)', 'done gvc/shop; verified true'],
  ['while the name is still being deleted is repeated', 'create gvc/shop', 'create gvc/shop: busy*2', 'done gvc/shop'],
  ['that is refused permanently fails with the platform’s reason', 'create gvc/shop',
    'create gvc/shop: api.quota(quota of 5 GVCs reached)',
    'failed gvc/shop api.quota (quota of 5 GVCs reached); sent create gvc/shop'],
];

// biome-ignore format: a row is a case
const patches: readonly RunRow[] = [
  ['with a lost response is recognised by the record', 'patch gvc/shop', 'patch gvc/shop: lost',
    'done gvc/shop; sent patch gvc/shop'],
  ['that did not arrive is sent again with the same pin', 'patch gvc/shop', 'patch gvc/shop: unsent',
    'done gvc/shop; sent patch gvc/shop, patch gvc/shop'],
  ['of a record that stays busy fails after its time limit', 'patch gvc/shop', 'patch gvc/shop: busy*99',
    'failed gvc/shop api.conflict', { run: { patience: { busyMs: 5_000 } } }],
  ['of a busy record is repeated up to the end of its time limit', 'patch gvc/shop', 'patch gvc/shop: busy',
    'done gvc/shop; sent patch gvc/shop, patch gvc/shop', { run: { patience: { busyMs: 128 } } }],
  ['of a busy record is not repeated after its time limit', 'patch gvc/shop', 'patch gvc/shop: busy',
    'failed gvc/shop api.conflict; sent patch gvc/shop', { run: { patience: { busyMs: 127 } } }],
  ['that did not arrive before another write counts as not written', 'patch gvc/shop',
    'patch gvc/shop: unsent; read gvc/shop: edited(2)', 'failed gvc/shop plan.stale; reached nothing'],
  ['that was carried out before another write, with a lost response, counts as written', 'patch gvc/shop',
    'patch gvc/shop: lost; read gvc/shop: edited(3)', 'failed gvc/shop plan.stale; reached written'],
  ['with a lost response is not repeated over a later write of others', 'patch gvc/shop over(old)',
    'patch gvc/shop: lost; read gvc/shop: edited(3,theirs)', 'failed gvc/shop plan.stale; now gvc/shop@3=theirs',
    { compared: true, again: 'theirs' }],
  ['of a changed record is stale, with both versions', 'patch gvc/shop at(3)',
    'gvc/shop: edited(5)', 'failed gvc/shop plan.stale (it was at version 3, now it is at 5); now gvc/shop@5=edited'],
  ['of a record that others deleted is stale', 'patch gvc/shop', 'gvc/shop: gone',
    'failed gvc/shop plan.stale (it no longer exists)'],
  ['of a record that was deleted and created again is stale', 'patch gvc/shop', 'gvc/shop: recreated',
    'failed gvc/shop plan.stale'],
  ['is done if nothing is left of it', 'patch gvc/shop', 'gvc/shop: edited(2)',
    'done gvc/shop; now gvc/shop@2=edited', { again: false }],
];

// biome-ignore format: a row is a case
const answers: readonly RunRow[] = [
  ['that differs from the expected record stops all further writes', secrets, 'create secret/a: other',
    'failed secret/a apply.divergence (description); skipped secret/b, secret/c; sent create secret/a; interrupted false',
    { run: { concurrency: 1 } }],
];

describe('create', () => {
  testRuns(creations);

  test('of a record whose second step another run of the same code made too is done', async () => {
    const { platform, apply } = fakePlatform();
    platform.put(ref(gvc), { description: 'made', tags: tags(gvc, 2) }, 2);
    const then = body({ description: 'made', tags: { 'gantry/applied': tags(gvc, 2)['gantry/applied'] ?? '' } });
    const { result } = await apply(plan(creating(gvc, { then })));
    expect(result).toMatchObject({ done: [gvc], failed: [] });
    expect(writes(platform)).toEqual([`create ${gvc}`]);
  });
});

describe('patch', () => {
  testRuns(patches);

  test('contains the pinned id and version', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) }, 7);
    await apply(plan(patching(live, { description: 'new' })));
    expect(platform.at(gvc)).toMatchObject({ version: 8, record: { description: 'new' } });
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

  test('is repeated with the new version if planning again gives the same patch', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) });
    platform.put(ref(gvc), { description: 'old', alias: 'x', tags: tags(gvc) }, 2, live.uid);
    const replan = (_: string, now: LiveResource) => patching(now, { description: 'new' });
    expect((await apply(plan(patching(live, { description: 'new' })), { replan })).result.done).toEqual([gvc]);
    expect(platform.at(gvc)).toMatchObject({ version: 3, record: { alias: 'x', description: 'new' } });
  });

  test('is stale if planning again gives another patch', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) });
    platform.put(ref(gvc), { description: 'edited', tags: tags(gvc) }, 2, live.uid);
    const planned = plan(patching(live, { description: 'new' }));
    const other = await apply(planned, { replan: (_, now) => patching(now, { description: 'other' }) });
    expect(failures(other)).toEqual([`${gvc}: plan.stale`]);
  });

  test('that is stale names the fields for which the plan would now be different', async () => {
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

  test('is stale if others wrote another value into its field, although the patch is the same', async () => {
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

  test('that releases is recognised by the missing owner after a lost response', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref('auditctx/a'), { description: 'a', tags: tags('auditctx/a') });
    platform.fault('patch', 'auditctx/a', { kind: 'lost-after' });
    const { result } = await apply(plan(forgetting(live)));
    expect(result).toMatchObject({ done: ['auditctx/a'], verified: true });
    expect(platform.at('auditctx/a')?.record['tags']).toEqual({});
  });

  test('that releases is sent again while the owner tag exists, although another write raised the version', async () => {
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
    { it: 'but not a sixth time', others: 6, outcome: { failed: [{ id: gvc, error: { code: 'plan.stale' } }] } },
  ])('is repeated after writes of others $it', async ({ others, outcome }) => {
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

describe('the response to a write', () => {
  testRuns(answers);

  test('may have another form, contain more, and omit secret values', async () => {
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
