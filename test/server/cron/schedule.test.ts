import { expect, test } from 'vitest';
import { nextTime } from '../../../src/server/cron/decisions/schedule.ts';

function after(schedule: string, from: string, count: number): readonly string[] {
  const found: string[] = [];
  let ms = Date.parse(from);
  while (found.length < count) {
    const next = nextTime(schedule, ms);
    if (!next.ok) return [...found, next.message];
    ms = next.atMs;
    found.push(new Date(ms).toISOString());
  }
  return found;
}

// 1 January 2026 is a Thursday.
// biome-ignore format: a row is a case
test.each([
  ['* * * * *', '2026-01-01T00:00:00.000Z', ['2026-01-01T00:01:00.000Z', '2026-01-01T00:02:00.000Z']],
  ['* * * * *', '2026-01-01T00:00:59.999Z', ['2026-01-01T00:01:00.000Z']],
  ['*/20 3 * * *', '2026-01-01T03:30:00.000Z', ['2026-01-01T03:40:00.000Z', '2026-01-02T03:00:00.000Z']],
  ['5/25 * * * *', '2026-01-01T00:00:00.000Z',
    ['2026-01-01T00:05:00.000Z', '2026-01-01T00:30:00.000Z', '2026-01-01T00:55:00.000Z', '2026-01-01T01:05:00.000Z']],
  ['0 12 * * MON-FRI', '2026-01-02T12:00:00.000Z', ['2026-01-05T12:00:00.000Z']],
  ['0 0 * * 7', '2026-01-01T00:00:00.000Z', ['2026-01-04T00:00:00.000Z']],
  // With a day of month and a day of week, either is enough.
  ['0 0 3 * fri', '2026-01-01T00:00:00.000Z',
    ['2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z', '2026-01-09T00:00:00.000Z']],
  ['0 0 29 2 *', '2026-01-01T00:00:00.000Z', ['2028-02-29T00:00:00.000Z']],
  ['@hourly', '2026-01-01T00:30:00.000Z', ['2026-01-01T01:00:00.000Z']],
  // Daylight saving time begins in many countries on this day, but not in UTC.
  ['30 1 * * *', '2026-03-29T00:00:00.000Z', ['2026-03-29T01:30:00.000Z', '2026-03-30T01:30:00.000Z']],
])('%s after %s (platform/concepts.quantities, UTC)', (schedule, from, expected) => {
  expect(after(schedule, from, expected.length)).toEqual(expected);
});
