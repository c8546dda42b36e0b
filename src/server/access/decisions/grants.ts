import type { JsonObject } from '../../../base/json/json.ts';
import { impliesPermission, withImplied } from '../../../kinds/impliedPermissions.ts';
import type { Query } from '../../query/decisions/query.ts';
import { type Candidate, matches, needsStatus } from '../../query/decisions/queryMatch.ts';
import { type Permission, permissionsOf } from './permissionCatalog.ts';
import type { PolicyTerms } from './policyReading.ts';

/** The permissions of one caller, computed once for all its requests (platform/access.evaluation). */
export type Grants = ReadonlyMap<string, KindGrants>;

/** The permissions granted on one kind, including implied ones, by the targets of policies. */
export interface KindGrants {
  readonly all: ReadonlySet<string>;
  readonly links: ReadonlyMap<string, ReadonlySet<string>>;
  readonly queries: readonly { readonly query: Query; readonly permissions: ReadonlySet<string> }[];
}

/** The subject of a permission check: an existing record, or one to be created. */
export interface Target {
  /** The link; for a user both the one by e-mail and the one by id (platform/group.members). */
  readonly links: readonly string[];
  /** The input of a target query. `withStatus` includes fields that are computed only when the record is shown. */
  readonly candidate: (withStatus: boolean) => Candidate;
}

interface MutableKindGrants {
  readonly all: Set<string>;
  readonly links: Map<string, Set<string>>;
  readonly queries: { query: Query; permissions: ReadonlySet<string> }[];
}

/** Compiles grants. `principals`: the links of the caller itself and of its groups. */
export class GrantsBuilder {
  readonly #principals: ReadonlySet<string>;
  readonly #kinds = new Map<string, MutableKindGrants>();

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
    addPolicy(kind, policy, permissions);
  }

  get grants(): Grants {
    return this.#kinds;
  }
}

export function compileGrants(policies: readonly PolicyTerms[], principals: ReadonlySet<string>): Grants {
  const builder = new GrantsBuilder(principals);
  for (const policy of policies) builder.add(policy);
  return builder.grants;
}

function addPolicy(kind: MutableKindGrants, policy: PolicyTerms, permissions: ReadonlySet<string>): void {
  for (const link of policy.links) {
    const granted = kind.links.get(link) ?? new Set();
    kind.links.set(link, granted);
    for (const permission of permissions) granted.add(permission);
  }
  if (policy.query !== undefined) kind.queries.push({ query: policy.query, permissions });
  if (policy.all) for (const permission of permissions) kind.all.add(permission);
}

/** Whether a policy grants the permission on the target. Cheap checks run first; the record itself is checked last. */
export function allows(grants: Grants, kind: string, permission: string, target: Target): boolean {
  const ofKind = grants.get(kind);
  if (ofKind === undefined) return false;
  if (ofKind.all.has(permission)) return true;
  if (target.links.some((link) => ofKind.links.get(link)?.has(permission) === true)) return true;
  return ofKind.queries.some(({ query, permissions }) => permissions.has(permission) && selectsTarget(query, target));
}

/** Whether the permission covers every record of a kind, so that a list need not check each. */
export function allowsAll(grants: Grants, kind: string, permission: string): boolean {
  return grants.get(kind)?.all.has(permission) === true;
}

/** Whether a stored query selects the target. */
export function selectsTarget(query: Query, target: Target): boolean {
  return matches(target.candidate(needsStatus(query)), query);
}

export interface LinkedPolicy extends PolicyTerms {
  readonly link: string;
}

/** How a policy selects a record (platform/access.report). */
type Match = 'link' | 'query' | 'all';

/** The most specific way in which the policy selects the record; undefined if it does not. */
function matchOf(policy: PolicyTerms, target: Target): Match | undefined {
  if (target.links.some((link) => policy.links.has(link))) return 'link';
  if (policy.query !== undefined && selectsTarget(policy.query, target)) return 'query';
  return policy.all ? 'all' : undefined;
}

/** A permission of an access report, and its holders as JSON texts. */
interface Holders {
  readonly permission: Permission;
  readonly bindings: string[];
}

/**
 * The rows of an access report: for each permission of the kind, its holders with the policies and bound permissions
 * that grant or imply it (platform/access.report). Sorted by permission, then in the order in which policies are added.
 * Thousands of policies may select one record, so each is evaluated and written as text only once.
 */
export class AccessReportRows {
  readonly #kind: string;
  readonly #target: Target;
  readonly #holders: readonly Holders[];

  constructor(kind: string, target: Target) {
    this.#kind = kind;
    this.#target = target;
    this.#holders = permissionsOf(kind).map((permission) => ({ permission, bindings: [] }));
  }

  add(policy: LinkedPolicy): void {
    const match = policy.targetKind === this.#kind ? matchOf(policy, this.#target) : undefined;
    if (match === undefined) return;
    for (const { permission, bindings } of this.#holders) {
      for (const row of bindingsOf(this.#kind, permission.name, policy, match)) bindings.push(JSON.stringify(row));
    }
  }

  /** The rows as a JSON list. */
  get text(): string {
    const rows = this.#holders.map(({ permission, bindings }) => {
      const { name, description } = permission;
      const head = JSON.stringify({ name, description });
      return `${head.slice(0, -1)},"bindings":[${bindings.join(',')}]}`;
    });
    return `[${rows.join(',')}]`;
  }
}

/** One row for each principal, even if the policy names it in several bindings. */
function bindingsOf(kind: string, permission: string, policy: LinkedPolicy, match: Match): readonly JsonObject[] {
  const granted = new Map<string, Set<string>>();
  for (const binding of policy.bindings) {
    const granting = binding.permissions.filter((name) => impliesPermission(kind, name, permission));
    if (granting.length === 0) continue;
    for (const principal of binding.principals) {
      const names = granted.get(principal) ?? new Set();
      granted.set(principal, names);
      for (const name of granting) names.add(name);
    }
  }
  return [...granted].map(([principalLink, names]) => ({
    principalLink,
    grantingPolicyLink: policy.link,
    grantedPermissions: [...names].sort(),
    match,
  }));
}
