import { type JsonObject, objectAt, own } from '../../base/json/json.ts';
import { nonEmpty } from '../../base/json/present.ts';
import { type CommandState, changeCommand, findCommand, stageOf, statusOf } from '../audit/commandLog.ts';
import { addEvent } from '../audit/eventLog.ts';
import { isTerminal } from '../commands/decisions/lifecycle.ts';
import type { UnitOfWork } from '../core/session.ts';
import type { Row, Transaction } from '../store/model/row.ts';
import { type CronState, cronStateJson, nextEventMs, readCronState } from './decisions/cronState.ts';
import { type Execution, isActive } from './decisions/execution.ts';
import { type CronJob, jobOf } from './decisions/job.ts';
import { nextTime } from './decisions/schedule.ts';
import { type CronStep, stop, withinHistory } from './decisions/step.ts';

/** The stored state of a cron workload in a location. */
export function cronStateIn(row: Row, location: string): CronState {
  return readCronState(own(objectAt(row.state, 'cron'), location));
}

/** The locations with stored state of a cron workload. */
export function cronLocations(row: Row): readonly string[] {
  return Object.keys(objectAt(row.state, 'cron'));
}

function dueKey(row: Row, location: string): string {
  return `cron/${row.uid}/${location}`;
}

/** Stores the state of a location and its effects: scheduled work, commands, events. Returns the changed row. */
export function storeCronState(work: UnitOfWork, row: Row, location: string, { state, changed }: CronStep): Row {
  const stored = objectAt(row.state, 'cron');
  const after = storeCron(work, row, { ...stored, [location]: cronStateJson(state) });
  scheduleNext(work, row, location, state);
  for (const execution of changed) recordOutcome(work, row, location, execution);
  return after;
}

function storeCron({ tx }: UnitOfWork, row: Row, cron: JsonObject): Row {
  const { cron: _, ...state } = row.state;
  const next = Object.keys(cron).length === 0 ? state : { ...state, cron };
  tx.updateState(row, next);
  return { ...row, state: next };
}

function scheduleNext({ tx }: UnitOfWork, row: Row, location: string, state: CronState): void {
  const key = dueKey(row, location);
  const atMs = nextEventMs(state);
  if (atMs === undefined) tx.unschedule(key);
  else tx.schedule({ key, atMs, job: 'cron', about: { uid: row.uid, location } });
}

/** Logs a finished execution as an event, and ends its command. */
function recordOutcome(work: UnitOfWork, row: Row, location: string, execution: Execution): void {
  if (isActive(execution)) return;
  const { status, message, command } = execution;
  const why = message === '' ? '' : `: ${message}`;
  addEvent(work, row, { component: 'scheduler', status: `execution in ${location}: ${status}${why}` });
  if (command !== undefined) endCommand(work, command, execution);
}

function endCommand(work: UnitOfWork, id: string, execution: Execution): void {
  const command = findCommand(work.tx, id);
  if (command === undefined || isTerminal(stageOf(command))) return;
  const { message } = execution;
  const status = { ...statusOf(command), ...nonEmpty({ message }) };
  changeCommand(work, id, { lifecycleStage: stageAfter(execution), status });
}

function stageAfter({ status, reason }: Execution): CommandState['lifecycleStage'] {
  if (status === 'Success') return 'completed';
  return status === 'Removed' && reason === 'Stopped' ? 'cancelled' : 'failed';
}

/** Schedules work for the current schedule and locations, after a write of a workload or its GVC. */
export function updateCronState(work: UnitOfWork, row: Row, locations: readonly string[]): void {
  const job = jobOf(row);
  if (job === undefined) return;
  const nowMs = work.platform.now();
  let current = row;
  for (const location of cronLocations(row).filter((known) => !locations.includes(known))) {
    current = leaveLocation(work, current, location);
  }
  for (const location of locations) {
    const known = own(objectAt(current.state, 'cron'), location);
    const before = readCronState(known);
    const step = applySchedule(before, job, nowMs);
    if (known === undefined || step.state !== before) current = storeCronState(work, current, location, step);
  }
}

/** Ends the executions in a removed location (platform/deletion), and drops its state. */
function leaveLocation(work: UnitOfWork, row: Row, location: string): Row {
  const ended = stop(
    cronStateIn(row, location),
    () => true,
    work.platform.now(),
    'the location was removed from the GVC',
  );
  const after = storeCronState(work, row, location, ended);
  work.tx.unschedule(dueKey(row, location));
  const { [location]: _, ...rest } = objectAt(after.state, 'cron');
  return storeCron(work, after, rest);
}

/** Cancels the scheduled work of a deleted workload. */
export function unscheduleCron(tx: Transaction, row: Row): void {
  for (const location of cronLocations(row)) tx.unschedule(dueKey(row, location));
}

/**
 * The state after a write of its workload or GVC: a changed schedule applies from now on; an invalid one creates an
 * execution that is `Invalid` (platform/cron.end). Units: milliseconds since 1970.
 */
export function applySchedule(state: CronState, job: CronJob, nowMs: number): CronStep {
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
