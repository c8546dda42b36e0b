import { expect, test } from 'vitest';
import { applySchedule } from '../../../src/server/cron/cronState.ts';
import { type CronState, readCronState } from '../../../src/server/cron/decisions/cronState.ts';
import { type Execution, executionJson, readExecution } from '../../../src/server/cron/decisions/execution.ts';
import type { CronJob } from '../../../src/server/cron/decisions/job.ts';
import type { SimulatedRuns } from '../../../src/server/cron/decisions/simulatedRuns.ts';
import { advanceCron, begin, type CommandOverrides, stop } from '../../../src/server/cron/decisions/step.ts';

const midnight = Date.UTC(2026, 0, 1);

/** Milliseconds of `hh:mm:ss` on the first day. */
function at(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number);
  return midnight + ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

function clock(ms: number | undefined): string {
  return ms === undefined ? '-' : new Date(ms).toISOString().slice(11, 19);
}

const everyMinute: CronJob = {
  workload: 'job',
  version: 3,
  schedule: '* * * * *',
  policy: 'Forbid',
  historyLimit: 10,
  repeats: false,
  deadlineSeconds: undefined,
  suspended: false,
  containers: [{ name: 'main', image: 'a:1', cpu: '50m', memory: '128Mi' }],
};

const emptyPlace = readCronState(undefined);

/** The state at 00:00:30, when the schedule takes effect. */
function place(job: CronJob, runs: SimulatedRuns): CronState {
  return { ...applySchedule(emptyPlace, job, at('00:00:30')).state, runs };
}

/** The executions as `start status end`, oldest first. */
function told(executions: readonly Execution[]): readonly string[] {
  return executions.map(({ startMs, status, endMs }) => `${clock(startMs)} ${status} ${clock(endMs)}`).toReversed();
}

interface Case {
  readonly it: string;
  readonly job?: Partial<CronJob>;
  readonly runs: SimulatedRuns;
  readonly until: string;
  readonly expected: readonly string[];
}

