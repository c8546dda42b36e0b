import type { JsonArray } from '../../../base/json/json.ts';
import { present } from '../../../base/json/present.ts';
import { cronBackOffSeconds, cronRetries } from '../../http/limits.ts';
import { type CronState, nextEventMs } from './cronState.ts';
import { type Execution, isActive } from './execution.ts';
import { type CronJob, containerFields } from './job.ts';
import { nextTime } from './schedule.ts';
import { drawRun, type SimulatedRuns } from './simulatedRuns.ts';

/** The new state of a location, and the executions that started, are retried or ended, in this order. */
export interface CronStep {
  readonly state: CronState;
  readonly changed: readonly Execution[];
}

/**
 * Processes all events due in a location, in order of time.
 *
 * Of simultaneous events, the end of a run precedes its deadline, and both precede the schedule, so a run that takes
 * exactly the time between two starts does not overlap.
 *
 * Units: milliseconds since 1970. `missedMs`: earlier scheduled times were missed and start nothing. Source:
 * platform/cron.end.
 */
export function advanceCron(
  state: CronState,
  job: CronJob,
  untilMs: number,
  missedMs = Number.NEGATIVE_INFINITY,
): CronStep {
  let current = state;
  const changed: Execution[] = [];
  for (let atMs = nextEventMs(current); atMs !== undefined && atMs <= untilMs; atMs = nextEventMs(current)) {
    const step = processEventsAt(current, job, atMs, missedMs);
    current = step.state;
    changed.push(...step.changed);
  }
  return { state: current, changed };
}

function processEventsAt(state: CronState, job: CronJob, atMs: number, missedMs: number): CronStep {
  let { runs } = state;
  const changed: Execution[] = [];
  // Oldest first, so that earlier executions use the earlier simulated runs.
  const executions = state.executions.toReversed().map((execution) => {
    const next = isActive(execution) ? progress(execution, runs, atMs) : { execution, runs };
    runs = next.runs;
    if (next.execution !== execution) changed.push(next.execution);
    return next.execution;
  });
  const moved: CronState = { ...state, executions: executions.toReversed(), runs };
  const fired =
    state.nextMs !== undefined && state.nextMs <= atMs ? runScheduled(moved, job, atMs, missedMs) : undefined;
  const result = fired?.state ?? moved;
  return { state: withinHistory(result, job), changed: [...changed, ...(fired?.changed ?? [])] };
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
    const message = `the execution took longer than activeDeadlineSeconds`;
    return {
      execution: endExecution(after, { status: 'Removed', endMs: deadlineMs, reason: 'DeadlineExceeded', message }),
      runs,
    };
  }
  if (retryMs === undefined || retryMs > atMs) return { execution: after, runs };
  const { retryMs: _, ...waiting } = after;
  const drawn = drawRun(runs);
  return { execution: { ...waiting, run: simulated(drawn.run, retryMs) }, runs: drawn.rest };
}

/**
 * Handles the end of a run. Exit code 0 is success. After any other code the run is retried if configured, at most
 * `cronRetries` times, with a pause that doubles each time.
 */
function runEnded(execution: Execution, { endMs, exitCode }: { endMs: number; exitCode: number }): Execution {
  if (exitCode === 0) {
    return endExecution({ ...execution, exitCode }, { status: 'Success', endMs, reason: 'Completed', message: '' });
  }
  const { run: _, ...rest } = execution;
  const failures = execution.failures + 1;
  const failed: Execution = { ...rest, failures, failedMs: endMs, exitCode };
  if (!execution.repeats) {
    const message = `the containers exited with code ${exitCode}`;
    return endExecution(failed, { status: 'Failure', endMs, reason: 'Error', message });
  }
  if (failures > cronRetries) {
    const message = `the containers exited with code ${exitCode}, also after ${cronRetries} repetitions`;
    return endExecution(failed, { status: 'Failure', endMs, reason: 'BackoffLimitExceeded', message });
  }
  return { ...failed, retryMs: endMs + cronBackOffSeconds * 2 ** (failures - 1) * 1000 };
}

export function endExecution(
  execution: Execution,
  end: Required<Pick<Execution, 'status' | 'endMs' | 'reason' | 'message'>>,
): Execution {
  const { run: _, retryMs: __, ...rest } = execution;
  return { ...rest, ...end };
}

