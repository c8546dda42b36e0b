import { type JsonObject, type JsonValue, numberAt, sameJson } from '../base/json/json.ts';
import { compact, present } from '../base/json/present.ts';
import { valueThere } from '../base/json/valuesAt.ts';
import { equalValues } from '../kinds/equal.ts';
import { normalise } from '../kinds/normalise.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import type { Snapshot } from '../manifest/live/snapshot.ts';
import { type WriteEvent, type WrittenBy, writeOfVersion } from '../manifest/live/writer.ts';
import type { DesiredResource } from '../manifest/model/manifest.ts';
import { awaitsTrail, type Cause, describeCause, describeRead, minuteOf, wantsTrail } from '../plan/model/cause.ts';
import { type Change, checkedChange, type FieldChange, isHidden } from '../plan/model/change.ts';
import { originOf } from '../plan/model/firstCause.ts';
import type { Plan } from '../plan/model/plan.ts';
import type { PlanOptions } from '../plan/model/planOptions.ts';
import { setByOthers } from '../plan/model/refusal.ts';
import { versionAfter } from '../plan/record/version.ts';
import type { Kind } from '../schema/record/kinds.ts';
import { contextOf, type RecordContext } from '../schema/record/ref.ts';
import { matchPath, namesOfPath, shapeAt, touches } from '../schema/shape/paths.ts';
import type { ObjectShape } from '../schema/shape/shape.ts';
import { attributeDrift, changesOf, ownerView, partView } from './attributeDrift.ts';
import type { DriftRecord } from './drift.ts';
import { findDrift } from './findDrift.ts';
import { isCovered } from './verdicts.ts';

/** The inputs of a plan. */
export interface CauseSources {
  readonly desired: readonly DesiredResource[];
  readonly snapshot: Snapshot;
  readonly options: Pick<PlanOptions, 'owner' | 'hash'>;
}

/** Limit of audit trails per plan; the cause stays unspecific for other records. */
const mostTrails = 25;

/** The platform's ids of the records whose audit trails can say more about the causes, in the order of the plan. */
export function trailsWanted({ changes }: Plan): readonly string[] {
  return changes
    .flatMap((change) => (wantsTrail(change) && change.liveUid !== undefined ? [change.liveUid] : []))
    .slice(0, mostTrails);
}

/** Adds the writers of each field from the audit trails. Pure; the changes stay the same. */
export function attributeCauses(
  plan: Plan,
  { desired, snapshot, options }: CauseSources,
  trails: ReadonlyMap<string, readonly WriteEvent[] | undefined>,
): Plan {
  const declared = new Map(desired.map((resource) => [resource.id, resource]));
  const changes = plan.changes.map((planned) => {
    const { id, cause, liveUid = '' } = planned;
    const live = snapshot.resources.get(id);
    const writes = trails.get(liveUid);
    if (live === undefined || writes === undefined || !wantsTrail(planned)) return planned;
    const change = withFieldWriters(planned, live.record, writes);
    if (!awaitsTrail(cause)) return change;
    const resource = declared.get(id);
    const [finding] = findDrift({
      desired: compact([resource]),
      scope: 'partial',
      snapshot: { ...snapshot, resources: new Map([[id, live]]) },
      ...options,
    });
    const record = finding && attributeDrift(finding, writes, { org: snapshot.org, ...options });
    if (finding === undefined || record === undefined) return change;
    const context = { org: snapshot.org, ...options };
    const target = (change.expectedThen ?? change.expected)?.expose();
    const versions = compact([live.record, ...writes.map((write) => write.record), target]);
    const view = change.part === true ? partView(live, versions, context) : ownerView(live, writes, context);
    const base = writeOfVersion(writes, record.recordedVersion ?? 0)?.record;
    const codeChanged = codeChangedPaths(change.kind, { base, target }, contextOf(change.ref, plan.org), (from, to) =>
      changesOf(finding, from, to, view === undefined ? context : { ...context, view }),
    );
    const originOfField = (field: FieldChange) =>
      resource === undefined ? { code: true as const } : originOf([field], resource, base ?? live.record);
    return withCauses(change, cause, { record, writes, codeChanged, originOfField });
  });
  return { ...plan, changes };
}

/** Adds to refusals who set the live fields that cause them. */
function withFieldWriters(change: Change, live: JsonObject, writes: readonly WriteEvent[]): Change {
  const shape = shapeOf(change.kind, live);
  const refusals = change.refusals.map((refusal) => {
    const write = refusal.kept === undefined ? undefined : lastChange(refusal.kept, shape, live, writes);
    if (write === undefined) return refusal;
    const by = `set by ${write.writer.name} at ${minuteOf(write.at)}, version ${write.version}`;
    return { ...refusal, message: refusal.message.replace(setByOthers, () => by) };
  });
  return checkedChange({ ...change, refusals });
}

/**
 * The paths where the plan writes something else than this stack's last write: the code has changed there. Empty if
 * unknown.
 */
function codeChangedPaths(
  kind: Kind,
  { base, target }: { readonly base: JsonObject | undefined; readonly target: JsonObject | undefined },
  context: RecordContext,
  changes: (from: JsonObject, to: JsonObject) => readonly FieldChange[],
): readonly string[] {
  if (base === undefined || target === undefined) return [];
  const shape = shapeOf(kind, target);
  return changes(normalise(kind, base, context), normalise(kind, target, context))
    .filter((field) => !isSame(shape, field, context))
    .map(({ path }) => path);
}

