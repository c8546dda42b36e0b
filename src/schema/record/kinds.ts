import { type CustomKind, customKind, customKindFacts, customKinds } from './customKinds.ts';

export type { CustomKind } from './customKinds.ts';

/** Every kind of record and its scope. Source: platform/concepts.kinds. */
export const creatableKinds = [
  'agent',
  'auditctx',
  'cloudaccount',
  'domain',
  'group',
  'gvc',
  'identity',
  'ipset',
  'location',
  'policy',
  'secret',
  'serviceaccount',
  'volumeset',
  'workload',
] as const;
export type CreatableKind = (typeof creatableKinds)[number];

export const readOnlyKinds = ['deployment', 'image', 'org', 'quota', 'task', 'user'] as const;

/** The kinds that the schema describes; each has a sheet in `src/kinds`. */
export type KnownKind = CreatableKind | (typeof readOnlyKinds)[number];

/** Known kinds that policies can be about: they have permissions (platform/access.permissions). */
export type PermittedKind = Exclude<KnownKind, 'deployment'>;

/** A kind of record: one that the schema describes, or one that the user defined (`customKinds.ts`). */
export type Kind = KnownKind | CustomKind;

/** The kinds that a manifest can declare. */
export type DeclarableKind = CreatableKind | CustomKind;

export const knownKinds: readonly KnownKind[] = [...creatableKinds, ...readOnlyKinds];

const kindsByName: ReadonlyMap<unknown, KnownKind> = new Map(knownKinds.map((kind) => [kind, kind]));

/** The kind with this name, from outside; undefined if there is none. */
export function kindNamed(value: unknown): Kind | undefined {
  return knownKind(value) ?? customKind(value);
}

/** The same for kinds of the schema only. */
export function knownKind(value: unknown): KnownKind | undefined {
  return kindsByName.get(value);
}

export function isKnownKind(kind: unknown): kind is KnownKind {
  return kindsByName.has(kind);
}

/** All kinds that a manifest can currently declare. */
export function declarableKinds(): readonly DeclarableKind[] {
  return [...creatableKinds, ...customKinds()];
}

/** All current kinds inside a GVC. */
export function kindsInGvcs(): readonly Kind[] {
  return [...gvcScopedKinds, ...customKinds().filter(isGvcScoped)];
}

/** The kinds of records that clients can write. */
export type WrittenKind = CreatableKind | 'org';

/** Known kinds whose records clients can write: the common rules apply to these and to custom kinds. */
export const writtenKinds: readonly WrittenKind[] = [...creatableKinds, 'org'];

export function isWrittenKind(kind: string): kind is WrittenKind {
  return isOrg(kind) || isCreatableKind(kind);
}

/** Kinds inside a GVC, deleted together with it. */
export const gvcScopedKinds = ['identity', 'volumeset', 'workload'] as const;
export type GvcScopedKind = (typeof gvcScopedKinds)[number];

/** Kinds that can be members of a group (platform/group.members). */
export const memberKinds = ['user', 'serviceaccount'] as const;

/** Kinds that can send requests (platform/access.tokens). */
const callerKinds = ['identity', ...memberKinds] as const;
export type CallerKind = (typeof callerKinds)[number];

/** Kinds that a policy can grant permissions to (platform/policy). */
export const principalKinds = ['user', 'group', 'serviceaccount', 'identity'] as const;

export function isMemberKind(kind: Kind): boolean {
  return memberKinds.some((member) => member === kind);
}

export function isCallerKind(kind: unknown): kind is CallerKind {
  return callerKinds.some((caller) => caller === kind);
}

export function isPrincipalKind(kind: Kind): boolean {
  return principalKinds.some((principal) => principal === kind);
}

/** The org itself: the root of every link, outside of collections. */
export function isOrg(kind: unknown): kind is 'org' {
  return kind === 'org';
}

/** Whether it belongs to a workload, one for each location (platform/deployment). */
export function isOfWorkload(kind: unknown): kind is 'deployment' {
  return kind === 'deployment';
}

/** Whether records of this kind contain others, which are deleted with them (platform/deletion.cascade). */
export function isContainer(kind: unknown): kind is 'gvc' {
  return kind === 'gvc';
}

/** Whether a plan reads records of this kind. Others (tasks, images) are unknown to it. */
export function isRead(kind: Kind): boolean {
  return kind === 'user' || isDeclarable(kind);
}

/** Whether a manifest can declare it. */
export function isDeclarable(kind: string): kind is DeclarableKind {
  return isCreatableKind(kind) || customKind(kind) !== undefined;
}

export function isCreatableKind(kind: string): kind is CreatableKind {
  return (creatableKinds as readonly string[]).includes(kind);
}

export function isGvcScoped(kind: string): boolean {
  return (gvcScopedKinds as readonly string[]).includes(kind) || customKindFacts(kind)?.scope === 'gvc';
}
