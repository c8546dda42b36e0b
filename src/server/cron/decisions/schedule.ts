import { Cron } from 'croner';

/** When a schedule is next due, or why it never is. */
export type NextTime = { readonly ok: true; readonly atMs: number } | { readonly ok: false; readonly message: string };

/** Cached, because a schedule is used again after each of its times. The oldest is dropped beyond the limit. */
const parsed = new Map<string, Cron | undefined>();
const mostParsed = 1000;

/**
 * The first time in a minute after that of `afterMs` (milliseconds since 1970), in UTC. A schedule that is invalid or
 * never occurs (30 February) returns a message. Source: platform/workload.job, platform/concepts.quantities (five
 * fields).
 */
export function nextTime(schedule: string, afterMs: number): NextTime {
  const cron = parse(schedule);
  if (cron === undefined) return { ok: false, message: `the schedule ${JSON.stringify(schedule)} cannot be read` };
  const next = cron.nextRun(new Date(afterMs));
  if (next === null) return { ok: false, message: `the schedule ${JSON.stringify(schedule)} never occurs` };
  return { ok: true, atMs: next.getTime() };
}

function parse(schedule: string): Cron | undefined {
  if (parsed.has(schedule)) return parsed.get(schedule);
  const cron = read(schedule);
  const [oldest] = parsed.keys();
  if (parsed.size >= mostParsed && oldest !== undefined) parsed.delete(oldest);
  parsed.set(schedule, cron);
  return cron;
}

function read(schedule: string): Cron | undefined {
  try {
    // `5/15` is valid in a schedule (kinds/common/cronExpression.ts), but sloppy for the library.
    return new Cron(schedule, { paused: true, mode: '5-part', utcOffset: 0, sloppyRanges: true });
  } catch {
    return undefined;
  }
}
