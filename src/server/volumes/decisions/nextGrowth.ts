import { type GrowthTarget, growthTarget } from './growthLaws.ts';
import type { GrowthPolicy } from './growthPolicy.ts';
import {
  along,
  type DataPoint,
  dataPoints,
  hourMs,
  measuredEachMs,
  type UsageSpan,
  unbounded,
  usedAt,
} from './usage.ts';
import type { Volume } from './volume.ts';

/** GB in use: at most the capacity, and 0 before creation and after deletion. */
export function usedGb(volume: Volume, atMs: number): number {
  if (volume.deleted || volume.fromMs > atMs) return 0;
  return Math.min(volume.sizeGb, usedAt(volume.usage, atMs));
}

/** The size that a volume should grow to at a time, by its known usage. */
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

/** The search for the next growth ends at this time, and is then repeated. */
const growthHorizonMs = 24 * hourMs;

/**
 * The next time to check the volumes: now, or the first measurement at which one grows, so that no job runs for the
 * others. Usage is a function of time, so its future is known.
 */
export function nextGrowthMs(volumes: readonly Volume[], policy: GrowthPolicy, nowMs: number): number {
  const lastMs = nowMs + growthHorizonMs;
  for (const atMs of looks(volumes, nowMs, lastMs)) {
    if (volumes.some((volume) => growthAt(volume, policy, atMs) !== undefined)) return atMs;
  }
  return lastMs;
}

/** Now, each measurement, and each start of simulated usage or of a volume. */
function looks(volumes: readonly Volume[], nowMs: number, lastMs: number): readonly number[] {
  const times = new Set([nowMs]);
  const firstMs = Math.ceil(nowMs / measuredEachMs) * measuredEachMs;
  for (let atMs = firstMs; atMs <= lastMs; atMs += measuredEachMs) times.add(atMs);
  for (const { usage, fromMs } of volumes) {
    for (const each of [fromMs, ...usage.map((span) => span.fromMs)]) {
      if (each > nowMs && each <= lastMs) times.add(each);
    }
  }
  return [...times].toSorted((a, b) => a - b);
}

/**
 * The data points for fitting a line. If all of them are on one straight line, `enough` of them give the same line: a
 * week has two thousand, which would be processed in each prediction. `enough`: 2 or more.
 */
export function fittingPoints(
  usage: readonly UsageSpan[],
  fromMs: number,
  toMs: number,
  enough: number,
): readonly DataPoint[] {
  const line = onlyLine(usage, fromMs, toMs);
  if (line === undefined) return dataPoints(usage, fromMs, toMs);
  const { span, firstMs, count } = line;
  const taken = Math.min(count, enough);
  return Array.from({ length: taken }, (_, index) => {
    const step = taken === count ? index : Math.round((index * (count - 1)) / (taken - 1));
    const atMs = firstMs + step * measuredEachMs;
    return { atMs, usedGb: along(span, atMs) };
  });
}

interface OnlyLine {
  readonly span: UsageSpan;
  /** The first measurement, and the number of measurements. */
  readonly firstMs: number;
  readonly count: number;
}

/** The only span that was measured in a window, if it is straight there: usage below zero counts as zero. */
function onlyLine(usage: readonly UsageSpan[], fromMs: number, toMs: number): OnlyLine | undefined {
  const isFed = usage.some(({ by }) => by !== 'seed');
  const measured = usage.flatMap((span, index) => {
    if (isFed && span.by === 'seed') return [];
    const endMs = Math.min(usage[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY, toMs + 1);
    const firstMs = Math.ceil(Math.max(span.fromMs, fromMs) / measuredEachMs) * measuredEachMs;
    return endMs <= Math.max(span.fromMs, fromMs) ? [] : [{ span, firstMs, endMs }];
  });
  const [only] = measured;
  if (only === undefined || measured.length > 1 || only.span.by === 'sample') return undefined;
  const { span, firstMs, endMs } = only;
  const count = Math.max(0, Math.ceil((endMs - firstMs) / measuredEachMs));
  const lastMs = firstMs + (count - 1) * measuredEachMs;
  const lowest = Math.min(...[firstMs, lastMs].map((atMs) => unbounded(span, atMs)));
  return lowest < 0 ? undefined : { span, firstMs, count };
}
