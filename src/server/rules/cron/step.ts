import { cronBackOffSeconds, cronRetries } from '../decisions.ts';
import type { JsonArray } from '../../../schema/json/json.ts';
import { type Execution, type ExecutionStatus, isActive } from './execution.ts';
import { containersRun, type Job } from './job.ts';
import { type CronPlace, nextEventMs } from './place.ts';
import { nextTime } from './schedule.ts';
import { drawRun, type SimulatedRuns } from './simulatedRuns.ts';

/** What became of a location, and the executions that began, repeat or ended on the way, in this order. */
export interface Step {
  readonly place: CronPlace;
  readonly changed: readonly Execution[];
}

/**
 * Lets everything happen that is due in a location, in the order of time.
 *
 * At one instant a run ends before its deadline is looked at, and both before the schedule fires: a run that takes exactly
 * as long as the pause between two times does not overlap.
 *
 * Units: milliseconds since 1970. `missedMs`: times of the schedule before it have been missed; nothing starts for them.
 * Errors: none. Source: platform/cron.end.
 */
export function advance(place: CronPlace, job: Job, untilMs: number, missedMs = Number.NEGATIVE_INFINITY): Step {
  let current = place;
  const changed: Execution[] = [];
  for (let atMs = nextEventMs(current); atMs !== undefined && atMs <= untilMs; atMs = nextEventMs(current)) {
    const step = instant(current, job, atMs, missedMs);
    current = step.place;
    changed.push(...step.changed);
  }
  return { place: current, changed };
}

function instant(place: CronPlace, job: Job, atMs: number, missedMs: number): Step {
  let { runs } = place;
  const changed: Execution[] = [];
  // Oldest first: what began earlier takes the earlier one of the simulated runs.
  const executions = place.executions.toReversed().map((execution) => {
    const next = isActive(execution) ? progress(execution, runs, atMs) : { execution, runs };
    runs = next.runs;
    if (next.execution !== execution) changed.push(next.execution);
    return next.execution;
  });
  const moved: CronPlace = { ...place, executions: executions.toReversed(), runs };
  const fired = place.nextMs !== undefined && place.nextMs <= atMs ? fire(moved, job, atMs, missedMs) : undefined;
  const result = fired?.place ?? moved;
  return { place: withinHistory(result, job), changed: [...changed, ...(fired?.changed ?? [])] };
}

interface Progress {
  readonly execution: Execution;
  readonly runs: SimulatedRuns;
}

function progress(execution: Execution, runs: SimulatedRuns, atMs: number): Progress {
  const { run, retryMs, deadlineMs } = execution;
  const after = run !== undefined && run.endMs <= atMs ? runEnded(execution, run) : execution;
  if (!isActive(after)) return { execution: after, runs };
  if (deadlineMs !== undefined && deadlineMs <= atMs) {
    const message = `the execution went on for longer than activeDeadlineSeconds`;
    return { execution: ended(after, 'Removed', deadlineMs, 'DeadlineExceeded', message), runs };
  }
  if (retryMs === undefined || retryMs > atMs) return { execution: after, runs };
  const { retryMs: _, ...waiting } = after;
  const drawn = drawRun(runs);
  return { execution: { ...waiting, run: simulated(drawn.run, retryMs) }, runs: drawn.rest };
}

/** Exit code 0 is success. Otherwise it runs again after a back-off that doubles, so many times, if it is to. */
function runEnded(execution: Execution, { endMs, exitCode }: { endMs: number; exitCode: number }): Execution {
  if (exitCode === 0) return ended({ ...execution, exitCode }, 'Success', endMs, 'Completed', '');
  const { run: _, ...rest } = execution;
  const failures = execution.failures + 1;
  const failed: Execution = { ...rest, failures, failedMs: endMs, exitCode };
  if (!execution.repeats) {
    return ended(failed, 'Failure', endMs, 'Error', `the containers exited with code ${exitCode}`);
  }
  if (failures > cronRetries) {
    const message = `the containers exited with code ${exitCode}, also after ${cronRetries} repetitions`;
    return ended(failed, 'Failure', endMs, 'BackoffLimitExceeded', message);
  }
  return { ...failed, retryMs: endMs + cronBackOffSeconds * 2 ** (failures - 1) * 1000 };
}

