import { expect } from 'vitest';
import { executionsOf, gaps, makeCron, runNow } from '../../harness/cron.ts';
import { batch, east } from '../../harness/fixtures.ts';
import { at, itemsAt } from '../../harness/place.ts';
import { parted, type Row, row } from '../../harness/row.ts';
import { alone } from '../../harness/wire.ts';

const minute = 60;

export const executionRows: readonly Row[] = [
  row(
    'workload.types/status Invalid',
    'an execution is Invalid where the schedule cannot be read',
    alone({}, async (wire) => {
      const workload = await makeCron(wire, { schedule: 'every day' }, { runSeconds: 1 });
      await wire.advance('10m');
      expect((await executionsOf(wire, workload)).map(({ status }) => status)).toEqual(['Invalid']);
    }),
  ),
  row(
    'workload.types/status Active',
    'an execution is Active while it runs',
    alone({}, async (wire) => {
      const workload = await makeCron(wire, { schedule: '* * * * *' }, { runSeconds: 3600 });
      await wire.advance('2m');
      const executions = await executionsOf(wire, workload);
      expect(executions.map(({ status, endMs }) => [status, endMs])).toEqual([['Active', undefined]]);
    }),
  ),
  row(
    'workload.types/status Success',
    'an execution is Success where it exits with 0',
    alone({}, async (wire) => {
      const workload = await makeCron(wire, { schedule: '*/10 * * * *' }, { runSeconds: 30 });
      await wire.advance('11m');
      const [first] = await executionsOf(wire, workload);
      expect(first?.status).toBe('Success');
      expect(((first?.endMs ?? 0) - (first?.startMs ?? 0)) / 1000).toBe(30);
    }),
  ),
  parted(
    'workload.types/status Failure',
    'an execution is Failure where it exits with another code',
    [
      'with restartPolicy Never the first failure ends it',
      alone({}, async (wire) => {
        const workload = await makeCron(wire, { schedule: '*/10 * * * *' }, { runSeconds: 30, exitCode: 1 });
        await wire.advance('11m');
        const [first] = await executionsOf(wire, workload);
        expect([first?.status, ((first?.endMs ?? 0) - (first?.startMs ?? 0)) / 1000]).toEqual(['Failure', 30]);
      }),
    ],
    [
      'with restartPolicy OnFailure it is repeated with growing pauses in the same execution, and fails in the end',
      alone({}, async (wire) => {
        const job = { schedule: '0 0 * * *', restartPolicy: 'OnFailure' };
        const workload = await makeCron(wire, job, { runSeconds: 1, exitCode: 1 });
        await wire.advance('25h');
        const executions = await executionsOf(wire, workload);
        expect(executions.map(({ status }) => status)).toEqual(expect.arrayContaining(['Failure']));
        const failed = executions.find(({ status }) => status === 'Failure');
        const seconds = ((failed?.endMs ?? 0) - (failed?.startMs ?? 0)) / 1000;
        expect(seconds, 'a run and six repetitions, with pauses that double').toBeGreaterThan(7 + 6 * 10);
      }),
    ],
    [
      'with restartPolicy OnFailure a repetition that exits with 0 makes it a Success',
      alone({}, async (wire) => {
        const workload = await makeCron(wire, { schedule: '0 * * * *', restartPolicy: 'OnFailure' }, { runSeconds: 1 });
        await wire.ok('POST', `${workload}/-simulate`, { runSeconds: 1, exitCode: 1, times: 2 });
        await wire.advance('61m');
        const [first] = await executionsOf(wire, workload);
        expect(first?.status).toBe('Success');
        expect(((first?.endMs ?? 0) - (first?.startMs ?? 0)) / 1000).toBeGreaterThan(3);
      }),
    ],
  ),
  row(
    'workload.types/status Removed',
    'an execution that was stopped is Removed',
    alone({}, async (wire) => {
      const workload = await makeCron(wire, { schedule: '0 0 1 1 *' }, { runSeconds: 3600 });
      const id = await runNow(wire, workload);
      await wire.advance('1m');
      const [execution] = itemsAt(await wire.get(`${workload}/deployment/${east}`), 'status/jobExecutions');
      expect(execution).toMatchObject({ name: `command-${id}`, status: 'Active' });
      const spec = { location: east, replica: execution?.['replica'] ?? '' };
      expect((await wire.call('POST', `${workload}/-command`, { type: 'stopReplica', spec })).status).toBe(201);
      await wire.advance('1m');
      expect((await executionsOf(wire, workload)).map(({ status }) => status)).toEqual(['Removed']);
    }),
  ),
  row(
    'workload.types/transition Replace',
    'Active, at the next time of the schedule, with Replace: Removed, and a new execution starts',
    alone({}, async (wire) => {
      const workload = await makeCron(wire, { concurrencyPolicy: 'Replace', historyLimit: 10 }, { runSeconds: 90 });
      await wire.advance('5m');
      const executions = await executionsOf(wire, workload);
      expect(gaps(executions)).toEqual([minute, minute, minute, minute]);
      expect(executions.map(({ status }) => status)).toEqual(['Removed', 'Removed', 'Removed', 'Removed', 'Active']);
      expect(executions[0]?.endMs).toBe(executions[1]?.startMs);
    }),
  ),
  row(
    'workload.types/transition deadline',
    'Active, when activeDeadlineSeconds are over: Removed',
    alone({}, async (wire) => {
      const job = { schedule: '*/10 * * * *', activeDeadlineSeconds: 30 };
      const workload = await makeCron(wire, job, { runSeconds: 300 });
      await wire.advance('12m');
      const [first] = await executionsOf(wire, workload);
      expect([first?.status, ((first?.endMs ?? 0) - (first?.startMs ?? 0)) / 1000]).toEqual(['Removed', 30]);
    }),
  ),
  row(
    'workload.types/policy Forbid',
    'Forbid skips the times of the schedule at which a run is going on',
    alone({}, async (wire) => {
      const workload = await makeCron(wire, { concurrencyPolicy: 'Forbid', historyLimit: 10 }, { runSeconds: 90 });
      await wire.advance('6m');
      const executions = await executionsOf(wire, workload);
      expect(gaps(executions)).toEqual([2 * minute, 2 * minute]);
      expect(executions.slice(0, -1).map(({ status }) => status)).toEqual(['Success', 'Success']);
    }),
  ),
  row(
    'workload.types/policy Replace',
    'Replace leaves one run at a time, the newest',
    alone({}, async (wire) => {
      const workload = await makeCron(wire, { concurrencyPolicy: 'Replace', historyLimit: 10 }, { runSeconds: 600 });
      await wire.advance('4m');
      const active = (await executionsOf(wire, workload)).filter(({ status }) => status === 'Active');
      expect(active).toEqual([(await executionsOf(wire, workload)).at(-1)]);
    }),
  ),
  row(
    'workload.types/policy Allow',
    'Allow runs them beside each other',
    alone({}, async (wire) => {
      const workload = await makeCron(wire, { concurrencyPolicy: 'Allow', historyLimit: 10 }, { runSeconds: 600 });
      await wire.advance('4m');
      const executions = await executionsOf(wire, workload);
      expect(executions.map(({ status }) => status)).toEqual(['Active', 'Active', 'Active', 'Active']);
    }),
  ),
  row(
    'workload.types/policy run-now',
    'run-now ignores the policy: it starts beside a run under Forbid, and replaces nothing under Replace',
    alone({}, async (wire) => {
      for (const concurrencyPolicy of ['Forbid', 'Replace']) {
        const job = { schedule: '0 0 1 1 *', concurrencyPolicy };
        const workload = await makeCron(wire, job, { runSeconds: 3600 });
        const ids = [await runNow(wire, workload), await runNow(wire, workload)];
        await wire.advance('1m');
        const executions = await executionsOf(wire, workload);
        expect(executions.map(({ status }) => status)).toEqual(['Active', 'Active']);
        expect(executions.map(({ name }) => name)).toEqual(expect.arrayContaining(ids.map((id) => `command-${id}`)));
      }
    }),
  ),
  row(
    'workload.types/history',
    'the executions that are kept are bounded by historyLimit',
    alone({}, async (wire) => {
      const workload = await makeCron(wire, { historyLimit: 3 }, { runSeconds: 1 });
      await wire.advance('20m');
      expect((await executionsOf(wire, workload)).length).toBeLessThanOrEqual(4);
      expect((await executionsOf(wire, workload)).length).toBeGreaterThanOrEqual(3);
    }),
  ),
  row(
    'workload.types/suspended',
    'a suspended cron workload does not run on its schedule',
    alone({}, async (wire) => {
      const suspended = { defaultOptions: { suspend: true } };
      const workload = await makeCron(wire, {}, { runSeconds: 1 }, suspended);
      await wire.advance('10m');
      expect(await executionsOf(wire, workload)).toEqual([]);
    }),
  ),
  ...runNowRows(),
];

