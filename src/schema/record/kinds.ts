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
export type Kind = CreatableKind | (typeof readOnlyKinds)[number];

const kindsByName: ReadonlyMap<unknown, Kind> = new Map(
  [...creatableKinds, ...readOnlyKinds].map((kind) => [kind, kind]),
);

/** The kind that a value from outside names; undefined: none. */
export function kindNamed(value: unknown): Kind | undefined {
  return kindsByName.get(value);
}

/** Kinds whose records clients can write: the common rules apply to them. */
export const writtenKinds: readonly Kind[] = [...creatableKinds, 'org'];

/** Kinds that live inside a GVC, and go with it when it is deleted. */
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

/** Do others live in records of this kind, and go with them when they are deleted (platform/deletion.cascade)? */
export function isContainer(kind: Kind): boolean {
  return kind === 'gvc';
}

/** Does a plan read records of this kind? Nothing is known of others (tasks, images). */
export function isRead(kind: Kind): boolean {
  return kind === 'user' || isCreatableKind(kind);
}

export function isCreatableKind(kind: string): kind is CreatableKind {
  return (creatableKinds as readonly string[]).includes(kind);
}

export function isGvcScoped(kind: string): kind is GvcScopedKind {
  return (gvcScopedKinds as readonly string[]).includes(kind);
}
