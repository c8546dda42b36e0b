import type { JsonObject } from '../../../base/json/json.ts';
import { usedGb } from './nextGrowth.ts';
import { knownSizes, longestLookbackMs, measuredEachMs } from './usage.ts';
import type { Volume } from './volume.ts';

/** Enough for a plot. */
const mostPoints = 200;

/** How full a volume was, and how large, over the last week. */
export function usageSeries(volume: Volume, nowMs: number): JsonObject {
  const { location, index } = volume;
  const beginMs = Math.max(nowMs - longestLookbackMs, Math.min(nowMs, volume.fromMs));
  const stepMs = Math.max(measuredEachMs, Math.ceil((nowMs - beginMs) / (mostPoints - 1)));
  const times = Array.from({ length: Math.ceil((nowMs - beginMs) / stepMs) }, (_, at) => beginMs + at * stepMs);
  return {
    location,
    volumeIndex: index,
    usage: [...times, nowMs].map((atMs) => ({ at: timeText(atMs), usedGb: usedGb(volume, atMs) })),
    sizes: knownSizes(volume.sizes, volume.sizeGb, nowMs).map(({ fromMs, sizeGb }) => ({
      at: timeText(Math.max(fromMs, beginMs)),
      sizeGb,
    })),
  };
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
