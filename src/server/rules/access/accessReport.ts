import type { JsonObject } from '../../../schema/json/json.ts';
import { hits, type Target } from './grants.ts';
import { permissionsOf, withImplied } from './permissionCatalog.ts';
import type { PolicyTerms } from './policyReading.ts';

/** A policy with its link. */
export interface LinkedPolicy extends PolicyTerms {
  readonly link: string;
}

/** How a policy hits a record (platform/access.report). */
export type Match = 'link' | 'query' | 'all';

/** The closest way in which the policy hits it; undefined where it does not. */
export function matchOf(policy: PolicyTerms, target: Target): Match | undefined {
  if (target.links.some((link) => policy.links.has(link))) return 'link';
  if (policy.query !== undefined && hits(policy.query, target)) return 'query';
  return policy.all ? 'all' : undefined;
}

/**
 * The rows of an access report: for each permission of the kind, who holds it through which policy, and which bound
 * permissions grant or imply it (platform/access.report). Sorted by permission; inside one, in the order of the
 * policies.
 */
export function accessRows(kind: string, target: Target, policies: readonly LinkedPolicy[]): readonly JsonObject[] {
  const hitting = policies.flatMap((policy) => {
    const match = policy.targetKind === kind ? matchOf(policy, target) : undefined;
    return match === undefined ? [] : [{ policy, match }];
  });
  return permissionsOf(kind).map(({ name, description }) => ({
    name,
    description,
    bindings: hitting.flatMap(({ policy, match }) => bindingsOf(kind, name, policy, match)),
  }));
}

/** One row for each principal, though several bindings of the policy name it. */
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

function brings(kind: string, held: string, wanted: string): boolean {
  return withImplied(kind, [held]).has(wanted);
}
