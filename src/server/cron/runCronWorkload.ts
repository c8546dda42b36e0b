import { integer, list, name, object, optional, optionals, text, textLike, textOf } from '../../base/form/read.ts';
import { isObject, type JsonArray, type JsonObject, listAt, numberAt, stringAt } from '../../base/json/json.ts';
import { lastSegment } from '../../schema/record/ref.ts';
import type { CommandState, CommandType } from '../audit/commandLog.ts';
import type { Session } from '../core/session.ts';
import { ApiFailure } from '../http/apiFailure.ts';
import { pendingMs } from '../http/limits.ts';
import { Presenter } from '../records/shown/presenter.ts';
import type { Row } from '../store/model/row.ts';
import { cronLocations, cronStateIn, storeCronState } from './cronState.ts';
import { type Execution, replicaOf } from './decisions/execution.ts';
import { type CronJob, jobOf } from './decisions/job.ts';
import { begin as beginExecution, stop } from './decisions/step.ts';

const quantityForm = /^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$/;
const quantity = textLike(
  (given) => given.length <= 20 && quantityForm.test(given),
  'a quantity, such as 500m or 128Mi',
  {
    type: 'string',
    maxLength: 20,
    pattern: quantityForm.source,
  },
);

const override = object({
  name,
  ...optionals({
    command: textOf({ most: 256 }),
    args: list(text),
    cpu: quantity,
    memory: quantity,
    image: name,
    env: list(object({ name: text, value: optional(text) })),
  }),
});

/**
 * Runs a cron workload now (platform/commands.run-now), even if it is suspended or its concurrency policy forbids it.
 */
export const runCronWorkload: CommandType = {
  owner: 'workload',
  type: 'runCronWorkload',
  spec: object({
    location: name,
    ...optionals({
      containerOverrides: list(override),
      activeDeadlineSeconds: integer({ least: 1, most: 86_400 }),
      scheduleName: text,
    }),
  }),
  begin,
  cancel(session, row, { id }) {
    const atMs = session.platform.now();
    let current = row;
    for (const location of cronLocations(row)) {
      const stopped = stop(cronStateIn(current, location), ({ command }) => command === id, atMs, 'cancelled');
      if (stopped.changed.length > 0) current = storeCronState(session, current, location, stopped);
    }
  },
};

function begin(
  session: Session,
  row: Row,
  { id, spec }: { readonly id: string; readonly spec: JsonObject },
): CommandState {
  const { platform, tx } = session;
  const job = jobOf(row);
  if (job === undefined)
    throw new ApiFailure('command_refused', `${row.name} is not a cron workload: only those are run by a command`);
  const location = locationOf(session, row, spec);
  const overrides = listAt(spec, 'containerOverrides');
  requireContainers(job, overrides);

  const atMs = platform.now();
  const deadlineSeconds = numberAt(spec, 'activeDeadlineSeconds');
  const commandOverrides = { command: id, overrides, deadlineSeconds };
  const started = beginExecution(cronStateIn(row, location), job, {
    name: `command-${id}`,
    atMs,
    commandOverrides,
  });
  storeCronState(session, row, location, started);

  const [execution] = started.changed;
  if (execution === undefined) throw new Error('the execution was not started');
  const runsFrom = atMs + Math.min(pendingMs, Math.floor(durationMs(execution) / 2));
  tx.schedule({ key: `command.running/${id}`, atMs: runsFrom, job: 'command.running', about: { id } });
  return {
    lifecycleStage: 'pending',
    status: {
      replica: replicaOf(execution),
      clusterIdByLocation: { [location]: clusterId(session, location) },
      minimumWorkloadVersion: row.version,
    },
  };
}

function durationMs({ run, startMs }: Execution): number {
  return run === undefined ? 0 : run.endMs - startMs;
}

/** A location of the GVC, by name or link (rule W42). */
function locationOf({ platform, tx }: Session, row: Row, spec: JsonObject): string {
  const location = lastSegment(stringAt(spec, 'location') ?? '');
  const known = new Presenter(platform, tx).locationsOf(row.gvc).map(({ name }) => name);
  if (known.includes(location)) return location;
  const there = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
  throw new ApiFailure(400, `spec.location: ${location} is not a location of the GVC ${row.gvc}; ${there}`);
}

function requireContainers({ containers }: CronJob, overrides: JsonArray): void {
  const known = new Set(containers.map((container) => (isObject(container) ? stringAt(container, 'name') : undefined)));
  for (const [index, each] of overrides.entries()) {
    const name = isObject(each) ? stringAt(each, 'name') : undefined;
    if (!known.has(name)) {
      throw new ApiFailure(400, `spec.containerOverrides.${index}.name: the workload has no container ${name}`);
    }
  }
}

/** The simulated cluster of a location: random, but determined by the seed. */
function clusterId({ platform }: Session, location: string): string {
  return platform.digest(`${platform.settings.seed}/cluster/${location}`).slice(0, 12);
}
