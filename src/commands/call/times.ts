import { isDay } from '../../base/text/instant.ts';

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  mo: 30 * 86_400_000,
  M: 30 * 86_400_000,
  y: 365 * 86_400_000,
};

/**
 * A time before now (`7d`, `now-1h`), or an ISO 8601 date, as ISO 8601 (platform/clients.grammar). A month is 30 days.
 * Undefined if it is not a time.
 */
export function timeOf(text: string, nowMs: number): string | undefined {
  const [, amount, unit = ''] = /^(?:now-)?(\d{1,9}(?:\.\d{1,9})?)(ms|mo|[smhdwMy])$/.exec(text) ?? [];
  if (amount !== undefined) return isoOf(nowMs - Number(amount) * (unitMs[unit] ?? 0));
  if (!/^\d{4}-\d{2}/.test(text) || (/^.{7}-\d{2}/.test(text) && !isDay(text.slice(0, 10)))) return undefined;
  return isoOf(Date.parse(text));
}

/** Milliseconds since 1970 as ISO 8601; undefined outside the range of dates, such as 999999999d ago. */
export function isoOf(ms: number): string | undefined {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** The tolerated difference between the clocks of two machines: a record created just now is not in the future. */
const skewMs = 60_000;

/** `34s`, `5m`, `3h12m`, `12d`: the age of a time, in its two largest units below a day; `in 6d` for a future time. */
export function ageOf(iso: string, nowMs: number): string {
  const timeMs = Date.parse(iso);
  if (Number.isNaN(timeMs)) return iso;
  return timeMs - nowMs > skewMs ? `in ${spanOf(timeMs - nowMs)}` : spanOf(Math.max(0, nowMs - timeMs));
}

function spanOf(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours}h` : `${hours}h${minutes % 60}m`;
  return `${Math.floor(hours / 24)}d`;
}
