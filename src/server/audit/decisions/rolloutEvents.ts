import { type JsonObject, objectAt, own, stringAt } from '../../../base/json/json.ts';
import type { EventFacts } from './eventRecord.ts';

/** An event with its time, which may be in the future for the end of a rollout. Milliseconds since 1970. */
export interface TimedEvent {
  readonly atMs: number;
  readonly event: EventFacts;
}

/**
 * Start and end of the rollout of a write (platform/audit.event-log, platform/lifecycle.deployment). Cron workloads
 * have none.
 */
export function rolloutEvents(record: JsonObject, state: JsonObject, version: number): readonly TimedEvent[] {
  const times = rolloutTimes(state);
  if (times === undefined || stringAt(objectAt(record, 'spec'), 'type') === 'cron') return [];
  const { sinceMs, readyMs } = times;
  const started = { atMs: sinceMs, event: about(version, 'rollout started') };
  // It is not known when the missing secrets will exist.
  if (own(objectAt(state, 'rollout'), 'waits') === true) return [started];
  return [started, { atMs: readyMs, event: about(version, 'rollout ready') }];
}

/** Undefined: there was no rollout. */
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
