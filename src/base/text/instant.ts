/** Whether this day exists in the calendar. `text`: YYYY-MM-DD. Date.parse reads February 30th as March 2nd. */
export function isDay(text: string): boolean {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return year !== '' && Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= days;
}

const form = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)?(Z|[+-]\d{2}:?\d{2})?$/;

/**
 * Parses an ISO 8601 time, to milliseconds since 1970. `zone`: for a text without one; a day alone begins in UTC.
 * Undefined if it is not a time, its day does not exist, or its zone is missing.
 */
export function instantOf(text: string, zone?: 'UTC'): number | undefined {
  const [, day = '', time, named] = form.exec(text) ?? [];
  if (!isDay(day) || (time === undefined && named !== undefined)) return undefined;
  if (time === undefined) return zone === undefined ? undefined : Date.parse(day);
  if (named === undefined && zone === undefined) return undefined;
  const ms = Date.parse(`${day}${time}${named ?? 'Z'}`);
  return Number.isNaN(ms) ? undefined : ms;
}
