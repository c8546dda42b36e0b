import type { JsonObject } from '../../../src/base/json/json.ts';
import { batch, east, link, makeGvc, makeWorkload, specOf } from './fixtures.ts';
import { itemsAt } from './place.ts';
import type { Wire } from './wire.ts';

/** Creates a cron workload in one location, with simulated runs; returns its path. */
export async function makeCron(
  wire: Wire,
  job: JsonObject,
  run: { readonly runSeconds: number; readonly exitCode?: number },
  more: JsonObject = {},
): Promise<string> {
  const gvc = await makeGvc(wire, { staticPlacement: { locationLinks: [link.east] } });
  const spec = specOf('cron', { containers: [batch()], job: { schedule: '* * * * *', ...job }, ...more });
  const workload = await makeWorkload(wire, gvc, spec);
  await wire.ok('POST', `${workload}/-simulate`, { exitCode: 0, times: 1000, ...run });
  return workload;
}

/** An execution, with its times in milliseconds since 1970. */
export interface Execution {
  readonly name: string;
  readonly status: string;
  readonly startMs: number;
  readonly endMs: number | undefined;
}

/** The executions that the deployment shows, in the order of their starts. */
export async function executionsOf(wire: Wire, workload: string): Promise<readonly Execution[]> {
  const deployment = await wire.get(`${workload}/deployment/${east}`);
  return itemsAt(deployment, 'status/jobExecutions')
    .map((execution) => ({
      name: String(execution['name']),
      status: String(execution['status']),
      startMs: Date.parse(String(execution['startTime'])),
      endMs: execution['completionTime'] === undefined ? undefined : Date.parse(String(execution['completionTime'])),
    }))
    .toSorted((one, other) => one.startMs - other.startMs);
}

/** Starts the workload now; returns the id of the command. */
export async function runNow(wire: Wire, workload: string, spec: JsonObject = {}): Promise<string> {
  const body = { type: 'runCronWorkload', spec: { location: east, ...spec } };
  const reply = await wire.call('POST', `${workload}/-command`, body);
  if (reply.status !== 201) throw new Error(`run-now answered ${reply.status}: ${reply.text}`);
  return reply.headers.get('location')?.split('/').at(-1) ?? '';
}
