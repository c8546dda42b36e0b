import { expect, test } from 'vitest';
import { cronStateJson, readCronState } from '../../../src/server/cron/decisions/cronState.ts';
import type { Execution } from '../../../src/server/cron/decisions/execution.ts';
import { executionShown } from '../../../src/server/cron/decisions/job.ts';

const start = Date.UTC(2026, 0, 1, 0, 1);
const containers = { main: { name: 'main', image: 'a:1', cpu: '50m', memory: '128Mi' } };

const active: Execution = {
  name: 'job-29453761',
  workloadVersion: 3,
  status: 'Active',
  startMs: start,
  repeats: true,
  failures: 0,
  run: { startMs: start, endMs: start + 1000, exitCode: 0 },
  reason: '',
  message: '',
  containers,
};

test('an execution is shown with its replica and containers (platform/cron.executions)', () => {
  expect(executionShown(active)).toEqual({
    name: 'job-29453761',
    workloadVersion: 3,
    status: 'Active',
    startTime: '2026-01-01T00:01:00.000Z',
    replica: 'job-29453761-0',
    message: '',
    conditions: [],
    containers: {
      main: {
        name: 'main',
        image: 'a:1',
        ready: true,
        message: '',
        resources: { replicas: 1, replicasReady: 1, cpu: '50m', memory: '128Mi' },
      },
    },
  });
});

test('an execution that ended has its time and a condition (platform/cron.executions)', () => {
  const { run: _, ...ended } = active;
  const removed = executionShown({
    ...ended,
    status: 'Removed',
    endMs: start + 20_000,
    reason: 'Stopped',
    message: 'why',
  });
  expect(removed).toMatchObject({
    status: 'Removed',
    completionTime: '2026-01-01T00:01:20.000Z',
    message: 'why',
    conditions: [
      {
        type: 'Removed',
        status: 'True',
        reason: 'Stopped',
        message: 'why',
        lastDetectionTime: '2026-01-01T00:01:20.000Z',
        lastTransitionTime: '2026-01-01T00:01:20.000Z',
      },
    ],
    containers: { main: { ready: false, resources: { replicas: 0, replicasReady: 0 } } },
  });
});

test('a run that waits for its repetition shows the time of it, and counts its repetitions', () => {
  const { run: _, ...waiting } = active;
  const failed = { failures: 2, failedMs: start + 5000, exitCode: 7 };
  const shown = executionShown({ ...waiting, ...failed, retryMs: start + 25_000 });
  expect(shown).toMatchObject({
    status: 'Active',
    message: expect.stringContaining('2026-01-01T00:01:25.000Z'),
    containers: {
      main: {
        ready: false,
        restarts: { count: 1, exitCode: 7, reason: 'Error', lastRestartTime: '2026-01-01T00:01:05.000Z' },
      },
    },
  });
});

test('an execution shows its overrides (platform/commands.run-now)', () => {
  const overridden = { main: { ...containers.main, image: 'b:2', args: ['x'], env: [{ name: 'A', value: '1' }] } };
  expect(executionShown({ ...active, containers: overridden })['containers']).toMatchObject({
    main: { image: 'b:2', args: ['x'], env: [{ name: 'A', value: '1' }] },
  });
});

test('the state of a location is read as it was stored', () => {
  const { run: _, ...waiting } = active;
  const place = {
    executions: [
      { ...active, command: 'c', deadlineMs: start + 9000 },
      { ...waiting, failures: 1, failedMs: start, exitCode: 1, retryMs: start + 10_000 },
      { ...waiting, status: 'Failure', endMs: start + 3000 } as const,
    ],
    nextMs: start + 60_000,
    schedule: '* * * * *',
    runs: { runSeconds: 2, exitCode: 1, left: 3 },
  };
  expect(readCronState(JSON.parse(JSON.stringify(cronStateJson(place))))).toEqual(place);
});
