import { instantOf } from '../../../base/text/instant.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/**
 * Units of durations (platform/clients.options). A month has 30 days and a year 365, so that the length of a window
 * does not depend on the date.
 */
const unitMs: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', minuteMs],
  ['h', hourMs],
  ['d', dayMs],
  ['w', 7 * dayMs],
  ['mo', 30 * dayMs],
  ['M', 30 * dayMs],
  ['y', 365 * dayMs],
]);

const relative = /^(?:now-)?(\d{1,9})(ms|mo|[smhdwMy])$/;

/**
 * Parses a point in time of a client: a duration before now (`7d`, `1h`, `now-30m`), `now`, or ISO 8601, by default in
 * UTC (platform/clients.operations, platform/clients.options). In milliseconds since 1970. Undefined: none of these.
 */
export function pointInTime(text: string, nowMs: number): number | undefined {
  if (text === 'now') return nowMs;
  const [, amount, unit = ''] = relative.exec(text) ?? [];
  const length = unitMs.get(unit);
  if (amount !== undefined && length !== undefined) return nowMs - Number(amount) * length;
  return instantOf(text, 'UTC');
}
