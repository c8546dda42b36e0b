import type { IConstruct } from 'constructs';
import type { Permissions } from '../generated/interfaces/props.ts';
import { compact } from '../src/base/json/present.ts';
import { compareText } from '../src/base/text/compareText.ts';
import type { KnownKind, principalKinds } from '../src/schema/record/kinds.ts';
import type { Origin } from './origin.ts';
import type { Reference } from './references.ts';
import { type Content, isResource, Resource } from './resource.ts';
import { enclosingStack, type StackNode } from './stackOf.ts';
import { isTarget, type Target } from './target.ts';

/** Principals of policies: users, groups, service accounts and identities. */
export type Principal = Reference<(typeof principalKinds)[number]>;

/** The permissions that a policy can grant on records of a kind. */
export type PermissionOn<Of extends KnownKind> = Of extends keyof Permissions ? Permissions[Of] : never;

interface Granted {
  readonly principal: Principal;
  readonly permissions: readonly string[];
  readonly origin: Origin;
}

/**
 * The policy with all grants of one stack on one resource. Its name is `grants--KIND--NAME`, or
 * `grants--KIND--GVC--NAME` for a resource in a GVC; for a resource that this stack does not create, followed by `--by--STACK`. Each
 * principal has one binding with all of its permissions; principals with the same permissions share it.
 */
export class Grant extends Resource<'policy'> {
  readonly #granted: Granted[] = [];

  constructor(target: Target, stack: StackNode | undefined) {
    const isOfStack = enclosingStack(target) === stack;
    const name = policyName(target, isOfStack && isResource(target) ? undefined : stack?.name);
    const content = { targetKind: target.kind, targetLinks: [target] };
    super(isOfStack || stack === undefined ? target : stack, isOfStack ? 'grants' : name, 'policy', { name }, content);
  }

  add(granted: Granted): void {
    this.#granted.push(granted);
  }

  protected override content(content: Content): Content {
    const bindings = bindingsOf(this.#granted);
    for (const [index, { principals }] of bindings.entries()) {
      for (const [at, { origin }] of principals.entries()) {
        this.placeAt(['bindings', index, 'principalLinks', at], origin);
      }
    }
    return {
      ...content,
      bindings: bindings.map(({ permissions, principals }) => ({
        permissions,
        principalLinks: principals.map(({ principal }) => principal),
      })),
    };
  }
}

/** The policies of each tree, by the stack and the link of the target. */
const grants = new WeakMap<IConstruct, Map<string, Grant>>();

/**
 * Adds to the policy of the target, which is created if there is none. If the principal is in another stack, so is the
 * policy: that stack already refers to this one, and the two could not wait for each other.
 */
export function grantOn(target: Target, granted: Granted): Grant {
  const { principal } = granted;
  const stack = (isTarget(principal) ? enclosingStack(principal) : undefined) ?? enclosingStack(target);
  const around = stack ?? target.node.root;
  const ofStack = grants.get(around) ?? new Map<string, Grant>();
  grants.set(around, ofStack);
  const grant = ofStack.get(target.link) ?? new Grant(target, stack);
  ofStack.set(target.link, grant);
  grant.add(granted);
  return grant;
}

interface Binding {
  readonly permissions: readonly string[];
  readonly principals: readonly Granted[];
}

/** One binding for each set of permissions (rule PO5), in an order that does not depend on that of the grants. */
function bindingsOf(granted: readonly Granted[]): readonly Binding[] {
  const byPrincipal = Map.groupBy(granted, ({ principal }) => linkOf(principal));
  const members = compact([...byPrincipal.values()], (all) => {
    const [first] = all;
    const permissions = [...new Set(all.flatMap((each) => each.permissions))].sort(compareText);
    return first === undefined ? undefined : { first, permissions, key: permissions.join(' ') };
  });
  const byPermissions = [...Map.groupBy(members, ({ key }) => key)].toSorted(([a], [b]) => compareText(a, b));
  return byPermissions.map(([, all]) => ({
    permissions: all[0]?.permissions ?? [],
    principals: all.map(({ first }) => first).toSorted((a, b) => compareText(linkOf(a.principal), linkOf(b.principal))),
  }));
}

export function linkOf(of: string | { readonly link: string }): string {
  return typeof of === 'string' ? of : of.link;
}

/** Names have at most 64 characters (platform/concepts.names). */
const longest = 64;

/** The name of the policy for one target. `stack`: the granting stack, if it does not create the target. */
function policyName({ gvc, kind, link, name }: Target, stack: string | undefined): string {
  const parts = compact(['grants', kind, gvc, name]);
  const plain = [...parts, ...(stack === undefined ? [] : ['by', stack])].join('--');
  const legal = plain
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, '-')
    .replace(/-+$/, '');
  if (legal === plain && plain.length <= longest) return plain;
  const suffix = `-${shortHash(`${link} ${stack ?? ''}`)}`;
  return `${legal.slice(0, longest - suffix.length)}${suffix}`;
}

/** FNV-1a: distinguishes names that become equal when they are shortened or made valid. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(36);
}
