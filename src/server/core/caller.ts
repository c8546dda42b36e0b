import { isNamedByEmail } from '../../kinds/kindFacts.ts';
import type { CallerKind } from '../../schema/record/kinds.ts';
import { bootstrapUser } from '../http/limits.ts';

/** The sender of a request. */
export interface Caller {
  /** The full link of a user, a service account or an identity. */
  readonly link: string;
  readonly kind: CallerKind;
  readonly name: string;
  readonly email?: string;
  /** Whether nothing is refused: for the platform itself, and for all callers if tokens are not checked. */
  readonly unrestricted: boolean;
}

/** The caller for actions of the platform itself. */
export function platformCaller({ org }: { readonly org: string }): Caller {
  return { link: `/org/${org}/serviceaccount/platform`, kind: 'serviceaccount', name: 'platform', unrestricted: true };
}

/** Whether the caller is the user that every new org has. */
export function isBootstrapUser({ kind, name }: Caller): boolean {
  return isNamedByEmail(kind) && name === bootstrapUser;
}
