import { along, type DataPoint, dataPoints, measuredEachMs, type UsageSpan, unbounded } from './usage.ts';

/**
 * The data points to fit a line to. Where all of them lie on one straight line, `enough` of them, spread over all, give
 * that very line: a week has two thousand, and they are asked for at every look ahead. `enough`: 2 or more.
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
  /** The first measurement, and how many there are. */
  readonly firstMs: number;
  readonly count: number;
}

/**
 * The one span that was measured in a window, if it is one, and is straight there: no volume holds less than nothing.
 */
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
