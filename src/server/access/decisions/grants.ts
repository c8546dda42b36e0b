import { withImplied } from '../../../kinds/impliedPermissions.ts';
import type { Query } from '../../query/decisions/query.ts';
import { asksForStatus, type Candidate, matches } from '../../query/decisions/queryMatch.ts';
import type { PolicyTerms } from './policyReading.ts';

/** The permissions of one caller, computed once for all of its requests (platform/access.evaluation). */
export type Grants = ReadonlyMap<string, KindGrants>;

/** The granted permissions on one kind, implied ones included, by the targets of policies. */
export interface KindGrants {
  readonly all: ReadonlySet<string>;
  readonly links: ReadonlyMap<string, ReadonlySet<string>>;
  readonly queries: readonly { readonly query: Query; readonly permissions: ReadonlySet<string> }[];
}

/** The subject of a permission check: an existing record, or one about to be created. */
export interface Target {
  /** Its link; for a user the one by e-mail and the one by id (platform/group.members). */
  readonly links: readonly string[];
  /** The input of a target query; `withStatus`: including fields that are computed only when the record is shown. */
  readonly candidate: (withStatus: boolean) => Candidate;
}

interface Building {
  readonly all: Set<string>;
  readonly links: Map<string, Set<string>>;
  readonly queries: { query: Query; permissions: ReadonlySet<string> }[];
}

/** `principals`: the links of the caller itself and of every group it is in. */
export class GrantsInMaking {
  readonly #principals: ReadonlySet<string>;
  readonly #kinds = new Map<string, Building>();

  constructor(principals: ReadonlySet<string>) {
    this.#principals = principals;
  }

  add(policy: PolicyTerms): void {
    const granted = policy.bindings
      .filter((binding) => binding.principals.some((link) => this.#principals.has(link)))
      .flatMap((binding) => binding.permissions);
    const permissions = withImplied(policy.targetKind, granted);
    if (permissions.size === 0) return;
    const kind = this.#kinds.get(policy.targetKind) ?? { all: new Set(), links: new Map(), queries: [] };
    this.#kinds.set(policy.targetKind, kind);
    add(kind, policy, permissions);
  }

  get grants(): Grants {
    return this.#kinds;
  }
}

export function compileGrants(policies: readonly PolicyTerms[], principals: ReadonlySet<string>): Grants {
  const made = new GrantsInMaking(principals);
  for (const policy of policies) made.add(policy);
  return made.grants;
}

function add(kind: Building, policy: PolicyTerms, permissions: ReadonlySet<string>): void {
  for (const link of policy.links) {
    const granted = kind.links.get(link) ?? new Set();
    kind.links.set(link, granted);
    for (const permission of permissions) granted.add(permission);
  }
  if (policy.query !== undefined) kind.queries.push({ query: policy.query, permissions });
  if (policy.all) for (const permission of permissions) kind.all.add(permission);
}

/** Does a policy grant the permission on the target? Cheap checks first; the record itself is checked last. */
export function allows(grants: Grants, kind: string, permission: string, target: Target): boolean {
  const ofKind = grants.get(kind);
  if (ofKind === undefined) return false;
  if (ofKind.all.has(permission)) return true;
  if (target.links.some((link) => ofKind.links.get(link)?.has(permission) === true)) return true;
  return ofKind.queries.some(({ query, permissions }) => permissions.has(permission) && hits(query, target));
}

/** Does the permission apply to every record of a kind, so that a list need not check each? */
export function allowsAll(grants: Grants, kind: string, permission: string): boolean {
  return grants.get(kind)?.all.has(permission) === true;
}

/** Does a stored query select the target? */
export function hits(query: Query, target: Target): boolean {
  return matches(target.candidate(asksForStatus(query)), query);
}
