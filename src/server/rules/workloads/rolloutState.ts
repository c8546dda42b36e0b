import { isObject, type JsonObject, listAt, numberAt, objectAt, own } from '../../../schema/json/json.ts';
import { lastSegment } from '../../../schema/record/links.ts';
import { concernsWorkloads, mannerOf, rolloutMs } from './rollout.ts';
import { desiredScale } from './scale.ts';

/**
 * The stored state of the rollout that a write of a workload starts: `{sinceMs, takesMs, ready?: {version, sinceMs}}`.
 * `held`: the one before it never started.
 */
export function rolloutBegun(
  state: JsonObject,
  record: JsonObject,
  version: number,
  nowMs: number,
  readyAfterMs: number,
  held = false,
): JsonObject {
  const before = objectAt(state, 'rollout');
  const sinceMs = numberAt(before, 'sinceMs');
  const finished = !held && sinceMs !== undefined && nowMs >= sinceMs + (numberAt(before, 'takesMs') ?? readyAfterMs);
  const ready = finished ? { version: version - 1, sinceMs } : own(before, 'ready');
  return {
    sinceMs: nowMs,
    takesMs: rolloutMs(mannerOf(record), mostReplicas(record), readyAfterMs),
    ...(isObject(ready) ? { ready } : {}),
  };
}

/** In the location where the options ask for the most. */
function mostReplicas(record: JsonObject): number {
  const local = listAt(objectAt(record, 'spec'), 'localOptions').flatMap((options) => {
    const location = isObject(options) ? own(options, 'location') : undefined;
    return typeof location === 'string' ? [lastSegment(location)] : [];
  });
  return Math.max(0, ...['', ...local].map((location) => desiredScale(record, location, undefined, 0)));
}

/**
 * The stored state of a GVC after a write: `{version, sinceMs, before?}` of its last change that concerned its
 * workloads.
 */
export function lastConcerning(
  state: JsonObject,
  before: JsonObject | undefined,
  after: JsonObject,
  version: number,
  nowMs: number,
): JsonObject {
  const kept = own(state, 'concerning');
  if (isObject(kept) && before !== undefined && !concernsWorkloads(before, after)) return kept;
  const known = isObject(kept) ? numberAt(kept, 'version') : undefined;
  return { version, sinceMs: nowMs, ...(known === undefined ? {} : { before: known }) };
}
