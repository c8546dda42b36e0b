import { isObject, type JsonObject, listAt, own, stringAt } from '../../../schema/json/json.ts';

/**
 * How full a volume is from `fromMs` until the next span begins: `usedGb` then, and `gbPerHour` more each hour.
 *
 * `seed`: what the platform made up. `sample`: one measurement that was fed, its only data point is its beginning.
 * `course`: a straight line that was fed, measured like a real volume.
 */
export type UsageSpan = {
  readonly by: 'course' | 'sample' | 'seed';
  /** Milliseconds since 1970. */
  readonly fromMs: number;
  readonly usedGb: number;
  readonly gbPerHour: number;
};

export interface DataPoint {
  readonly atMs: number;
  readonly usedGb: number;
}

export const hourMs = 3_600_000;

/** How often the platform looks how full a volume is: at each multiple of this since 1970. */
export const measuredEachMs = 300_000;

/** The longest window of a prediction (platform/volumeset); older measurements are dropped. */
const longestLookbackMs = 168 * hourMs;

export function readUsage(volume: JsonObject): readonly UsageSpan[] {
  return listAt(volume, 'usage').flatMap((span) => {
    if (!isObject(span)) return [];
    const [fromMs, usedGb, gbPerHour] = ['fromMs', 'usedGb', 'gbPerHour'].map((key) => own(span, key));
    if (typeof fromMs !== 'number' || typeof usedGb !== 'number' || typeof gbPerHour !== 'number') return [];
    const by = stringAt(span, 'by');
    return [{ by: by === 'course' || by === 'sample' ? by : 'seed', fromMs, usedGb, gbPerHour }];
  });
}

/**
 * Usage without simulation: a little for the file system and almost no growth, so that no volume grows by surprise.
 * `share`: 0 to 1, the same for the same seed and volume.
 */
export function seededUsage(fromMs: number, sizeGb: number, share: number): UsageSpan {
  return { by: 'seed', fromMs, usedGb: sizeGb * (0.005 + 0.01 * share), gbPerHour: 0.001 * share };
}

/** GB, as if the volume had no end. */
export function usedAt(usage: readonly UsageSpan[], atMs: number): number {
  const span = usage.findLast(({ fromMs }) => fromMs <= atMs);
  return span === undefined ? 0 : along(span, atMs);
}

/** GB on one span. */
export function along(span: UsageSpan, atMs: number): number {
  return Math.max(0, unbounded(span, atMs));
}

/** The same, also below nothing. */
export function unbounded({ fromMs, usedGb, gbPerHour }: UsageSpan, atMs: number): number {
  return usedGb + (gbPerHour * (atMs - fromMs)) / hourMs;
}

/** The measurements of a period, both ends included. Generated ones are ignored if there are simulated ones. */
export function dataPoints(usage: readonly UsageSpan[], fromMs: number, toMs: number): readonly DataPoint[] {
  const isFed = usage.some(({ by }) => by !== 'seed');
  const points: DataPoint[] = [];
  for (const [index, span] of usage.entries()) {
    if (span.fromMs > toMs) break;
    if (isFed && span.by === 'seed') continue;
    if (span.by === 'sample') {
      if (span.fromMs >= fromMs) points.push({ atMs: span.fromMs, usedGb: span.usedGb });
      continue;
    }
    const endMs = Math.min(usage[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY, toMs + 1);
    const firstMs = Math.ceil(Math.max(span.fromMs, fromMs) / measuredEachMs) * measuredEachMs;
    for (let atMs = firstMs; atMs < endMs; atMs += measuredEachMs) points.push({ atMs, usedGb: along(span, atMs) });
  }
  return points;
}

/** Adds simulated usage: it replaces spans that start at the same time, and generated usage after its start. */
export function fed(usage: readonly UsageSpan[], spans: readonly UsageSpan[]): readonly UsageSpan[] {
  const firstMs = Math.min(...spans.map(({ fromMs }) => fromMs));
  const times = new Set(spans.map(({ fromMs }) => fromMs));
  const kept = usage.filter(({ by, fromMs }) => !times.has(fromMs) && (by !== 'seed' || fromMs < firstMs));
  // Of two spans of one feeding that begin together the later one counts.
  const latest = new Map(spans.map((span) => [span.fromMs, span]));
  return [...kept, ...latest.values()].toSorted((a, b) => a.fromMs - b.fromMs);
}

/**
 * With new content from `atMs` on: earlier measurements no longer count. A simulated straight line continues from
 * there; later simulated usage stays.
 */
export function restarted(usage: readonly UsageSpan[], atMs: number, usedGb: number): readonly UsageSpan[] {
  const present = usage.findLast(({ fromMs }) => fromMs <= atMs);
  const goesOn = present?.by === 'course';
  const first: UsageSpan = {
    by: goesOn ? 'course' : 'seed',
    fromMs: atMs,
    usedGb,
    gbPerHour: goesOn ? present.gbPerHour : 0,
  };
  return [first, ...usage.filter(({ fromMs }) => fromMs > atMs)];
}

/** Without what ended before any window of a prediction begins. */
export function recentUsage(usage: readonly UsageSpan[], nowMs: number): readonly UsageSpan[] {
  const needed = usage.findLastIndex(({ fromMs }) => fromMs <= nowMs - longestLookbackMs);
  return needed <= 0 ? usage : usage.slice(needed);
}
