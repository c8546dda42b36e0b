import { describe, expect, test } from 'vitest';
import {
  type GrowthPolicy,
  growthPolicy,
  growthTarget,
  neededCapacity,
  type PredictivePolicy,
  projectedUse,
} from '../../../src/server/volumes/decisions/growth.ts';
import { hour, start } from './volumes.ts';

function policy(more: Partial<GrowthPolicy> = {}): GrowthPolicy {
  return { minFreePercentage: 20, scalingFactor: 1.5, maxCapacity: 100, predictive: undefined, ...more };
}

const predictive: PredictivePolicy = {
  lookbackHours: 24,
  projectionHours: 6,
  minDataPoints: 2,
  minGrowthRateGBPerHour: 0.01,
  scalingFactor: 1.2,
};

interface Reactive {
  readonly it: string;
  readonly sizeGb: number;
  readonly usedGb: number;
  readonly policy?: Partial<GrowthPolicy>;
  readonly capacityGb: number | undefined;
}

describe('reactive growth (platform/volumeset.growth)', () => {
  // biome-ignore format: a row is a case
  test.each<Reactive>([
    // 9 / 0.8 * 1.5
    { it: 'grows below the percentage', sizeGb: 10, usedGb: 9, capacityGb: 16.875 },
    { it: 'does not grow at exactly the percentage', sizeGb: 10, usedGb: 8, capacityGb: undefined },
    // 8.1 / 0.8 * 1.5 = 15.1875
    { it: 'grows just below the percentage', sizeGb: 10, usedGb: 8.1, capacityGb: 15.1875 },
    { it: 'does not grow above the percentage', sizeGb: 10, usedGb: 2, capacityGb: undefined },
    // 80 / 0.8 * 1.5 = 150
    { it: 'stops at the cap', sizeGb: 90, usedGb: 80, capacityGb: 100 },
    { it: 'does not grow at the cap', sizeGb: 100, usedGb: 99, capacityGb: undefined },
    { it: 'never shrinks a volume above the cap', sizeGb: 120, usedGb: 119, capacityGb: undefined },
    // 40 / 0.5 * 1.1 = 88
    { it: 'uses the percentage and the factor of the set', sizeGb: 50, usedGb: 40,
      policy: { minFreePercentage: 50, scalingFactor: 1.1 }, capacityGb: 88 },
    { it: 'grows to the cap at 100 %', sizeGb: 50, usedGb: 1, policy: { minFreePercentage: 100 }, capacityGb: 100 },
    // 2.7 of 13.5 GB is 20 %, but 19.999999999999993 % in floating point.
    { it: 'is not misled by floating point', sizeGb: 13.5, usedGb: 10.8, capacityGb: undefined },
    // 9 / 0.8 * 1.2 = 13.5 exactly
    { it: 'is exact to the byte', sizeGb: 10, usedGb: 9, policy: { scalingFactor: 1.2 }, capacityGb: 13.5 },
  ])('$it', ({ sizeGb, usedGb, policy: more, capacityGb }) => {
    const target = growthTarget({ sizeGb, usedGb, points: [], grown: false, nowMs: start }, policy(more));
    expect(target).toEqual(capacityGb === undefined ? undefined : { capacityGb, law: 'reactive' });
  });

  test('the needed capacity is used / (1 - percentage) * factor', () => {
    expect(neededCapacity(30, policy({ minFreePercentage: 25, scalingFactor: 2 }))).toBe(80);
    expect(neededCapacity(30, policy({ minFreePercentage: 25 }), 1.1)).toBeCloseTo(44, 9);
  });
});

/** Points at whole hours before now, the latest first. */
function points(...usedGb: readonly number[]) {
  return usedGb.map((used, hoursAgo) => ({ atMs: start - hoursAgo * hour, usedGb: used })).toReversed();
}

interface Projection {
  readonly it: string;
  readonly latestFirst: readonly number[];
  readonly policy?: Partial<PredictivePolicy>;
  readonly projectedGb: number | undefined;
}

describe('projected use (platform/volumeset.growth)', () => {
  // biome-ignore format: one case a line
  const cases: readonly Projection[] = [
    { it: 'follows a straight line', latestFirst: [50, 49, 48, 47], projectedGb: 56 },
    { it: 'looks ahead by projectionHours', latestFirst: [50, 49], policy: { projectionHours: 72 }, projectedGb: 122 },
    // Hours 0, 1, 2, 3 with 10, 12, 11, 15 GB: mean 1.5 and 12; slope (3 + 0 - 0.5 + 4.5) / 5 = 1.4; at hour 9: 22.5.
    { it: 'fits least squares, not the last point', latestFirst: [15, 11, 12, 10], projectedGb: 22.5 },
    { it: 'needs enough points', latestFirst: [50, 49], policy: { minDataPoints: 3 }, projectedGb: undefined },
    { it: 'works with exactly enough points', latestFirst: [50, 49, 48], policy: { minDataPoints: 3 }, projectedGb: 56 },
    { it: 'is skipped when growth is too slow', latestFirst: [50, 49.991], projectedGb: undefined },
    { it: 'is not skipped at exactly the least growth', latestFirst: [50, 49.99], projectedGb: 50.06 },
    { it: 'is skipped when usage falls', latestFirst: [48, 49, 50], projectedGb: undefined },
    { it: 'can be a flat line if no least growth is required', latestFirst: [5, 5, 5], policy: { minGrowthRateGBPerHour: 0 }, projectedGb: 5 },
  ];

  test.each(cases)('$it', ({ latestFirst, policy: more, projectedGb }) => {
    const projected = projectedUse(points(...latestFirst), start, { ...predictive, ...more });
    if (projectedGb === undefined) expect(projected).toBeUndefined();
    else expect(projected).toBeCloseTo(projectedGb, 9);
  });

  test('is skipped if all points have the same time', () => {
    const same = [
      { atMs: start, usedGb: 1 },
      { atMs: start, usedGb: 2 },
    ];
    expect(projectedUse(same, start, predictive)).toBeUndefined();
  });
});

