import { count, described, integer, name, number, object, optionals, text, textOf } from '../../../base/form/read.ts';
import { type JsonObject, numberAt, objectAt, own, stringAt } from '../../../base/json/json.ts';
import { present } from '../../../base/json/present.ts';
import { referencesOf } from '../../core/referencesOf.ts';
import type { Session } from '../../core/session.ts';
import { ApiFailure } from '../../http/apiFailure.ts';
import { applyConsequences } from '../../records/derived/consequences.ts';
import { Presenter } from '../../records/shown/presenter.ts';
import { type Row, refOfRow } from '../../store/model/row.ts';
import type { LocationFacts } from '../decisions/facts.ts';
import { type Demand, demandJson, readDemand } from '../decisions/scale.ts';
import { restart } from '../stopReplica.ts';

/** The load, replicas and crashes of a serving workload, in one location or in all (local only). */
export const useBody = object(
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
export function simulateUse(session: Session, row: Row, body: JsonObject, locations: readonly string[]): JsonObject {
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
