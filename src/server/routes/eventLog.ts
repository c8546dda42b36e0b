import type { Row, Transaction } from '../store/row.ts';
import type { Platform } from './platform.ts';

/** Something that the platform did about a record. */
export interface LogEvent {
  /** Protocol 7.2: actuator, dns-updater, scheduler, iam-broker, metadata-proxy, data-service. */
  readonly component: 'actuator' | 'data-service' | 'dns-updater' | 'iam-broker' | 'metadata-proxy' | 'scheduler';
  /** What happened, in words. */
  readonly status: string;
  /** Equal events have an equal one: they are counted, not repeated. Default: component and status. */
  readonly fingerprint?: string;
}

/** Writes an event into the event log of a record (protocol 7.2). */
export function addEvent(
  { platform, tx }: { readonly platform: Platform; readonly tx: Transaction },
  row: Row,
  { component, status, fingerprint = `${component}: ${status}` }: LogEvent,
): void {
  const id = platform.newId();
  const atMs = platform.now();
  const created = new Date(atMs).toISOString();
  tx.addEntry({
    journal: 'event',
    id,
    owner: row.uid,
    kind: component,
    name: fingerprint,
    subject: '',
    context: '',
    atMs,
    body: { kind: 'event', id, created, lastEventTime: created, eventCount: 1, status, context: { component } },
  });
}
