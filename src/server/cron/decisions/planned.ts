import type { CronState } from './cronState.ts';
import type { Execution } from './execution.ts';
import type { CronJob } from './job.ts';
import { nextTime } from './schedule.ts';
import { type CronStep, withinHistory } from './step.ts';

/**
 * The state after a write of its workload or GVC: a changed schedule applies from now on, and an invalid one gives an
 * execution that is `Invalid` (platform/cron.end). Units: milliseconds since 1970.
 */
export function planned(state: CronState, job: CronJob, nowMs: number): CronStep {
  const inHistory = withinHistory(state, job);
  if (state.schedule === job.schedule) return { state: inHistory, changed: [] };
  const { nextMs: _, ...rest } = inHistory;
  const next = nextTime(job.schedule, nowMs);
  if (next.ok) return { state: { ...rest, schedule: job.schedule, nextMs: next.atMs }, changed: [] };

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
  return { state: withinHistory({ ...rest, schedule: job.schedule, executions }, job), changed: [invalid] };
}