/** Ends an execution, whatever it was doing. */
export function ended(
  execution: Execution,
  status: ExecutionStatus,
  endMs: number,
  reason: string,
  message: string,
): Execution {
  const { run: _, retryMs: __, ...rest } = execution;
  return { ...rest, status, endMs, reason, message };
}

/** A time of the schedule has come (platform/cron): what starts depends on what still runs. */
function fire(place: CronPlace, job: Job, atMs: number, missedMs: number): Step {
  const following = nextTime(job.schedule, Math.max(atMs, missedMs - 1));
  const { nextMs: _, ...rest } = place;
  const moved: CronPlace = following.ok ? { ...rest, nextMs: following.atMs } : rest;
  if (job.suspended || atMs < missedMs) return { place: moved, changed: [] };

  // Executions of commands ignore the policy, and the policy ignores them (decisions `runNowDoesNotHoldTheSchedule`).
  const running = place.executions.filter((each) => isActive(each) && each.command === undefined);
  if (job.policy === 'Forbid' && running.length > 0) return { place: moved, changed: [] };

  const replaced =
    job.policy === 'Replace'
      ? new Map(running.map((each) => [each.name, stopped(each, atMs)]))
      : new Map<string, Execution>();
  const executions = moved.executions.map((each) => replaced.get(each.name) ?? each);
  const started = begin({ ...moved, executions }, job, scheduledName(job, atMs), atMs);
  return { place: started.place, changed: [...replaced.values(), ...started.changed] };
}

function stopped(execution: Execution, atMs: number): Execution {
  return ended(execution, 'Removed', atMs, 'Replaced', 'stopped because the next time of the schedule has come');
}

/** Named by the minute of its time, so that a name comes once. */
function scheduledName({ workload }: Job, atMs: number): string {
  return `${workload}-${Math.floor(atMs / 60_000)}`;
}

/** What a command may ask for its execution alone (platform/commands.run-now). */
export interface Asked {
  readonly command: string;
  readonly overrides: JsonArray;
  readonly deadlineSeconds: number | undefined;
}

/** Starts an execution, by the schedule or because a command asks for it. */
export function begin(place: CronPlace, job: Job, name: string, atMs: number, asked?: Asked): Step {
  const { run, rest } = drawRun(place.runs);
  const deadline = asked?.deadlineSeconds ?? job.deadlineSeconds;
  const execution: Execution = {
    name,
    workloadVersion: job.version,
    status: 'Active',
    startMs: atMs,
    repeats: job.repeats,
    failures: 0,
    run: simulated(run, atMs),
    reason: '',
    message: '',
    containers: containersRun(job, asked?.overrides ?? []),
    ...(asked === undefined ? {} : { command: asked.command }),
    ...(deadline === undefined ? {} : { deadlineMs: atMs + deadline * 1000 }),
  };
  return { place: { ...place, executions: [execution, ...place.executions], runs: rest }, changed: [execution] };
}

function simulated({ runSeconds, exitCode }: SimulatedRuns, startMs: number): NonNullable<Execution['run']> {
  return { startMs, endMs: startMs + Math.round(runSeconds * 1000), exitCode };
}

/** What goes on is always kept, and so many of those that ended (platform/workload.job, `historyLimit`). */
export function withinHistory(place: CronPlace, { historyLimit }: Pick<Job, 'historyLimit'>): CronPlace {
  const past = place.executions.filter((each) => !isActive(each));
  if (past.length <= historyLimit) return place;
  const newest = past.toSorted((a, b) => (b.endMs ?? 0) - (a.endMs ?? 0)).slice(0, historyLimit);
  const kept = new Set(newest);
  return { ...place, executions: place.executions.filter((each) => isActive(each) || kept.has(each)) };
}
