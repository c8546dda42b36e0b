import { fingerprintOf } from '../rules/events/eventRecord.ts';
import { rolloutEvents, rolloutTimes } from '../rules/events/rolloutEvents.ts';
import type { Row } from '../store/row.ts';
import { type EventPlace, writeEvent } from './eventLog.ts';

/** More events than one record can have ahead of it. */
const many = 100;

/**
 * Tells of the rollout that a write of a workload began. Its end is written now, with its time: event logs show nothing
 * before its time has come, so that no work has to be scheduled for each write. `before`: the record until then; the end of
 * a rollout that is overtaken never comes.
 */
export function tellRollout(place: EventPlace, row: Row, before: Row | undefined): void {
  if (row.kind !== 'workload') return;
  const { platform, tx } = place;
  const overtaken = before === undefined ? undefined : rolloutTimes(before.state);
  if (overtaken !== undefined && overtaken.readyMs > platform.now()) {
    const ahead = tx.entries({ journal: 'event', owner: row.uid, fromMs: platform.now() + 1, limit: many });
    for (const entry of ahead) tx.dropEntry(entry);
  }
  for (const { atMs, event } of rolloutEvents(row.record, row.state, row.version)) {
    writeEvent(place, row, event, fingerprintOf(event), atMs);
  }
}
