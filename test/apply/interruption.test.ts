import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { fakePlatform, writes } from './harness/harness.ts';
import { body, creating, deleting, following, plan, ref, tags } from './harness/plans.ts';

const old = 'workload/town/hall';
const refused = { kind: 'error', code: 'api.invalid', message: 'no' } as const;

/** How many writes had been sent at each call of `stopRetrying`. */
function impatience(platform: ReturnType<typeof fakePlatform>['platform']) {
  const calls: number[] = [];
  return { calls, stopRetrying: () => void calls.push(writes(platform).length) };
}

describe('when requests are repeated no longer', () => {
  test('never, where nobody interrupts; and the signal is let go of', async () => {
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

  test('at once and once, where nothing has to be brought to its end, however much is in flight', async () => {
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

  test('before the first request, where the run was interrupted before it began', async () => {
    const { platform, apply } = fakePlatform();
    const { calls, stopRetrying } = impatience(platform);
    const { result } = await apply(plan(creating('gvc/a')), { signal: AbortSignal.abort(), stopRetrying });
    expect(calls).toEqual([0]);
    expect(result).toMatchObject({ skipped: [{ id: 'gvc/a' }], requests: 0 });
  });

  test('once, when the last of what was deleted is created again', async () => {
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

  test('a run that waits for a busy record says that it was interrupted', async () => {
    const { platform, apply } = fakePlatform();
    const controller = new AbortController();
    platform.fault('create', 'gvc/a', { kind: 'error', code: 'api.conflict' });
    const { result, events } = await apply(plan(creating('gvc/a')), {
      signal: controller.signal,
      onEvent: ({ type }) => type === 'retrying' && controller.abort(),
    });
    // The first pause is of 100 ms, a quarter of it jitter: here half of that.
    expect(events).toContainEqual(expect.objectContaining({ type: 'retrying', delayMs: 88 }));
    expect(result.skipped).toEqual([{ id: 'gvc/a', because: 'the run was interrupted' }]);
  });
});

test('a new name whose old one had to go first is written, although its second step fails', async () => {
  const { platform, apply } = fakePlatform();
  const live = platform.put(ref(old), { tags: tags(old) });
  const second = { then: body({ description: 'second' }), thenRequires: [] };
  const next = creating('workload/town/new', { renamedFrom: old, ...following(old), ...second });
  platform.fault('patch', next.id, refused);
  const { result } = await apply(plan(deleting(live), next));
  expect(result.done).toEqual([old]);
  expect(result.failed).toMatchObject([{ id: next.id, reached: 'written' }]);
});
