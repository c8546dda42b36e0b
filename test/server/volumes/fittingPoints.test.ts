import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fittingPoints, projectedUse } from '../../../src/server/volumes/decisions/growth.ts';
import { dataPoints, type UsageSpan } from '../../../src/server/volumes/decisions/usage.ts';
import { hour, minute, start } from './volumes.ts';

const week = 168 * hour;
const prediction = {
  lookbackHours: 168,
  projectionHours: 24,
  minDataPoints: 10,
  minGrowthRateGBPerHour: 0.01,
  scalingFactor: 1,
};

test('a week of steady growth is described by the required number of points, including the first and the last', () => {
  const line: UsageSpan = { by: 'course', fromMs: start - 1, usedGb: 5, gbPerHour: 0.5 };
  const points = fittingPoints([line], start, start + week, 10);
  expect(points).toHaveLength(10);
  expect([points[0]?.atMs, points[9]?.atMs]).toEqual([start, start + week]);
  // 5 GB plus half a GB an hour is 89 GB at the end of the week, and 12 GB more a day later.
  expect(projectedUse(points, start + week, prediction)).toBeCloseTo(101, 6);
});

test('fewer measurements than required are not completed (platform/volumeset.growth)', () => {
  const line: UsageSpan = { by: 'course', fromMs: start, usedGb: 5, gbPerHour: 0.5 };
  expect(fittingPoints([line], start, start + 8 * 5 * minute, 10)).toHaveLength(9);
  expect(fittingPoints([line], start, start + 9 * 5 * minute, 10)).toHaveLength(10);
});

const spans = fc.array(
  fc.record({
    by: fc.constantFrom('seed' as const, 'sample' as const, 'course' as const),
    fromMs: fc.integer({ min: -200, max: 200 }).map((hours) => start + hours * hour),
    usedGb: fc.double({ min: 0, max: 1000, noNaN: true }),
    gbPerHour: fc.double({ min: -5, max: 5, noNaN: true }),
  }),
  { minLength: 1, maxLength: 3 },
);

test('the projection equals that of all points for random usage', () => {
  fc.assert(
    fc.property(spans, fc.integer({ min: 1, max: 168 }), (fed, hours) => {
      const usage = fed.toSorted((a, b) => a.fromMs - b.fromMs);
      // Very close to the least growth rate the two can differ in their last digit.
      fc.pre(usage.every(({ gbPerHour }) => Math.abs(gbPerHour - prediction.minGrowthRateGBPerHour) > 1e-6));
      const [from, to] = [start, start + hours * hour];
      const all = projectedUse(dataPoints(usage, from, to), to, prediction);
      const some = projectedUse(fittingPoints(usage, from, to, prediction.minDataPoints), to, prediction);
      expect(some === undefined).toBe(all === undefined);
      expect(some ?? 0).toBeCloseTo(all ?? 0, 6);
    }),
  );
});
