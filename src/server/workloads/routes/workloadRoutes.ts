import {
  At,
  count,
  described,
  integer,
  name,
  number,
  object,
  optionals,
  text,
  textOf,
  tryRead,
} from '../../../base/form/read.ts';
import { type JsonObject, numberAt, objectAt, own, stringAt } from '../../../base/json/json.ts';
import { present } from '../../../base/json/present.ts';
import { bodyProblems } from '../../../schema/record/problem.ts';
import { lastSegment } from '../../../schema/record/ref.ts';
import { writeIn } from '../../audit/auditedWrite.ts';
import { existingRow } from '../../core/findRow.ts';
import { referencesOf } from '../../core/referencesOf.ts';
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
import { applyConsequences } from '../../records/derived/consequences.ts';
import { Presenter } from '../../records/shown/presenter.ts';
import { type Row, refOfRow } from '../../store/model/row.ts';
import type { LocationFacts } from '../decisions/facts.ts';
import { type Demand, demandJson, readDemand } from '../decisions/scale.ts';
import { restart } from '../stopReplica.ts';

/** The load, replicas and crashes of a serving workload, in one location or in all (local only). */
const useBody = object(
  optionals({
    location: name,
    load: described('Of all replicas of a location together, in units of the metric', number({ least: 0 })),
    replicas: described('Independent of the load, but within the bounds', count),
    crash: described(
      'A replica stops and restarts: the named one, or the first',
      object(optionals({ replica: text, exitCode: integer({ least: 0, most: 255 }), reason: textOf({ most: 250 }) })),
    ),
  }),
);

/** Runs one simulation. The answer has the number of replicas for each location. */
function simulateUse(session: Session, row: Row, body: JsonObject, locations: readonly string[]): JsonObject {
  const { platform, tx } = session;
  const placesIn = (of: Row) => new Presenter(platform, tx).placesOf(of);
  let current = row;
  for (const place of placesIn(row).filter(({ location }) => locations.includes(location))) {
    current = used(session, current, place, body);
    if (own(body, 'crash') !== undefined) crash(session, current, place, objectAt(body, 'crash'));
    current = tx.byUid('workload', row.uid) ?? current;
  }
  const ref = refOfRow(row);
  applyConsequences(session, [ref], referencesOf(ref, row.record, tx.org));
  const desired = placesIn(current).map(({ location, desired: count }) => [location, count] as const);
  return { desiredScale: Object.fromEntries(desired) };
}

function used({ platform, tx }: Session, row: Row, { location, desired }: LocationFacts, body: JsonObject): Row {
  const [load, replicas] = [numberAt(body, 'load'), numberAt(body, 'replicas')];
  if (load === undefined && replicas === undefined) return row;
  const demand: Demand = {
    sinceMs: platform.now(),
    before: desired,
    ...present({ load, replicas }),
  };
  // An unchanged load must not restart the time that counts towards scaling to zero.
  const known = readDemand(row.state, location);
  const same = known !== undefined && known.load === load && known.replicas === replicas;
  const state = same
    ? row.state
    : { ...row.state, demand: { ...objectAt(row.state, 'demand'), [location]: demandJson(demand) } };
  tx.updateState(row, state);
  return { ...row, state };
}

function crash(session: Session, row: Row, place: LocationFacts, asked: JsonObject): void {
  const replica = stringAt(asked, 'replica') ?? place.replicas[0];
  const ending = { exitCode: numberAt(asked, 'exitCode') ?? 1, reason: stringAt(asked, 'reason') ?? 'Error' };
  if (replica !== undefined && restart(session, row, place, { replica, ...ending })) return;
  throw new ApiFailure(400, `crash: no replica ${replica ?? ''} runs in ${place.location}`);
}

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
    const isCron = jobOf(row) !== undefined;
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
