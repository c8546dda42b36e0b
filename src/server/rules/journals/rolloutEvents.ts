import { type JsonObject, objectAt, own, stringAt } from '../../../schema/json/json.ts';
import type { EventFacts } from './eventRecord.ts';

/** An event, and when it happens: that of a rollout's end is known at its beginning. Milliseconds since 1970. */
export interface TimedEvent {
  readonly atMs: number;
  readonly event: EventFacts;
}

/**
 * Beginning and end of the rollout that a write began (platform/audit.event-log, platform/lifecycle.deployment). A cron
 * workload has none.
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

/** Undefined: nothing is known of a rollout. */
function rolloutTimes(state: JsonObject): { readonly sinceMs: number; readonly readyMs: number } | undefined {
  const kept = objectAt(state, 'rollout');
  const [sinceMs, takesMs] = [own(kept, 'sinceMs'), own(kept, 'takesMs')];
  if (typeof sinceMs !== 'number' || typeof takesMs !== 'number') return undefined;
  return { sinceMs, readyMs: sinceMs + takesMs };
}

function about(version: number, status: string): EventFacts {
  const fingerprint = `${status}/${version}`;
  return { component: 'actuator', category: 'rollout', status, message: `version ${version}`, fingerprint };
}
