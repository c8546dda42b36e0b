import { type TimeWindow, type Weekday, weekdays } from '../model/limits.ts';

/** What a clock on a wall shows. `minute`: of the day. */
interface WallTime {
  readonly day: Weekday;
  readonly minute: number;
}

/** `nowMs`: milliseconds since 1970. */
export function isOpen({ days, from, to, timezone }: TimeWindow, nowMs: number): boolean {
  const { day, minute } = wallTime(nowMs, timezone);
  const [opens, closes] = [minuteOf(from), minuteOf(to)];
  const opensOn = (name: Weekday) => days.includes(name);
  if (opens < closes) return opensOn(day) && minute >= opens && minute < closes;
  return (opensOn(day) && minute >= opens) || (opensOn(dayBefore(day)) && minute < closes);
}

/** `Mon 09:05 in Europe/Berlin`. */
export function localTime(nowMs: number, timezone: string): string {
  const { day, minute } = wallTime(nowMs, timezone);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${day} ${two(Math.floor(minute / 60))}:${two(minute % 60)} in ${timezone}`;
}

/** `mon, tue 09:00-17:00 in Europe/Berlin`; several with `or`. */
export function windowsText(windows: readonly TimeWindow[]): string {
  return windows
    .map(({ days, from, to, timezone }) => {
      const on = new Set(days).size === weekdays.length ? '' : `${days.join(', ')} `;
      return `${on}${from}-${to} in ${timezone}`;
    })
    .join(' or ');
}

function wallTime(nowMs: number, timezone: string): WallTime {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const parts = new Map(format.formatToParts(nowMs).map(({ type, value }) => [type, value]));
  const shown = parts.get('weekday')?.toLowerCase();
  const day = weekdays.find((each) => each === shown) ?? 'mon';
  return { day, minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) };
}

function dayBefore(day: Weekday): Weekday {
  return weekdays.at(weekdays.indexOf(day) - 1) ?? 'sun';
}

/** Of `HH:MM`, the minute of the day. */
function minuteOf(time: string): number {
  const [hours = '0', minutes = '0'] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}
