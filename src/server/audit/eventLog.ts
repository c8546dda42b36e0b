import { linkOf } from '../../schema/record/ref.ts';
import { type Caller, platformCaller } from '../core/caller.ts';
import type { Platform } from '../core/platform.ts';
import { type NewEntry, type Row, refOfRow, type Transaction } from '../store/model/row.ts';
import { type EventFacts, eventRecord, fingerprintOf, repeatedEvent } from './decisions/eventRecord.ts';

/** The writer of an event: a request or a job. */
export interface EventWriter {
  readonly platform: Pick<Platform, 'newId' | 'now' | 'org'>;
  readonly tx: Transaction;
  /** The actor; the platform if absent. */
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

/** Writes an event whose fingerprint is known to be new. */
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
