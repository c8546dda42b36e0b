import { expect, test } from 'vitest';
import { failures, fakePlatform, writes } from './harness/harness.ts';
import { change, creating, deleting, patching, plan, ref, stack, tags } from './harness/plans.ts';

const gvc = 'gvc/shop';
const web = 'workload/shop/web';

test('a read before a deletion that is older than the plan is asked for again', async () => {
  const { platform, apply } = fakePlatform();
  platform.put(ref(gvc), { tags: tags(gvc) }, 2, 'uid-x');
  const picture = platform.picture();
  const live = platform.put(ref(gvc), { tags: tags(gvc) }, 3, 'uid-x');
  platform.fault('read', gvc, { kind: 'stale', picture }, { kind: 'stale', picture });
  const { result } = await apply(plan(deleting(live)));
  expect(result).toMatchObject({ done: [gvc], failed: [] });
  expect(writes(platform)).toEqual([`delete ${gvc}`]);
});

test('read.own-writes: a platform that stays behind for all of --consistency-timeout is no stale plan: it is said what it is', async () => {
  const { platform, apply } = fakePlatform();
  platform.put(ref(gvc), { tags: tags(gvc) }, 2, 'uid-x');
  const picture = platform.picture();
  const live = platform.put(ref(gvc), { tags: tags(gvc) }, 3, 'uid-x');
  platform.fault('read', gvc, ...Array.from({ length: 20 }, () => ({ kind: 'stale', picture }) as const));
  const applied = await apply(plan(deleting(live)));
  expect(failures(applied)).toEqual([`${gvc}: apply.stale-read`]);
  expect(writes(platform)).toEqual([]);
});

test('a re-read after a lost reply that shows the time before the write leads to no second write', async () => {
  const { platform, apply } = fakePlatform();
  const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) }, 3);
  const picture = platform.picture();
  platform.fault('patch', gvc, { kind: 'lost-after' });
  platform.fault('read', gvc, { kind: 'stale', picture }, { kind: 'stale', picture });
  const { result } = await apply(plan(patching(live, { description: 'new' })));
  expect(result).toMatchObject({ done: [gvc], failed: [], verified: true });
  expect(platform.at(gvc)?.version).toBe(4);
});

test('a creation whose lost reply is looked for too early is found later, not made twice', async () => {
  const { platform, apply } = fakePlatform();
  const picture = platform.picture();
  platform.fault('create', gvc, { kind: 'lost-after' });
  platform.fault('read', gvc, { kind: 'stale', picture }, { kind: 'stale', picture });
  const { result } = await apply(plan(creating(gvc)));
  expect(result).toMatchObject({ done: [gvc], failed: [], verified: true });
  expect(platform.at(gvc)?.version).toBe(1);
});

test('a replaced record that is still shown is not taken for somebody else’s', async () => {
  const { platform, apply } = fakePlatform();
  const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc, 4) }, 4);
  const picture = platform.picture();
  platform.fault('create', gvc, { kind: 'lost-after' });
  // The read before the DELETE, the one that sees it gone, then two old ones after the lost POST.
  platform.fault(
    'read',
    gvc,
    { kind: 'meanwhile', happens: () => {} },
    { kind: 'meanwhile', happens: () => {} },
    { kind: 'stale', picture },
    { kind: 'stale', picture },
  );
  const { result } = await apply(
    plan(creating(gvc, { action: 'replace', liveUid: live.uid, liveVersion: live.version })),
  );
  expect(result).toMatchObject({ done: [gvc], failed: [], verified: true });
  expect(platform.at(gvc)).toMatchObject({ version: 1, record: { description: 'made' } });
});

test('readiness of a kept workload is judged by its record, not by an older one', async () => {
  const { platform, apply } = fakePlatform();
  platform.put(ref(web), { spec: { type: 'cron', defaultOptions: { suspend: true } }, tags: tags(web) }, 1, 'uid-w');
  const picture = platform.picture();
  const live = platform.put(ref(web), { spec: { type: 'cron' }, tags: tags(web) }, 2, 'uid-w');
  platform.fault('read', web, { kind: 'stale', picture });
  let asked = 0;
  platform.deploymentsOf.set(web, () => {
    asked += 1;
    return [{ status: { ready: true } }];
  });
  const kept = change(live.id, { action: 'keep' });
  const waiting = creating('domain/x.example', {
    requires: [{ on: web, because: 'it routes to it', soft: false, ready: true }],
  });
  const { result } = await apply(plan(kept, waiting));
  expect(result.failed).toEqual([]);
  expect(asked).toBe(1); // by the old record it was suspended, and nobody would have looked
});

test('verification asks again before it says that something is not there', async () => {
  const { platform, apply } = fakePlatform();
  const picture = platform.picture();
  platform.fault('owned', stack, { kind: 'stale', picture }, { kind: 'stale', picture });
  const { result } = await apply(plan(creating(gvc)));
  expect(result).toMatchObject({ verified: true });
  expect(platform.log.filter((line) => line.startsWith('owned'))).toHaveLength(3);
});

test('verification does not believe versions that are older than what was written', async () => {
  const { platform, apply } = fakePlatform();
  const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) }, 3);
  const picture = platform.picture();
  platform.fault('owned', stack, { kind: 'stale', picture });
  const { result } = await apply(plan(patching(live, { description: 'new' })));
  expect(result).toMatchObject({ verified: true });
  expect(result.differences).toBeUndefined();
});

test('read.own-writes: what lists show of the time before a write is read by name, however long they lag', async () => {
  const { platform, apply } = fakePlatform();
  const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) }, 3);
  const picture = platform.picture();
  platform.fault('owned', stack, ...Array.from({ length: 20 }, () => ({ kind: 'stale', picture }) as const));
  const { result } = await apply(plan(patching(live, { description: 'new' })));
  expect(result).toMatchObject({ verified: true, failed: [] });
  expect(platform.log.filter((line) => line.startsWith('owned'))).toHaveLength(1);
});

test('a list that still shows the record that was replaced is not taken for a record of somebody else', async () => {
  const { platform, apply } = fakePlatform();
  const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc, 4) }, 4);
  const picture = platform.picture();
  platform.fault('owned', stack, ...Array.from({ length: 20 }, () => ({ kind: 'stale', picture }) as const));
  const { result } = await apply(
    plan(creating(gvc, { action: 'replace', liveUid: live.uid, liveVersion: live.version })),
  );
  expect(result).toMatchObject({ done: [gvc], failed: [], verified: true });
});
