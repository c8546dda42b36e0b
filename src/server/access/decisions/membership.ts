import { isObject, type JsonObject, own, stringAt } from '../../../base/json/json.ts';
import { actsForWorkloads, isNamedByEmail } from '../../../kinds/kindFacts.ts';
import { type Candidate, matches, needsStatus } from '../../query/decisions/queryMatch.ts';
import { linksAt, storedQuery } from './policyReading.ts';

/** An expression that chooses identities (platform/group). */
export interface IdentityMatcher {
  readonly language: 'jmespath' | 'javascript';
  readonly expression: string;
}

/** A possible member of a group. */
export interface Principal {
  readonly kind: 'user' | 'serviceaccount' | 'identity';
  /** The link; for a user both the one by e-mail and the one by id (platform/group.members). */
  readonly links: readonly string[];
  /** The record as shown. */
  readonly candidate: (withStatus: boolean) => Candidate;
}

/** Whether an expression matches the identity with this record. */
export type MatchesIdentity = (matcher: IdentityMatcher, identity: JsonObject) => boolean;

/**
 * Whether the principal is in the group: by `memberLinks`, for users also by `memberQuery`, for identities only by the
 * `identityMatcher` (platform/access.evaluation, platform/group.members).
 */
export function isMember(
  group: JsonObject,
  principal: Principal,
  org: string,
  matchesIdentity: MatchesIdentity,
): boolean {
  if (actsForWorkloads(principal.kind)) {
    const matcher = matcherOf(group);
    return matcher !== undefined && matchesIdentity(matcher, principal.candidate(true).fields);
  }
  const linked = linksAt(group, 'memberLinks', org).some((link) => principal.links.includes(link));
  if (linked || !isNamedByEmail(principal.kind)) return linked;
  const query = storedQuery(own(group, 'memberQuery'), 'user');
  return query !== undefined && matches(principal.candidate(needsStatus(query)), query);
}

/** Whether a group can have members that `memberLinks` does not list. */
export function isDynamic(group: JsonObject): boolean {
  return isObject(own(group, 'memberQuery')) || matcherOf(group) !== undefined;
}

export function matcherOf(group: JsonObject): IdentityMatcher | undefined {
  const stored = own(group, 'identityMatcher');
  const expression = isObject(stored) ? stringAt(stored, 'expression') : undefined;
  if (!isObject(stored) || expression === undefined) return undefined;
  return { expression, language: own(stored, 'language') === 'javascript' ? 'javascript' : 'jmespath' };
}

/** The group whose members have all permissions (platform/group). */
export const superusers = 'superusers';

/**
 * Whether a write removes the caller from `superusers`, which callers cannot do themselves (platform/group.built-in).
 * `callerLinks`: for a user the links by e-mail and by id.
 */
export function leavesSuperusers(
  before: JsonObject,
  after: JsonObject,
  callerLinks: readonly string[],
  org: string,
): boolean {
  const isIn = (group: JsonObject) => linksAt(group, 'memberLinks', org).some((link) => callerLinks.includes(link));
  return isIn(before) && !isIn(after);
}
