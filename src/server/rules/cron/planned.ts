import type { Execution } from './execution.ts';
import type { Job } from './job.ts';
import type { CronPlace } from './place.ts';
import { nextTime } from './schedule.ts';
import { type Step, withinHistory } from './step.ts';

/**
 * The place after a write of its workload or GVC: a changed schedule counts from now on, and one that cannot be used is
 * told by an execution that is `Invalid` (platform/cron.end). Units: milliseconds since 1970.
 */
export function planned(place: CronPlace, job: Job, nowMs: number): Step {
  const inHistory = withinHistory(place, job);
  if (place.schedule === job.schedule) return { place: inHistory, changed: [] };
  const { nextMs: _, ...rest } = inHistory;
  const next = nextTime(job.schedule, nowMs);
  if (next.ok) return { place: { ...rest, schedule: job.schedule, nextMs: next.atMs }, changed: [] };

  const invalid: Execution = {
    name: `${job.workload}-invalid-${job.version}`,
    workloadVersion: job.version,
    status: 'Invalid',
    startMs: nowMs,
    endMs: nowMs,
    repeats: job.repeats,
    failures: 0,
    reason: 'InvalidSchedule',
    message: next.message,
    containers: {},
  };
  const executions = [invalid, ...rest.executions];
  return { place: withinHistory({ ...rest, schedule: job.schedule, executions }, job), changed: [invalid] };
}
