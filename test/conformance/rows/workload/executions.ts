import { expect } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { executionsOf, makeCron, runNow } from '../../harness/cron.ts';
import { batch, east } from '../../harness/fixtures.ts';
import { at, itemsAt } from '../../harness/place.ts';
import { ownRow, type Row } from '../../harness/row.ts';

interface Runs {
  readonly job: JsonObject;
  readonly run: { readonly runSeconds: number; readonly exitCode?: number };
  /** The number of simulated runs; later ones succeed after a second. */
  readonly times?: number;
  readonly after: string;
  /** `start status seconds`, counted from the first start, oldest first; `…` if more may follow. */
  readonly told: readonly string[];
}

function runs(id: string, statement: string, { job, run, times, after, told }: Runs): Row {
  return ownRow(`workload.types/${id}`, statement, {}, async (wire) => {
    const workload = await makeCron(wire, { historyLimit: 10, ...job }, times === undefined ? run : { runSeconds: 1 });
    if (times !== undefined) await wire.ok('POST', `${workload}/-simulate`, { ...run, times });
    await wire.advance(after);
    const executions = await executionsOf(wire, workload);
    const seconds = (ms = 0) => (ms - (executions[0]?.startMs ?? 0)) / 1000;
    const shown = executions.map(({ status, startMs, endMs }) => {
      return `${seconds(startMs)} ${status}${endMs === undefined ? '' : ` ${seconds(endMs) - seconds(startMs)}`}`;
    });
    const isOpen = told.at(-1) === '…';
    expect(isOpen ? [...shown.slice(0, told.length - 1), '…'] : shown).toEqual(told);
  });
}

const tenth = { schedule: '*/10 * * * *' };
const repeated = { restartPolicy: 'OnFailure' };