/** Handles a scheduled time (platform/cron): running executions determine whether a new one starts. */
function runScheduled(state: CronState, job: CronJob, atMs: number, missedMs: number): CronStep {
  const following = nextTime(job.schedule, Math.max(atMs, missedMs - 1));
  const { nextMs: _, ...rest } = state;
  const moved: CronState = following.ok ? { ...rest, nextMs: following.atMs } : rest;
  if (job.suspended || atMs < missedMs) return { state: moved, changed: [] };

  // The concurrency policy neither applies to executions of commands nor counts them (platform/commands.run-now).
  const running = state.executions.filter((each) => isActive(each) && each.command === undefined);
  if (job.policy === 'Forbid' && running.length > 0) return { state: moved, changed: [] };

  const replaced =
    job.policy === 'Replace'
      ? new Map(running.map((each) => [each.name, replaceExecution(each, atMs)]))
      : new Map<string, Execution>();
  const executions = moved.executions.map((each) => replaced.get(each.name) ?? each);
  const started = begin({ ...moved, executions }, job, { name: scheduledName(job, atMs), atMs });
  return { state: started.state, changed: [...replaced.values(), ...started.changed] };
}

function replaceExecution(execution: Execution, atMs: number): Execution {
  const message = 'stopped because the next time of the schedule has come';
  return endExecution(execution, { status: 'Removed', endMs: atMs, reason: 'Replaced', message });
}

/** The name contains the scheduled minute and is therefore unique. */
function scheduledName({ workload }: CronJob, atMs: number): string {
  return `${workload}-${Math.floor(atMs / 60_000)}`;
}

/** The overrides that a command sets for its execution (platform/commands.run-now). */
export interface CommandOverrides {
  readonly command: string;
  readonly overrides: JsonArray;
  readonly deadlineSeconds: number | undefined;
}

/** An execution that the schedule or a command starts. */
export interface ExecutionStart {
  readonly name: string;
  readonly atMs: number;
  readonly commandOverrides?: CommandOverrides;
}

export function begin(state: CronState, job: CronJob, { name, atMs, commandOverrides }: ExecutionStart): CronStep {
  const { run, rest } = drawRun(state.runs);
  const deadline = commandOverrides?.deadlineSeconds ?? job.deadlineSeconds;
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
    containers: containerFields(job, commandOverrides?.overrides ?? []),
    ...present({ command: commandOverrides?.command }),
    ...present({ deadlineMs: deadline === undefined ? undefined : atMs + deadline * 1000 }),
  };
  return { state: { ...state, executions: [execution, ...state.executions], runs: rest }, changed: [execution] };
}

function simulated({ runSeconds, exitCode }: SimulatedRuns, startMs: number): NonNullable<Execution['run']> {
  return { startMs, endMs: startMs + Math.round(runSeconds * 1000), exitCode };
}

/** Drops finished executions beyond the limit (platform/workload.job, `historyLimit`). Running ones do not count. */
export function withinHistory(state: CronState, { historyLimit }: Pick<CronJob, 'historyLimit'>): CronState {
  const past = state.executions.filter((each) => !isActive(each));
  if (past.length <= historyLimit) return state;
  const newest = past.toSorted((a, b) => (b.endMs ?? 0) - (a.endMs ?? 0)).slice(0, historyLimit);
  const remaining = new Set(newest);
  return { ...state, executions: state.executions.filter((each) => isActive(each) || remaining.has(each)) };
}

/** Stops the selected active executions, for `stopReplica` or a cancelled command. */
export function stop(
  state: CronState,
  chosen: (execution: Execution) => boolean,
  atMs: number,
  message: string,
): CronStep {
  const stopped = new Map(
    state.executions
      .filter((execution) => isActive(execution) && chosen(execution))
      .map((execution) => [
        execution,
        endExecution(execution, { status: 'Removed', endMs: atMs, reason: 'Stopped', message }),
      ]),
  );
  const executions = state.executions.map((execution) => stopped.get(execution) ?? execution);
  return { state: { ...state, executions }, changed: [...stopped.values()] };
}
