import { type JsonObject, numberAt, objectAt, own } from '../../../base/json/json.ts';
import { compact } from '../../../base/json/present.ts';
import { mostCapacity } from '../../../kinds/volumeset/rules.ts';
import {
  type DataPoint,
  dataPoints,
  hourMs,
  measurementIntervalMs,
  spanUsage,
  type UsageSpan,
  unclampedSpanUsage,
  usedAt,
} from './usage.ts';
import type { Volume } from './volume.ts';

/** GB in use, at most the capacity; 0 before creation and after deletion. */
export function usedGb(volume: Volume, atMs: number): number {
  if (volume.deleted || volume.fromMs > atMs) return 0;
  return Math.min(volume.sizeGb, usedAt(volume.usage, atMs));
}

/** The size to which a volume should grow at this time, by its known usage. */
export function growthAt(volume: Volume, policy: GrowthPolicy, nowMs: number): GrowthTarget | undefined {
  if (volume.deleted || volume.fromMs > nowMs || volume.inWorkBy !== '') return undefined;
  const { lookbackHours = 0, minDataPoints = 2 } = policy.predictive ?? {};
  return growthTarget(
    {
      sizeGb: volume.sizeGb,
      usedGb: usedGb(volume, nowMs),
      points:
        lookbackHours === 0
          ? []
          : fittingPoints(volume.usage, nowMs - lookbackHours * hourMs, nowMs, Math.max(2, minDataPoints)),
      grown: volume.grown,
      nowMs,
    },
    policy,
  );
}

/** The search for the next growth stops after this time and is repeated then. */
const growthHorizonMs = 24 * hourMs;

/**
 * The next time to check the volumes: now, or the first measurement at which one grows, so that no job runs for others.
 * Future usage is known, because usage is a function of time.
 */
export function nextGrowthMs(volumes: readonly Volume[], policy: GrowthPolicy, nowMs: number): number {
  const lastMs = nowMs + growthHorizonMs;
  for (const atMs of checkTimes(volumes, nowMs, lastMs)) {
    if (volumes.some((volume) => growthAt(volume, policy, atMs) !== undefined)) return atMs;
  }
  return lastMs;
}

/** The times to check: now, each measurement, and each start of a volume or of simulated usage. */
function checkTimes(volumes: readonly Volume[], nowMs: number, lastMs: number): readonly number[] {
  const times = new Set([nowMs]);
  const firstMs = Math.ceil(nowMs / measurementIntervalMs) * measurementIntervalMs;
  for (let atMs = firstMs; atMs <= lastMs; atMs += measurementIntervalMs) times.add(atMs);
  for (const { usage, fromMs } of volumes) {
    for (const timeMs of [fromMs, ...usage.map((span) => span.fromMs)]) {
      if (timeMs > nowMs && timeMs <= lastMs) times.add(timeMs);
    }
  }
  return [...times].toSorted((a, b) => a - b);
}

/**
 * The data points for fitting a line. If all are on one straight line, `maxPoints` of them (at least 2) give the same
 * line, which saves processing the two thousand of a week in each prediction.
 */
export function fittingPoints(
  usage: readonly UsageSpan[],
  fromMs: number,
  toMs: number,
  maxPoints: number,
): readonly DataPoint[] {
  const line = onlyLine(usage, fromMs, toMs);
  if (line === undefined) return dataPoints(usage, fromMs, toMs);
  const { span, firstMs, count } = line;
  const pointCount = Math.min(count, maxPoints);
  return Array.from({ length: pointCount }, (_, index) => {
    const step = pointCount === count ? index : Math.round((index * (count - 1)) / (pointCount - 1));
    const atMs = firstMs + step * measurementIntervalMs;
    return { atMs, usedGb: spanUsage(span, atMs) };
  });
}

interface OnlyLine {
  readonly span: UsageSpan;
  /** The time of the first measurement, and the number of measurements. */
  readonly firstMs: number;
  readonly count: number;
}

