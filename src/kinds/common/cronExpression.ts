/** One field of a cron expression: its bounds and the names of its numbers. */
interface Field {
  readonly from: number;
  readonly to: number;
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Minute, hour, day of month, month, day of week (0 and 7 are Sunday). Source: platform/concepts.quantities. */
const fields: readonly Field[] = [
  { from: 0, to: 59 },
  { from: 0, to: 23 },
  { from: 1, to: 31 },
  { from: 1, to: 12, names: months },
  { from: 0, to: 7, names: days },
];

const nicknames: ReadonlyMap<string, string> = new Map([
  ['@hourly', '0 * * * *'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@weekly', '0 0 * * 0'],
  ['@monthly', '0 0 1 * *'],
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
]);

/** The values that each of the five fields allows; undefined when the text is no cron expression. */
export function parseCron(text: string): readonly ReadonlySet<number>[] | undefined {
  const trimmed = text.trim().toLowerCase();
  const parts = (nicknames.get(trimmed) ?? trimmed).split(/\s+/);
  if (parts.length !== fields.length) return undefined;
  const parsed: ReadonlySet<number>[] = [];
  for (const [index, field] of fields.entries()) {
    const values = parseField(parts[index] ?? '', field);
    if (values === undefined) return undefined;
    parsed.push(values);
  }
  return parsed;
}

function parseField(text: string, field: Field): ReadonlySet<number> | undefined {
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const match = /^(?:(\*)|([a-z0-9]+)(?:-([a-z0-9]+))?)(?:\/(\d{1,3}))?$/.exec(part);
    if (match === null) return undefined;
    const [, star, first, last, stepText] = match;
    const step = stepText === undefined ? 1 : Number(stepText);
    const from = star === undefined ? parseNumber(first ?? '', field) : field.from;
    const single = last === undefined && stepText === undefined;
    const to = star === undefined && single ? from : last === undefined ? field.to : parseNumber(last, field);
    if (from === undefined || to === undefined || from > to || step < 1) return undefined;
    for (let value = from; value <= to; value += 1) if ((value - from) % step === 0) values.add(value);
  }
  return values;
}

function parseNumber(text: string, field: Field): number | undefined {
  const named = field.names?.indexOf(text) ?? -1;
  if (named >= 0) return named + field.from;
  const number = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return number >= field.from && number <= field.to ? number : undefined;
}

/** Whether a schedule never fires twice within an hour: it fires in one minute of the hour only. */
export function isAtMostHourly(schedule: readonly ReadonlySet<number>[]): boolean {
  return schedule[0]?.size === 1;
}
