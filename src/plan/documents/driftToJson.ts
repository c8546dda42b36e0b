import type { JsonObject } from '../../schema/json/json.ts';
import { withoutUndefined } from './withoutUndefined.ts';
import type { FieldChange } from '../model/fieldChange.ts';
import {
  type Drift,
  type DriftRecord,
  type DriftState,
  type DriftWrite,
  type driftStates,
  hasDrift,
} from '../drift/drift.ts';

/** The drift in its documented form (`driftSchema.ts`). Keys stand in a fixed order. */
export function driftToJson(drift: Drift): JsonObject {
  return {
    formatVersion: 1,
    org: drift.org,
    stack: drift.stack,
    drifted: hasDrift(drift),
    declarationsKnown: drift.declarationsKnown,
    resources: drift.records.map(recordToJson),
    requests: drift.requests,
    summary: { ...summariseDrift(drift.records) },
  };
}

/** How many resources are in each state; orphaned ones are counted besides. */
export function summariseDrift(
  records: readonly DriftRecord[],
): Readonly<Record<DriftState, number>> & { readonly orphaned: number } {
  const of = (state: DriftState): number => records.filter((record) => record.state === state).length;
  const counts = {
    untouched: of('untouched'),
    touched: of('touched'),
    recreated: of('recreated'),
    unrecorded: of('unrecorded'),
    copy: of('copy'),
    'owner-lost': of('owner-lost'),
    'other-owner': of('other-owner'),
    unfinished: of('unfinished'),
    deleted: of('deleted'),
    hidden: of('hidden'),
  } satisfies Record<(typeof driftStates)[number], number>;
  return { ...counts, orphaned: records.filter(({ orphaned }) => orphaned).length };
}

function recordToJson(record: DriftRecord): JsonObject {
  const { id, state, part, orphaned, version, recordedVersion, owner, writes, fields, secretsUnknown } = record;
  return withoutUndefined({
    id,
    state,
    part: part ? true : undefined,
    orphaned,
    version,
    recordedVersion,
    owner,
    fields: fields?.map(fieldToJson) ?? null,
    writes: writes?.map(writeToJson) ?? null,
    secretsUnknown: secretsUnknown ? true : undefined,
  });
}

function writeToJson({ action, version, at, by, fields }: DriftWrite): JsonObject {
  return { action, version, at, by: { name: by.name, type: by.type }, fields: fields.map(fieldToJson) };
}

function fieldToJson({ path, old, new: next }: FieldChange): JsonObject {
  return withoutUndefined({ path, old, new: next });
}
