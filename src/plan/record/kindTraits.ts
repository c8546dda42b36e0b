import { kindFacts } from '../../schema/facts/kindFacts.ts';
import { type JsonObject, stringAt } from '../../schema/json/json.ts';
import { isCreatableKind, type Kind } from '../../schema/record/kinds.ts';

/** Kinds that hold others: these go with them, and are where a second step may point (platform/deletion.references). */
const containers: ReadonlySet<Kind> = new Set<Kind>(['gvc']);

/** Kinds that become ready some time after they were written (platform/workload.status). */
const readied: ReadonlySet<Kind> = new Set<Kind>(['workload']);

/** Kinds whose names are host names: another name is not as good. */
const hosts: ReadonlySet<Kind> = new Set<Kind>(['domain']);

export function isContainer(kind: Kind): boolean {
  return containers.has(kind);
}

/** Of the other kinds (tasks, images) nothing is read, so nobody knows what exists. */
export function isRead(kind: Kind): boolean {
  return kind === 'user' || isCreatableKind(kind);
}

/** Would a record of another name be judged by other rules? */
export function isNamedByHost(kind: Kind): boolean {
  return hosts.has(kind);
}

/** Can it be written and not yet ready? */
export function becomesReady(kind: Kind): boolean {
  return readied.has(kind);
}

/** Audit contexts and built-in records stay for ever: on removal they are forgotten. */
export function isUndeletable(kind: Kind, record: JsonObject): boolean {
  return kindFacts[kind].undeletable === true || stringAt(record, 'origin') === 'builtin';
}
