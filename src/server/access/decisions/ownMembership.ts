import type { JsonObject } from '../../../base/json/json.ts';
import { linksAt } from './policyReading.ts';

/** The group whose members have all permissions (platform/group). */
export const superusers = 'superusers';

/**
 * Does a write remove the caller from `superusers`, which callers cannot do themselves (platform/group.built-in)?
 * `callerLinks`: for a user the link by e-mail and the one by id.
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
