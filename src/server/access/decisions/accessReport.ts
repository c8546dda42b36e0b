import type { JsonObject } from '../../../base/json/json.ts';
import { brings } from '../../../kinds/impliedPermissions.ts';
import { hits, type Target } from './grants.ts';
import { type Permission, permissionsOf } from './permissionCatalog.ts';
import type { PolicyTerms } from './policyReading.ts';

/** A policy with its link. */
export interface LinkedPolicy extends PolicyTerms {
  readonly link: string;
}

/** How a policy selects a record (platform/access.report). */
export type Match = 'link' | 'query' | 'all';

/** The most specific way in which the policy selects the record; undefined if it does not. */
function matchOf(policy: PolicyTerms, target: Target): Match | undefined {
  if (target.links.some((link) => policy.links.has(link))) return 'link';
  if (policy.query !== undefined && hits(policy.query, target)) return 'query';
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
 * Thousands may select one record: each is evaluated once, and its rows are written at once.
 */
export class AccessRows {
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

  /** A JSON list. */
  get text(): string {
    const rows = this.#holders.map(({ permission, bindings }) => {
      const { name, description } = permission;
      const head = JSON.stringify({ name, description });
      return `${head.slice(0, -1)},"bindings":[${bindings.join(',')}]}`;
    });
    return `[${rows.join(',')}]`;
  }
}

/** One row for each principal, even if several bindings of the policy name it. */
function bindingsOf(kind: string, permission: string, policy: LinkedPolicy, match: Match): readonly JsonObject[] {
  const granted = new Map<string, Set<string>>();
  for (const binding of policy.bindings) {
    const granting = binding.permissions.filter((name) => brings(kind, name, permission));
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
