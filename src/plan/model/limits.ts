import { choice, count, type Form, list, type Of, object, optionals, text } from '../../base/form/form.ts';
import { risks } from '../../schema/facts/risk.ts';

/** From Monday to Sunday. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** `09:00`; `24:00` is the end of a day. */
export const timeOfDay = /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/;

const time: Form<string> = {
  ...text,
  is: (value): value is string => typeof value === 'string' && timeOfDay.test(value),
  schema: { type: 'string', pattern: timeOfDay.source },
};

const timezone: Form<string> = { ...text, is: isTimeZone };

/** Whether it is an IANA name. Offsets (`+02:00`) are not accepted: they are wrong for half of the year. */
export function isTimeZone(value: unknown): value is string {
  if (typeof value !== 'string' || !/^[A-Za-z]/.test(value)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

const windowForm = object({ days: list(choice(...weekdays)), from: time, to: time, timezone });

/**
 * When a plan may be applied. `days`: the days on which the window opens. `from`, `to`: local times `HH:MM` in
 * `timezone` (an IANA name); a window that ends at or before its beginning ends on the next day.
 */
export type TimeWindow = Of<typeof windowForm>;

/** The limits of one environment. No command-line flag loosens them. */
export const limitsForm = object({
  at: text,
  ...optionals({
    maxDeletes: count,
    maxChanges: count,
    maxRisk: choice(...risks),
    windows: list(windowForm),
    rehearsal: choice('required'),
    signature: choice('required'),
    approvals: count,
  }),
});

/** `at`: where they are written, such as `environments.prod.limits`. Absent ones do not limit. */
export type Limits = Of<typeof limitsForm>;

export type LimitName = Exclude<keyof Limits, 'at'>;

/** The names of limits in `gantry.yaml`. */
export const limitKeys = {
  maxDeletes: 'max-deletes',
  maxChanges: 'max-changes',
  maxRisk: 'max-risk',
  windows: 'window',
  rehearsal: 'rehearsal',
  signature: 'signature',
  approvals: 'approvals',
} as const satisfies Readonly<Record<LimitName, string>>;

/** For example `gantry.yaml: environments.prod.limits.max-deletes`. */
export function limitPath({ at }: Pick<Limits, 'at'>, name: LimitName): string {
  return `gantry.yaml: ${at}.${limitKeys[name]}`;
}
