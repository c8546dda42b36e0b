import { along, type DataPoint, dataPoints, measuredEachMs, type UsageSpan, unbounded } from './usage.ts';

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
