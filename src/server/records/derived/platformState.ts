import {
  fieldIn,
  isObject,
  type JsonObject,
  type JsonValue,
  listAt,
  numberAt,
  objectAt,
  own,
} from '../../../base/json/json.ts';
import { present } from '../../../base/json/present.ts';
import { actsForWorkloads, initialFieldsOf, runs } from '../../../kinds/kindFacts.ts';
import { isContainer } from '../../../schema/record/kinds.ts';
import { lastSegment, type Ref } from '../../../schema/record/ref.ts';
import type { UnitOfWork } from '../../core/session.ts';
import { aliasLength } from '../../http/limits.ts';
import type { Row } from '../../store/model/row.ts';
import { affectsWorkloads, rolloutMs, rolloutStrategyOf } from '../../workloads/decisions/rollout.ts';
import { desiredScale } from '../../workloads/decisions/scale.ts';
import { isWaiting, missingSecrets, Presenter } from '../shown/presenter.ts';

/** The platform-owned fields of a new record (platform/concepts.record, platform/concepts.filled). */
export function initialState(work: UnitOfWork, ref: Ref, record: JsonObject): JsonObject {
  const { platform } = work;
  if (isContainer(ref.kind)) {
    const shown = { alias: platform.randomText(aliasLength), status: {} };
    return nextState(work, ref, { record, state: { shown }, version: 1 });
  }
  const state = present({ shown: initialFieldsOf(ref, new Date(platform.now()).toISOString()) });
  return nextState(work, ref, { record, state, version: 1 });
}

/** A record to store, with its former state. */
interface NextRecord {
  readonly record: JsonObject;
  readonly state: JsonObject;
  readonly version: number;
}

/** The same fields after a change: the rollout that begins, the added locations. */
export function nextState(work: UnitOfWork, ref: Ref, next: NextRecord): JsonObject {
  const { platform, tx } = work;
  const { record, state, version } = next;
  if (isContainer(ref.kind)) {
    const names = new Presenter(platform, tx).placementOf(record);
    return {
      ...state,
      placedMs: locationTimes(names, state, platform.now()),
      concerning: lastRelevantChange(state, tx.get(ref)?.record, { record, version, nowMs: platform.now() }),
    };
  }
  if (runs(ref.kind)) return { ...state, rollout: rollout(work, ref, next) };
  return actsForWorkloads(ref.kind) ? { shown: { status: identityStatus(ref, record) } } : state;
}

/** The rollout that a write begins; it waits while a referenced secret is missing (platform/deletion.references). */
function rollout({ platform, tx }: UnitOfWork, ref: Ref, { record, state, version }: NextRecord): JsonObject {
  const before = tx.get(ref);
  const waiting = before !== undefined && isWaiting(tx, before);
  const begun = startedRollout(state, {
    record,
    version,
    nowMs: platform.now(),
    readyAfterMs: platform.settings.readyAfterMs,
    wasWaiting: waiting,
  });
  return missingSecrets(tx, record, ref.gvc ?? '').length === 0 ? begun : { ...begun, waits: true };
}

/** The name of the generated cloud object, and whether each provider works (platform/identity.status). */
function identityStatus({ gvc = '', name }: Ref, record: JsonObject): JsonObject {
  const status: Record<string, JsonValue> = { objectName: `${gvc}-${name}` };
  for (const provider of ['aws', 'azure', 'gcp']) {
    if (isObject(own(record, provider))) status[provider] = { usable: true, lastError: '' };
  }
  return status;
}

/** The locations of a GVC at its last write. */
export function storedLocations({ state }: Row): readonly string[] {
  return Object.keys(objectAt(state, 'placedMs'));
}

/** When each location of a GVC was added, in milliseconds since 1970; existing locations keep their time. */
function locationTimes(names: readonly string[], state: JsonObject, nowMs: number): JsonObject {
  const before = own(state, 'placedMs');
  const known = isObject(before) ? before : {};
  const placed: Record<string, JsonValue> = {};
  for (const name of names) placed[name] = own(known, name) ?? nowMs;
  return placed;
}

/** A write of a workload, or of its GVC. Times in milliseconds since 1970. */
interface RolloutWrite {
  readonly record: JsonObject;
  readonly version: number;
  readonly nowMs: number;
  readonly readyAfterMs: number;
  /** Whether the previous rollout never started. @default false */
  readonly wasWaiting?: boolean;
}

/** The stored state of the rollout that a write starts: `{sinceMs, takesMs, ready?: {version, sinceMs}}`. */
export function startedRollout(state: JsonObject, write: RolloutWrite): JsonObject {
  const { record, version, nowMs, readyAfterMs, wasWaiting = false } = write;
  const before = objectAt(state, 'rollout');
  const sinceMs = numberAt(before, 'sinceMs');
  const finished =
    !wasWaiting && sinceMs !== undefined && nowMs >= sinceMs + (numberAt(before, 'takesMs') ?? readyAfterMs);
  const ready = finished ? { version: version - 1, sinceMs } : own(before, 'ready');
  return {
    sinceMs: nowMs,
    takesMs: rolloutMs(rolloutStrategyOf(record), maxReplicas(record), readyAfterMs),
    ...(isObject(ready) ? { ready } : {}),
  };
}

/** The largest number of replicas in any location. */
function maxReplicas(record: JsonObject): number {
  const local = listAt(objectAt(record, 'spec'), 'localOptions').flatMap((options) => {
    const location = fieldIn(options, 'location');
    return typeof location === 'string' ? [lastSegment(location)] : [];
  });
  return Math.max(0, ...['', ...local].map((location) => desiredScale(record, location, undefined, 0)));
}

/**
 * The stored state of a GVC after a write: `{version, sinceMs, before?}` of its last change that concerned its
 * workloads.
 */
export function lastRelevantChange(
  state: JsonObject,
  before: JsonObject | undefined,
  { record, version, nowMs }: Pick<RolloutWrite, 'record' | 'version' | 'nowMs'>,
): JsonObject {
  const stored = own(state, 'concerning');
  if (isObject(stored) && before !== undefined && !affectsWorkloads(before, record)) return stored;
  const known = isObject(stored) ? numberAt(stored, 'version') : undefined;
  return { version, sinceMs: nowMs, ...present({ before: known }) };
}
