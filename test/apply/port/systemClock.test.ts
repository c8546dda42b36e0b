import { getEventListeners } from 'node:events';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/apply/port.ts';

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
});
afterEach(() => {
  mock.timers.reset();
});

/** A sleep of one second, and whether it has ended. */
function asleep(signal?: AbortSignal): { readonly hasEnded: () => Promise<boolean> } {
  let ended = false;
  void systemClock.sleep(1_000, signal).then(() => {
    ended = true;
  });
  return {
    async hasEnded() {
      await new Promise(setImmediate);
      return ended;
    },
  };
}

describe('the system clock', () => {
  test('has the time of the process', () => {
    const before = performance.now();
    const now = systemClock.now();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(performance.now());
  });

  test.each([
    { it: 'without a signal', signal: undefined },
    { it: 'with a signal that does not abort', signal: new AbortController().signal },
  ])('sleeps for the given time $it', async ({ signal }) => {
    const { hasEnded } = asleep(signal);
    mock.timers.tick(999);
    expect(await hasEnded()).toBe(false);
    mock.timers.tick(1);
    expect(await hasEnded()).toBe(true);
  });

  test('ends a sleep when the signal aborts', async () => {
    const controller = new AbortController();
    const { hasEnded } = asleep(controller.signal);
    expect(await hasEnded()).toBe(false);
    controller.abort();
    expect(await hasEnded()).toBe(true);
  });

  test('does not sleep if the signal has aborted', async () => {
    expect(await asleep(AbortSignal.abort()).hasEnded()).toBe(true);
  });

  test('removes its listener after a sleep, as a run has thousands of them', async () => {
    const { signal } = new AbortController();
    const { hasEnded } = asleep(signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    mock.timers.tick(1_000);
    expect(await hasEnded()).toBe(true);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
