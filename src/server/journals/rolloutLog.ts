import { objectAt, own } from '../../schema/json/json.ts';
import type { Platform } from '../core/platform.ts';
import { fingerprintOf } from '../rules/journals/eventRecord.ts';
import { rolloutEvents, type TimedEvent } from '../rules/journals/rolloutEvents.ts';
import type { Entry, Row } from '../store/row.ts';
import { addEvent, type EventWriter, eventEntry, writeEvent } from './eventLog.ts';

/**
 * Beginning and end of the rollout that runs or ran last follow from what is kept of it, so that no write of a workload
 * has to write them down or schedule work for them: they are put together when the event log is read. Newest first.
 */
export function lastRollout(platform: Platform, row: Row): readonly Entry[] {
  return happened(platform, row)
    .map(({ atMs, event }, index) => {
      const name = fingerprintOf(event);
      // The same id each time it is read, and in the journal later on.
      const id = idOf(platform, row, name);
      // After everything else of the same millisecond, and the end after the beginning.
      const seq = Number.MAX_SAFE_INTEGER - 1 + index;
      return { ...eventEntry({ platform }, row, { event, name, atMs, id }), seq };
    })
    .toReversed();
}

/** Where a write happens: in a request. */
interface WritePlace extends EventWriter {
  readonly platform: Platform;
}

/**
 * What a change means for rollouts. Of a workload: what happened in the last one is written down, for only one is kept.
 * Of a GVC: its workloads begin new ones where it changed something for them (platform/lifecycle.deployment); its own
 * log says so once.
 */
export function logRollout({ platform, tx }: WritePlace, before: Row, after: Row): void {
  for (const { atMs, event } of happened(platform, before)) {
    const name = fingerprintOf(event);
    writeEvent({ platform, tx }, before, { event, name, atMs, id: idOf(platform, before, name) });
  }
  if (after.kind !== 'gvc' || own(objectAt(after.state, 'concerning'), 'version') !== after.version) return;
  addEvent({ platform, tx }, after, {
    component: 'actuator',
    category: 'rollout',
    status: 'workloads roll out',
    message: `version ${after.version}`,
  });
}

/** The end of a rollout that was overtaken, or is still to come, is not among it. */
function happened(platform: Platform, row: Row): readonly TimedEvent[] {
  if (row.kind !== 'workload') return [];
  return rolloutEvents(row.record, row.state, row.version).filter(({ atMs }) => atMs <= platform.now());
}

function idOf({ digest }: Platform, { uid }: Row, fingerprint: string): string {
  return digest(`${uid} ${fingerprint}`).slice(0, 32);
}