// biome-ignore format: a row is a case
export const executionRows: readonly Row[] = [
  runs('status Invalid', 'an execution is Invalid if the schedule cannot be read',
    { job: { schedule: 'every day' }, run: { runSeconds: 1 }, after: '10m', told: ['0 Invalid 0'] }),
  runs('status Active', 'an execution is Active while it runs',
    { job: {}, run: { runSeconds: 3600 }, after: '2m', told: ['0 Active'] }),
  runs('status Success', 'an execution is Success if it exits with 0',
    { job: tenth, run: { runSeconds: 30 }, after: '11m', told: ['0 Success 30', '…'] }),
  runs('status Failure', 'an execution is Failure if it exits with another code',
    { job: tenth, run: { runSeconds: 30, exitCode: 1 }, after: '11m', told: ['0 Failure 30', '…'] }),
  // Seven runs of a second, and pauses of 10, 20, 40, 80, 160 and 320 seconds.
  runs('status Failure, repeated', 'with OnFailure a run is repeated in the same execution, which then fails',
    { job: { schedule: '0 0 * * *', ...repeated }, run: { runSeconds: 1, exitCode: 1 }, after: '25h',
      told: ['0 Failure 637', '…'] }),
  runs('status Success, repeated', 'with OnFailure a repetition that exits with 0 makes it a Success',
    { job: { schedule: '0 * * * *', ...repeated }, run: { runSeconds: 1, exitCode: 1 }, times: 2, after: '61m',
      told: ['0 Success 33', '…'] }),
  ownRow('workload.types/status Removed', 'an execution that was stopped is Removed', {}, async (wire) => {
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
  runs('transition Replace',
    'with Replace an active execution is Removed at the next time of the schedule, and a new one starts',
    { job: { concurrencyPolicy: 'Replace' }, run: { runSeconds: 90 }, after: '5m',
      told: ['0 Removed 60', '60 Removed 60', '120 Removed 60', '180 Removed 60', '240 Active'] }),
  runs('transition deadline', 'an active execution is Removed after activeDeadlineSeconds',
    { job: { ...tenth, activeDeadlineSeconds: 30 }, run: { runSeconds: 300 }, after: '12m',
      told: ['0 Removed 30', '…'] }),
  runs('policy Forbid', 'Forbid skips the times of the schedule at which a run is active',
    { job: { concurrencyPolicy: 'Forbid' }, run: { runSeconds: 150 }, after: '7m',
      told: ['0 Success 150', '180 Success 150', '360 Active'] }),
  runs('policy Replace', 'Replace leaves one run at a time, the newest',
    { job: { concurrencyPolicy: 'Replace' }, run: { runSeconds: 600 }, after: '4m',
      told: ['0 Removed 60', '60 Removed 60', '120 Removed 60', '180 Active'] }),
  runs('policy Allow', 'Allow lets runs overlap',
    { job: { concurrencyPolicy: 'Allow' }, run: { runSeconds: 600 }, after: '4m',
      told: ['0 Active', '60 Active', '120 Active', '180 Active'] }),
  ownRow('workload.types/policy run-now',
    'run-now ignores the policy: it starts beside a run under Forbid, and replaces nothing under Replace',
    {}, async (wire) => {
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
  ...runNowRows(),
];

/** Running a cron workload now (platform/commands.run-now). */
function runNowRows(): readonly Row[] {
  return [
    ownRow(
      'commands.run-now/type and spec',
      'run-now is the command runCronWorkload with a location of the GVC',
      {},
      async (wire) => {
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
      },
    ),
    ownRow(
      'commands.run-now/containerOverrides',
      'containerOverrides name a container, and apply to this execution only',
      {},
      async (wire) => {
        const workload = await makeCron(wire, { schedule: '0 0 1 1 *' }, { runSeconds: 20 });
        const changed = { image: 'shop/report:2', args: ['--all'], env: [{ name: 'A', value: 'b' }] };
        const override = { name: 'main', command: 'report', cpu: '100m', memory: '256Mi', ...changed };
        const [id, plain] = [
          await runNow(wire, workload, { containerOverrides: [override] }),
          await runNow(wire, workload),
        ];
        await wire.advance('1s');
        const executions = itemsAt(await wire.get(`${workload}/deployment/${east}`), 'status/jobExecutions');
        const [mine, other] = [id, plain].map((one) => executions.find(({ name }) => name === `command-${one}`));
        const main = { ...changed, resources: { cpu: '100m' } };
        expect(mine).toMatchObject({ status: 'Active', workloadVersion: 1, containers: { main } });
        expect(other).toMatchObject({ containers: { main: { image: batch()['image'] } } });
        const path = `${workload}/-command/${id}`;
        expect(await wire.get(path)).toMatchObject({
          lifecycleStage: 'running',
          spec: { containerOverrides: [override] },
          status: {
            replica: mine?.['replica'],
            clusterIdByLocation: { [east]: expect.any(String) },
            minimumWorkloadVersion: 1,
          },
        });
        await wire.advance('20s');
        expect(await wire.get(path)).toMatchObject({ lifecycleStage: 'completed', version: 3 });
        const { version, spec } = await wire.get(workload);
        expect([version, at(spec, 'containers/0/image')]).toEqual([1, batch()['image']]);
        const wrong = { location: east, containerOverrides: [{ name: 'other', image: 'shop/report:3' }] };
        await wire.refused(400, 'POST', `${workload}/-command`, { type: 'runCronWorkload', spec: wrong });
      },
    ),
    ownRow('commands.run-now/suspended', 'run-now works on a suspended workload', {}, async (wire) => {
      const suspended = { defaultOptions: { suspend: true } };
      const workload = await makeCron(wire, {}, { runSeconds: 1 }, suspended);
      const id = await runNow(wire, workload);
      await wire.advance('1m');
      const executions = await executionsOf(wire, workload);
      expect(executions.map(({ name, status }) => [name, status])).toEqual([[`command-${id}`, 'Success']]);
    }),
    ownRow(
      'commands.run-now/policy',
      'run-now ignores concurrencyPolicy: a run of the schedule continues beside it',
      {},
      async (wire) => {
        const workload = await makeCron(wire, { concurrencyPolicy: 'Forbid' }, { runSeconds: 3600 });
        await wire.advance('2m');
        await runNow(wire, workload);
        await wire.advance('10s');
        expect((await executionsOf(wire, workload)).map(({ status }) => status)).toEqual(['Active', 'Active']);
      },
    ),
  ];
}
