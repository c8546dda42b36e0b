import type { JsonObject } from '../base/json/json.ts';
import { type Access, linkLists } from './pipelineAccess.ts';

/** Limit of a record's name, with some reserve (platform/concepts.names). */
const longestName = 64;

/**
 * The manifests of the two accounts of a pipeline and of their policies, in a fixed order: `NAME-plan` may read,
 * `NAME-apply` may also write. Keys are not included: a key is shown once, to the caller who adds it.
 */
export function pipelineManifests(name: string, access: readonly Access[]): readonly JsonObject[] {
  const [planner, applier] = [`${name}-plan`, `${name}-apply`];
  const accounts = [
    { kind: 'serviceaccount', name: planner, description: 'Plans, and tells drift.' },
    { kind: 'serviceaccount', name: applier, description: 'Applies.' },
  ];
  const names = uniqueNames(access.map((each) => `${name}-${each.name}`));
  const policies = access.map(({ kind, target, plan, apply }, index) => ({
    kind: 'policy',
    name: names[index] ?? '',
    targetKind: kind,
    ...target,
    bindings: bindingsOf([
      [`//serviceaccount/${planner}`, plan],
      [`//serviceaccount/${applier}`, apply],
    ]),
  }));
  return [...accounts, ...policies, ...policyViewManifests(policies, name, accounts)];
}

/**
 * An account sees that it may view everything in a GVC by reading the policies that grant this, so it needs view of
 * them (docs/guarantees.md, "Set limits").
 */
function policyViewManifests(
  policies: readonly { readonly name: string }[],
  name: string,
  accounts: readonly { readonly name: string }[],
): readonly JsonObject[] {
  const links = policies
    .filter((policy) => policy.name.startsWith(`${name}-in-`))
    .map((policy) => `//policy/${policy.name}`);
  const principalLinks = accounts.map((account) => `//serviceaccount/${account.name}`);
  const bindings = [{ permissions: ['view'], principalLinks }];
  return linkLists(`${name}-policies`, links).map((list) => ({
    kind: 'policy',
    targetKind: 'policy',
    ...list,
    bindings,
  }));
}

/** Cut names may become equal, for example for two GVCs with long names: repeated ones get a number. */
function uniqueNames(wanted: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return wanted.map((name) => {
    let short = cut(name, longestName);
    for (let number = 2; taken.has(short); number++)
      short = `${cut(name, longestName - `-${number}`.length)}-${number}`;
    taken.add(short);
    return short;
  });
}

function cut(name: string, length: number): string {
  return name.slice(0, length).replace(/-+$/, '');
}

/** Accounts with the same permissions share one binding (platform/policy.bindings). */
function bindingsOf(granted: readonly (readonly [string, readonly string[]])[]): readonly JsonObject[] {
  const sorted = granted
    .filter(([, permissions]) => permissions.length > 0)
    .map(([principal, permissions]) => ({ principal, permissions: permissions.toSorted() }));
  return [...Map.groupBy(sorted, ({ permissions }) => permissions.join(' ')).values()].map((same) => ({
    permissions: same[0]?.permissions ?? [],
    principalLinks: same.map(({ principal }) => principal),
  }));
}

/** A record name for a stack: `shop.team@gvc` becomes `pipeline-shop-team-gvc`. */
export function pipelineName(owner: string): string {
  const plain = owner
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return `pipeline-${plain}`.slice(0, 30).replace(/-+$/, '');
}