// biome-ignore format: a row is a case
const cases: readonly Case[] = [
  { it: 'runs at each time of the schedule and ends by its exit code', runs: { runSeconds: 1, exitCode: 0 },
    until: '00:02:30', expected: ['00:01:00 Success 00:01:01', '00:02:00 Success 00:02:01'] },
  { it: 'is Active from its start until its end', runs: { runSeconds: 20, exitCode: 0 }, until: '00:01:19',
    expected: ['00:01:00 Active -'] },
  { it: 'Never ends a failed run as Failure', runs: { runSeconds: 5, exitCode: 2 }, until: '00:01:59',
    expected: ['00:01:00 Failure 00:01:05'] },
  { it: 'Forbid skips every time during a run, and starts at the first one after its end',
    runs: { runSeconds: 150, exitCode: 0 }, until: '00:04:30',
    expected: ['00:01:00 Success 00:03:30', '00:04:00 Active -'] },
  { it: 'Forbid lets a run start at the moment at which the previous one ends',
    runs: { runSeconds: 60, exitCode: 0 }, until: '00:02:30',
    expected: ['00:01:00 Success 00:02:00', '00:02:00 Active -'] },
  { it: 'Replace removes the current run and starts a new one', job: { policy: 'Replace' },
    runs: { runSeconds: 90, exitCode: 0 }, until: '00:03:10',
    expected: ['00:01:00 Removed 00:02:00', '00:02:00 Removed 00:03:00', '00:03:00 Active -'] },
  { it: 'Allow runs both', job: { policy: 'Allow' }, runs: { runSeconds: 90, exitCode: 0 }, until: '00:03:00',
    expected: ['00:01:00 Success 00:02:30', '00:02:00 Active -', '00:03:00 Active -'] },
  { it: 'activeDeadlineSeconds removes a run that exceeds it', job: { deadlineSeconds: 20 },
    runs: { runSeconds: 30, exitCode: 0 }, until: '00:01:59', expected: ['00:01:00 Removed 00:01:20'] },
  { it: 'a run that ends exactly at its deadline does not exceed it', job: { deadlineSeconds: 20 },
    runs: { runSeconds: 20, exitCode: 0 }, until: '00:01:59', expected: ['00:01:00 Success 00:01:20'] },
  { it: 'a suspended workload does not run by schedule', job: { suspended: true }, runs: { runSeconds: 1, exitCode: 0 },
    until: '00:05:00', expected: [] },
  {
    it: 'OnFailure repeats a failed run in the same execution until one succeeds',
    // Fails 00:01:01, again 00:01:11 to 00:01:12, again 00:01:32 to 00:01:33.
    job: { repeats: true },
    runs: { runSeconds: 1, exitCode: 1, left: 2 },
    until: '00:01:59',
    expected: ['00:01:00 Success 00:01:33'],
  },
  {
    it: 'OnFailure gives up after six repetitions, with a back-off that doubles from 10 s',
    // 7 runs of 1 s and pauses of 10, 20, 40, 80, 160 and 320 s: 637 s.
    job: { repeats: true, schedule: '1 * * * *' },
    runs: { runSeconds: 1, exitCode: 1 },
    until: '00:59:00',
    expected: ['00:01:00 Failure 00:11:37'],
  },
  { it: 'the deadline also ends a wait between two repetitions',
    job: { repeats: true, schedule: '1 * * * *', deadlineSeconds: 60 }, runs: { runSeconds: 1, exitCode: 1 },
    until: '00:59:00', expected: ['00:01:00 Removed 00:02:00'] },
  {
    it: 'a wait between two repetitions counts as a run for Forbid',
    // The second repetition begins at 00:01:32, the third one at 00:02:13.
    job: { repeats: true },
    runs: { runSeconds: 1, exitCode: 1, left: 3 },
    until: '00:03:00',
    expected: ['00:01:00 Success 00:02:14', '00:03:00 Active -'],
  },
  { it: 'times limits how many of the next runs are simulated', runs: { runSeconds: 2, exitCode: 1, left: 1 }, until: '00:02:59',
    expected: ['00:01:00 Failure 00:01:02', '00:02:00 Success 00:02:01'] },
  { it: 'historyLimit keeps that many of the newest past executions', job: { historyLimit: 2 },
    runs: { runSeconds: 1, exitCode: 0 }, until: '00:05:00',
    expected: ['00:03:00 Success 00:03:01', '00:04:00 Success 00:04:01', '00:05:00 Active -'] },
];

test.each(cases)('$it (platform/cron)', ({ job, runs, until, expected }) => {
  const whole = { ...everyMinute, ...job };
  expect(told(advanceCron(place(whole, runs), whole, at(until)).state.executions)).toEqual(expected);
});

test('advancing in many steps equals advancing in one', () => {
  const job: CronJob = { ...everyMinute, policy: 'Replace', repeats: true, deadlineSeconds: 50 };
  const start = place(job, { runSeconds: 3, exitCode: 1, left: 7 });
  let stepped = start;
  for (let ms = at('00:00:30'); ms <= at('00:20:00'); ms += 700) stepped = advanceCron(stepped, job, ms).state;
  expect(advanceCron(stepped, job, at('00:20:00')).state).toEqual(advanceCron(start, job, at('00:20:00')).state);
});

test('times missed during an outage do not run, and earlier runs end at their time', () => {
  const job: CronJob = { ...everyMinute, policy: 'Allow' };
  const running = advanceCron(place(job, { runSeconds: 90, exitCode: 0 }), job, at('00:01:00')).state;
  const after = advanceCron(running, job, at('00:10:20'), at('00:09:20')).state;
  expect(told(after.executions)).toEqual(['00:01:00 Success 00:02:30', '00:10:00 Active -']);
  expect(clock(after.nextMs)).toBe('00:11:00');
});

function overridden(command: string): CommandOverrides {
  return { command, overrides: [{ name: 'main', image: 'b:2', args: ['x'] }], deadlineSeconds: 40 };
}

