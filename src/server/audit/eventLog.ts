import { objectAt, own } from '../../base/json/json.ts';
import { runs } from '../../kinds/kindFacts.ts';
import { isContainer } from '../../schema/record/kinds.ts';
import { linkOf } from '../../schema/record/ref.ts';
import { type Caller, platformCaller } from '../core/caller.ts';
import type { Platform } from '../core/platform.ts';
import { type Entry, type NewEntry, type Row, refOfRow, type Transaction } from '../store/model/row.ts';
import {
  type EventFacts,
  eventRecord,
  fingerprintOf,
  repeatedEvent,
  rolloutEvents,
  type TimedEvent,
} from './decisions/eventRecord.ts';

/** The writer of an event, which is a request or a job. */
export interface EventWriter {
  readonly platform: Pick<Platform, 'newId' | 'now' | 'org'>;
  readonly tx: Transaction;
  /** The actor; absent for the platform. */
  readonly caller?: Caller;
}

/**
 * Writes an event to the event log of a record. A repeated fingerprint only raises the count of the first event and
 * moves it to the front (platform/audit.event-log).
 */
export function addEvent(writer: EventWriter, row: Row, event: EventFacts): void {
  const { platform, tx } = writer;
  const atMs = platform.now();
  const name = fingerprintOf(event);
  const [known] = tx.entries({ journal: 'event', owner: row.uid, name, limit: 1 });
  if (known === undefined) writeEvent(writer, row, { event, name, atMs, id: platform.newId() });
  else tx.changeEntry({ ...known, atMs: Math.max(known.atMs, atMs), body: repeatedEvent(known.body, atMs) });
}

/** An event with its fingerprint, its time and its id. */
export interface DatedEvent {
  readonly event: EventFacts;
  readonly name: string;
  readonly atMs: number;
  readonly id: string;
}

/** Writes an event whose fingerprint is new. */
export function writeEvent(writer: EventWriter, row: Row, dated: DatedEvent): void {
  writer.tx.addEntry(eventEntry(writer, row, dated));
}

/** The entry of an event in the journal. */
export function eventEntry(
  { platform, caller }: Omit<EventWriter, 'tx'>,
  row: Row,
  { event, name, atMs, id }: DatedEvent,
): NewEntry {
  const { link: principalLink } = caller ?? platformCaller(platform);
  return {
    journal: 'event',
    id,
    owner: row.uid,
    kind: event.component,
    name,
    subject: principalLink,
    context: '',
    atMs,
    body: eventRecord({ ...event, id, atMs, principalLink, itemPath: linkOf(refOfRow(row), platform.org) }),
  };
}

/**
 * The start and end of the last rollout, newest first. They are computed from the stored state when the event log is
 * read, so that a write of a workload need not log them or schedule work.
 */
export function lastRollout(platform: Platform, row: Row): readonly Entry[] {
  return pastRolloutEvents(platform, row)
    .map(({ atMs, event }, index) => {
      const name = fingerprintOf(event);
      // This id is the same on each read, and later in the journal.
      const id = idOf(platform, row, name);
      // Orders them after all other events of the same millisecond, the start before the end.
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
 * Logs the effects of a change on rollouts. For a workload: the events of the last rollout, because only one is stored.
 * For a GVC: one event in its own log, if the change makes its workloads roll out (platform/lifecycle.deployment).
 */
export function logRollout({ platform, tx }: WritePlace, before: Row, after: Row): void {
  for (const { atMs, event } of pastRolloutEvents(platform, before)) {
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

/** Omits the end of a rollout that was superseded or is still pending. */
function pastRolloutEvents(platform: Platform, row: Row): readonly TimedEvent[] {
  if (!runs(row.kind)) return [];
  return rolloutEvents(row.record, row.state, row.version).filter(({ atMs }) => atMs <= platform.now());
}

function idOf({ digest }: Platform, { uid }: Row, fingerprint: string): string {
  return digest(`${uid} ${fingerprint}`).slice(0, 32);
}
