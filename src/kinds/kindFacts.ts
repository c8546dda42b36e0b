import { type JsonObject, objectAt, own, stringAt } from '../base/json/json.ts';
import { customKindFacts } from '../schema/record/customKinds.ts';
import { isKnownKind, type Kind, type PermittedKind } from '../schema/record/kinds.ts';
import type { Ref } from '../schema/record/ref.ts';
import type { ClientFacts } from './common/client.ts';
import { type KindFacts, usualPermissions } from './common/facts.ts';
import type { Sheet } from './common/sheet.ts';
import { sheets } from './list.ts';

/**
 * Only the user's statements are known of a custom kind: any change may interrupt its dependents, and any deletion may
 * lose data. No policy can be about it.
 */
const customFacts: KindFacts = {
  risks: { create: 'none', write: 'metadata', delete: 'data-loss' },
  mayStore: true,
};
const disposableFacts: KindFacts = { risks: { create: 'none', write: 'metadata', delete: 'downtime' } };

/** Undefined for custom kinds. */
function sheetOf(kind: unknown): Sheet | undefined {
  return isKnownKind(kind) ? sheets[kind] : undefined;
}

export function kindFacts(kind: Kind): KindFacts {
  if (isKnownKind(kind)) return sheets[kind];
  return customKindFacts(kind)?.disposable === true ? disposableFacts : customFacts;
}

type Flag = { [F in keyof KindFacts]-?: KindFacts[F] extends true | undefined ? F : never }[keyof KindFacts];

/** Whether the sheet of a kind sets the flag. */
function hasFlag(kind: unknown, flag: Flag): boolean {
  return sheetOf(kind)?.[flag] === true;
}

/** Whether it cannot be deleted while it and another record refer to each other. */
export function isBoundByMutualLink(kind: unknown): boolean {
  return hasFlag(kind, 'boundByMutualLink');
}

/** The field that only `-reveal` shows. */
export function hiddenField(kind: Kind): string | undefined {
  return kindFacts(kind).hiddenField;
}

/** Splits a record into the shown fields and the hidden field, if present. */
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

/** Whether the record lacks its hidden field, because it was read without `-reveal`. */
export function isUnrevealed(kind: Kind, record: JsonObject): boolean {
  const field = hiddenField(kind);
  return field !== undefined && own(record, field) === undefined;
}

/** Whether it is answered instead of changed. Its id is used as its name. */
export function isAnswered(kind: unknown): boolean {
  return hasFlag(kind, 'unchangeable');
}

/** Whether only `-reveal` shows its value. */
export function isSecret(kind: unknown): boolean {
  return isKnownKind(kind) && hiddenField(kind) !== undefined;
}

export function runs(kind: unknown): boolean {
  return hasFlag(kind, 'runs');
}

export function holdsAddresses(kind: unknown): boolean {
  return hasFlag(kind, 'holdsAddresses');
}

export function grantsAccess(kind: unknown): boolean {
  return hasFlag(kind, 'grantsAccess');
}

export function hasMembers(kind: unknown): boolean {
  return hasFlag(kind, 'hasMembers');
}

export function hasKeys(kind: unknown): boolean {
  return hasFlag(kind, 'hasKeys');
}

export function actsForWorkloads(kind: unknown): boolean {
  return hasFlag(kind, 'actsForWorkloads');
}

export function storesData(kind: unknown): boolean {
  return hasFlag(kind, 'storesData');
}

/** Whether data would be lost with a record, or may be. */
export function mayStore(kind: Kind): boolean {
  return storesData(kind) || kindFacts(kind).mayStore === true;
}

export function becomesReady(kind: unknown): boolean {
  return hasFlag(kind, 'becomesReady');
}

export function isNamedByHost(kind: unknown): boolean {
  return hasFlag(kind, 'namedByHost');
}

export function isNamedByEmail(kind: unknown): boolean {
  return hasFlag(kind, 'namedByEmail');
}

/**
 * Whether it cannot be deleted, like audit contexts, quotas and built-in records: removing it from a stack only forgets
 * it.
 */
export function isUndeletable(kind: Kind, record: JsonObject): boolean {
  return kindFacts(kind).undeletable === true || stringAt(record, 'origin') === 'builtin';
}

/** Whether a policy can grant this on records of the kind. */
export function hasPermission(kind: Kind, permission: string): boolean {
  return kindFacts(kind).permissions?.includes(permission) === true;
}

/** Whether the target can be deleted although a record of this kind refers to it. */
export function releases(kind: Kind, target: Kind): boolean {
  const { releases: released = [] } = kindFacts(kind);
  return released === 'all' || released.includes(target);
}

/** Kinds that a policy can be about but that have no records here, with their permissions. */
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

/** The permissions that include reading a record (platform/access.permissions). */
export const viewing: ReadonlySet<unknown> = new Set(['view', 'create', 'edit', 'delete', 'manage']);

/**
 * Kinds that the platform deletes although a remaining record needs them to run; a test compares this with the schema.
 */
export const kindsDeletedInUse: readonly Kind[] = ['gvc', 'secret', 'workload'];

/** Why a record is still in use although nothing refers to it. Undefined if it is not in use. */
export function stillInUse(kind: Kind, record: JsonObject): string | undefined {
  return kindFacts(kind).stillInUse?.(objectAt(record, 'status'));
}

/** The minimal fields besides the name. */
export function minimalFieldsOf({ kind, name }: Ref): JsonObject {
  return sheetOf(kind)?.minimalFields?.(name) ?? {};
}

/** The fields that the platform sets in a new record; undefined if there are none. `now`: in ISO 8601. */
export function initialFieldsOf({ kind, name }: Ref, now: string): JsonObject | undefined {
  return sheetOf(kind)?.initialFields?.(name, now);
}

/** The common commands that it has; undefined for all that its facts allow. */
export function verbsOf(kind: Kind): readonly string[] | undefined {
  return sheetOf(kind)?.verbs;
}

/** The facts of a kind that only `gantry KIND VERB` needs. */
export async function clientFacts(kind: Kind): Promise<ClientFacts> {
  return (await sheetOf(kind)?.client?.(targetKinds)) ?? {};
}
