import { objectAt, stringAt } from '../../base/json/json.ts';
import type { Ref } from '../../schema/record/ref.ts';
import type { UnitOfWork } from '../core/session.ts';
import { processStartMs, simulatedWorld } from '../records/shown/domainFacts.ts';
import type { Row } from '../store/model/row.ts';
import {
  domainStages,
  needsCertificate,
  needsDns,
  processKey,
  type SimulatedWorld,
  stagesOf,
} from './decisions/domainStage.ts';

/** Restarts the process if its dependencies have changed; its stages are logged as events. */
export function updateDomainState(work: UnitOfWork, ref: Ref): void {
  const row = work.tx.get(ref);
  if (row === undefined) return;
  const key = processKey(row.record);
  if (stringAt(objectAt(row.state, 'process'), 'key') === key) return;
  const state = { ...row.state, process: { key, sinceMs: work.platform.now() } };
  work.tx.updateState(row, state);
  scheduleStages(work, { ...row, state });
}

/** Applies other simulated conditions from now on; logs the stages again. */
export function setSimulatedWorld(work: UnitOfWork, row: Row, world: SimulatedWorld): void {
  const state = { ...row.state, world: { ...world } };
  work.tx.updateState(row, state);
  scheduleStages(work, { ...row, state });
}

function scheduleStages({ platform, tx }: UnitOfWork, row: Row): void {
  const nowMs = platform.now();
  const stages = stagesOf({
    sinceMs: processStartMs(row),
    readyAfterMs: platform.settings.readyAfterMs,
    needsDns: needsDns(row.record),
    needsCertificate: needsCertificate(row.record),
    world: simulatedWorld(row),
  });
  for (const stage of domainStages) tx.unschedule(keyOf(row, stage));
  for (const { stage, atMs } of stages) {
    const about = { uid: row.uid, stage };
    tx.schedule({ key: keyOf(row, stage), atMs: Math.max(nowMs, Math.ceil(atMs)), job: 'domain.stage', about });
  }
}

function keyOf({ uid }: Row, stage: string): string {
  return `domain.stage/${uid}/${stage}`;
}
