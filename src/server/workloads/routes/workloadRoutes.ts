import { At, integer, name, number, object, optionals, tryRead } from '../../../base/form/read.ts';
import { type JsonObject, numberAt, own, stringAt } from '../../../base/json/json.ts';
import { present } from '../../../base/json/present.ts';
import { bodyProblems } from '../../../schema/record/problem.ts';
import { lastSegment } from '../../../schema/record/ref.ts';
import { writeIn } from '../../audit/auditedWrite.ts';
import { existingRow } from '../../core/findRow.ts';
import type { Call, Session } from '../../core/session.ts';
import { cronStateIn, storeCronState } from '../../cron/cronState.ts';
import { jobOf } from '../../cron/decisions/job.ts';
import { simulatedRunsJson, usualRun } from '../../cron/decisions/simulatedRuns.ts';
import { ApiFailure, invalid } from '../../http/apiFailure.ts';
import { callRef } from '../../http/dispatch/callRef.ts';
import { itemTemplate } from '../../http/dispatch/kindPaths.ts';
import type { Route } from '../../http/dispatch/route.ts';
import { type ApiReply, reply } from '../../http/message.ts';
import { parseObject } from '../../http/readBody.ts';
import { Presenter } from '../../records/shown/presenter.ts';
import type { Row } from '../../store/model/row.ts';
import { simulateUse, useBody } from './simulatedUse.ts';

/** The outcome of the next runs of a cron workload. */
const runsBody = object(
  optionals({
    runSeconds: number({ least: 0, most: 31_536_000 }),
    exitCode: integer({ least: 0, most: 255 }),
    times: integer({ least: 1 }),
    location: name,
  }),
);

/** Simulation of workloads: local only. */
export const workloadRoutes: readonly Route[] = [
  {
    id: 'workload.simulate',
    method: 'POST',
    path: `${itemTemplate('workload')}/-simulate`,
    summary: 'Set how the next runs of a cron workload end, or the load of another one',
    kind: 'workload',
    permission: 'admin',
    devOnly: true,
    body: { oneOf: [runsBody.schema, useBody.schema] },
    answer: { type: 'object' },
    handle: simulate,
  },
];

function simulate(call: Call): Promise<ApiReply> {
  const body = parseObject(call.request.bodyText);
  const ref = callRef(call, 'workload');
  return writeIn(call, { action: 'edit', kind: 'workload', ref }, (session) => {
    const row = existingRow(session.tx, ref);
    const isCron = jobOf(row.record, row.name, row.version) !== undefined;
    const read = tryRead(() => (isCron ? runsBody : useBody).read(body, new At()));
    if ('problems' in read) throw invalid(bodyProblems(read.problems));
    const locations = chosen(session, row, body);
    const simulated = isCron ? simulateRuns : simulateUse;
    return { reply: reply(200, simulated(session, row, body, locations)) };
  });
}

function simulateRuns(session: Session, row: Row, body: JsonObject, locations: readonly string[]): JsonObject {
  const left = numberAt(body, 'times');
  const runs = {
    runSeconds: numberAt(body, 'runSeconds') ?? usualRun.runSeconds,
    exitCode: numberAt(body, 'exitCode') ?? usualRun.exitCode,
    ...present({ left }),
  };
  let current = row;
  for (const location of locations) {
    current = storeCronState(session, current, location, {
      state: { ...cronStateIn(current, location), runs },
      changed: [],
    });
  }
  return simulatedRunsJson(runs);
}

/** The location in the body, or all locations of the GVC. */
function chosen({ platform, tx }: Session, row: Row, body: JsonObject): readonly string[] {
  const known = new Presenter(platform, tx).locationsOf(row.gvc).map(({ name }) => name);
  if (own(body, 'location') === undefined) return known;
  const location = lastSegment(stringAt(body, 'location') ?? '');
  if (known.includes(location)) return [location];
  throw new ApiFailure(400, `location: ${location} is not a location of the GVC ${row.gvc}`);
}