/** Whether both values mean the same in different spellings. */
function isSame(shape: ObjectShape, { path, old, new: next }: FieldChange, context: RecordContext): boolean {
  const field = shapeAt(shape, namesOfPath(path));
  if (isHidden(old) || isHidden(next) || field === undefined) return false;
  return equalValues(field, old, next, context);
}

interface Evidence {
  /** The resource that drifted. */
  readonly record: DriftRecord;
  readonly writes: readonly WriteEvent[];
  /** Paths where the code has changed. */
  readonly codeChanged: readonly string[];
  readonly originOfField: (field: FieldChange) => Cause;
}

function withCauses(change: Change, before: Cause, { record, writes, codeChanged, originOfField }: Evidence): Change {
  const { fields: drifted, recordedVersion: since } = record;
  const withCause = (cause: Cause): Change => {
    const complete = since === undefined || cause.others === undefined ? cause : { ...cause, since };
    return checkedChange({
      ...change,
      cause: complete,
      reason: change.reason.replace(describeCause(before), () => describeCause(complete)),
    });
  };
  if (drifted === null) return withCause({ ...before, others: (record.writes ?? []).map(writtenBy), unsure: true });

  const isComplete = isTrailComplete(writes, since ?? 0, record.version ?? 0);
  const fields = change.fields.map((field) => ({
    ...field,
    cause: causeOfField(
      field,
      { ...record, fields: drifted },
      { isComplete, codeChanged, origin: originOfField(field) },
    ),
  }));
  return { ...withCause(mergeCauses(fields.map(({ cause }) => cause))), fields };
}

/** The writer of the live value, and whether the field would differ without that write. */
function causeOfField(
  { path, old, new: next }: FieldChange,
  { fields, writes }: Pick<DriftRecord, 'writes'> & { readonly fields: readonly FieldChange[] },
  {
    isComplete,
    codeChanged,
    origin,
  }: { readonly isComplete: boolean; readonly codeChanged: readonly string[]; readonly origin: Cause },
): Cause {
  // The trail contains no secret values.
  if (isHidden(old) || isHidden(next)) return { code: true, others: (writes ?? []).map(writtenBy), unsure: true };
  const driftedFields = fields.filter((field) => touches(field.path, path));
  if (driftedFields.length === 0) return origin;

  const write = writes?.find((each) => each.fields.some((field) => touches(field.path, path)));
  const code = isCovered(path, codeChanged) ? origin : {};
  if (write !== undefined) return { ...code, others: [writtenBy(write)] };
  return isComplete ? { ...code, platform: true } : { ...code, others: [] };
}

/** Whether the trail has every version after this one, up to the live one. */
function isTrailComplete(writes: readonly WriteEvent[], after: number, upTo: number): boolean {
  const versions = new Set(writes.map(({ version }) => version));
  for (let version = after; version <= upTo; version += 1) if (!versions.has(version)) return false;
  return true;
}

function mergeCauses(causes: readonly Cause[]): Cause {
  const others = causes.flatMap((cause) => cause.others ?? []);
  const reads = new Map(causes.flatMap((cause) => (cause.reads ?? []).map((read) => [describeRead(read), read])));
  const byVersion = new Map(others.map((write) => [write.version, write]));
  const newestFirst = [...byVersion.values()].sort((a, b) => b.version - a.version);
  return {
    ...(causes.some(({ code }) => code === true) ? { code: true as const } : {}),
    ...present({ reads: reads.size === 0 ? undefined : [...reads.values()] }),
    ...(causes.some((cause) => cause.others !== undefined) ? { others: newestFirst } : {}),
    ...(causes.some(({ platform }) => platform === true) ? { platform: true as const } : {}),
    ...(causes.some(({ unsure }) => unsure === true) ? { unsure: true as const } : {}),
  };
}

function writtenBy({ by, version, at }: NonNullable<DriftRecord['writes']>[number]): WrittenBy {
  return { name: by.name, type: by.type, version, at };
}

/**
 * The write that last changed the field: the newest whose record has another value there than the record before it.
 * Undefined if the audit trail cannot tell: it is unreadable or too short, lacks a version, or ends with another value
 * than the live one.
 *
 * `writes`: newest first. The trail contains no secrets, so it says nothing about sensitive fields.
 */
export function lastChange(
  path: string,
  shape: ObjectShape,
  live: JsonObject,
  writes: readonly WriteEvent[] | undefined,
): WriteEvent | undefined {
  const liveVersion = numberAt(live, 'version') ?? Number.POSITIVE_INFINITY;
  // Writes after the record was read are not in it.
  const records = (writes ?? []).filter(
    ({ action, version }) => (action === 'create' || action === 'edit') && version <= liveVersion,
  );
  const value = valueIn(path, shape, live);
  const [newest] = records;
  if (newest === undefined || !sameJson(valueIn(path, shape, newest.record), value)) return undefined;
  for (const [index, write] of records.entries()) {
    const before = records[index + 1];
    // A value that never existed was not removed by anyone.
    if (before === undefined) return write.action === 'create' && value !== undefined ? write : undefined;
    if (sameJson(valueIn(path, shape, before.record), value)) continue;
    // A version that is missing in the trail may have made the change.
    return versionAfter(before.version) === write.version ? write : undefined;
  }
  return undefined;
}

function valueIn(path: string, shape: ObjectShape, record: JsonObject): JsonValue | undefined {
  const [pointer] = matchPath(path, shape, record);
  return pointer === undefined ? undefined : valueThere(record, pointer);
}
