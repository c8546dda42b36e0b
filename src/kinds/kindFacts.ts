import { type JsonObject, objectAt, own, stringAt } from '../base/json/json.ts';
import { customKindFacts } from '../schema/record/customKinds.ts';
import { isKnownKind, type Kind, type PermittedKind } from '../schema/record/kinds.ts';
import type { Ref } from '../schema/record/ref.ts';
import type { ClientFacts } from './common/client.ts';
import { type KindFacts, usualPermissions } from './common/facts.ts';
import type { Sheet } from './common/sheet.ts';
import { sheets } from './list.ts';

/**
 * Of a custom kind nothing is known but what the user said: what changes in it may interrupt what depends on it, and
 * what is deleted may be lost. No policy can be about it.
 */
const customFacts: KindFacts = {
  risks: { create: 'none', write: 'metadata', delete: 'data-loss' },
  mayStore: true,
};
const disposableFacts: KindFacts = { risks: { create: 'none', write: 'metadata', delete: 'downtime' } };

/** Those of the user's own have none. */
function sheetOf(kind: unknown): Sheet | undefined {
  return isKnownKind(kind) ? sheets[kind] : undefined;
}

export function kindFacts(kind: Kind): KindFacts {
  if (isKnownKind(kind)) return sheets[kind];
  return customKindFacts(kind)?.disposable === true ? disposableFacts : customFacts;
}

type Flag = { [F in keyof KindFacts]-?: KindFacts[F] extends true | undefined ? F : never }[keyof KindFacts];

/** Does the sheet of a kind say so? */
function says(kind: unknown, flag: Flag): boolean {
  return sheetOf(kind)?.[flag] === true;
}

/** Can it not be deleted while a record that it refers to refers to it? */
export function isBoundByMutualLink(kind: unknown): boolean {
  return says(kind, 'boundByMutualLink');
}

/** The field that only `-reveal` shows. */
export function hiddenField(kind: Kind): string | undefined {
  return kindFacts(kind).hiddenField;
}

/** A record without its hidden field, and that field alone where it is there. */
export function partHidden(
  kind: Kind,
  record: JsonObject,
): { readonly shown: JsonObject; readonly hidden: JsonObject } {
  const field = hiddenField(kind);
  const value = field === undefined ? undefined : own(record, field);
  if (field === undefined || value === undefined) return { shown: record, hidden: {} };
  const { [field]: _value, ...shown } = record;
  return { shown, hidden: { [field]: value } };
}

/** Does the record lack its hidden field, because it was read without `-reveal`? */
export function isUnrevealed(kind: Kind, record: JsonObject): boolean {
  const field = hiddenField(kind);
  return field !== undefined && own(record, field) === undefined;
}

/** Is it answered, not changed? Its id stands for a name. */
export function isAnswered(kind: unknown): boolean {
  return says(kind, 'unchangeable');
}

/** Is its value shown by `-reveal` alone? */
export function isSecret(kind: unknown): boolean {
  return isKnownKind(kind) && hiddenField(kind) !== undefined;
}

export function runs(kind: unknown): boolean {
  return says(kind, 'runs');
}

export function holdsAddresses(kind: unknown): boolean {
  return says(kind, 'holdsAddresses');
}

export function grantsAccess(kind: unknown): boolean {
  return says(kind, 'grantsAccess');
}

export function hasMembers(kind: unknown): boolean {
  return says(kind, 'hasMembers');
}

export function hasKeys(kind: unknown): boolean {
  return says(kind, 'hasKeys');
}

export function actsForWorkloads(kind: unknown): boolean {
  return says(kind, 'actsForWorkloads');
}

export function storesData(kind: unknown): boolean {
  return says(kind, 'storesData');
}

/** Would something be lost with a record, or can that not be known? */
export function mayStore(kind: Kind): boolean {
  return storesData(kind) || kindFacts(kind).mayStore === true;
}

export function becomesReady(kind: unknown): boolean {
  return says(kind, 'becomesReady');
}

export function isNamedByHost(kind: unknown): boolean {
  return says(kind, 'namedByHost');
}

export function isNamedByEmail(kind: unknown): boolean {
  return says(kind, 'namedByEmail');
}

/** Audit contexts, quotas and built-in records cannot be deleted: removing one from a stack means to forget it. */
export function isUndeletable(kind: Kind, record: JsonObject): boolean {
  return kindFacts(kind).undeletable === true || stringAt(record, 'origin') === 'builtin';
}

/** Does a policy grant this on records of the kind? */
export function hasPermission(kind: Kind, permission: string): boolean {
  return kindFacts(kind).permissions?.includes(permission) === true;
}

/** Can the target be deleted although a record of this kind refers to it? */
export function releases(kind: Kind, target: Kind): boolean {
  const { releases: released = [] } = kindFacts(kind);
  return released === 'all' || released.includes(target);
}

/** Kinds that a policy can be about although they have no records here, with the permissions that it can grant. */
const foreignTargets = { mk8s: [...usualPermissions, 'clusterAdmin'] };

/** The permissions that a policy can grant, by the kind that it is about (platform/access.permissions). */
export const permissions: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ...Object.entries<KindFacts>(sheets).map(([kind, facts]) => [kind, facts.permissions ?? []] as const),
    ...Object.entries(foreignTargets),
  ].filter(([, granted]) => granted.length > 0),
);

/** Kinds that a policy can be about. */
export type TargetKind = PermittedKind | keyof typeof foreignTargets;

export const targetKinds: readonly TargetKind[] = [...permissions.keys()].filter(isTargetKind).sort();

function isTargetKind(kind: string): kind is TargetKind {
  return permissions.has(kind);
}

/** Each of these also permits reading a record (platform/access.permissions). */
export const viewing: ReadonlySet<unknown> = new Set(['view', 'create', 'edit', 'delete', 'manage']);

/** The platform deletes them although a record that stays needs them to run; a test compares with the schema. */
export const losable: readonly Kind[] = ['gvc', 'secret', 'workload'];

/** Why a record is still in use although nothing refers to it any more, in words. Undefined: it is not in use. */
export function stillInUse(kind: Kind, record: JsonObject): string | undefined {
  return kindFacts(kind).stillInUse?.(objectAt(record, 'status'));
}

/** The least that a record has beside its name. */
export function leastOf({ kind, name }: Ref): JsonObject {
  return sheetOf(kind)?.least?.(name) ?? {};
}

/** The fields that the platform sets in a new record; undefined: none. `now`: in ISO 8601. */
export function firstShown({ kind, name }: Ref, now: string): JsonObject | undefined {
  return sheetOf(kind)?.firstShown?.(name, now);
}

/** Which of the commands that kinds have in common it has; undefined: all that its facts allow. */
export function verbsOf(kind: Kind): readonly string[] | undefined {
  return sheetOf(kind)?.verbs;
}

/** The facts of a kind that only `gantry KIND VERB` needs. */
export async function clientFacts(kind: Kind): Promise<ClientFacts> {
  return (await sheetOf(kind)?.client?.(targetKinds)) ?? {};
}
