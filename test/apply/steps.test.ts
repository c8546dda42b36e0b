import { describe, expect, test } from 'vitest';
import { failures, fakePlatform, writes } from './harness.ts';
import { body, change, creating, deleting, patching, plan, ref, softlyAfter, stack, tags } from './plans.ts';

const gvc = 'gvc/shop';
const nothingHappens = { kind: 'meanwhile', happens: () => {} } as const;

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

  test('that forgets is recognised by the missing owner when its answer was lost', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref('auditctx/a'), { description: 'a', tags: tags('auditctx/a') });
    platform.fault('patch', 'auditctx/a', { kind: 'lost-after' });
    const { result } = await apply(
      plan(
        change('auditctx/a', {
          action: 'forget',
          patch: body({ tags: { 'gantry/stack': null, 'gantry/applied': null }, id: live.uid, version: 1 }),
          expected: body({ description: 'a' }),
          liveUid: live.uid,
          liveVersion: 1,
        }),
      ),
    );
    expect(result).toMatchObject({ done: ['auditctx/a'], verified: true });
    expect(platform.at('auditctx/a')?.record['tags']).toEqual({});
  });
});

describe('delete', () => {
  test('reads before, and ends when the record is gone, not when it was accepted', async () => {
    const { platform, clock, apply } = fakePlatform({ deletionMs: 1_000 });
    const live = platform.put(ref(gvc), { tags: tags(gvc) });
    const { result, events } = await apply(plan(deleting(live)));
    expect(result.done).toEqual([gvc]);
    expect(platform.log.slice(0, 3)).toEqual([`read ${gvc}`, `children ${gvc}`, `delete ${gvc}`]);
    expect(clock.now()).toBeGreaterThan(1_000);
    expect(events).toContainEqual({ type: 'waiting', id: gvc, for: 'the deletion to end' });
  });

  test('of what is gone already is done, and sends nothing', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref('secret/a'), { tags: tags('secret/a') });
    platform.drop('secret/a');
    expect((await apply(plan(deleting(live)))).result.done).toEqual(['secret/a']);
    expect(writes(platform)).toEqual([]);
  });

  interface Stale {
    readonly it: string;
    readonly id: string;
    readonly record: Readonly<Record<string, string>>;
    readonly version: number;
    readonly uid: string;
  }
  const moved: readonly Stale[] = [
    { it: 'has another version', id: 'secret/a', record: { 'gantry/stack': stack }, version: 2, uid: 'u' },
    { it: 'has another id', id: 'secret/a', record: { 'gantry/stack': stack }, version: 1, uid: 'v' },
    { it: 'has another owner', id: 'secret/a', record: { 'gantry/stack': 'other' }, version: 1, uid: 'u' },
    { it: 'has lost its owner', id: 'secret/a', record: {}, version: 1, uid: 'u' },
  ];
  test.each(moved)('is not sent when the record $it', async ({ id, record, version, uid }) => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(id), { tags: { 'gantry/stack': stack } }, 1, 'u');
    platform.put(ref(id), { tags: record }, version, uid);
    expect(failures(await apply(plan(deleting(live))))).toEqual([`${id}: plan.stale`]);
    expect(writes(platform)).toEqual([]);
  });

  test('of a GVC is not sent when it holds more than was approved', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { tags: tags(gvc) });
    platform.put(ref('workload/shop/web'), { tags: tags('workload/shop/web') });
    platform.put(ref('workload/shop/foreign'), {});
    const applied = await apply(plan(deleting(live, { cascadesTo: ['workload/shop/web'] })));
    expect(failures(applied)).toEqual([`${gvc}: plan.stale`]);
    expect(applied.result.failed[0]?.error.message).toContain('workload/shop/foreign');
    expect(writes(platform)).toEqual([]);
  });

  test('of a busy record is repeated, and the record is read before each repetition', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref('secret/a'), { tags: tags('secret/a') });
    platform.fault('delete', 'secret/a', { kind: 'error', code: 'api.conflict' });
    expect((await apply(plan(deleting(live)))).result.done).toEqual(['secret/a']);
    expect(platform.log.filter((line) => line !== `owned ${stack}`)).toEqual([
      'read secret/a',
      'delete secret/a',
      'read secret/a',
      'delete secret/a',
      'read secret/a',
    ]);
  });

  test('is not repeated on a record that changed while it was busy', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref('secret/a'), { tags: tags('secret/a') });
    platform.fault('delete', 'secret/a', { kind: 'error', code: 'api.conflict' });
    const changed = () => platform.put(live.ref, { tags: tags('secret/a') }, 2, live.uid);
    platform.fault('read', 'secret/a', nothingHappens, { kind: 'meanwhile', happens: changed });
    expect(failures(await apply(plan(deleting(live))))).toEqual(['secret/a: plan.stale']);
    expect(writes(platform)).toEqual(['delete secret/a']);
  });

  test('whose answer was lost ends when the record is gone', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref('secret/a'), { tags: tags('secret/a') });
    platform.fault('delete', 'secret/a', { kind: 'lost-after' });
    expect((await apply(plan(deleting(live)))).result.done).toEqual(['secret/a']);
    expect(writes(platform)).toEqual(['delete secret/a']);
  });

  test('is done when another record has taken the name since', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref('secret/a'), { tags: tags('secret/a') });
    platform.fault('delete', 'secret/a', { kind: 'lost-after' });
    const taken = () => platform.put(live.ref, {}, 1, 'another');
    platform.fault('read', 'secret/a', nothingHappens, { kind: 'meanwhile', happens: taken });
    expect((await apply(plan(deleting(live)))).result.done).toEqual(['secret/a']);
    expect(platform.at('secret/a')?.uid).toBe('another');
  });

  test('that is refused for good fails with the blocking links', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref('secret/a'), { tags: tags('secret/a') });
    const message = 'used by /org/acme/gvc/shop/workload/web';
    platform.fault('delete', 'secret/a', { kind: 'error', code: 'api.invalid', message });
    const { result } = await apply(plan(deleting(live)));
    expect(result.failed.map(({ error }) => error.message)).toEqual([message]);
  });

  test('that never ends fails when the patience is used up', async () => {
    const { platform, apply } = fakePlatform({ deletionMs: 10_000_000 });
    const live = platform.put(ref('secret/a'), { tags: tags('secret/a') });
    const applied = await apply(plan(deleting(live)), { patience: { deletionMs: 60_000 } });
    expect(failures(applied)).toEqual(['secret/a: apply.timeout']);
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

describe('verification', () => {
  test('finds a record that went back behind what was written', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) }, 3);
    platform.fault('owned', stack, {
      kind: 'meanwhile',
      happens: () => platform.put(live.ref, live.record, 3, live.uid),
    });
    const { result } = await apply(plan(patching(live, { description: 'new' })));
    expect(result.verified).toBe(false);
    expect(result.differences).toEqual([`${gvc} was written as version 4, and is at 3`]);
  });

  test('accepts later versions of other writers', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) }, 3);
    platform.fault('owned', stack, {
      kind: 'meanwhile',
      happens: () => platform.put(live.ref, live.record, 9, live.uid),
    });
    expect((await apply(plan(patching(live, { description: 'new' })))).result.verified).toBe(true);
  });

  test('that cannot be done says so', async () => {
    const { platform, apply } = fakePlatform();
    platform.fault('owned', stack, { kind: 'error', code: 'api.unavailable', message: 'no answer' });
    const { result } = await apply(plan(creating(gvc)));
    expect(result).toMatchObject({ verified: false, differences: [expect.stringContaining('no answer')] });
  });
});

