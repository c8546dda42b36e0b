import { objectAt, own } from '../../base/json/json.ts';
import { runs } from '../../kinds/kindFacts.ts';
import { isContainer } from '../../schema/record/kinds.ts';
import type { Platform } from '../core/platform.ts';
import type { Entry, Row } from '../store/model/row.ts';
import { fingerprintOf } from './decisions/eventRecord.ts';
import { rolloutEvents, type TimedEvent } from './decisions/rolloutEvents.ts';
import { addEvent, type EventWriter, eventEntry, writeEvent } from './eventLog.ts';

/**
 * Start and end of the current or last rollout, newest first. They follow from the stored state, so that a write of a
 * workload need not log them or schedule work: they are computed when the event log is read.
 */
export function lastRollout(platform: Platform, row: Row): readonly Entry[] {
  return happened(platform, row)
    .map(({ atMs, event }, index) => {
      const name = fingerprintOf(event);
      // The same id on each read, and later in the journal.
      const id = idOf(platform, row, name);
      // After all other events of the same millisecond, the start before the end.
      const seq = Number.MAX_SAFE_INTEGER - 1 + index;
      return { ...eventEntry({ platform }, row, { event, name, atMs, id }), seq };
    })
    .toReversed();
}

/** The context of a write in a request. */
interface WritePlace extends EventWriter {
  readonly platform: Platform;
}

/**
 * Logs what a change means for rollouts. For a workload: the events of the last rollout, since only one is stored. For
 * a GVC: its workloads roll out if the change concerns them (platform/lifecycle.deployment), which its own log says
 * once.
 */
export function logRollout({ platform, tx }: WritePlace, before: Row, after: Row): void {
  for (const { atMs, event } of happened(platform, before)) {
    const name = fingerprintOf(event);
    writeEvent({ platform, tx }, before, { event, name, atMs, id: idOf(platform, before, name) });
  }
  if (!isContainer(after.kind) || own(objectAt(after.state, 'concerning'), 'version') !== after.version) return;
  addEvent({ platform, tx }, after, {
    component: 'actuator',
    category: 'rollout',
    status: 'workloads roll out',
    message: `version ${after.version}`,
  });
}

/** Without the end of a rollout that was superseded or is still pending. */
function happened(platform: Platform, row: Row): readonly TimedEvent[] {
  if (!runs(row.kind)) return [];
  return rolloutEvents(row.record, row.state, row.version).filter(({ atMs }) => atMs <= platform.now());
}

function idOf({ digest }: Platform, { uid }: Row, fingerprint: string): string {
  return digest(`${uid} ${fingerprint}`).slice(0, 32);
}
