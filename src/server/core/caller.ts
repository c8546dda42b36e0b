/** Kinds of records that can send requests, and be members of groups. */
export type CallerKind = 'identity' | 'serviceaccount' | 'user';

const callerKinds: ReadonlySet<unknown> = new Set<CallerKind>(['identity', 'serviceaccount', 'user']);

export function isCallerKind(kind: unknown): kind is CallerKind {
  return callerKinds.has(kind);
}

/** Who sends a request. */
export interface Caller {
  /** The full link: of a user, a service account or an identity. */
  readonly link: string;
  readonly kind: CallerKind;
  readonly name: string;
  readonly email?: string;
  /** Nothing is refused: the platform itself, and everybody where tokens are not checked. */
  readonly unrestricted: boolean;
}

/** The caller of what the platform does by itself. */
export function platformCaller({ org }: { readonly org: string }): Caller {
  return { link: `/org/${org}/serviceaccount/platform`, kind: 'serviceaccount', name: 'platform', unrestricted: true };
}