describe('release', () => {
  const bound = { tags: tags('ipset/a'), status: { ipAddresses: [{ name: 'x', state: 'bound' }] } };
  const released = { tags: tags('ipset/a'), status: { ipAddresses: [{ name: 'x', state: 'unbound' }] } };

  test('of an address is awaited when this plan made its user let go', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref('ipset/a'), bound);
    const shop = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) });
    const letsGo = () => platform.put(live.ref, released, 1, live.uid);
    platform.fault('read', 'ipset/a', nothingHappens, nothingHappens, { kind: 'meanwhile', happens: letsGo });
    const { result, events } = await apply(
      plan(deleting(live, softlyAfter(gvc)), patching(shop, { description: 'without address' })),
    );
    expect(result.done).toEqual([gvc, 'ipset/a']);
    expect(events).toContainEqual({ type: 'waiting', id: 'ipset/a', for: 'its addresses to be released' });
    expect(platform.log.filter((line) => line.endsWith('ipset/a'))).toEqual([
      ...['read ipset/a', 'read ipset/a', 'read ipset/a'],
      ...['delete ipset/a', 'read ipset/a'],
    ]);
  });

  test('is not awaited when nothing in the plan lets go: the platform refuses', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref('ipset/a'), bound);
    platform.fault('delete', 'ipset/a', { kind: 'error', code: 'api.invalid', message: 'an address is bound' });
    expect(failures(await apply(plan(deleting(live))))).toEqual(['ipset/a: api.invalid']);
  });

  test('of volumes is awaited for a bounded time', async () => {
    const { platform, clock, apply } = fakePlatform();
    const data = 'volumeset/shop/data';
    const live = platform.put(ref(data), {
      tags: tags(data),
      status: { workloadLinks: ['/org/acme/gvc/shop/workload/db'] },
    });
    platform.fault('delete', data, { kind: 'error', code: 'api.invalid', message: 'is mounted' });
    const applied = await apply(plan(deleting(live, softlyAfter('workload/shop/db'))), { patience: { busyMs: 9_000 } });
    expect(failures(applied)).toEqual([`${data}: api.invalid`]);
    expect(clock.now()).toBeGreaterThan(9_000);
  });
});
