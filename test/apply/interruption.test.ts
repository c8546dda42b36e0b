import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { ToolError } from '../../src/base/toolError.ts';
import { failures, fakePlatform, writes } from './harness/harness.ts';
import { body, creating, deleting, following, plan, ref, tags } from './harness/plans.ts';

const old = 'workload/town/hall';
const refused = { kind: 'error', code: 'api.invalid', message: 'no' } as const;

/** The number of writes sent at each call of `stopRetrying`. */
function impatience(platform: ReturnType<typeof fakePlatform>['platform']) {
  const calls: number[] = [];
  return { calls, stopRetrying: () => void calls.push(writes(platform).length) };
}

describe('the end of retries', () => {
  test('never comes without an interruption, and the listener of the signal is removed', async () => {
    const { platform, apply } = fakePlatform();
    const { calls, stopRetrying } = impatience(platform);
    const controller = new AbortController();
    const { result } = await apply(plan(creating('gvc/a'), creating('gvc/b')), {
      signal: controller.signal,
      stopRetrying,
    });
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    expect(result.interrupted).toBe(false);
    expect(calls).toEqual([]);
  });

  test('comes once and immediately if nothing must be completed, with any number of requests in flight', async () => {
    const { platform, apply } = fakePlatform();
    const { calls, stopRetrying } = impatience(platform);
    const controller = new AbortController();
    platform.fault('create', 'gvc/a', { kind: 'meanwhile', happens: () => controller.abort() });
    const { result } = await apply(plan(creating('gvc/a'), creating('gvc/b'), creating('gvc/c', following('gvc/a'))), {
      signal: controller.signal,
      stopRetrying,
    });
    expect(calls).toEqual([2]);
    expect(result).toMatchObject({ done: ['gvc/a', 'gvc/b'], interrupted: true, verified: undefined });
    expect(result.skipped).toEqual([{ id: 'gvc/c', because: 'the run was interrupted' }]);
  });

  test('comes before the first request if the run was interrupted before its start', async () => {
    const { platform, apply } = fakePlatform();
    const { calls, stopRetrying } = impatience(platform);
    const { result } = await apply(plan(creating('gvc/a')), { signal: AbortSignal.abort(), stopRetrying });
    expect(calls).toEqual([0]);
    expect(result).toMatchObject({ skipped: [{ id: 'gvc/a' }], requests: 0 });
  });

  test('comes once, when the last deleted record is created again', async () => {
    const { platform, apply } = fakePlatform();
    const { calls, stopRetrying } = impatience(platform);
    const live = platform.put(ref(old), { tags: tags(old), status: { locations: [] } });
    const controller = new AbortController();
    platform.fault('delete', old, { kind: 'meanwhile', happens: () => controller.abort() });
    const replacing = creating(old, { action: 'replace', liveUid: live.uid, liveVersion: live.version });
    await apply(plan(replacing, creating('gvc/b', following(old))), { signal: controller.signal, stopRetrying });
    expect(writes(platform)).toEqual([`patch ${old}`, `delete ${old}`, `create ${old}`]);
    expect(calls).toEqual([3]);
  });

  test('a run that waits for a busy record reports its interruption', async () => {
    const { platform, apply } = fakePlatform();
    const controller = new AbortController();
    platform.fault('create', 'gvc/a', { kind: 'error', code: 'api.conflict' });
    const { result, events } = await apply(plan(creating('gvc/a')), {
      signal: controller.signal,
      onEvent: ({ type }) => type === 'retrying' && controller.abort(),
    });
    // The first pause is 100 ms, a quarter of it jitter: here half of that.
    expect(events).toContainEqual(expect.objectContaining({ type: 'retrying', delayMs: 88 }));
    expect(result.skipped).toEqual([{ id: 'gvc/a', because: 'the run was interrupted' }]);
  });
});

describe('limits that refuse the run by now', () => {
  const closed = new ToolError({ code: 'limit.window', message: 'the window has closed', hint: undefined });

  test('requests in flight are finished, one change fails with the reason, and the others are skipped', async () => {
    const { platform, apply } = fakePlatform();
    let isClosed = false;
    platform.fault('create', 'gvc/a', { kind: 'meanwhile', happens: () => (isClosed = true) });
    const { result } = await apply(
      plan(creating('gvc/a'), creating('gvc/b', following('gvc/a')), creating('gvc/c', following('gvc/a'))),
      { refusedNow: async () => (isClosed ? closed : undefined) },
    );
    expect(writes(platform)).toEqual(['create gvc/a']);
    expect(result.done).toEqual(['gvc/a']);
    expect(result.failed).toEqual([{ id: 'gvc/b', error: closed }]);
    expect(result.skipped).toEqual([{ id: 'gvc/c', because: 'the window has closed' }]);
  });

  test('a write that waits for a busy record is not sent again', async () => {
    const { platform, apply } = fakePlatform();
    let isClosed = false;
    platform.fault('create', 'gvc/a', { kind: 'error', code: 'api.conflict' });
    const applied = await apply(plan(creating('gvc/a')), {
      refusedNow: async () => (isClosed ? closed : undefined),
      onEvent: ({ type }) => {
        if (type === 'retrying') isClosed = true;
      },
    });
    expect(writes(platform)).toEqual(['create gvc/a']);
    expect(failures(applied)).toEqual(['gvc/a: limit.window']);
  });

  test('a record deleted to be replaced is created again, and one that is not yet marked is not deleted', async () => {
    const replacing = async (closesAt: 'delete' | 'read') => {
      const { platform, apply } = fakePlatform();
      const live = platform.put(ref(old), { tags: tags(old), status: { locations: [] } });
      let isClosed = false;
      platform.fault(closesAt, old, { kind: 'meanwhile', happens: () => (isClosed = true) });
      const change = creating(old, { action: 'replace', liveUid: live.uid, liveVersion: live.version });
      const applied = await apply(plan(change), { refusedNow: async () => (isClosed ? closed : undefined) });
      return { writes: writes(platform), failures: failures(applied) };
    };
    expect(await replacing('delete')).toEqual({
      writes: [`patch ${old}`, `delete ${old}`, `create ${old}`],
      failures: [],
    });
    expect(await replacing('read')).toEqual({ writes: [], failures: [`${old}: limit.window`] });
  });
});

test('a new name whose old one was deleted first is written, although its second step fails', async () => {
  const { platform, apply } = fakePlatform();
  const live = platform.put(ref(old), { tags: tags(old) });
  const second = { then: body({ description: 'second' }), thenRequires: [] };
  const next = creating('workload/town/new', { renamedFrom: old, ...following(old), ...second });
  platform.fault('patch', next.id, refused);
  const { result } = await apply(plan(deleting(live), next));
  expect(result.done).toEqual([old]);
  expect(result.failed).toMatchObject([{ id: next.id, reached: 'written' }]);
});
