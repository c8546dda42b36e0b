import { ToolError } from '../src/base/toolError.ts';
import { parseCron } from '../src/kinds/common/expressions.ts';

/** The numbers of weekdays in cron expressions. */
const days = { sunday: 0, monday: 1, tuesday: 2, wednesday: 3, thursday: 4, friday: 5, saturday: 6 } as const;

export type Weekday = keyof typeof days;

/** A time of the day, in UTC. */
export interface TimeOfDay {
  /** 0 to 23. */
  readonly hour: number;
  /** 0 to 59. @default 0 */
  readonly minute?: number | undefined;
}

/**
 * Schedules of cron workloads and snapshots, in UTC: `schedule: Schedule.daily({ hour: 3 })` is `0 3 * * *`.
 *
 * Errors: `stack.schedule` for a time that does not exist, and for an interval that does not divide its hour or day.
 */
export const Schedule = {
  /** Every `count` minutes from the full hour, where `count` divides 60: `Schedule.everyMinutes(15)`. */
  everyMinutes(count: number): string {
    return count === 1 ? '* * * * *' : `*/${divisor('everyMinutes', count, 60)} * * * *`;
  },
  /** Every `count` hours from midnight, where `count` divides 24. */
  everyHours(count: number, { minute = 0 }: { readonly minute?: number } = {}): string {
    const hours = count === 1 ? '*' : `*/${divisor('everyHours', count, 24)}`;
    return `${within('minute', minute, 0, 59)} ${hours} * * *`;
  },
  /** Every hour. */
  hourly({ minute = 0 }: { readonly minute?: number } = {}): string {
    return `${within('minute', minute, 0, 59)} * * * *`;
  },
  /** Every day. */
  daily(time: TimeOfDay): string {
    return `${timeOf(time)} * * *`;
  },
  /** Monday to Friday. */
  weekdays(time: TimeOfDay): string {
    return `${timeOf(time)} * * 1-5`;
  },
  weekly({ day, ...time }: TimeOfDay & { readonly day: Weekday }): string {
    return `${timeOf(time)} * * ${days[day]}`;
  },
  /** Days 1 to 31; months without that day are skipped. */
  monthly({ day, ...time }: TimeOfDay & { readonly day: number }): string {
    return `${timeOf(time)} ${within('day', day, 1, 31)} * *`;
  },
  /** A checked cron expression of five fields. */
  cron(expression: string): string {
    if (parseCron(expression) !== undefined) return expression;
    throw wrong(
      `Schedule.cron() was given ${JSON.stringify(expression)}`,
      'Give five fields: minute, hour, day of month, month, day of week, such as 0 3 * * *.',
    );
  },
} as const;

function timeOf({ hour, minute = 0 }: TimeOfDay): string {
  return `${within('minute', minute, 0, 59)} ${within('hour', hour, 0, 23)}`;
}

function within(what: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw wrong(`there is no ${what} ${value}`, `Give a whole number from ${least} to ${most}; times are in UTC.`);
}

function divisor(called: string, count: number, whole: number): number {
  if (Number.isInteger(count) && count > 0 && count < whole && whole % count === 0) return count;
  const possible = Array.from({ length: whole - 1 }, (_, index) => index + 1).filter((each) => whole % each === 0);
  throw wrong(
    `Schedule.${called}(${count}) would not be regular: ${count} does not divide ${whole}`,
    `Possible are ${possible.join(', ')}; anything else: Schedule.cron('…').`,
  );
}

function wrong(message: string, hint: string): ToolError {
  return new ToolError({ code: 'stack.schedule', message, hint });
}
