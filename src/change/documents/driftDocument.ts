import {
  choice,
  count,
  described,
  each,
  flag,
  list,
  nullable,
  type Of,
  object,
  optional,
  publishedForm,
  text,
} from '../../base/form/form.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { accessForm } from '../../plan/model/change.ts';
import { type Drift, type DriftRecord, type DriftState, driftStates, hasDrift } from '../drift.ts';
import { fieldsForm } from './planDocument.ts';

const write = object({
  action: choice('create', 'edit', 'delete'),
  version: described('Of the record after the write; of a deletion, before it.', count),
  at: described('ISO 8601.', text),
  by: object({ name: text, type: described('user, serviceaccount, ...', text) }),
  fields: described('What this write changed.', fieldsForm),
});

const resource = object({
  id: described('kind/[gvc/]name', text),
  state: described(
    'untouched: unchanged since this stack last wrote it. touched: written by others since. left-alone: written by others, ' +
      'and an apply would undo nothing of it. recreated: deleted and created ' +
      'anew by others. unrecorded: with gantry/stack, but without gantry/applied. copy: its tags were ' +
      'written for another resource. owner-lost: gantry/stack was removed. other-owner: another stack owns ' +
      'it. deleted: by others. hidden: this token cannot view it.',
    choice(...driftStates),
  ),
  part: optional(
    described('This stack owns only a part of it, and the other members describe that part.', choice(true)),
  ),
  orphaned: described('Of this stack, and declared by none of its manifests.', flag),
  version: optional(described('That it has now.', count)),
  recordedVersion: optional(described("That this stack's last write produced.", count)),
  owner: optional(described('Of other-owner: that stack.', text)),
  fields: described(
    'What is different since then, all writes together, without leftAlone. Null: unknown.',
    nullable(fieldsForm),
  ),
  leftAlone: optional(described('What is different since then, and no apply would undo.', fieldsForm)),
  access: optional(accessForm),
  writes: described(
    'Every write since then, newest first. Null: the audit trail cannot be read.',
    nullable(list(write)),
  ),
  secretsUnknown: optional(described('Values of secrets may have changed: the trail holds none.', choice(true))),
});

/** The output of `gantry drift -o json`. */
export const driftForm = object({
  formatVersion: choice(1),
  org: text,
  stack: described('The owner: the value of the tag gantry/stack.', text),
  drifted: described('With --detailed-exitcode the exit code is 2 then.', flag),
  declarationsKnown: described('False: no manifests were read, so what is orphaned or was deleted is not known.', flag),
  resources: described('Ordered by id.', list(resource)),
  requests: count,
  summary: each([...driftStates, 'orphaned'], count),
});
export type DriftDocument = Of<typeof driftForm>;

/** The JSON Schema of `gantry drift -o json`; `gantry schema drift` prints it. */
export const driftSchema: JsonObject = publishedForm('drift', 'Gantry drift, format 1', driftForm);

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

/** The drift as JSON. Keys are in a fixed order. */
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
