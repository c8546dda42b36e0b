import { isObject, type JsonObject, listAt, numberAt, objectAt, own } from '../../../base/json/json.ts';
import { present } from '../../../base/json/present.ts';
import { lastSegment } from '../../../schema/record/ref.ts';
import { concernsWorkloads, mannerOf, rolloutMs } from './rollout.ts';
import { desiredScale } from './scale.ts';

/** A write of a workload, or of its GVC. Times in milliseconds since 1970. */
interface RolloutWrite {
  readonly record: JsonObject;
  readonly version: number;
  readonly nowMs: number;
  readonly readyAfterMs: number;
  /** The previous rollout never started. @default false */
  readonly held?: boolean;
}

/** The stored state of the rollout that a write starts: `{sinceMs, takesMs, ready?: {version, sinceMs}}`. */
export function rolloutBegun(state: JsonObject, write: RolloutWrite): JsonObject {
  const { record, version, nowMs, readyAfterMs, held = false } = write;
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

/** The number of replicas in the location with the most. */
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
  { record, version, nowMs }: Pick<RolloutWrite, 'record' | 'version' | 'nowMs'>,
): JsonObject {
  const stored = own(state, 'concerning');
  if (isObject(stored) && before !== undefined && !concernsWorkloads(before, record)) return stored;
  const known = isObject(stored) ? numberAt(stored, 'version') : undefined;
  return { version, sinceMs: nowMs, ...present({ before: known }) };
}