/** The only span measured in a window, if it is straight there: negative usage counts as zero, which bends a line. */
function onlyLine(usage: readonly UsageSpan[], fromMs: number, toMs: number): OnlyLine | undefined {
  const hasSimulatedUsage = usage.some(({ by }) => by !== 'seed');
  const measured = compact(usage, (span, index) => {
    if (hasSimulatedUsage && span.by === 'seed') return undefined;
    const endMs = Math.min(usage[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY, toMs + 1);
    const firstMs = Math.ceil(Math.max(span.fromMs, fromMs) / measurementIntervalMs) * measurementIntervalMs;
    return endMs <= Math.max(span.fromMs, fromMs) ? undefined : { span, firstMs, endMs };
  });
  const [only] = measured;
  if (only === undefined || measured.length > 1 || only.span.by === 'sample') return undefined;
  const { span, firstMs, endMs } = only;
  const count = Math.max(0, Math.ceil((endMs - firstMs) / measurementIntervalMs));
  const lastMs = firstMs + (count - 1) * measurementIntervalMs;
  const lowest = Math.min(...[firstMs, lastMs].map((atMs) => unclampedSpanUsage(span, atMs)));
  return lowest < 0 ? undefined : { span, firstMs, count };
}

/** The input of the growth laws for a volume at one time. */
interface GrowthInput {
  /** In GB. */
  readonly sizeGb: number;
  readonly usedGb: number;
  /** The measurements in the prediction window. */
  readonly points: readonly DataPoint[];
  /** Whether the size results from these laws. */
  readonly grown: boolean;
  readonly nowMs: number;
}

export interface GrowthTarget {
  readonly capacityGb: number;
  readonly law: 'predictive' | 'reactive';
}

/**
 * The size to which a volume should grow now; undefined if it does not. It never shrinks. Capacities are exact to the
 * byte, not rounded to GB: platform/volumeset.growth gives an equation.
 */
export function growthTarget(input: GrowthInput, policy: GrowthPolicy): GrowthTarget | undefined {
  const reactive = isBelowMinFree(input.usedGb, input.sizeGb, policy)
    ? neededCapacity(input.usedGb, policy)
    : undefined;
  const predictive = predictiveCapacity(input, policy);
  const wanted = Math.max(reactive ?? 0, predictive ?? 0);
  const capacityGb = roundToBytes(Math.min(wanted, policy.maxCapacity));
  if (capacityGb <= input.sizeGb) return undefined;
  return { capacityGb, law: (predictive ?? 0) > (reactive ?? 0) ? 'predictive' : 'reactive' };
}

/** Whether the free percentage is below the minimum (rule 5). */
function isBelowMinFree(usedGb: number, sizeGb: number, { minFreePercentage }: GrowthPolicy): boolean {
  return roundToBytes(((sizeGb - usedGb) / sizeGb) * 100) < minFreePercentage;
}

/**
 * `usedGb / (1 - minFreePercentage/100) * factor`, in GB. At 100 % no finite size is enough, so returns the cap.
 * `factor`: by default the policy's; predictions have their own.
 */
export function neededCapacity(usedGb: number, policy: GrowthPolicy, factor = policy.scalingFactor): number {
  if (policy.minFreePercentage >= 100) return policy.maxCapacity;
  return (usedGb / (1 - policy.minFreePercentage / 100)) * factor;
}

/**
 * Rule 6, before the cap; undefined if the prediction is off or skipped. A volume that a rule has grown grows by
 * prediction again only if a shortage is predicted: its size already includes a predicted need, and otherwise each
 * check would add a little (see `predictionWaitsForShortage`).
 */
function predictiveCapacity(input: GrowthInput, policy: GrowthPolicy): number | undefined {
  const { predictive } = policy;
  if (predictive === undefined) return undefined;
  const projectedGb = projectedUse(input.points, input.nowMs, predictive);
  if (projectedGb === undefined) return undefined;
  if (input.grown && !isBelowMinFree(projectedGb, input.sizeGb, policy)) return undefined;
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
  if (line === undefined || roundToBytes(line.gbPerHour) < minGrowthRateGBPerHour) return undefined;
  const hours = (nowMs - line.middleMs) / hourMs + projectionHours;
  return Math.max(0, line.middleGb + line.gbPerHour * hours);
}

interface Line {
  readonly middleMs: number;
  readonly middleGb: number;
  readonly gbPerHour: number;
}

/** Least squares around the mean, because rounding the squares of times since 1970 would lose the minutes. */
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
  let [covariance, variance] = [0, 0];
  for (const { atMs, usedGb } of points) {
    const distance = (atMs - first.atMs) / hourMs - middleHours;
    covariance += distance * (usedGb - middleGb);
    variance += distance * distance;
  }
  if (variance === 0) return undefined;
  return { middleMs: first.atMs + middleHours * hourMs, middleGb, gbPerHour: covariance / variance };
}

/** Rounds to nine decimals, the bytes of a GB: floating point gives 13.499999999999998 for 13.5. */
function roundToBytes(value: number): number {
  return Math.round(value * 1e9) / 1e9;
}

/** The automatic growth of the volumes of a set (platform/volumeset.growth). */
export interface GrowthPolicy {
  /** From 1 to 100. */
  readonly minFreePercentage: number;
  readonly scalingFactor: number;
  /** In GB. */
  readonly maxCapacity: number;
  readonly predictive: PredictivePolicy | undefined;
}

export interface PredictivePolicy {
  readonly lookbackHours: number;
  readonly projectionHours: number;
  readonly minDataPoints: number;
  readonly minGrowthRateGBPerHour: number;
  readonly scalingFactor: number;
}

/**
 * The policy of a volume set; undefined if its volumes do not grow, because both laws need a percentage and a factor
 * (platform/volumeset.growth). Without `maxCapacity` the cap is the limit of the storage class.
 */
export function growthPolicy(volumeSet: JsonObject): GrowthPolicy | undefined {
  const autoscaling = objectAt(objectAt(volumeSet, 'spec'), 'autoscaling');
  const [minFreePercentage, scalingFactor] = ['minFreePercentage', 'scalingFactor'].map((key) => own(autoscaling, key));
  if (typeof minFreePercentage !== 'number' || typeof scalingFactor !== 'number') return undefined;
  const predictive = objectAt(autoscaling, 'predictive');
  return {
    minFreePercentage,
    scalingFactor,
    maxCapacity: Math.min(numberAt(autoscaling, 'maxCapacity') ?? mostCapacity, mostCapacity),
    predictive: own(predictive, 'enabled') === true ? predictivePolicy(predictive, scalingFactor) : undefined,
  };
}

/** Adds defaults (platform/volumeset.growth). */
function predictivePolicy(predictive: JsonObject, inherited: number): PredictivePolicy {
  return {
    lookbackHours: numberAt(predictive, 'lookbackHours') ?? 24,
    projectionHours: numberAt(predictive, 'projectionHours') ?? 6,
    minDataPoints: numberAt(predictive, 'minDataPoints') ?? 10,
    minGrowthRateGBPerHour: numberAt(predictive, 'minGrowthRateGBPerHour') ?? 0.01,
    scalingFactor: numberAt(predictive, 'scalingFactor') ?? inherited,
  };
}
