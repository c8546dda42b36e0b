import { describe, expect, test } from 'vitest';
import { growthAt, growthPolicy, nextGrowthMs, usedGb } from '../../../src/server/volumes/decisions/growth.ts';
import { nextExpiryMs, retentionMs, scheduledName } from '../../../src/server/volumes/decisions/snapshots.ts';
import {
  dataPoints,
  type UsageSpan,
  usageAfterReset,
  usedAt,
  withoutOldSpans,
  withSimulatedUsage,
} from '../../../src/server/volumes/decisions/usage.ts';
import { hour, minute, start, volume } from './volumes.ts';

const day = 24 * hour;

function span(by: UsageSpan['by'], hours: number, gigabytes: number, gbPerHour = 0): UsageSpan {
  return { by, fromMs: start + hours * hour, usedGb: gigabytes, gbPerHour };
}

describe('the used space of a volume', () => {
  const usage = [span('seed', 0, 1), span('sample', 2, 4), span('course', 4, 5, 2)];

  test.each([
    [-1, 0],
    [1, 1],
    [2, 4],
    [3.9, 4],
    [4, 5],
    [5.5, 8],
  ])('after %d hours is %d GB', (hours, gigabytes) => {
    expect(usedAt(usage, start + hours * hour)).toBe(gigabytes);
  });

  test("is at most the volume's size, at least zero, and zero before its creation and after its deletion", () => {
    expect(usedGb(volume({ usage: [span('sample', 0, 12)] }), start)).toBe(10);
    expect(usedGb(volume({ usage, fromMs: start + hour }), start)).toBe(0);
    expect(usedGb(volume({ usage, deleted: true }), start)).toBe(0);
    expect(usedGb(volume({ usage: [span('course', 0, 1, -1)] }), start + 5 * hour)).toBe(0);
  });

  test('is measured once for each sample and every five minutes of a line, without generated values beside them', () => {
    const points = dataPoints(usage, start, start + 4 * hour + 10 * minute);
    expect(points).toEqual([
      { atMs: start + 2 * hour, usedGb: 4 },
      { atMs: start + 4 * hour, usedGb: 5 },
      { atMs: start + 4 * hour + 5 * minute, usedGb: 5 + 1 / 6 },
      { atMs: start + 4 * hour + 10 * minute, usedGb: 5 + 1 / 3 },
    ]);
    expect(dataPoints([span('seed', 0, 1)], start, start + hour)).toHaveLength(13);
  });

  test('is measured within a window including both ends, and for a line from its start on', () => {
    const line = [span('course', -5, 1, 1)];
    expect(dataPoints(line, start, start + 10 * minute).map(({ atMs }) => (atMs - start) / minute)).toEqual([0, 5, 10]);
    expect(dataPoints(line, start + 1, start + 4 * minute)).toEqual([]);
    expect(dataPoints([span('sample', 0, 1), span('sample', 1, 1)], start, start + hour)).toHaveLength(2);
  });

  test('follows a new sample in place of later generated values, and of an earlier sample for the same time', () => {
    const seeded = [span('seed', 0, 1)];
    expect(withSimulatedUsage(seeded, [span('sample', -1, 3)])).toEqual([span('sample', -1, 3)]);
    expect(withSimulatedUsage(seeded, [span('sample', 1, 3)])).toEqual([span('seed', 0, 1), span('sample', 1, 3)]);
    expect(withSimulatedUsage([span('sample', 1, 3)], [span('sample', 1, 4), span('sample', 0, 2)])).toEqual([
      span('sample', 0, 2),
      span('sample', 1, 4),
    ]);
  });

  test('starts anew after a reset, continues to grow along a line, and keeps later samples', () => {
    const at = start + 5 * hour;
    const later = span('sample', 9, 9);
    expect(usageAfterReset([span('seed', 0, 1), span('course', 4, 5, 2), later], at, 0)).toEqual([
      span('course', 5, 0, 2),
      later,
    ]);
    expect(usageAfterReset([span('sample', 4, 5)], at, 1)).toEqual([span('seed', 5, 1)]);
  });

  test('is forgotten before the window of every prediction, except the value that still applies (platform/volumeset)', () => {
    const old = [span('sample', 0, 1), span('sample', 1, 2), span('sample', 2, 3)];
    expect(withoutOldSpans(old, start + 168 * hour)).toEqual(old);
    expect(withoutOldSpans(old, start + 169.5 * hour)).toEqual(old.slice(1));
    expect(withoutOldSpans(old, start + 400 * hour)).toEqual(old.slice(2));
  });
});

describe('the next check for growth (platform/volumeset.growth)', () => {
  const policy = growthPolicy({ spec: { autoscaling: { minFreePercentage: 20, scalingFactor: 1.5 } } });
  if (policy === undefined) throw new Error('there is a policy');

  test('is at the first measurement with too little free space', () => {
    // The volume has 8 GB after 3 hours, and more at the next measurement.
    const growing = volume({ usage: [span('course', 0, 5, 1)] });
    expect(nextGrowthMs([volume(), growing], policy, start + 1)).toBe(start + 3 * hour + 5 * minute);
    expect(growthAt(growing, policy, start + 3 * hour)).toBeUndefined();
  });

  test('is immediate if there is already too little free space', () => {
    expect(nextGrowthMs([volume({ usage: [span('sample', 0, 9)] })], policy, start + 7)).toBe(start + 7);
  });

  test('is at a sample with too little free space, and at the creation of a full volume', () => {
    const sample = { ...span('sample', 0, 9), fromMs: start + 7 * minute };
    expect(nextGrowthMs([volume({ usage: [sample] })], policy, start)).toBe(start + 7 * minute);
    const coming = volume({ fromMs: start + 9 * minute, usage: [span('sample', 0, 9)] });
    expect(nextGrowthMs([coming], policy, start)).toBe(start + 9 * minute);
  });

  test('is a day later if nothing grows until then; deleted volumes and those with a running command do not grow', () => {
    const full = { usage: [span('sample', 0, 9)] };
    expect(nextGrowthMs([volume()], policy, start)).toBe(start + day);
    expect(nextGrowthMs([volume({ ...full, deleted: true })], policy, start)).toBe(start + day);
    expect(nextGrowthMs([volume({ ...full, inWorkBy: 'a command' })], policy, start)).toBe(start + day);
  });
});

test.each([
  ['7d', 7 * day],
  ['1.5h', 1.5 * hour],
  ['90m', 1.5 * hour],
  [undefined, undefined],
])('retentionDuration %s is read (platform/volumeset)', (retentionDuration, ms) => {
  const snapshots = retentionDuration === undefined ? {} : { retentionDuration };
  expect(retentionMs({ spec: { snapshots } })).toBe(ms);
});

test('the next expiry is the earliest one, and snapshots without one do not expire', () => {
  const snapshot = { id: '', createdMs: 0, sizeGb: 1, usedGb: 1, tags: [], scheduled: false };
  const of = (...times: readonly number[]) =>
    volume({ snapshots: times.map((expiresMs) => ({ ...snapshot, name: String(expiresMs), expiresMs })) });
  expect(nextExpiryMs([of(0), of(30, 20), of(25)])).toBe(20);
  expect(nextExpiryMs([of(0)])).toBeUndefined();
  expect(scheduledName(Date.UTC(2027, 0, 31, 4, 5))).toBe('scheduled-2027-01-31-04-05');
});
