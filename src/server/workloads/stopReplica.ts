import { name, object } from '../../base/form/read.ts';
import { type JsonObject, stringAt } from '../../base/json/json.ts';
import { workloadTypeOf } from '../../schema/facts/workloadTypes.ts';
import { lastSegment } from '../../schema/record/ref.ts';
import type { CommandState, CommandType } from '../audit/commandLog.ts';
import { addEvent } from '../audit/eventLog.ts';
import type { Session } from '../core/session.ts';
import { cronStateIn, storeCronState } from '../cron/cronState.ts';
import { replicaOf } from '../cron/decisions/execution.ts';
import { stop } from '../cron/decisions/step.ts';
import { ApiFailure } from '../http/apiFailure.ts';
import { Presenter } from '../records/shown/presenter.ts';
import type { Row } from '../store/model/row.ts';
import { type LocationFacts, withRestart } from './decisions/facts.ts';

/** Stops a replica, which restarts. For a cron workload, stops the replica's execution (platform/commands.run-now). */
export const stopReplica: CommandType = {
  owner: 'workload',
  type: 'stopReplica',
  spec: object({ location: name, replica: name }),
  begin,
};

function begin(session: Session, row: Row, { spec }: { readonly spec: JsonObject }): CommandState {
  const { platform } = session;
  const location = lastSegment(stringAt(spec, 'location') ?? '');
  const replica = stringAt(spec, 'replica') ?? '';
  const place = new Presenter(platform, session.tx).locationFactsOf(row).find((each) => each.location === location);
  if (place === undefined) throw new ApiFailure(404, `${location} is not a location of the GVC ${row.gvc}`);

  const stopped =
    workloadTypeOf(row.record) === 'cron'
      ? stopExecution(session, row, location, replica)
      : restart(session, row, place, { replica, exitCode: 143, reason: 'Stopped' });
  if (!stopped) throw new ApiFailure(404, `no replica ${replica} runs in ${location}`);
  return {
    lifecycleStage: 'completed',
    status: { podId: platform.digest(`${platform.settings.seed}/${location}/${replica}`).slice(0, 16) },
  };
}

function stopExecution(session: Session, row: Row, location: string, replica: string): boolean {
  const atMs = session.platform.now();
  const stopped = stop(
    cronStateIn(row, location),
    (each) => replicaOf(each) === replica,
    atMs,
    'its replica was stopped',
  );
  if (stopped.changed.length === 0) return false;
  storeCronState(session, row, location, stopped);
  return true;
}

/** The replica to restart, and how it ended. */
export interface Ending {
  readonly replica: string;
  readonly exitCode: number;
  readonly reason: string;
}

/** Restarts a replica and logs an event; false if no replica has this name. */
export function restart(session: Session, row: Row, place: LocationFacts, { replica, ...ending }: Ending): boolean {
  const { location, replicas } = place;
  if (!replicas.includes(replica)) return false;
  const atMs = session.platform.now();
  session.tx.updateState(row, withRestart(row.state, place, replica, { atMs, ...ending }));
  const { reason, exitCode } = ending;
  addEvent(session, row, {
    component: 'actuator',
    status: `${replica} in ${location} restarts: ${reason}, exit code ${exitCode}`,
  });
  return true;
}