/** Running a cron workload now (platform/commands.run-now). */
function runNowRows(): readonly Row[] {
  return [
    row(
      'commands.run-now/type and spec',
      'run-now is the command runCronWorkload with a location of the GVC',
      alone({}, async (wire) => {
        const workload = await makeCron(wire, { schedule: '0 0 1 1 *' }, { runSeconds: 1 });
        const id = await runNow(wire, workload);
        await wire.advance('1m');
        expect(await wire.get(`${workload}/-command/${id}`)).toMatchObject({
          kind: 'command',
          type: 'runCronWorkload',
          spec: { location: east },
          lifecycleStage: 'completed',
        });
        for (const location of ['aws-us-west-2', 'nowhere']) {
          const reply = await wire.call('POST', `${workload}/-command`, {
            type: 'runCronWorkload',
            spec: { location },
          });
          expect([400, 404], reply.text).toContain(reply.status);
        }
      }),
    ),
    row(
      'commands.run-now/containerOverrides',
      'containerOverrides name a container, and hold for this execution only',
      alone({}, async (wire) => {
        const workload = await makeCron(wire, { schedule: '0 0 1 1 *' }, { runSeconds: 1 });
        const override = {
          name: 'main',
          command: 'report',
          cpu: '100m',
          memory: '256Mi',
          image: 'shop/report:2',
          args: ['--all'],
          env: [{ name: 'A', value: 'b' }],
        };
        const id = await runNow(wire, workload, { containerOverrides: [override] });
        await wire.advance('1m');
        expect(at(await wire.get(`${workload}/-command/${id}`), 'spec/containerOverrides')).toEqual([override]);
        expect(at(await wire.get(workload), 'spec/containers/0/image')).toBe(batch()['image']);
        expect((await wire.get(workload))['version']).toBe(1);
        const deployment = await wire.get(`${workload}/deployment/${east}`);
        const executions = itemsAt(deployment, 'status/jobExecutions');
        expect(executions).toMatchObject([{ name: `command-${id}`, status: 'Success', workloadVersion: 1 }]);
        expect(JSON.stringify(executions)).toContain('shop/report:2');
        const spec = { location: east, containerOverrides: [{ name: 'other', image: 'shop/report:3' }] };
        await wire.refused(400, 'POST', `${workload}/-command`, { type: 'runCronWorkload', spec });
      }),
    ),
    row(
      'commands.run-now/suspended',
      'run-now works on a suspended workload',
      alone({}, async (wire) => {
        const suspended = { defaultOptions: { suspend: true } };
        const workload = await makeCron(wire, {}, { runSeconds: 1 }, suspended);
        const id = await runNow(wire, workload);
        await wire.advance('1m');
        const executions = await executionsOf(wire, workload);
        expect(executions.map(({ name, status }) => [name, status])).toEqual([[`command-${id}`, 'Success']]);
      }),
    ),
    row(
      'commands.run-now/policy',
      'run-now ignores concurrencyPolicy: a run of the schedule goes on beside it',
      alone({}, async (wire) => {
        const workload = await makeCron(wire, { concurrencyPolicy: 'Forbid' }, { runSeconds: 3600 });
        await wire.advance('2m');
        await runNow(wire, workload);
        await wire.advance('10s');
        expect((await executionsOf(wire, workload)).map(({ status }) => status)).toEqual(['Active', 'Active']);
      }),
    ),
  ];
}
