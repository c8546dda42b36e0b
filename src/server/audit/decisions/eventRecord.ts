import { type JsonObject, type JsonValue, numberAt, objectAt, own, stringAt } from '../../../base/json/json.ts';
import { present } from '../../../base/json/present.ts';

/** The components that log events (platform/audit.event-log, platform/concepts). */
const eventComponents = [
  'actuator',
  'dns-updater',
  'scheduler',
  'iam-broker',
  'metadata-proxy',
  'data-service',
] as const;
export type EventComponent = (typeof eventComponents)[number];

/** An action of the platform on a record, possibly a failed one. */
export interface EventFacts {
  readonly component: EventComponent;
  /** Required (platform/audit.event-log): the action in a word or two. */
  readonly status: string;
  readonly message?: string;
  /** Events of one record with the same fingerprint count as repetitions of one event. */
  readonly fingerprint?: string;
  readonly location?: string;
  /** @default lifecycle */
  readonly category?: string;
}

export interface LoggedEvent extends EventFacts {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** The principal of the request, or the platform itself. */
  readonly principalLink: string;
  /** The path of the record. */
  readonly itemPath: string;
}

/** The default fingerprint: the same message about the same record. */
export function fingerprintOf({ component, status, message = '', location = '', fingerprint }: EventFacts): string {
  return fingerprint ?? [component, status, location, message].join(':');
}

/** An entry of an event log as shown (platform/audit.event-log). */
export function eventRecord(event: LoggedEvent): JsonObject {
  const { id, component, status, message, location, category, itemPath } = event;
  const created = new Date(event.atMs).toISOString();
  return {
    kind: 'event',
    id,
    created,
    lastEventTime: created,
    eventCount: 1,
    status,
    pinned: false,
    context: {
      category: category ?? 'lifecycle',
      component,
      cloudProvider: location === undefined ? '' : (location.split('-', 1)[0] ?? ''),
      cluster: location ?? '',
      principalLink: event.principalLink,
      fingerprint: fingerprintOf(event),
      ...present({ message, location }),
    },
    links: [{ rel: 'self', href: `${itemPath}/-eventlog/${id}` }],
  };
}

/** Adds a repetition: raises the count and the last time, which never moves back (platform/audit.event-log). */
export function repeatedEvent(event: JsonObject, atMs: number): JsonObject {
  const count = numberAt(event, 'eventCount') ?? 1;
  const last = own(event, 'lastEventTime');
  const lastMs = typeof last === 'string' ? Date.parse(last) : atMs;
  const moved: JsonValue = new Date(Number.isNaN(lastMs) ? atMs : Math.max(lastMs, atMs)).toISOString();
  return { ...event, eventCount: count + 1, lastEventTime: moved };
}

/** An event with its time in milliseconds since 1970, which is in the future for the end of some rollouts. */
export interface TimedEvent {
  readonly atMs: number;
  readonly event: EventFacts;
}

/**
 * The start and end of the rollout of a write (platform/audit.event-log, platform/lifecycle.deployment). Cron workloads
 * have none.
 */
export function rolloutEvents(record: JsonObject, state: JsonObject, version: number): readonly TimedEvent[] {
  const times = rolloutTimes(state);
  if (times === undefined || stringAt(objectAt(record, 'spec'), 'type') === 'cron') return [];
  const { sinceMs, readyMs } = times;
  const started = { atMs: sinceMs, event: about(version, 'rollout started') };
  // It is unknown when the missing secrets will exist.
  if (own(objectAt(state, 'rollout'), 'waits') === true) return [started];
  return [started, { atMs: readyMs, event: about(version, 'rollout ready') }];
}

/** Returns undefined if there was no rollout. */
function rolloutTimes(state: JsonObject): { readonly sinceMs: number; readonly readyMs: number } | undefined {
  const rollout = objectAt(state, 'rollout');
  const [sinceMs, takesMs] = [own(rollout, 'sinceMs'), own(rollout, 'takesMs')];
  if (typeof sinceMs !== 'number' || typeof takesMs !== 'number') return undefined;
  return { sinceMs, readyMs: sinceMs + takesMs };
}

function about(version: number, status: string): EventFacts {
  const fingerprint = `${status}/${version}`;
  return { component: 'actuator', category: 'rollout', status, message: `version ${version}`, fingerprint };
}
