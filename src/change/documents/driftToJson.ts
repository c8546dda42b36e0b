import type { JsonObject } from '../../base/json/json.ts';
import { type Drift, type DriftRecord, type DriftState, type driftStates, hasDrift } from '../drift/drift.ts';
import { type DriftDocument, driftForm } from './driftDocument.ts';

/** The drift in its documented form. */
export function driftDocument(drift: Drift): DriftDocument {
  return {
    ...drift,
    formatVersion: 1,
    drifted: hasDrift(drift),
    resources: drift.records.map(({ part, secretsUnknown, ...record }) => ({
      ...record,
      ...(part ? { part } : {}),
      ...(secretsUnknown ? { secretsUnknown } : {}),
    })),
    summary: summariseDrift(drift.records),
  };
}

/** The same as JSON. Keys are in a fixed order. */
export function driftToJson(drift: Drift): JsonObject {
  return driftForm.write(driftDocument(drift));
}

/** The number of resources in each state; orphaned ones are also counted separately. */
export function summariseDrift(
  records: readonly DriftRecord[],
): Readonly<Record<DriftState, number>> & { readonly orphaned: number } {
  const of = (state: DriftState): number => records.filter((record) => record.state === state).length;
  const counts = {
    untouched: of('untouched'),
    touched: of('touched'),
    'left-alone': of('left-alone'),
    risen: of('risen'),
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
