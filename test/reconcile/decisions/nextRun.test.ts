import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextRunMs } from '../../../src/reconcile/decisions/whatToDo.ts';

const times = { nowMs: 1_000, failures: 0, random: 0 };
const minute = 60_000;

test('a stack runs again after its interval plus at most its jitter', () => {
  const entry = { intervalMs: 5 * minute, jitterMs: minute };
  const waits = [0, 0.5, 0.999].map((random) => nextRunMs(entry, { ...times, random }) - times.nowMs);
  expect(waits).toEqual([300_000, 330_000, 359_940]);
});

test('a failing stack is retried after 15 s, then after twice as long each time, up to its interval', () => {
  const entry = { intervalMs: 3 * minute, jitterMs: 0 };
  const waits = [1, 2, 3, 4, 5, 6, 60].map((failures) => nextRunMs(entry, { ...times, failures }) - times.nowMs);
  expect(waits).toEqual([15_000, 30_000, 60_000, 120_000, 180_000, 180_000, 180_000]);
});

test('the next run is always later than now, and never later than interval plus jitter', () => {
  const amounts = fc.record({
    intervalMs: fc.integer({ min: 1_000, max: 86_400_000 }),
    jitterMs: fc.integer({ min: 0, max: 86_400_000 }),
    failures: fc.nat({ max: 100_000 }),
    random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  });
  fc.assert(
    fc.property(amounts, ({ failures, random, ...entry }) => {
      const waitMs = nextRunMs(entry, { nowMs: 0, failures, random });
      expect(waitMs).toBeGreaterThan(0);
      expect(waitMs).toBeLessThanOrEqual(entry.intervalMs + entry.jitterMs);
    }),
  );
});
