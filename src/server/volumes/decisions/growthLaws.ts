import type { GrowthPolicy, PredictivePolicy } from './growthPolicy.ts';
import { type DataPoint, hourMs } from './usage.ts';

/** The input of the growth laws for a volume at one time. */
export interface Fill {
  /** GB. */
  readonly sizeGb: number;
  readonly usedGb: number;
  /** The measurements in the window of the prediction. */
  readonly points: readonly DataPoint[];
  /** Its size results from these laws. */
  readonly grown: boolean;
  readonly nowMs: number;
}

export interface GrowthTarget {
  readonly capacityGb: number;
  readonly law: 'predictive' | 'reactive';
}

/**
 * The size that a volume should grow to now; undefined: unchanged. It never shrinks. Capacities are exact to the byte,
 * not rounded to GB: platform/volumeset.growth gives an equation.
 */
export function growthTarget(fill: Fill, policy: GrowthPolicy): GrowthTarget | undefined {
  const reactive = isShort(fill.usedGb, fill.sizeGb, policy) ? neededCapacity(fill.usedGb, policy) : undefined;
  const predictive = predictiveCapacity(fill, policy);
  const wanted = Math.max(reactive ?? 0, predictive ?? 0);
  const capacityGb = withoutNoise(Math.min(wanted, policy.maxCapacity));
  if (capacityGb <= fill.sizeGb) return undefined;
  return { capacityGb, law: (predictive ?? 0) > (reactive ?? 0) ? 'predictive' : 'reactive' };
}

/** Rule 5: is the free percentage below the minimum? */
function isShort(usedGb: number, sizeGb: number, { minFreePercentage }: GrowthPolicy): boolean {
  return withoutNoise(((sizeGb - usedGb) / sizeGb) * 100) < minFreePercentage;
}

/**
 * `usedGb / (1 - minFreePercentage/100) * factor`, in GB. At 100 % no finite size is enough, so the result is the cap.
 * `factor`: by default that of the policy; predictions have their own.
 */
export function neededCapacity(usedGb: number, policy: GrowthPolicy, factor = policy.scalingFactor): number {
  if (policy.minFreePercentage >= 100) return policy.maxCapacity;
  return (usedGb / (1 - policy.minFreePercentage / 100)) * factor;
}

/**
 * Rule 6, before the cap; undefined if the prediction is off or skipped. A volume that has grown by a rule grows by
 * prediction again only if a shortage is foreseen: its size already includes a foreseen need, and otherwise each check
 * would add a little (see `predictionWaitsForShortage`).
 */
function predictiveCapacity(fill: Fill, policy: GrowthPolicy): number | undefined {
  const { predictive } = policy;
  if (predictive === undefined) return undefined;
  const projectedGb = projectedUse(fill.points, fill.nowMs, predictive);
  if (projectedGb === undefined) return undefined;
  if (fill.grown && !isShort(projectedGb, fill.sizeGb, policy)) return undefined;
  return neededCapacity(projectedGb, policy, predictive.scalingFactor);
}

/** GB in use `projectionHours` from now on the fitted line; undefined with too few points or too little growth. */
export function projectedUse(
  points: readonly DataPoint[],
  nowMs: number,
  { minDataPoints, minGrowthRateGBPerHour, projectionHours }: PredictivePolicy,
): number | undefined {
  if (points.length < minDataPoints) return undefined;
  const line = fittedLine(points);
  if (line === undefined || withoutNoise(line.gbPerHour) < minGrowthRateGBPerHour) return undefined;
  const hours = (nowMs - line.middleMs) / hourMs + projectionHours;
  return Math.max(0, line.middleGb + line.gbPerHour * hours);
}

interface Line {
  readonly middleMs: number;
  readonly middleGb: number;
  readonly gbPerHour: number;
}

/** Least squares around the mean: squares of times since 1970 would lose the minutes to rounding. */
function fittedLine(points: readonly DataPoint[]): Line | undefined {
  const count = points.length;
  const first = points[0];
  if (first === undefined) return undefined;
  let [hours, used] = [0, 0];
  for (const { atMs, usedGb } of points) {
    hours += (atMs - first.atMs) / hourMs;
    used += usedGb;
  }
  const [middleHours, middleGb] = [hours / count, used / count];
  let [together, spread] = [0, 0];
  for (const { atMs, usedGb } of points) {
    const distance = (atMs - first.atMs) / hourMs - middleHours;
    together += distance * (usedGb - middleGb);
    spread += distance * distance;
  }
  if (spread === 0) return undefined;
  return { middleMs: first.atMs + middleHours * hourMs, middleGb, gbPerHour: together / spread };
}

/** Rounded to nine decimals, which are bytes of a GB: floating point gives 13.499999999999998 for 13.5. */
function withoutNoise(value: number): number {
  return Math.round(value * 1e9) / 1e9;
}