test('an execution of a command ignores the policy, and does not delay the schedule (platform/commands.run-now)', () => {
  const job = everyMinute;
  const scheduled = advanceCron(place(job, { runSeconds: 100, exitCode: 0 }), job, at('00:01:00')).state;
  const both = begin(scheduled, job, {
    name: 'command-1',
    atMs: at('00:01:10'),
    commandOverrides: overridden('1'),
  }).state;
  expect(told(both.executions)).toEqual(['00:01:00 Active -', '00:01:10 Active -']);
  expect(both.executions[0]).toMatchObject({
    name: 'command-1',
    command: '1',
    containers: { main: { image: 'b:2', args: ['x'], cpu: '50m' } },
  });
  expect(both.executions[1]?.containers).toEqual({ main: { name: 'main', image: 'a:1', cpu: '50m', memory: '128Mi' } });
  expect(told(advanceCron(both, job, at('00:01:55')).state.executions)).toEqual([
    '00:01:00 Active -',
    '00:01:10 Removed 00:01:50',
  ]);

  const alone = begin(place(job, { runSeconds: 100, exitCode: 0 }), job, {
    name: 'command-2',
    atMs: at('00:00:50'),
  }).state;
  const replace: CronJob = { ...job, policy: 'Replace' };
  for (const each of [job, replace]) {
    expect(
      told(
        advanceCron(
          { ...alone, executions: alone.executions.map((one) => ({ ...one, command: '2' })) },
          each,
          at('00:01:00'),
        ).state.executions,
      ),
    ).toEqual(['00:00:50 Active -', '00:01:00 Active -']);
  }
});

test('stopping removes active executions and keeps those that ended (platform/commands.run-now)', () => {
  const job: CronJob = { ...everyMinute, policy: 'Allow' };
  const running = advanceCron(place(job, { runSeconds: 90, exitCode: 0 }), job, at('00:03:00')).state;
  const [newest] = running.executions;
  const { state: after, changed } = stop(running, ({ name }) => name === newest?.name, at('00:03:10'), 'stopped');
  expect(told(after.executions)).toEqual([
    '00:01:00 Success 00:02:30',
    '00:02:00 Active -',
    '00:03:00 Removed 00:03:10',
  ]);
  expect(changed.map(({ status }) => status)).toEqual(['Removed']);
  expect(stop(after, () => true, at('00:03:20'), 'stopped').changed).toHaveLength(1);
});

test.each([
  ['*/100 * * * *', 'cannot be read'],
  ['0 0 30 2 *', 'never occurs'],
])('an unusable schedule %s gives an execution that is Invalid (platform/cron.end)', (schedule, message) => {
  const job: CronJob = { ...everyMinute, schedule };
  const { state: after } = applySchedule(emptyPlace, job, at('00:00:30'));
  expect(after.nextMs).toBeUndefined();
  expect(after.executions).toMatchObject([{ status: 'Invalid', message: expect.stringContaining(message) }]);
  expect(applySchedule(after, job, at('00:00:40')).state).toEqual(after);
  const repaired = applySchedule(after, everyMinute, at('00:00:50')).state;
  expect(clock(repaired.nextMs)).toBe('00:01:00');
});

test('a changed schedule takes effect from the change on', () => {
  const before = place(everyMinute, { runSeconds: 1, exitCode: 0 });
  const hourly: CronJob = { ...everyMinute, schedule: '15 * * * *' };
  const after = applySchedule(before, hourly, at('00:00:40')).state;
  expect(told(advanceCron(after, hourly, at('01:20:00')).state.executions)).toEqual([
    '00:15:00 Success 00:15:01',
    '01:15:00 Success 01:15:01',
  ]);
});

const least: Execution = {
  ...{ name: 'job-1', status: 'Active', startMs: 1, workloadVersion: 3, repeats: false, failures: 0 },
  ...{ reason: '', message: '', containers: {} },
};
const whole: Execution = {
  ...{ ...least, status: 'Failure', repeats: true, failures: 2, reason: 'Error', message: 'exit code 1' },
  ...{ containers: { main: { image: 'a:1' } }, command: 'c', run: { startMs: 1, endMs: 2, exitCode: 1 } },
  ...{ endMs: 2, deadlineMs: 3, retryMs: 4, failedMs: 5, exitCode: 1 },
};

test.each([
  { it: 'only the mandatory members', execution: least },
  { it: 'all members', execution: whole },
])('an execution with $it is read as it was stored', ({ execution }) => {
  expect(readExecution(JSON.parse(JSON.stringify(executionJson(execution))))).toEqual(execution);
});