interface Both {
  readonly it: string;
  readonly sizeGb: number;
  readonly latestFirst: readonly number[];
  readonly policy?: Partial<GrowthPolicy>;
  readonly grown?: boolean;
  readonly target: { readonly capacityGb: number; readonly law: string } | undefined;
}

describe('the larger target wins, up to the cap (platform/volumeset.growth)', () => {
  // biome-ignore format: a row is a case
  test.each<Both>([
    // Projected 56 GB: 56 / 0.8 * 1.2 = 84. The reactive law does not apply at 50 of 70 GB (28.6 % free).
    { it: 'grows by prediction before the percentage is reached', sizeGb: 70, latestFirst: [50, 49, 48],
      target: { capacityGb: 84, law: 'predictive' } },
    // Reactive 57 / 0.8 * 1.5 = 106.875; predicted 63 / 0.8 * 1.2 = 94.5.
    { it: 'takes the reactive target if it is larger', sizeGb: 60, latestFirst: [57, 56, 55],
      policy: { maxCapacity: 500 }, target: { capacityGb: 106.875, law: 'reactive' } },
    // Growing 10 GB an hour: reactive 57 / 0.8 * 1.5 = 106.875; predicted 117 / 0.8 * 1.2 = 175.5.
    { it: 'takes the predicted target if it is larger', sizeGb: 60, latestFirst: [57, 47, 37],
      policy: { maxCapacity: 500 }, target: { capacityGb: 175.5, law: 'predictive' } },
    { it: 'stops at the cap', sizeGb: 60, latestFirst: [57, 47, 37], target: { capacityGb: 100, law: 'predictive' } },
    { it: 'does not grow a volume that is large enough', sizeGb: 90, latestFirst: [50, 49, 48], target: undefined },
    // 56 of 75 GB leave 25.3 %: enough, although 84 GB are more than 75.
    { it: 'does not grow a volume again that will have enough free space', sizeGb: 75,
      latestFirst: [50, 49, 48], grown: true, target: undefined },
    // 56 of 69 GB leave 18.8 %, which is too little.
    { it: 'grows a volume again that will have too little free space', sizeGb: 69,
      latestFirst: [50, 49, 48], grown: true, target: { capacityGb: 84, law: 'predictive' } },
  ])('$it', ({ sizeGb, latestFirst, policy: more, grown = false, target }) => {
    const usedGb = latestFirst[0] ?? 0;
    const fill = { sizeGb, usedGb, points: points(...latestFirst), grown, nowMs: start };
    expect(growthTarget(fill, policy({ predictive, ...more }))).toEqual(target);
  });
});

describe('the policy of a set (platform/volumeset.growth)', () => {
  const autoscaling = { maxCapacity: 200, minFreePercentage: 20, scalingFactor: 1.5 };

  test('has the defaults of the table for a prediction, with the factor of the set', () => {
    expect(growthPolicy({ spec: { autoscaling: { ...autoscaling, predictive: { enabled: true } } } })).toEqual({
      maxCapacity: 200,
      minFreePercentage: 20,
      scalingFactor: 1.5,
      predictive: {
        lookbackHours: 24,
        projectionHours: 6,
        minDataPoints: 10,
        minGrowthRateGBPerHour: 0.01,
        scalingFactor: 1.5,
      },
    });
  });

  test('has no prediction if it is not enabled', () => {
    expect(growthPolicy({ spec: { autoscaling: { ...autoscaling, predictive: { scalingFactor: 2 } } } })).toEqual({
      ...autoscaling,
      predictive: undefined,
    });
  });

  test('does not exist without a percentage or a factor, and has the limit of the class as default cap', () => {
    expect(growthPolicy({ spec: {} })).toBeUndefined();
    expect(growthPolicy({ spec: { autoscaling: { minFreePercentage: 20 } } })).toBeUndefined();
    expect(growthPolicy({ spec: { autoscaling: { scalingFactor: 2 } } })).toBeUndefined();
    expect(growthPolicy({ spec: { autoscaling: { minFreePercentage: 20, scalingFactor: 2 } } })).toMatchObject({
      maxCapacity: 65_536,
    });
  });
});
