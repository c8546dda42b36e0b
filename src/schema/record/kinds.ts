/** Every kind of record, its scope, and what a user may do with it. Source: platform/concepts.kinds. */
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

/** Kinds whose records clients write in some way: what all records have in common is checked for them. */
export const writtenKinds: readonly Kind[] = [...creatableKinds, 'org'];

/** Kinds that live inside a GVC, and go with it when it is deleted. */
export const gvcScopedKinds = ['identity', 'volumeset', 'workload'] as const;
export type GvcScopedKind = (typeof gvcScopedKinds)[number];

export function isCreatableKind(kind: string): kind is CreatableKind {
  return (creatableKinds as readonly string[]).includes(kind);
}

export function isGvcScoped(kind: string): kind is GvcScopedKind {
  return (gvcScopedKinds as readonly string[]).includes(kind);
}
